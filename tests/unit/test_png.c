/* PNG in every kind there is, damaged in every way we can think of, and out again. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <png.h>

#include "capture/png.h"
#include "tests/unit/still_make.h"

#define WIDTH 13
#define HEIGHT 11
#define HEADER_END 33 /* signature and IHDR */

struct sink {
    uint8_t data[1 << 16];
    size_t length;
};

static void sink_write(png_structp png, png_bytep bytes, size_t count)
{
    struct sink *sink = png_get_io_ptr(png);

    if (count > sizeof sink->data - sink->length)
        abort();
    memcpy(sink->data + sink->length, bytes, count);
    sink->length += count;
}

struct kind {
    int colour_type, depth;
    bool interlaced, transparent;
    int orientation; /* 0: no eXIf chunk */
};

static int samples_of(int colour_type)
{
    return colour_type == PNG_COLOR_TYPE_RGB          ? 3
           : colour_type == PNG_COLOR_TYPE_RGB_ALPHA  ? 4
           : colour_type == PNG_COLOR_TYPE_GRAY_ALPHA ? 2
                                                      : 1;
}

/* Sample `c` of a pixel, out of 0..2^depth - 1. Never the largest in the first column, where it
 * would hide a mistake in the transparent value. */
static unsigned sample(const struct kind *kind, int x, int y, int c)
{
    unsigned most = (1u << kind->depth) - 1;

    return ((unsigned)(x * 5 + y * 3 + c * 7) * (most / 7 + 1)) & most;
}

static void pack_row(const struct kind *kind, int y, uint8_t *row)
{
    int samples = samples_of(kind->colour_type), bit = 0;

    memset(row, 0, WIDTH * 8);
    for (int i = 0; i < WIDTH * samples; i++) {
        unsigned value = sample(kind, i / samples, y, i % samples);

        for (int k = kind->depth - 1; k >= 0; k--, bit++)
            if (value >> k & 1)
                row[bit / 8] = (uint8_t)(row[bit / 8] | 0x80 >> bit % 8);
    }
}

static void palette_colour(unsigned index, uint8_t rgb[3])
{
    rgb[0] = (uint8_t)(index * 37);
    rgb[1] = (uint8_t)(255 - index * 11);
    rgb[2] = (uint8_t)(index * 91 + 5);
}

/* What is transparent: the palette's entry 1 half, or the sample values of pixel (1, 0). */
static void set_transparency(png_structp png, png_infop info, const struct kind *kind)
{
    png_byte alpha[2] = {255, 128};
    png_color_16 value = {.red = (png_uint_16)sample(kind, 1, 0, 0),
                          .green = (png_uint_16)sample(kind, 1, 0, 1),
                          .blue = (png_uint_16)sample(kind, 1, 0, 2),
                          .gray = (png_uint_16)sample(kind, 1, 0, 0)};

    if (kind->colour_type == PNG_COLOR_TYPE_PALETTE)
        png_set_tRNS(png, info, alpha, 2, NULL);
    else
        png_set_tRNS(png, info, NULL, 0, &value);
}

static void set_chunks(png_structp png, png_infop info, const struct kind *kind)
{
    uint8_t exif[32];

    if (kind->colour_type == PNG_COLOR_TYPE_PALETTE) {
        png_color palette[256];
        int count = 1 << kind->depth;

        for (int i = 0; i < count; i++) {
            uint8_t rgb[3];

            palette_colour((unsigned)i, rgb);
            palette[i] = (png_color){rgb[0], rgb[1], rgb[2]};
        }
        png_set_PLTE(png, info, palette, count);
    }
    if (kind->transparent)
        set_transparency(png, info, kind);
    if (kind->orientation) {
        make_exif(exif, true, (uint16_t)kind->orientation);
        png_set_eXIf_1(png, info, 26, exif + 6);
    }
}

static struct bytes make_png(const struct kind *kind)
{
    struct sink *sink = make_memory(sizeof *sink);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    uint8_t rows[HEIGHT][WIDTH * 8], *pointers[HEIGHT];
    struct bytes copy;

    sink->length = 0;
    png_set_write_fn(png, sink, sink_write, NULL);
    png_set_IHDR(png, info, WIDTH, HEIGHT, kind->depth, kind->colour_type,
                 kind->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_chunks(png, info, kind);
    png_write_info(png, info);
    for (int y = 0; y < HEIGHT; y++) {
        pack_row(kind, y, rows[y]);
        pointers[y] = rows[y];
    }
    png_write_image(png, pointers);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    copy = bytes_copy(sink->data, sink->length);
    free(sink);
    return copy;
}

static int to_8_bits(unsigned value, int depth)
{
    unsigned most = (1u << depth) - 1;

    return (int)((value * 255 + most / 2) / most);
}

static int over_white(int value, int alpha)
{
    return (value * alpha + 255 * (255 - alpha) + 127) / 255;
}

static int alpha_of(const struct kind *kind, int x, int y)
{
    bool same = true;
    int samples = samples_of(kind->colour_type);

    if (samples == 2 || samples == 4)
        return to_8_bits(sample(kind, x, y, samples - 1), kind->depth);
    if (!kind->transparent)
        return 255;
    if (kind->colour_type == PNG_COLOR_TYPE_PALETTE)
        return sample(kind, x, y, 0) == 1 ? 128 : 255;
    for (int c = 0; c < samples; c++)
        same = same && sample(kind, x, y, c) == sample(kind, 1, 0, c);
    return same ? 0 : 255;
}

static struct capture_ycc wanted(const struct kind *kind, int x, int y)
{
    int alpha = alpha_of(kind, x, y), rgb[3];
    uint8_t colour[3];

    palette_colour(sample(kind, x, y, 0), colour);
    for (int c = 0; c < 3; c++) {
        int value =
            kind->colour_type == PNG_COLOR_TYPE_PALETTE
                ? colour[c]
                : to_8_bits(sample(kind, x, y, kind->colour_type & PNG_COLOR_MASK_COLOR ? c : 0),
                            kind->depth);

        rgb[c] = over_white(value, alpha);
    }
    return capture_rgb_to_ycc(rgb[0], rgb[1], rgb[2]);
}

static int decode(struct bytes png, struct frame **frame, int *orientation)
{
    struct bytes copy = bytes_copy(png.data, png.length);
    struct capture_fault fault = {{0}};
    int error = capture_png_decode(copy.data, copy.length, frame, orientation, &fault);

    assert_int_equal(error == CAPTURE_OK, *frame != NULL);
    assert_int_equal(error != CAPTURE_OK, fault.text[0] != '\0');
    bytes_free(&copy);
    return error;
}

static int decode_error_and_free(struct bytes png)
{
    struct frame *frame = NULL;
    int error = decode(png, &frame, NULL);

    capture_frame_destroy(&frame);
    bytes_free(&png);
    return error;
}

static void check_kind(const struct kind *kind)
{
    struct bytes png = make_png(kind);
    struct frame *frame = NULL;
    int orientation = 0;

    assert_int_equal(decode(png, &frame, &orientation), CAPTURE_OK);
    assert_int_equal(orientation, kind->orientation ? kind->orientation : 1);
    assert_int_equal(frame->width, WIDTH);
    assert_int_equal(frame->height, HEIGHT);
    assert_int_equal(frame->has_colour, (kind->colour_type & PNG_COLOR_MASK_COLOR) != 0);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            struct capture_ycc want = wanted(kind, x, y);
            size_t at = (size_t)y * frame->c_stride + (size_t)x;

            /* 1: 16 bits rounded to 8 by the library's own formula, then weighted with alpha */
            assert_in_range(frame->y[(size_t)y * frame->y_stride + (size_t)x] - want.y + 1, 0, 2);
            if (!frame->has_colour)
                continue;
            assert_in_range(frame->cb[at] - want.cb + 1, 0, 2);
            assert_in_range(frame->cr[at] - want.cr + 1, 0, 2);
        }
    capture_frame_destroy(&frame);
    bytes_free(&png);
}

static const struct kind kinds[] = {
    {.colour_type = PNG_COLOR_TYPE_GRAY, .depth = 1},
    {.colour_type = PNG_COLOR_TYPE_GRAY, .depth = 2},
    {.colour_type = PNG_COLOR_TYPE_GRAY, .depth = 4},
    {.colour_type = PNG_COLOR_TYPE_GRAY, .depth = 8},
    {.colour_type = PNG_COLOR_TYPE_GRAY, .depth = 16},
    {.colour_type = PNG_COLOR_TYPE_GRAY_ALPHA, .depth = 8},
    {.colour_type = PNG_COLOR_TYPE_GRAY_ALPHA, .depth = 16},
    {.colour_type = PNG_COLOR_TYPE_PALETTE, .depth = 1},
    {.colour_type = PNG_COLOR_TYPE_PALETTE, .depth = 2},
    {.colour_type = PNG_COLOR_TYPE_PALETTE, .depth = 4},
    {.colour_type = PNG_COLOR_TYPE_PALETTE, .depth = 8},
    {.colour_type = PNG_COLOR_TYPE_RGB, .depth = 8},
    {.colour_type = PNG_COLOR_TYPE_RGB, .depth = 16},
    {.colour_type = PNG_COLOR_TYPE_RGB_ALPHA, .depth = 8},
    {.colour_type = PNG_COLOR_TYPE_RGB_ALPHA, .depth = 16},
};

static void should_read_every_colour_type_and_depth(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (int interlaced = 0; interlaced < 2; interlaced++) {
            struct kind kind = kinds[i];

            kind.interlaced = interlaced;
            check_kind(&kind);
            if (kind.colour_type & PNG_COLOR_MASK_ALPHA)
                continue;
            kind.transparent = true;
            check_kind(&kind);
        }
}

static void should_read_the_orientation(void **state)
{
    struct kind kind = {.colour_type = PNG_COLOR_TYPE_RGB, .depth = 8};

    (void)state;
    for (kind.orientation = 1; kind.orientation <= 8; kind.orientation++)
        check_kind(&kind);
}

static void should_refuse_a_picture_cut_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct kind kind = kinds[i];
        struct bytes png;

        kind.interlaced = i % 2;
        png = make_png(&kind);
        for (size_t length = 0; length < png.length; length++)
            assert_int_not_equal(decode_error_and_free(bytes_copy(png.data, length)), CAPTURE_OK);
        bytes_free(&png);
    }
}

static void should_refuse_any_byte_changed(void **state)
{
    struct kind kind = {
        .colour_type = PNG_COLOR_TYPE_PALETTE, .depth = 4, .transparent = true, .orientation = 6};
    struct bytes png = make_png(&kind);

    (void)state;
    for (size_t i = 0; i < png.length; i++)
        for (int bit = 0; bit < 8; bit++) {
            struct bytes broken = bytes_copy(png.data, png.length);

            broken.data[i] = (uint8_t)(broken.data[i] ^ 1 << bit);
            assert_int_not_equal(decode_error_and_free(broken), CAPTURE_OK);
        }
    bytes_free(&png);
}

static void should_say_damaged_for_a_wrong_checksum(void **state)
{
    struct kind kind = {.colour_type = PNG_COLOR_TYPE_RGB, .depth = 8};
    struct bytes png = make_png(&kind);

    (void)state;
    png.data[png.length - 14]++; /* the last byte of IDAT's, before IEND's 12 */
    assert_int_equal(decode_error_and_free(png), CAPTURE_E_DAMAGED);
}

static void put_u32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (24 - 8 * i));
}

static uint32_t checksum(const uint8_t *bytes, size_t length)
{
    uint32_t crc = 0xffffffff;

    for (size_t i = 0; i < length; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
    }
    return ~crc;
}

static struct bytes with_chunk(struct bytes png, const char name[4], const uint8_t *content,
                               size_t length)
{
    uint8_t *chunk = make_memory(length + 12);
    struct bytes out;

    put_u32(chunk, (uint32_t)length);
    memcpy(chunk + 4, name, 4);
    memcpy(chunk + 8, content, length);
    put_u32(chunk + 8 + length, checksum(chunk + 4, length + 4));
    out = bytes_splice(png, HEADER_END, 0, chunk, length + 12);
    free(chunk);
    return out;
}

static void should_pass_over_chunks_it_has_no_use_for(void **state)
{
    static const char *const names[] = {"gAMA", "cHRM", "sRGB", "iCCP", "tEXt", "zTXt",
                                        "iTXt", "tIME", "pHYs", "sPLT", "abCd", "sBIT"};
    struct bytes png = make_png(&kinds[11]);
    uint8_t nonsense[100], *large;

    (void)state;
    memset(nonsense, 0xab, sizeof nonsense);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct bytes longer = with_chunk(png, names[i], nonsense, sizeof nonsense);

        assert_int_equal(decode_error_and_free(bytes_copy(longer.data, longer.length)), CAPTURE_OK);
        longer.data[HEADER_END + 20]++; /* a wrong checksum is damage even there */
        assert_int_not_equal(decode_error_and_free(longer), CAPTURE_OK);
    }
    large = make_memory(4000000); /* as large as profiles and texts get */
    memset(large, 'x', 4000000);
    assert_int_equal(decode_error_and_free(with_chunk(png, "iTXt", large, 4000000)), CAPTURE_OK);
    assert_int_equal(decode_error_and_free(with_chunk(png, "abCd", large, 4000000)), CAPTURE_OK);
    free(large);
    assert_int_not_equal(decode_error_and_free(with_chunk(png, "ABCD", nonsense, 5)), CAPTURE_OK);
    bytes_free(&png);
}

static struct bytes with_size(uint32_t width, uint32_t height)
{
    struct bytes png = make_png(&kinds[11]);

    put_u32(png.data + 16, width);
    put_u32(png.data + 20, height);
    put_u32(png.data + 29, checksum(png.data + 12, 17));
    return png;
}

static void should_refuse_impossible_and_huge_sizes(void **state)
{
    (void)state;
    assert_int_equal(decode_error_and_free(with_size(0, 5)), CAPTURE_E_HEADER);
    assert_int_equal(decode_error_and_free(with_size(5, 0)), CAPTURE_E_HEADER);
    assert_int_equal(decode_error_and_free(with_size(65535, 65535)), CAPTURE_E_SIZE);
    assert_int_equal(decode_error_and_free(with_size(0xffffffff, 0xffffffff)), CAPTURE_E_SIZE);
    assert_int_equal(decode_error_and_free(with_size(70000, 1)), CAPTURE_E_SIZE);
    assert_int_equal(decode_error_and_free(with_size(8001, 8000)), CAPTURE_E_SIZE);
    assert_int_equal(decode_error_and_free(with_size(8000, 8000)), CAPTURE_E_DAMAGED);
    assert_int_equal(decode_error_and_free(with_size(WIDTH, HEIGHT + 1)), CAPTURE_E_DAMAGED);
    assert_int_equal(decode_error_and_free(with_size(WIDTH, HEIGHT - 1)), CAPTURE_E_DAMAGED);
}

static void should_refuse_what_is_no_png(void **state)
{
    struct frame *frame = NULL;

    (void)state;
    assert_int_equal(capture_png_decode(NULL, 0, &frame, NULL, NULL), CAPTURE_E_EMPTY);
    assert_int_equal(capture_png_decode(NULL, 9, &frame, NULL, NULL), CAPTURE_E_ARGUMENT);
    assert_int_equal(decode_error_and_free(bytes_copy((const uint8_t *)"GIF89a", 6)),
                     CAPTURE_E_FORMAT);
}

/* A directory of its own for each test that writes. */
static char directory[64];

static int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/tableref-png-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int count_entries(void)
{
    DIR *list = opendir(directory);
    int count = 0;

    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;)
        if (entry->d_name[0] != '.')
            count++;
    closedir(list);
    return count;
}

static int remove_directory(void **state)
{
    char path[128];

    (void)state;
    snprintf(path, sizeof path, "%s/a.png", directory);
    unlink(path);
    return rmdir(directory);
}

static void should_write_what_it_reads_back(void **state)
{
    char path[128];
    uint8_t *rgb = make_rgb(40, 30), *file = make_memory(1 << 16), back[40 * 30 * 3];
    struct frame *frame = NULL;
    struct capture_fault fault = {{0}};
    struct stat status;
    mode_t mask = umask(027);
    FILE *in;

    (void)state;
    snprintf(path, sizeof path, "%s/a.png", directory);
    for (int twice = 0; twice < 2; twice++) /* the second time over the first */
        assert_int_equal(capture_png_write(path, rgb, 40, 30, &fault), CAPTURE_OK);
    umask(mask);
    assert_int_equal(count_entries(), 1);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    in = fopen(path, "rb");
    assert_non_null(in);
    assert_int_equal(decode((struct bytes){file, fread(file, 1, 1 << 16, in)}, &frame, NULL),
                     CAPTURE_OK);
    fclose(in);
    capture_frame_to_rgb(frame, back);
    for (int i = 0; i < 40 * 30 * 3; i++)
        assert_in_range(back[i] - rgb[i] + 2, 0, 4);
    capture_frame_destroy(&frame);
    free(file);
    free(rgb);
}

static void should_say_why_it_cannot_write_and_leave_nothing(void **state)
{
    char path[5000];
    uint8_t *rgb = make_rgb(40, 30);
    struct capture_fault fault = {{0}};

    (void)state;
    snprintf(path, sizeof path, "%s/none/a.png", directory);
    assert_int_equal(capture_png_write(path, rgb, 40, 30, &fault), CAPTURE_E_OPEN);
    assert_non_null(strstr(fault.text, strerror(ENOENT)));
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    assert_int_equal(capture_png_write(path, rgb, 40, 30, &fault), CAPTURE_E_OPEN);
    assert_int_equal(capture_png_write(directory, rgb, 0, 30, &fault), CAPTURE_E_ARGUMENT);
    assert_int_equal(capture_png_write(NULL, rgb, 40, 30, &fault), CAPTURE_E_ARGUMENT);
    assert_int_equal(count_entries(), 0);
    free(rgb);
}

static void should_leave_the_old_picture_when_the_disk_is_full(void **state)
{
    char path[128];
    uint8_t *rgb = make_rgb(200, 200);
    struct capture_fault fault = {{0}};
    struct rlimit old, small;
    struct stat before, after;
    int error;

    (void)state;
    snprintf(path, sizeof path, "%s/a.png", directory);
    assert_int_equal(capture_png_write(path, rgb, 200, 200, &fault), CAPTURE_OK);
    assert_int_equal(stat(path, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 100; /* bytes */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    error = capture_png_write(path, rgb, 200, 200, &fault);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(error, CAPTURE_E_OPEN);
    assert_non_null(strstr(fault.text, strerror(EFBIG)));
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(after.st_ino, before.st_ino);
    assert_int_equal(count_entries(), 1);
    free(rgb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_every_colour_type_and_depth),
        cmocka_unit_test(should_read_the_orientation),
        cmocka_unit_test(should_refuse_a_picture_cut_anywhere),
        cmocka_unit_test(should_refuse_any_byte_changed),
        cmocka_unit_test(should_say_damaged_for_a_wrong_checksum),
        cmocka_unit_test(should_pass_over_chunks_it_has_no_use_for),
        cmocka_unit_test(should_refuse_impossible_and_huge_sizes),
        cmocka_unit_test(should_refuse_what_is_no_png),
        cmocka_unit_test_setup_teardown(should_write_what_it_reads_back, make_directory,
                                        remove_directory),
        cmocka_unit_test_setup_teardown(should_say_why_it_cannot_write_and_leave_nothing,
                                        make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(should_leave_the_old_picture_when_the_disk_is_full,
                                        make_directory, remove_directory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
