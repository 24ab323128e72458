/* tests/unit/still_make.h: small pictures for the tests of capture/, made here and encoded with
 * libjpeg. A failure in making one ends the test program. */
#ifndef TESTS_STILL_MAKE_H
#define TESTS_STILL_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

struct bytes {
    uint8_t *data;
    size_t length;
};

struct recipe {
    int width, height;
    J_COLOR_SPACE space;  /* of the file: JCS_YCbCr, JCS_RGB, JCS_GRAYSCALE, JCS_CMYK */
    int luma_h, luma_v;   /* sampling factors of the first component; 0: 1 */
    int other_h, other_v; /* of the others; 0: 1 */
    int restart_interval;
    bool progressive;
    bool separate_scans; /* a sequential picture with a scan for each component */
    const uint8_t *app1; /* content of an APP1 segment, or NULL */
    size_t app1_length;
};

static inline void *make_memory(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);

    if (!memory)
        abort();
    return memory;
}

/* A copy of exactly that size on the heap, so that the sanitizer sees every byte read beyond. */
static inline struct bytes bytes_copy(const uint8_t *data, size_t length)
{
    struct bytes copy = {make_memory(length), length};

    if (length > 0)
        memcpy(copy.data, data, length);
    return copy;
}

/* A copy in which `cut` bytes at `at` are replaced by others. */
static inline struct bytes bytes_splice(struct bytes from, size_t at, size_t cut,
                                        const void *insert, size_t insert_length)
{
    struct bytes to = {make_memory(from.length - cut + insert_length),
                       from.length - cut + insert_length};

    memcpy(to.data, from.data, at);
    if (insert_length > 0)
        memcpy(to.data + at, insert, insert_length);
    memcpy(to.data + at + insert_length, from.data + at + cut, from.length - at - cut);
    return to;
}

static inline void bytes_free(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){NULL, 0};
}

/* Where marker 0xff `code` starts for the `nth` time (from 0); the length if it does not. */
static inline size_t bytes_find_marker(struct bytes bytes, uint8_t code, int nth)
{
    for (size_t i = 0; i + 1 < bytes.length; i++)
        if (bytes.data[i] == 0xff && bytes.data[i + 1] == code && nth-- == 0)
            return i;
    return bytes.length;
}

/* Without the `nth` segment of that code. */
static inline struct bytes bytes_drop_segment(struct bytes from, uint8_t code, int nth)
{
    size_t at = bytes_find_marker(from, code, nth);

    if (at + 4 > from.length)
        abort();
    return bytes_splice(from, at, 2 + ((size_t)from.data[at + 2] << 8 | from.data[at + 3]), NULL,
                        0);
}

/* Soft ramps in every channel, with a dark bar and a light disc, so that nothing is symmetric. */
static inline void make_pixel(int x, int y, int width, int height, uint8_t *rgb)
{
    int dx = x - width / 3, dy = y - height / 2;

    rgb[0] = (uint8_t)(40 + 200 * x / (width > 1 ? width : 2));
    rgb[1] = (uint8_t)(220 - 180 * y / (height > 1 ? height : 2));
    rgb[2] = (uint8_t)(60 + 120 * (x + y) / (width + height));
    if (x > width / 2 && y < height / 4)
        memset(rgb, 20, 3);
    if (dx * dx + dy * dy < width * height / 64) {
        rgb[0] = 250;
        rgb[1] = 40;
    }
}

static inline uint8_t *make_rgb(int width, int height)
{
    uint8_t *rgb = make_memory((size_t)width * (size_t)height * 3);

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            make_pixel(x, y, width, height, rgb + 3 * ((size_t)y * (size_t)width + (size_t)x));
    return rgb;
}

static inline void recipe_apply(struct jpeg_compress_struct *jpeg, const struct recipe *recipe,
                                jpeg_scan_info *scans)
{
    jpeg_set_defaults(jpeg);
    jpeg_set_colorspace(jpeg, recipe->space);
    jpeg_set_quality(jpeg, 92, TRUE);
    for (int i = 0; i < jpeg->num_components; i++) {
        int h = i == 0 ? recipe->luma_h : recipe->other_h;
        int v = i == 0 ? recipe->luma_v : recipe->other_v;

        jpeg->comp_info[i].h_samp_factor = h ? h : 1;
        jpeg->comp_info[i].v_samp_factor = v ? v : 1;
    }
    jpeg->restart_interval = (unsigned)recipe->restart_interval;
    if (recipe->progressive)
        jpeg_simple_progression(jpeg);
    if (recipe->separate_scans) {
        for (int i = 0; i < jpeg->num_components; i++)
            scans[i] = (jpeg_scan_info){.comps_in_scan = 1, .component_index = {i}, .Se = 63};
        jpeg->scan_info = scans;
        jpeg->num_scans = jpeg->num_components;
    }
}

static inline void write_rows(struct jpeg_compress_struct *jpeg, const struct recipe *recipe)
{
    uint8_t *rgb = make_rgb(recipe->width, recipe->height);
    uint8_t *row = make_memory((size_t)recipe->width * 4);

    for (int y = 0; y < recipe->height; y++) {
        JSAMPROW out = row;

        for (int x = 0; x < recipe->width; x++)
            for (int c = 0; c < jpeg->input_components; c++)
                row[x * jpeg->input_components + c] =
                    rgb[3 * ((size_t)y * (size_t)recipe->width + (size_t)x) + (size_t)(c % 3)];
        jpeg_write_scanlines(jpeg, &out, 1);
    }
    free(row);
    free(rgb);
}

/* The caller frees it with bytes_free(). */
static inline struct bytes make_jpeg(const struct recipe *recipe)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    jpeg_scan_info scans[4];
    unsigned char *data = NULL;
    unsigned long length = 0;
    struct bytes copy;

    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &data, &length);
    jpeg.image_width = (JDIMENSION)recipe->width;
    jpeg.image_height = (JDIMENSION)recipe->height;
    jpeg.input_components = recipe->space == JCS_GRAYSCALE ? 1 : recipe->space == JCS_CMYK ? 4 : 3;
    jpeg.in_color_space = recipe->space == JCS_YCbCr ? JCS_RGB : recipe->space;
    recipe_apply(&jpeg, recipe, scans);
    jpeg_start_compress(&jpeg, TRUE);
    if (recipe->app1)
        jpeg_write_marker(&jpeg, JPEG_APP0 + 1, recipe->app1, (unsigned)recipe->app1_length);
    write_rows(&jpeg, recipe);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    copy = bytes_copy(data, length);
    free(data);
    return copy;
}

/* "Exif", and a TIFF block that says only the orientation. Returns its length, 32. */
static inline size_t make_exif(uint8_t out[32], bool big_endian, uint16_t orientation)
{
    static const uint8_t big[32] = {'E', 'x', 'i', 'f', 0, 0,    'M', 'M', 0, 42, 0, 0,
                                    0,   8,   0,   1,   1, 0x12, 0,   3,   0, 0,  0, 1};
    static const uint8_t little[32] = {'E', 'x', 'i', 'f', 0,    0, 'I', 'I', 42, 0, 8, 0,
                                       0,   0,   1,   0,   0x12, 1, 3,   0,   1,  0, 0, 0};

    memcpy(out, big_endian ? big : little, 32);
    out[24] = (uint8_t)(big_endian ? orientation >> 8 : orientation);
    out[25] = (uint8_t)(big_endian ? orientation : orientation >> 8);
    return 32;
}

#endif
