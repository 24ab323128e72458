/* Cameras that are opened, on a scripted device: what is refused and with what words, raw formats,
 * controls. */
#include <errno.h>
#include <linux/videodev2.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/camera_scene.h"

/* ---- what cannot be opened ---- */

static void should_try_a_start_that_fails_again(void **state)
{
    static const unsigned long requests[] = {VIDIOC_STREAMON, VIDIOC_REQBUFS, VIDIOC_QBUF};
    struct scene *scene = *state;

    for (size_t i = 0; i < 3; i++) {
        fake_fail(&scene->fake, requests[i], EINVAL, 1);
        open_any(scene);
        pass(scene);
        capture_source_destroy(&scene->source);
    }
    fake_fail(&scene->fake, VIDIOC_STREAMON, EIO, 100);
    assert_int_equal(open_with(scene, any), CAPTURE_E_OPEN);
    assert_says(scene->fault.text, "the driver failed");
}

static void should_say_why_it_cannot_be_opened(void **state)
{
    static const struct {
        unsigned long request;
        int error;
        const char *word;
    } errors[] = {
        {0, EACCES, "rights"},
        {0, ENOTTY, "no video device"},
        {VIDIOC_QUERYCAP, ENOTTY, "no video device"},
        {VIDIOC_S_FMT, EBUSY, "in use by"},
        {VIDIOC_REQBUFS, EBUSY, "in use by"},
        {VIDIOC_STREAMON, EBUSY, "in use by"},
        {VIDIOC_STREAMON, ENOSPC, "bandwidth"},
    };
    struct scene *scene = *state;

    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        int opens = scene->fake.opens;

        scene->fake.fault_count = 0;
        fake_fail(&scene->fake, errors[i].request, errors[i].error, 100);
        assert_int_equal(open_with(scene, any), CAPTURE_E_OPEN);
        assert_null(scene->source);
        assert_says(scene->fault.text, errors[i].word);
        assert_int_equal(scene->fake.opens, opens + 1); /* no endless tries */
        assert_false(scene->fake.open);
    }
    scene->fake.fault_count = 0;
    fake_unplug(&scene->fake);
    assert_int_equal(open_with(scene, any), CAPTURE_E_OPEN);
    assert_says(scene->fault.text, "no camera is there");
}

static void should_refuse_what_is_no_camera(void **state)
{
    static const struct {
        uint32_t caps;
        const char *word;
    } kinds[] = {
        {V4L2_CAP_META_CAPTURE | V4L2_CAP_STREAMING, "metadata"},
        {V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_STREAMING, "output"},
        {V4L2_CAP_VIDEO_M2M_MPLANE | V4L2_CAP_STREAMING, "codec"},
        {V4L2_CAP_RADIO, "radio"},
        {V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_READWRITE, "read()"},
    };
    struct scene *scene = *state;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        scene->fake.caps = kinds[i].caps;
        assert_int_equal(open_with(scene, any), CAPTURE_E_UNSUPPORTED);
        assert_says(scene->fault.text, kinds[i].word);
    }
}

static void should_refuse_formats_by_name(void **state)
{
    struct scene *scene = *state;
    struct fake *fake = &scene->fake;
    struct camera_wish wish = any;

    fake->modes[0].fourcc = V4L2_PIX_FMT_H264;
    assert_int_equal(open_with(scene, any), CAPTURE_E_UNSUPPORTED);
    assert_says(scene->fault.text, "H264");
    fake->modes[0].fourcc = V4L2_PIX_FMT_YUYV;
    wish.format = PICTURE_MJPEG;
    assert_int_equal(open_with(scene, wish), CAPTURE_E_UNSUPPORTED);
    assert_says(scene->fault.text, "no mjpeg");
    assert_says(scene->fault.text, "yuyv 64x48");
    wish = any;
    wish.width = 1280;
    wish.height = 720;
    assert_int_equal(open_with(scene, wish), CAPTURE_E_UNSUPPORTED);
    assert_says(scene->fault.text, "1280x720");
    fake->field = V4L2_FIELD_INTERLACED;
    assert_int_equal(open_with(scene, any), CAPTURE_E_UNSUPPORTED);
    assert_says(scene->fault.text, "interlaced");
    fake->field = 0;
    fake->stride_add = (uint32_t)-8;
    assert_int_equal(open_with(scene, any), CAPTURE_E_UNSUPPORTED);
    assert_says(scene->fault.text, "rows");
    fake->stride_add = 0;
    fake->other_fourcc = V4L2_PIX_FMT_RGB24;
    assert_int_equal(open_with(scene, any), CAPTURE_E_UNSUPPORTED);
    assert_says(scene->fault.text, "RGB3 instead of yuyv");
}

static void should_refuse_planes_that_do_not_fit(void **state)
{
    struct scene *scene = *state;

    scene->fake.caps = V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING;
    scene->fake.modes[0] = (struct fake_mode){V4L2_PIX_FMT_NV12, 64, 48, {30}, 3};
    assert_int_equal(open_with(scene, any), CAPTURE_E_UNSUPPORTED);
    assert_says(scene->fault.text, "3 planes");
}

static void should_take_as_many_buffers_as_are_granted(void **state)
{
    static const int granted[] = {2, 3, 17, 32};
    struct scene *scene = *state;

    for (size_t i = 0; i < sizeof granted / sizeof granted[0]; i++) {
        scene->fake.buffers_granted = granted[i];
        open_any(scene);
        for (int k = 0; k < 40; k++)
            pass(scene);
        assert_int_equal(scene->fake.order_count, granted[i]);
        capture_source_destroy(&scene->source);
    }
    scene->fake.buffers_granted = 1;
    assert_int_equal(open_with(scene, any), CAPTURE_E_OPEN);
    assert_says(scene->fault.text, "buffers for pictures there are 1;");
}

/* ---- raw pictures ---- */

static void open_raw(struct scene *scene, uint32_t fourcc, bool many, int planes)
{
    scene->fake.modes[0] = (struct fake_mode){fourcc, 64, 48, {30}, planes};
    if (many)
        scene->fake.caps = V4L2_CAP_VIDEO_CAPTURE_MPLANE | V4L2_CAP_STREAMING;
    open_any(scene);
}

static void should_give_yuyv_with_the_drivers_stride(void **state)
{
    struct scene *scene = *state;
    struct picture picture;

    scene->fake.stride_add = 64;
    open_raw(scene, V4L2_PIX_FMT_YUYV, false, 0);
    picture = pass(scene);
    assert_int_equal(picture.format, PICTURE_YUYV);
    assert_int_equal(picture.stride, 64 * 2 + 64);
    assert_false(picture.damaged);
    /* the last row needs no more than its pixels; one byte less is too few */
    fake_script(&scene->fake, (struct fake_picture){.count = 1, .cut = 64});
    assert_false(pass(scene).damaged);
    fake_script(&scene->fake, (struct fake_picture){.count = 1, .cut = 65});
    assert_true(pass(scene).damaged);
}

static void should_work_out_a_stride_that_is_not_said(void **state)
{
    struct scene *scene = *state;

    scene->fake.stride_zero = true;
    open_raw(scene, V4L2_PIX_FMT_UYVY, false, 0);
    assert_int_equal(pass(scene).stride, 128);
}

static void should_give_nv12_in_one_plane_and_in_two(void **state)
{
    struct scene *scene = *state;
    struct picture picture;

    open_raw(scene, V4L2_PIX_FMT_NV12, false, 0);
    picture = pass(scene);
    assert_null(picture.chroma);
    assert_int_equal(picture.length, 64 * 48 * 3 / 2);
    assert_false(picture.damaged);
    capture_source_destroy(&scene->source);
    open_raw(scene, V4L2_PIX_FMT_NV12, true, 1);
    assert_false(pass(scene).damaged);
    capture_source_destroy(&scene->source);
    open_raw(scene, V4L2_PIX_FMT_NV12M, true, 2);
    picture = pass(scene);
    assert_int_equal(picture.format, PICTURE_NV12);
    assert_non_null(picture.chroma);
    assert_int_equal(picture.length, 64 * 48);
    assert_int_equal(picture.chroma_length, 64 * 48 / 2);
    assert_false(picture.damaged);
    fake_script(&scene->fake, (struct fake_picture){.count = 1, .empty = true});
    assert_true(pass(scene).damaged);
}

static void should_not_offer_two_planes_to_single_planar_calls(void **state)
{
    struct scene *scene = *state;

    scene->fake.modes[0] = (struct fake_mode){V4L2_PIX_FMT_NV12M, 64, 48, {30}, 2};
    assert_int_equal(open_with(scene, any), CAPTURE_E_UNSUPPORTED);
    assert_says(scene->fault.text, "NM12");
}

/* ---- controls ---- */

static void add_webcam_controls(struct fake *fake)
{
    struct fake_control *control;

    control = fake_add_control(fake, V4L2_CID_EXPOSURE_AUTO, 0, 3, V4L2_EXPOSURE_APERTURE_PRIORITY);
    control->items = 1U << V4L2_EXPOSURE_MANUAL | 1U << V4L2_EXPOSURE_APERTURE_PRIORITY;
    fake_add_control(fake, V4L2_CID_EXPOSURE_ABSOLUTE, 3, 2047, 157)->automatic_rules = true;
    fake_add_control(fake, V4L2_CID_EXPOSURE_AUTO_PRIORITY, 0, 1, 1);
    fake_add_control(fake, V4L2_CID_AUTO_WHITE_BALANCE, 0, 1, 1);
    control = fake_add_control(fake, V4L2_CID_WHITE_BALANCE_TEMPERATURE, 2800, 6500, 4210);
    control->automatic_rules = true;
    control->step = 10;
    fake_add_control(fake, V4L2_CID_FOCUS_AUTO, 0, 1, 1);
    fake_add_control(fake, V4L2_CID_FOCUS_ABSOLUTE, 0, 250, 30);
    fake_add_control(fake, V4L2_CID_POWER_LINE_FREQUENCY, 0, 2, 0);
}

static int value_of(struct scene *scene, uint32_t id)
{
    return fake_control(&scene->fake, id)->value;
}

/* Setting a value beside its running automatic is a misuse, which the scene's end finds. */
static void should_set_values_with_automatics_off(void **state)
{
    struct scene *scene = *state;
    struct camera_wish wish = any;

    add_webcam_controls(&scene->fake);
    wish.exposure_100us = 200;
    wish.white_balance_k = 5000;
    wish.focus = 40;
    wish.mains_hz = 50;
    assert_int_equal(open_with(scene, wish), 0);
    pass(scene);
    assert_int_equal(value_of(scene, V4L2_CID_EXPOSURE_AUTO), V4L2_EXPOSURE_MANUAL);
    assert_int_equal(value_of(scene, V4L2_CID_EXPOSURE_ABSOLUTE), 200);
    assert_int_equal(value_of(scene, V4L2_CID_EXPOSURE_AUTO_PRIORITY), 0);
    assert_int_equal(value_of(scene, V4L2_CID_AUTO_WHITE_BALANCE), 0);
    assert_int_equal(value_of(scene, V4L2_CID_WHITE_BALANCE_TEMPERATURE), 5000);
    assert_int_equal(value_of(scene, V4L2_CID_FOCUS_AUTO), 0);
    assert_int_equal(value_of(scene, V4L2_CID_FOCUS_ABSOLUTE), 40);
    assert_int_equal(value_of(scene, V4L2_CID_POWER_LINE_FREQUENCY), 1);
    assert_string_equal(scene->fake.notices, "");
}

static void should_hold_what_the_automatics_have_come_to(void **state)
{
    struct scene *scene = *state;

    add_webcam_controls(&scene->fake);
    /* as the run before left it: the automatic must find its place anew */
    fake_control(&scene->fake, V4L2_CID_EXPOSURE_AUTO)->value = V4L2_EXPOSURE_MANUAL;
    open_any(scene);
    assert_int_equal(value_of(scene, V4L2_CID_EXPOSURE_AUTO), V4L2_EXPOSURE_APERTURE_PRIORITY);
    pass(scene);
    assert_int_equal(value_of(scene, V4L2_CID_EXPOSURE_AUTO), V4L2_EXPOSURE_MANUAL);
    assert_int_equal(value_of(scene, V4L2_CID_EXPOSURE_ABSOLUTE), 157);
    assert_int_equal(value_of(scene, V4L2_CID_AUTO_WHITE_BALANCE), 0);
    assert_int_equal(value_of(scene, V4L2_CID_WHITE_BALANCE_TEMPERATURE), 4210);
    assert_int_equal(value_of(scene, V4L2_CID_FOCUS_AUTO), 0);
    assert_int_equal(value_of(scene, V4L2_CID_FOCUS_ABSOLUTE), 30);
}

static void should_set_the_same_again_after_replugging(void **state)
{
    struct scene *scene = *state;

    add_webcam_controls(&scene->fake);
    open_any(scene);
    pass(scene);
    fake_unplug(&scene->fake);
    next_within(scene, 500);
    /* a camera wakes up as it was made */
    fake_control(&scene->fake, V4L2_CID_EXPOSURE_AUTO)->value = V4L2_EXPOSURE_APERTURE_PRIORITY;
    fake_control(&scene->fake, V4L2_CID_EXPOSURE_ABSOLUTE)->value = 250;
    fake_control(&scene->fake, V4L2_CID_AUTO_WHITE_BALANCE)->value = 1;
    fake_control(&scene->fake, V4L2_CID_WHITE_BALANCE_TEMPERATURE)->value = 4000;
    fake_plug(&scene->fake, "/dev/fake0");
    pass(scene);
    assert_int_equal(value_of(scene, V4L2_CID_EXPOSURE_AUTO), V4L2_EXPOSURE_MANUAL);
    assert_int_equal(value_of(scene, V4L2_CID_EXPOSURE_ABSOLUTE), 157);
    assert_int_equal(value_of(scene, V4L2_CID_AUTO_WHITE_BALANCE), 0);
    assert_int_equal(value_of(scene, V4L2_CID_WHITE_BALANCE_TEMPERATURE), 4210);
}

static void should_let_go_what_does_not_hold(void **state)
{
    struct scene *scene = *state;

    scene->fake.modes[0].fourcc = V4L2_PIX_FMT_YUYV;
    scene->fake.dark_when_held = true;
    add_webcam_controls(&scene->fake);
    open_any(scene);
    pass(scene);
    assert_int_equal(value_of(scene, V4L2_CID_EXPOSURE_AUTO), V4L2_EXPOSURE_APERTURE_PRIORITY);
    assert_int_equal(value_of(scene, V4L2_CID_AUTO_WHITE_BALANCE), 0);
    assert_int_equal(times_in(scene->fake.notices, "exposure cannot be held"), 1);
}

static void should_read_back_what_was_set(void **state)
{
    struct scene *scene = *state;
    struct camera_wish wish = any;

    add_webcam_controls(&scene->fake);
    fake_control(&scene->fake, V4L2_CID_FOCUS_ABSOLUTE)->deaf = true;
    wish.focus = 99;
    wish.white_balance_k = 9000;
    assert_int_equal(open_with(scene, wish), 0);
    pass(scene);
    assert_says(scene->fake.notices, "focus is 30: the camera has no 99");
    assert_says(scene->fake.notices, "white balance is 6500: the camera has no 9000");
}

static void should_go_on_without_the_controls_that_are_absent(void **state)
{
    struct scene *scene = *state;
    struct camera_wish wish = any;

    wish.exposure_100us = 100;
    wish.white_balance_k = 4000;
    wish.focus = 1;
    wish.mains_hz = 60;
    assert_int_equal(open_with(scene, wish), 0);
    pass(scene);
    assert_int_equal(times_in(scene->fake.notices, "no control for exposure time"), 1);
    assert_int_equal(times_in(scene->fake.notices, "no control for white balance"), 1);
    assert_int_equal(times_in(scene->fake.notices, "no control for focus"), 1);
    assert_int_equal(times_in(scene->fake.notices, "mains have 60 Hz"), 1);
    fake_unplug(&scene->fake);
    next_within(scene, 500);
    fake_plug(&scene->fake, "/dev/fake0");
    pass(scene);
    assert_int_equal(times_in(scene->fake.notices, "no control for focus"), 1);
}

static void should_expose_for_whole_flickers(void **state)
{
    static const struct {
        int mains_hz, asked, set;
    } cases[] = {{50, 157, 200}, {50, 100, 100}, {50, 60, 60},  {60, 157, 167},
                 {60, 83, 83},   {60, 250, 250}, {0, 157, 157}, {50, 249, 200}};
    struct scene *scene = *state;

    add_webcam_controls(&scene->fake);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct camera_wish wish = any;

        wish.mains_hz = cases[i].mains_hz;
        wish.exposure_100us = cases[i].asked;
        assert_int_equal(open_with(scene, wish), 0);
        assert_int_equal(value_of(scene, V4L2_CID_EXPOSURE_ABSOLUTE), cases[i].set);
        capture_source_destroy(&scene->source);
    }
}

static void should_lock_others_out_only_where_that_is_wished(void **state)
{
    struct scene *scene = *state;
    struct camera_wish wish = any;

    open_any(scene);
    assert_int_equal(scene->fake.priority, 0);
    capture_source_destroy(&scene->source);
    wish.exclusive = true;
    assert_int_equal(open_with(scene, wish), 0);
    assert_int_equal(scene->fake.priority, 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        SCENE(should_try_a_start_that_fails_again),
        SCENE(should_say_why_it_cannot_be_opened),
        SCENE(should_refuse_what_is_no_camera),
        SCENE(should_refuse_formats_by_name),
        SCENE(should_refuse_planes_that_do_not_fit),
        SCENE(should_take_as_many_buffers_as_are_granted),
        SCENE(should_give_yuyv_with_the_drivers_stride),
        SCENE(should_work_out_a_stride_that_is_not_said),
        SCENE(should_give_nv12_in_one_plane_and_in_two),
        SCENE(should_not_offer_two_planes_to_single_planar_calls),
        SCENE(should_set_values_with_automatics_off),
        SCENE(should_hold_what_the_automatics_have_come_to),
        SCENE(should_set_the_same_again_after_replugging),
        SCENE(should_let_go_what_does_not_hold),
        SCENE(should_read_back_what_was_set),
        SCENE(should_go_on_without_the_controls_that_are_absent),
        SCENE(should_expose_for_whole_flickers),
        SCENE(should_lock_others_out_only_where_that_is_wished),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
