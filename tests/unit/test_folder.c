/* Folders of pictures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "capture/picture.h"
#include "capture/png.h"
#include "capture/source.h"
#include "tests/unit/still_make.h"

#define INTERVAL_NS 40000000
#define FILES_MAX 32

struct folder {
    char path[64];
    char *files[FILES_MAX]; /* to be removed */
    int count;
};

static const char *name_in(struct folder *folder, const char *name)
{
    char path[192];

    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    assert_true(folder->count < FILES_MAX);
    folder->files[folder->count] = strdup(path);
    assert_non_null(folder->files[folder->count]);
    return folder->files[folder->count++];
}

static void put(struct folder *folder, const char *name, struct bytes bytes)
{
    FILE *file = fopen(name_in(folder, name), "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.length, file), bytes.length);
    assert_int_equal(fclose(file), 0);
}

/* A grey JPEG that is told by its width. */
static void put_picture(struct folder *folder, const char *name, int width)
{
    struct bytes jpeg = make_jpeg(&(struct recipe){width, 8, JCS_GRAYSCALE, .luma_h = 1});

    put(folder, name, jpeg);
    bytes_free(&jpeg);
}

static int setup(void **state)
{
    struct folder *folder = calloc(1, sizeof *folder);

    if (!folder)
        return -1;
    snprintf(folder->path, sizeof folder->path, "/tmp/tableref-folder-XXXXXX");
    *state = folder;
    return mkdtemp(folder->path) ? 0 : -1;
}

static int teardown(void **state)
{
    struct folder *folder = *state;
    int failed;

    for (int i = 0; i < folder->count; i++) {
        (void)remove(folder->files[i]);
        free(folder->files[i]);
    }
    failed = rmdir(folder->path);
    free(folder);
    return failed;
}

static struct source *open_folder(const struct folder *folder)
{
    struct source *source = NULL;
    struct capture_fault fault;
    int error = capture_folder_open(folder->path, INTERVAL_NS, &source, &fault);

    if (error)
        print_message("%s\n", fault.text);
    assert_int_equal(error, CAPTURE_OK);
    return source;
}

static void should_sort_numbers_in_names_as_numbers(void **state)
{
    struct folder *folder = *state;
    static const char *const names[] = {
        "a2.jpg", "a10.jpg", "a010b.jpg", "a123456789012345678901.jpg",
        "a0.jpg", "b1.jpg",  "a9x3.jpg",  "a9x20.JPEG"};
    static const int order[] = {4, 0, 6, 7, 1, 2, 3, 5};
    struct source *source;
    struct picture out;

    for (int i = 0; i < 8; i++)
        put_picture(folder, names[i], 8 + i);
    source = open_folder(folder);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(capture_source_next(source, 0, &out, NULL), CAPTURE_PICTURE);
        assert_int_equal(out.format, PICTURE_STILL);
        assert_false(out.damaged);
        assert_int_equal(out.width, 8 + order[i]);
        assert_int_equal(out.sequence, i);
        assert_int_equal(out.time_ns, i * (int64_t)INTERVAL_NS);
        capture_source_release(source, &out);
    }
    assert_int_equal(capture_source_next(source, 0, &out, NULL), CAPTURE_END);
    capture_source_destroy(&source);
}

static void should_pass_over_what_has_no_pictures_name(void **state)
{
    struct folder *folder = *state;
    struct bytes text = {(uint8_t[]){'{', '}'}, 2};
    struct source *source;
    struct source_about about;
    struct picture out;

    put(folder, "1.truth.json", text);
    put(folder, ".2.jpg", text);
    put(folder, "jpg", text);
    assert_int_equal(mkdir(name_in(folder, "3.jpg"), 0700), 0);
    put_picture(folder, "4.jpg", 16);
    source = open_folder(folder);
    capture_source_about(source, &about);
    assert_int_equal(about.width, 16);
    assert_int_equal(about.height, 8);
    assert_int_equal(about.interval_ns, INTERVAL_NS);
    assert_string_equal(about.place, folder->path);
    assert_int_equal(capture_source_next(source, 0, &out, NULL), CAPTURE_PICTURE);
    assert_int_equal(out.width, 16);
    assert_int_equal(capture_source_next(source, 0, &out, NULL), CAPTURE_END);
    capture_source_destroy(&source);
}

static void should_give_broken_pictures_as_damaged_in_their_turn(void **state)
{
    struct folder *folder = *state;
    struct bytes whole = make_jpeg(&(struct recipe){16, 16, JCS_YCbCr, .luma_h = 1});
    struct source *source;
    struct picture out;

    put(folder, "1.jpg", whole);
    put(folder, "2.jpg", (struct bytes){whole.data, whole.length / 2});
    put(folder, "3.jpg", (struct bytes){whole.data, 0});
    put(folder, "4.png", whole); /* a JPEG by another name is one */
    assert_int_equal(symlink("nowhere", name_in(folder, "5.jpg")), 0);
    bytes_free(&whole);
    source = open_folder(folder);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(capture_source_next(source, 0, &out, NULL), CAPTURE_PICTURE);
        assert_int_equal(out.damaged, i != 0 && i != 3);
        assert_int_equal(out.time_ns, i * (int64_t)INTERVAL_NS);
        capture_source_release(source, &out);
    }
    capture_source_destroy(&source);
}

static void should_lend_several_and_say_when_too_many(void **state)
{
    struct folder *folder = *state;
    struct picture out[CAPTURE_LENT_MAX + 1];
    struct source *source;

    for (int i = 0; i <= CAPTURE_LENT_MAX; i++) {
        char name[16];

        snprintf(name, sizeof name, "%d.jpg", i);
        put_picture(folder, name, 8 + i);
    }
    source = open_folder(folder);
    for (int i = 0; i < CAPTURE_LENT_MAX; i++)
        assert_int_equal(capture_source_next(source, 0, &out[i], NULL), CAPTURE_PICTURE);
    assert_int_equal(capture_source_next(source, 0, &out[CAPTURE_LENT_MAX], NULL),
                     CAPTURE_E_ARGUMENT);
    for (int i = 0; i < CAPTURE_LENT_MAX; i++)
        assert_int_equal(out[i].bytes[0], 0xff);
    capture_source_release(source, &out[3]);
    assert_int_equal(capture_source_next(source, 0, &out[3], NULL), CAPTURE_PICTURE);
    assert_int_equal(out[3].width, 8 + CAPTURE_LENT_MAX);
    capture_source_destroy(&source);
}

static void should_decode_its_pictures_as_stills(void **state)
{
    struct folder *folder = *state;
    uint8_t exif[32];
    struct recipe recipe = {33, 17, JCS_YCbCr, .app1 = exif,
                            .app1_length = make_exif(exif, true, 6)};
    struct bytes jpeg = make_jpeg(&recipe);
    struct decoder *decoder = capture_decoder_create();
    const struct frame *frame;
    struct source *source;
    struct picture out;

    put(folder, "1.jpg", jpeg);
    bytes_free(&jpeg);
    source = open_folder(folder);
    assert_int_equal(capture_source_next(source, 0, &out, NULL), CAPTURE_PICTURE);
    assert_int_equal(out.width, 17);
    assert_int_equal(out.height, 33);
    assert_int_equal(capture_decoder_decode(decoder, &out, 2, true, &frame, NULL), CAPTURE_OK);
    assert_int_equal(frame->width, 9);
    assert_int_equal(frame->height, 17);
    capture_decoder_destroy(&decoder);
    capture_source_destroy(&source);
}

static void should_say_why_a_folder_cannot_be_used(void **state)
{
    struct folder *folder = *state;
    struct capture_fault fault;
    struct source *source;

    assert_int_equal(capture_folder_open(folder->path, INTERVAL_NS, &source, &fault),
                     CAPTURE_E_EMPTY);
    assert_null(source);
    assert_non_null(strstr(fault.text, "no picture"));
    assert_int_equal(capture_folder_open("/nowhere/at/all", INTERVAL_NS, &source, &fault),
                     CAPTURE_E_OPEN);
    assert_int_equal(capture_folder_open(folder->path, 0, &source, &fault), CAPTURE_E_ARGUMENT);
    assert_int_equal(capture_folder_open(NULL, 1, &source, &fault), CAPTURE_E_ARGUMENT);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(should_sort_numbers_in_names_as_numbers),
        WITH_FOLDER(should_pass_over_what_has_no_pictures_name),
        WITH_FOLDER(should_give_broken_pictures_as_damaged_in_their_turn),
        WITH_FOLDER(should_lend_several_and_say_when_too_many),
        WITH_FOLDER(should_decode_its_pictures_as_stills),
        WITH_FOLDER(should_say_why_a_folder_cannot_be_used),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
