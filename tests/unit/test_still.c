/* Still pictures from bytes and files: whatever is given, an upright frame or a reason. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "capture/png.h"
#include "capture/still.h"
#include "tests/unit/still_make.h"

static char directory[64], path[96];

static int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/tableref-still-XXXXXX");
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/picture", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static void write_file(const void *data, size_t length)
{
    FILE *out = fopen(path, "wb");

    assert_non_null(out);
    assert_int_equal(fwrite(data, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
}

/* Reads what must fail; the reason must hold `word`. */
static int read_failure(const char *name, const char *word)
{
    struct capture_fault fault = {{0}};
    struct frame *frame = NULL;
    int error = capture_still_read(name, &frame, &fault);

    assert_null(frame);
    assert_int_not_equal(error, CAPTURE_OK);
    if (!strstr(fault.text, word))
        fail_msg("\"%s\" does not say \"%s\"", fault.text, word);
    return error;
}

static void should_refuse_by_name_what_is_no_file(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    (void)state;
    assert_int_equal(read_failure(directory, "directory"), CAPTURE_E_OPEN);
    assert_int_equal(read_failure("/dev/zero", "device"), CAPTURE_E_OPEN);
    assert_int_equal(read_failure(path, strerror(ENOENT)), CAPTURE_E_OPEN);
    assert_int_equal(read_failure("", strerror(ENOENT)), CAPTURE_E_OPEN);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(read_failure(path, "named pipe"), CAPTURE_E_OPEN);
    unlink(path);
    strcpy(address.sun_path, path);
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(read_failure(path, strerror(ENXIO)), CAPTURE_E_OPEN);
    close(fd);
}

static void should_refuse_an_empty_file(void **state)
{
    (void)state;
    write_file("", 0);
    assert_int_equal(read_failure(path, "empty"), CAPTURE_E_EMPTY);
}

static void should_refuse_a_huge_file_without_reading_it(void **state)
{
    (void)state;
    write_file("\377\330", 2);
    assert_int_equal(truncate(path, 257L * 1024 * 1024), 0);
    assert_int_equal(read_failure(path, "257 MB"), CAPTURE_E_SIZE);
}

static void should_name_other_formats(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *word;
    } others[] = {
        {"GIF89a\1\0\1\0", 10, "GIF"},
        {"RIFF\0\0\0\0WEBPVP8 ", 16, "WebP"},
        {"\0\0\0\30ftypheic\0\0\0\0", 16, "HEIC"},
        {"\0\0\0\30ftypavif\0\0\0\0", 16, "AVIF"},
        {"II*\0\10\0\0\0", 8, "TIFF"},
        {"BM\0\0\0\0", 6, "BMP"},
        {"hello", 5, "neither a JPEG nor a PNG"},
        {"\377", 1, "neither a JPEG nor a PNG"},
        {"\211PNG\r\n\032", 7, "neither a JPEG nor a PNG"},
        {"\250\012\377\330\377\340", 6, "neither a JPEG nor a PNG"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        write_file(others[i].bytes, others[i].length);
        assert_int_equal(read_failure(path, others[i].word), CAPTURE_E_FORMAT);
    }
}

static void check_upright(const struct frame *frame, int width, int height)
{
    uint8_t *rgb = make_memory((size_t)width * (size_t)height * 3);

    assert_int_equal(frame->width, width);
    assert_int_equal(frame->height, height);
    capture_frame_to_rgb(frame, rgb);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t want[3];

            make_pixel(x, y, width, height, want);
            /* Only where the picture is smooth: far from the disc and the bar. */
            if (want[0] == 250 || want[0] == 20 || y < height / 2 || x < width / 2)
                continue;
            for (int c = 0; c < 3; c++)
                assert_in_range(rgb[((size_t)y * (size_t)width + (size_t)x) * 3 + (size_t)c] -
                                    want[c] + 24,
                                0, 48); /* JPEG at quality 92 */
        }
    free(rgb);
}

/* Encodes the picture as a camera held that way stores it: turned back by the inverse. */
static struct bytes stored_jpeg(int orientation)
{
    static const int inverse[9] = {0, 1, 2, 3, 4, 5, 8, 7, 6};
    uint8_t *rgb = make_rgb(64, 48), exif[32];
    struct frame *upright = capture_frame_from_rgb(rgb, 64, 48);
    struct frame *stored = capture_frame_orient(upright, inverse[orientation]);
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *data = NULL;
    unsigned long length = 0;
    uint8_t *pixels = make_memory(64 * 48 * 3);
    struct bytes copy;

    capture_frame_to_rgb(stored, pixels);
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &data, &length);
    jpeg.image_width = (JDIMENSION)stored->width;
    jpeg.image_height = (JDIMENSION)stored->height;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 92, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    make_exif(exif, orientation % 2, (uint16_t)orientation);
    jpeg_write_marker(&jpeg, JPEG_APP0 + 1, exif, sizeof exif);
    for (int y = 0; y < stored->height; y++) {
        JSAMPROW row = pixels + (size_t)y * (size_t)stored->width * 3;

        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    copy = bytes_copy(data, length);
    free(data);
    free(pixels);
    free(rgb);
    capture_frame_destroy(&upright);
    capture_frame_destroy(&stored);
    return copy;
}

static void should_turn_every_orientation_upright(void **state)
{
    (void)state;
    for (int orientation = 1; orientation <= 8; orientation++) {
        struct bytes jpeg = stored_jpeg(orientation);
        struct frame *frame = NULL;
        struct capture_fault fault = {{0}};

        write_file(jpeg.data, jpeg.length);
        assert_int_equal(capture_still_read(path, &frame, &fault), CAPTURE_OK);
        check_upright(frame, 64, 48);
        capture_frame_destroy(&frame);
        bytes_free(&jpeg);
    }
}

static void should_read_a_png_file(void **state)
{
    uint8_t *rgb = make_rgb(50, 31);
    struct frame *frame = NULL;
    struct capture_fault fault = {{0}};

    (void)state;
    assert_int_equal(capture_png_write(path, rgb, 50, 31, &fault), CAPTURE_OK);
    assert_int_equal(capture_still_read(path, &frame, &fault), CAPTURE_OK);
    check_upright(frame, 50, 31);
    capture_frame_destroy(&frame);
    free(rgb);
}

/* A grey picture with three equal channels, and `coloured` pixels of it red. */
static bool has_colour_with(int coloured)
{
    enum { SIDE = 128 };
    uint8_t *rgb = make_rgb(SIDE, SIDE);
    struct frame *frame = NULL;
    struct capture_fault fault = {{0}};

    for (int i = 0; i < SIDE * SIDE; i++)
        rgb[3 * i + 1] = rgb[3 * i + 2] = rgb[3 * i];
    for (int i = 0; i < coloured; i++) {
        rgb[3 * i] = 200;
        rgb[3 * i + 1] = rgb[3 * i + 2] = 30;
    }
    assert_int_equal(capture_png_write(path, rgb, SIDE, SIDE, &fault), CAPTURE_OK);
    assert_int_equal(capture_still_read(path, &frame, &fault), CAPTURE_OK);
    bool has_colour = frame->has_colour;
    assert_true(has_colour == (frame->cb != NULL) && has_colour == (frame->cr != NULL));
    capture_frame_destroy(&frame);
    free(rgb);
    return has_colour;
}

static void should_say_no_colour_of_a_grey_picture_saved_as_colour(void **state)
{
    (void)state;
    assert_false(has_colour_with(0));
    assert_false(has_colour_with(1)); /* one pixel is no colour picture */
    assert_true(has_colour_with(40));
}

static void should_refuse_a_cut_file(void **state)
{
    struct bytes jpeg = stored_jpeg(6);

    (void)state;
    write_file(jpeg.data, jpeg.length / 2);
    assert_int_equal(read_failure(path, "damaged"), CAPTURE_E_DAMAGED);
    bytes_free(&jpeg);
}

static void should_refuse_wrong_arguments(void **state)
{
    struct frame *frame = NULL;
    struct capture_fault fault;

    (void)state;
    assert_int_equal(capture_still_read(NULL, &frame, &fault), CAPTURE_E_ARGUMENT);
    assert_int_equal(capture_still_read(path, NULL, NULL), CAPTURE_E_ARGUMENT);
    assert_int_equal(capture_still_decode(NULL, 4, &frame, &fault), CAPTURE_E_ARGUMENT);
    assert_int_equal(capture_still_decode(NULL, 0, &frame, &fault), CAPTURE_E_EMPTY);
    assert_int_equal(capture_still_decode((const uint8_t *)"x", 1, NULL, NULL), CAPTURE_E_ARGUMENT);
}

static void should_have_words_for_every_error(void **state)
{
    (void)state;
    for (int error = CAPTURE_OK; error >= CAPTURE_E_DECODER; error--)
        assert_string_not_equal(capture_strerror(error), "unknown error");
    assert_string_equal(capture_strerror(CAPTURE_E_DECODER - 1), "unknown error");
    assert_string_equal(capture_strerror(1), "unknown error");
}

int main(void)
{
#define WITH_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)
    const struct CMUnitTest tests[] = {
        WITH_DIRECTORY(should_refuse_by_name_what_is_no_file),
        WITH_DIRECTORY(should_refuse_an_empty_file),
        WITH_DIRECTORY(should_refuse_a_huge_file_without_reading_it),
        WITH_DIRECTORY(should_name_other_formats),
        WITH_DIRECTORY(should_turn_every_orientation_upright),
        WITH_DIRECTORY(should_read_a_png_file),
        WITH_DIRECTORY(should_say_no_colour_of_a_grey_picture_saved_as_colour),
        WITH_DIRECTORY(should_refuse_a_cut_file),
        cmocka_unit_test(should_refuse_wrong_arguments),
        cmocka_unit_test(should_have_words_for_every_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
