/* tests/tools/blank_main.c: blank WIDTH HEIGHT FILE: an even grey JPEG, for the negative
 * controls: a picture on which nothing can be read. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#define GREY 128
#define QUALITY 90

static long number(const char *text)
{
    char *end;
    long value;

    errno = 0;
    value = strtol(text, &end, 10);
    return errno || *end || value < 1 || value > JPEG_MAX_DIMENSION ? -1 : value;
}

static void write_grey(FILE *file, long width, long height, JSAMPLE *row)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;

    jpeg.err = jpeg_std_error(&errors); /* exits on an error: right for a tool of the tests */
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = (JDIMENSION)width;
    jpeg.image_height = (JDIMENSION)height;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, QUALITY, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height)
        jpeg_write_scanlines(&jpeg, &row, 1);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
}

int main(int argc, char **argv)
{
    long width = argc == 4 ? number(argv[1]) : -1;
    long height = argc == 4 ? number(argv[2]) : -1;
    JSAMPLE *row;
    FILE *file;

    if (width < 0 || height < 0) {
        fprintf(stderr, "usage: blank WIDTH HEIGHT FILE\n");
        return 2;
    }
    row = malloc((size_t)width * 3);
    file = fopen(argv[3], "wb");
    if (!row || !file) {
        fprintf(stderr, "blank: %s: %s\n", argv[3], strerror(errno));
        free(row);
        return 1;
    }
    memset(row, GREY, (size_t)width * 3);
    write_grey(file, width, height, row);
    free(row);
    if (fclose(file)) {
        fprintf(stderr, "blank: %s: %s\n", argv[3], strerror(errno));
        return 1;
    }
    return 0;
}
