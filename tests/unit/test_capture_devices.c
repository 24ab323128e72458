/* What cameras can do, which of it is taken, why one cannot be used; and the test source. */
#include <errno.h>
#include <linux/videodev2.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/camera_scene.h"

/* ---- looking ---- */

static struct device_entry *look(struct scene *scene, bool start)
{
    static struct device_entry entry;

    capture_devices_look(&scene->fake.calls, scene->fake.node, start, &entry);
    return &entry;
}

static void should_list_modes_with_rates(void **state)
{
    struct scene *scene = *state;
    struct device_entry *entry;

    scene->fake.modes[0] = (struct fake_mode){V4L2_PIX_FMT_MJPEG, 1920, 1080, {30, 60, 15}, 0};
    scene->fake.modes[1] = (struct fake_mode){V4L2_PIX_FMT_YUYV, 640, 480, {30}, 0};
    scene->fake.modes[2] = (struct fake_mode){V4L2_PIX_FMT_H264, 1920, 1080, {30}, 0};
    scene->fake.modes[3] = (struct fake_mode){V4L2_PIX_FMT_MJPEG, 640, 480, {30}, 0};
    scene->fake.modes[4] = (struct fake_mode){V4L2_PIX_FMT_GREY, 0, 0, {0}, 0};
    scene->fake.mode_count = 5;
    entry = look(scene, true);
    assert_int_equal(entry->why, DEVICE_USABLE);
    assert_string_equal(entry->explained.text, "");
    assert_string_equal(entry->about.card, "Fake Webcam");
    assert_int_equal(entry->modes.count, 4);
    assert_int_equal(entry->modes.mode[0].rate_count, 3);
    assert_int_equal(entry->modes.mode[0].rate_milli[0], 60000);
    assert_int_equal(entry->modes.mode[0].rate_milli[2], 15000);
    assert_int_equal(entry->modes.mode[1].size.width, 640);
    assert_int_equal(entry->modes.mode[3].size.width, 0);
    assert_string_equal(entry->modes.others, "H264");
}

static void should_leave_a_device_as_it_was(void **state)
{
    struct scene *scene = *state;

    look(scene, true);
    assert_int_equal(scene->fake.starts, 1);
    assert_false(scene->fake.streaming);
    assert_int_equal(scene->fake.buffer_count, 0);
    look(scene, false);
    assert_int_equal(scene->fake.starts, 1);
}

static void should_say_why_one_cannot_be_used(void **state)
{
    static const struct {
        unsigned long request;
        int error;
        enum device_why why;
        const char *name, *word;
    } cases[] = {
        {0, EACCES, DEVICE_NO_RIGHTS, "no_rights", "rights"},
        {0, ENOENT, DEVICE_ABSENT, "absent", "plug it in"},
        {0, ENOTTY, DEVICE_NOT_VIDEO, "not_video", "no video device"},
        {VIDIOC_REQBUFS, EBUSY, DEVICE_BUSY, "busy", "in use"},
        {VIDIOC_STREAMON, ENOSPC, DEVICE_NO_BANDWIDTH, "no_bandwidth", "bandwidth"},
        {VIDIOC_STREAMON, EPROTO, DEVICE_FAILED, "failed", "the driver failed"},
        {VIDIOC_ENUM_FMT, ENODEV, DEVICE_ABSENT, "absent", "plug it in"},
    };
    struct scene *scene = *state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct device_entry *entry;

        scene->fake.fault_count = 0;
        fake_fail(&scene->fake, cases[i].request, cases[i].error, 10);
        entry = look(scene, true);
        assert_int_equal(entry->why, cases[i].why);
        assert_string_equal(capture_devices_why_name(entry->why, entry->about.role), cases[i].name);
        assert_says(entry->explained.text, cases[i].word);
        assert_false(scene->fake.open);
    }
}

static void should_name_what_is_no_camera(void **state)
{
    static const struct {
        uint32_t caps;
        const char *name;
    } kinds[] = {
        {V4L2_CAP_META_CAPTURE | V4L2_CAP_STREAMING, "metadata"},
        {V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING, "output"},
        {V4L2_CAP_VIDEO_M2M | V4L2_CAP_STREAMING, "codec"},
        {V4L2_CAP_VBI_CAPTURE, "other"},
        {V4L2_CAP_VIDEO_CAPTURE, "no_streaming"},
    };
    struct scene *scene = *state;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct device_entry *entry;

        scene->fake.caps = kinds[i].caps;
        entry = look(scene, true);
        assert_string_equal(capture_devices_why_name(entry->why, entry->about.role), kinds[i].name);
        assert_true(strlen(entry->explained.text) > 10);
    }
}

static void should_tell_a_loopback_that_nothing_feeds(void **state)
{
    struct scene *scene = *state;

    scene->fake.driver = "v4l2 loopback";
    fake_fail(&scene->fake, VIDIOC_STREAMON, EIO, 10);
    assert_int_equal(look(scene, true)->why, DEVICE_NOT_FED);
    assert_int_equal(open_with(scene, any), CAPTURE_E_OPEN);
    assert_says(scene->fault.text, "producer");
}

/* ---- choosing ---- */

static void add_mode(struct device_modes *modes, enum picture_format format, int width, int height,
                     int rate)
{
    struct device_mode *mode = &modes->mode[modes->count++];

    *mode = (struct device_mode){
        .fourcc = (uint32_t)modes->count, .format = format, .planes = 1, .rate_count = rate > 0};
    mode->size.width = width;
    mode->size.height = height;
    mode->rate_milli[0] = rate * 1000;
}

static struct camera_choice choose(const struct device_modes *modes, struct camera_wish wish)
{
    struct camera_choice choices[CAMERA_CHOICES_MAX] = {{.width = 0}};

    if (capture_camera_choose(modes, &wish, choices, NULL) == 0)
        choices[0].width = -1;
    return choices[0];
}

static void should_take_mjpeg_at_the_largest_usual_size(void **state)
{
    struct device_modes modes = {.count = 0};
    struct camera_choice choice;

    (void)state;
    add_mode(&modes, PICTURE_YUYV, 1920, 1080, 30);
    add_mode(&modes, PICTURE_MJPEG, 640, 480, 30);
    add_mode(&modes, PICTURE_MJPEG, 3840, 2160, 30);
    add_mode(&modes, PICTURE_MJPEG, 1920, 1080, 30);
    add_mode(&modes, PICTURE_MJPEG, 1920, 1080, 5);
    choice = choose(&modes, any);
    assert_int_equal(choice.format, PICTURE_MJPEG);
    assert_int_equal(choice.width, 1920);
    assert_int_equal(choice.fourcc, 4);
}

static void should_not_take_a_size_that_is_too_slow_to_play_by(void **state)
{
    struct device_modes modes = {.count = 0};

    (void)state;
    add_mode(&modes, PICTURE_YUYV, 1920, 1080, 5);
    add_mode(&modes, PICTURE_YUYV, 640, 480, 30);
    add_mode(&modes, PICTURE_GREY, 1280, 720, 60);
    assert_int_equal(choose(&modes, any).width, 640);
}

static void should_take_what_is_wished_or_nothing(void **state)
{
    struct device_modes modes = {.count = 0};
    struct camera_wish wish = any;

    (void)state;
    add_mode(&modes, PICTURE_MJPEG, 1280, 720, 30);
    add_mode(&modes, PICTURE_YUYV, 640, 480, 30);
    wish.width = 640;
    wish.height = 480;
    assert_int_equal(choose(&modes, wish).format, PICTURE_YUYV);
    wish.format = PICTURE_MJPEG;
    assert_int_equal(choose(&modes, wish).width, -1);
    wish.width = wish.height = 0;
    assert_int_equal(choose(&modes, wish).width, 1280);
}

static void should_take_a_size_out_of_a_range(void **state)
{
    struct device_modes modes = {.count = 0};
    struct camera_wish wish = any;

    (void)state;
    add_mode(&modes, PICTURE_NV12, 32, 32, 30);
    modes.mode[0].size = (struct device_size){true, 32, 32, 4096, 3072, 16, 8};
    assert_int_equal(choose(&modes, wish).width, 1920);
    assert_int_equal(choose(&modes, wish).height, 1080);
    wish.width = 1280;
    wish.height = 720;
    assert_int_equal(choose(&modes, wish).width, 1280);
    wish.width = 1281;
    assert_int_equal(choose(&modes, wish).width, -1);
    wish.width = 8192;
    assert_int_equal(choose(&modes, wish).width, -1);
}

/* ---- the test source ---- */

static uint64_t number_in(const struct picture *picture)
{
    const uint8_t *row = picture->bytes + (size_t)(picture->height - 2) * picture->stride;
    uint64_t number = 0;

    for (int i = 0; i < 16; i++)
        number = number << 1 | (row[2 * (picture->width * (2 * i + 1) / 32)] > 128);
    return number;
}

static void should_give_a_moving_test_picture_in_real_time(void **state)
{
    struct scene *scene = *state;
    struct camera_wish wish = any;
    struct picture picture;
    int64_t last = 0;

    wish.rate = 100;
    assert_int_equal(capture_camera_open("test:320x240", &wish, &scene->source, &scene->fault), 0);
    assert_true(about_of(scene).live);
    for (int i = 0; i < 5; i++) {
        picture = take(scene);
        assert_int_equal(picture.format, PICTURE_YUYV);
        assert_int_equal(picture.length, 320 * 240 * 2);
        assert_int_equal(number_in(&picture), picture.sequence);
        assert_true(picture.time_ns > last);
        assert_true(picture.arrived_ns >= picture.time_ns);
        last = picture.time_ns;
        capture_source_release(scene->source, &picture);
    }
    assert_true(capture_source_poll_file(scene->source) >= 0);
}

static void should_give_the_test_picture_in_each_raw_format(void **state)
{
    static const size_t lengths[] = {[PICTURE_YUYV] = 64 * 48 * 2,
                                     [PICTURE_UYVY] = 64 * 48 * 2,
                                     [PICTURE_NV12] = 64 * 48 * 3 / 2,
                                     [PICTURE_GREY] = 64 * 48};
    struct scene *scene = *state;

    for (int format = PICTURE_YUYV; format <= PICTURE_GREY; format++) {
        struct camera_wish wish = any;
        struct picture picture;

        wish.format = format;
        wish.rate = 200;
        assert_int_equal(capture_camera_open("test:64x48", &wish, &scene->source, &scene->fault),
                         0);
        picture = pass(scene);
        assert_int_equal(picture.length, lengths[format]);
        assert_false(picture.damaged);
        capture_source_destroy(&scene->source);
    }
}

static void should_refuse_test_sources_that_make_no_sense(void **state)
{
    static const char *const names[] = {
        "test:",       "test:64",  "test:64x",     "test:63x48",  "test:-64x48",
        "test:64x48x", "test:2x2", "test:99999x2", "test:64 x48", "test:9999999999999999999x48"};
    struct scene *scene = *state;
    struct camera_wish wish = any;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(capture_camera_open(names[i], &wish, &scene->source, &scene->fault),
                         CAPTURE_E_OPEN);
        assert_null(scene->source);
    }
    wish.format = PICTURE_MJPEG;
    assert_int_equal(capture_camera_open("test:64x48", &wish, &scene->source, &scene->fault),
                     CAPTURE_E_UNSUPPORTED);
}

/* ---- the system itself ---- */

static void should_not_open_what_is_no_camera(void **state)
{
    static const char *const names[] = {"/dev/null", "/dev", "/nowhere/video0", "Makefile"};
    struct scene *scene = *state;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(capture_camera_open(names[i], &any, &scene->source, &scene->fault),
                         CAPTURE_E_OPEN);
        assert_true(strlen(scene->fault.text) > 10);
    }
}

static void should_find_no_place_of_what_is_none(void **state)
{
    const struct device_calls *calls = &capture_system_calls;
    char text[DEVICE_PATH_MAX];

    (void)state;
    assert_int_equal(calls->place(calls->context, "/dev/null", text, sizeof text), -ENOENT);
    assert_int_equal(calls->find(calls->context, "/nowhere#0 x", text, sizeof text), -ENOENT);
    assert_false(capture_devices_link("/nowhere", "/dev/null", text, sizeof text));
    assert_string_equal(text, "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        SCENE(should_list_modes_with_rates),
        SCENE(should_leave_a_device_as_it_was),
        SCENE(should_say_why_one_cannot_be_used),
        SCENE(should_name_what_is_no_camera),
        SCENE(should_tell_a_loopback_that_nothing_feeds),
        SCENE(should_take_mjpeg_at_the_largest_usual_size),
        SCENE(should_not_take_a_size_that_is_too_slow_to_play_by),
        SCENE(should_take_what_is_wished_or_nothing),
        SCENE(should_take_a_size_out_of_a_range),
        SCENE(should_give_a_moving_test_picture_in_real_time),
        SCENE(should_give_the_test_picture_in_each_raw_format),
        SCENE(should_refuse_test_sources_that_make_no_sense),
        SCENE(should_not_open_what_is_no_camera),
        SCENE(should_find_no_place_of_what_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
