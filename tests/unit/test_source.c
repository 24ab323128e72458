/* The calls in front of every kind of source, and pictures from memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "capture/source.h"

/* A kind that gives what it was told to and notes what was asked of it. */
struct told {
    struct picture picture;
    int result;
    int destroyed, released, asked_ms;
};

static int told_next(void *context, int timeout_ms, struct picture *out,
                     struct capture_fault *fault)
{
    struct told *told = context;

    (void)fault;
    told->asked_ms = timeout_ms;
    *out = told->picture;
    return told->result;
}

static void told_release(void *context, const struct picture *picture)
{
    struct told *told = context;

    (void)picture;
    told->released++;
}

static void told_about(const void *context, struct source_about *out)
{
    (void)context;
    out->width = 7;
}

static int told_poll_file(const void *context)
{
    (void)context;
    return 42;
}

static void told_destroy(void *context)
{
    struct told *told = context;

    told->destroyed++;
}

static const struct source_kind told_kind = {told_next, told_release, told_about, told_poll_file,
                                             told_destroy};
static const struct source_kind bare_kind = {told_next, NULL, told_about, NULL, told_destroy};

static void should_hand_calls_to_its_kind(void **state)
{
    struct told told = {.result = CAPTURE_NOTHING};
    struct source *source = capture_source_create(&told_kind, &told);
    struct capture_fault fault = {"old"};
    struct source_about about;
    struct picture picture;

    (void)state;
    assert_int_equal(capture_source_next(source, 250, &picture, &fault), CAPTURE_NOTHING);
    assert_int_equal(told.asked_ms, 250);
    assert_string_equal(fault.text, "");
    capture_source_release(source, &picture);
    assert_int_equal(told.released, 1);
    capture_source_about(source, &about);
    assert_int_equal(about.width, 7);
    assert_false(about.live);
    assert_int_equal(capture_source_poll_file(source), 42);
    capture_source_destroy(&source);
    assert_null(source);
    assert_int_equal(told.destroyed, 1);
    capture_source_destroy(&source);
    capture_source_destroy(NULL);
}

static void should_do_without_what_a_kind_does_not_have(void **state)
{
    struct told told = {.result = CAPTURE_END};
    struct source *source = capture_source_create(&bare_kind, &told);
    struct picture picture;

    (void)state;
    assert_int_equal(capture_source_next(source, 0, &picture, NULL), CAPTURE_END);
    capture_source_release(source, &picture);
    capture_source_release(source, NULL);
    assert_int_equal(capture_source_poll_file(source), -1);
    assert_int_equal(capture_source_poll_file(NULL), -1);
    assert_int_equal(capture_source_next(source, 0, NULL, NULL), CAPTURE_E_ARGUMENT);
    assert_int_equal(capture_source_next(NULL, 0, &picture, NULL), CAPTURE_E_ARGUMENT);
    capture_source_destroy(&source);
}

static bool comes_damaged(struct picture picture)
{
    struct told told = {.picture = picture, .result = CAPTURE_PICTURE};
    struct source *source = capture_source_create(&told_kind, &told);
    struct picture out;

    assert_int_equal(capture_source_next(source, 0, &out, NULL), CAPTURE_PICTURE);
    capture_source_destroy(&source);
    return out.damaged;
}

static void should_call_damaged_what_is_empty_or_short(void **state)
{
    static const uint8_t bytes[64];
    struct picture yuyv = {
        .format = PICTURE_YUYV, .width = 4, .height = 4, .bytes = bytes, .length = 32, .stride = 8};

    (void)state;
    assert_true(comes_damaged((struct picture){.format = PICTURE_MJPEG}));
    assert_true(comes_damaged((struct picture){.format = PICTURE_MJPEG, .bytes = bytes}));
    assert_true(comes_damaged((struct picture){.format = PICTURE_MJPEG, .length = 5}));
    assert_false(
        comes_damaged((struct picture){.format = PICTURE_MJPEG, .bytes = bytes, .length = 5}));
    assert_false(comes_damaged(yuyv));
    yuyv.damaged = true;
    assert_true(comes_damaged(yuyv));
    yuyv.damaged = false;
    yuyv.length--;
    assert_true(comes_damaged(yuyv));
}

static void should_name_every_format(void **state)
{
    (void)state;
    assert_string_equal(capture_picture_format_name(PICTURE_MJPEG), "mjpeg");
    assert_string_equal(capture_picture_format_name(PICTURE_NV12), "nv12");
    for (int i = 0; i < PICTURE_FORMATS; i++)
        assert_string_not_equal(capture_picture_format_name((enum picture_format)i), "unknown");
    assert_string_equal(capture_picture_format_name(PICTURE_FORMATS), "unknown");
    assert_string_equal(capture_picture_format_name((enum picture_format) - 1), "unknown");
}

static void should_give_copies_from_memory(void **state)
{
    uint8_t first[8] = {1, 2, 3, 4, 5, 6, 7, 8}, second[3] = {9, 9, 9};
    struct memory_picture pictures[] = {
        {PICTURE_GREY, first, 8, 4, 2, 0, false},
        {PICTURE_MJPEG, second, 3, 0, 0, 40, true},
        {PICTURE_MJPEG, second, 3, 0, 0, 40, false},
    };
    struct source_about about;
    struct source *source;
    struct picture out;

    (void)state;
    assert_int_equal(capture_memory_open(pictures, 3, &source, NULL), CAPTURE_OK);
    memset(first, 0, sizeof first);
    capture_source_about(source, &about);
    assert_int_equal(about.width, 4);
    assert_int_equal(about.interval_ns, 40);
    assert_false(about.live);
    assert_int_equal(capture_source_next(source, 0, &out, NULL), CAPTURE_PICTURE);
    assert_int_equal(out.bytes[7], 8);
    assert_int_equal(out.stride, 4);
    assert_false(out.damaged);
    assert_int_equal(capture_source_next(source, 0, &out, NULL), CAPTURE_PICTURE);
    assert_true(out.damaged);
    assert_false(out.time_doubtful);
    assert_int_equal(out.sequence, 1);
    assert_int_equal(capture_source_next(source, 0, &out, NULL), CAPTURE_PICTURE);
    assert_true(out.time_doubtful);
    assert_int_equal(capture_source_next(source, 0, &out, NULL), CAPTURE_END);
    assert_int_equal(capture_source_next(source, 0, &out, NULL), CAPTURE_END);
    capture_source_destroy(&source);
}

static void should_take_no_pictures_at_all(void **state)
{
    struct source *source;
    struct picture out;

    (void)state;
    assert_int_equal(capture_memory_open(NULL, 0, &source, NULL), CAPTURE_OK);
    assert_int_equal(capture_source_next(source, 0, &out, NULL), CAPTURE_END);
    capture_source_destroy(&source);
    assert_int_equal(capture_memory_open(NULL, 1, &source, NULL), CAPTURE_E_ARGUMENT);
    assert_int_equal(capture_memory_open(NULL, 0, NULL, NULL), CAPTURE_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_hand_calls_to_its_kind),
        cmocka_unit_test(should_do_without_what_a_kind_does_not_have),
        cmocka_unit_test(should_call_damaged_what_is_empty_or_short),
        cmocka_unit_test(should_name_every_format),
        cmocka_unit_test(should_give_copies_from_memory),
        cmocka_unit_test(should_take_no_pictures_at_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
