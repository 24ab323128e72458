/* Cameras, with a scripted device in the kernel's place: every fault that people have reported. */
#include <errno.h>
#include <linux/videodev2.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "capture/camera.h"
#include "tests/unit/fake_v4l2.h"

#define NS_PER_MS 1000000LL

static const struct camera_wish any = {
    .format = -1, .exposure_100us = -1, .white_balance_k = -1, .focus = -1};

struct scene {
    struct fake fake;
    struct source *source;
    struct capture_fault fault;
};

static int scene_make(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);

    if (!scene)
        return -1;
    fake_init(&scene->fake);
    *state = scene;
    return 0;
}

/* Whatever was done to it: all that was mapped is unmapped, all that was opened closed, and no
 * contract with the driver was broken. */
static int scene_end(void **state)
{
    struct scene *scene = *state;
    struct fake *fake = &scene->fake;
    int wrong;

    capture_source_destroy(&scene->source);
    wrong = fake->misuses != 0 || fake->maps != fake->unmaps || fake->open;
    if (wrong)
        print_error("misuses %d, maps %d, unmaps %d, open %d\n", fake->misuses, fake->maps,
                    fake->unmaps, fake->open);
    fake_free(fake);
    free(scene);
    return wrong ? -1 : 0;
}

static int open_with(struct scene *scene, struct camera_wish wish)
{
    wish.notice = fake_notice;
    wish.notice_context = &scene->fake;
    return capture_camera_open_on(&scene->fake.calls, scene->fake.node, &wish, &scene->source,
                                  &scene->fault);
}

static void open_any(struct scene *scene)
{
    assert_int_equal(open_with(scene, any), 0);
}

/* A picture within ten seconds of the device's time. The caller releases it. */
static struct picture take(struct scene *scene)
{
    struct picture picture;

    assert_int_equal(capture_source_next(scene->source, 10000, &picture, &scene->fault),
                     CAPTURE_PICTURE);
    return picture;
}

/* The same, released. */
static struct picture pass(struct scene *scene)
{
    struct picture picture = take(scene);

    capture_source_release(scene->source, &picture);
    return picture;
}

static int next_within(struct scene *scene, int timeout_ms)
{
    struct picture picture;
    int got = capture_source_next(scene->source, timeout_ms, &picture, &scene->fault);

    if (got == CAPTURE_PICTURE)
        capture_source_release(scene->source, &picture);
    return got;
}

static struct source_about about_of(const struct scene *scene)
{
    struct source_about about;

    capture_source_about(scene->source, &about);
    return about;
}

static int times_in(const char *text, const char *part)
{
    int times = 0;

    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        times++;
    return times;
}

static void assert_says(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" should say \"%s\"", text, part);
}

/* ---- the ordinary way ---- */

static void should_give_pictures_after_warming_up(void **state)
{
    struct scene *scene = *state;
    struct picture picture;

    open_any(scene);
    assert_int_equal(about_of(scene).state, SOURCE_WARMING_UP);
    picture = take(scene);
    assert_int_equal(picture.format, PICTURE_MJPEG);
    assert_int_equal(picture.length, scene->fake.jpeg_length);
    assert_memory_equal(picture.bytes, scene->fake.jpeg, picture.length);
    assert_false(picture.damaged);
    assert_false(picture.time_doubtful);
    assert_int_equal(picture.lost, 0);
    /* stamps have microseconds */
    assert_int_equal((picture.arrived_ns - picture.time_ns + 500) / 1000, 3000);
    capture_source_release(scene->source, &picture);
    assert_true(scene->fake.sequence >= 10);
    assert_int_equal(about_of(scene).state, SOURCE_RUNNING);
    assert_int_equal(about_of(scene).starts, 1);
    assert_string_equal(about_of(scene).name, "Fake Webcam");
    assert_true(about_of(scene).live);
}

static void should_say_that_it_warms_up(void **state)
{
    struct scene *scene = *state;

    open_any(scene);
    assert_int_equal(next_within(scene, 100), CAPTURE_NOTHING);
    assert_says(scene->fault.text, "warming up");
}

static void should_wait_until_brightness_stands_still(void **state)
{
    struct scene *scene = *state;
    struct camera_wish wish = any;

    wish.format = PICTURE_YUYV;
    scene->fake.modes[0].fourcc = V4L2_PIX_FMT_YUYV;
    for (int i = 0; i < 30; i++)
        fake_script(&scene->fake,
                    (struct fake_picture){.count = 1, .brightness_add = 3 * (i - 30)});
    assert_int_equal(open_with(scene, wish), 0);
    pass(scene);
    assert_true(scene->fake.sequence > 34);
    assert_true(scene->fake.sequence < 44);
}

static void should_not_wait_for_ever_for_brightness(void **state)
{
    struct scene *scene = *state;

    scene->fake.modes[0].fourcc = V4L2_PIX_FMT_YUYV;
    for (int i = 0; i < FAKE_SCRIPT; i++)
        fake_script(&scene->fake,
                    (struct fake_picture){.count = 4, .brightness_add = i % 2 ? 60 : 0});
    open_any(scene);
    pass(scene);
    assert_true(scene->fake.sequence < 130);
    assert_says(scene->fake.notices, "still change");
}

static void should_not_count_bad_pictures_as_warm(void **state)
{
    struct scene *scene = *state;

    fake_script(&scene->fake, (struct fake_picture){.count = 15, .no_picture_head = true});
    open_any(scene);
    pass(scene);
    assert_true(scene->fake.sequence >= 15 + 8);
}

static void should_give_what_waits_without_waiting(void **state)
{
    struct scene *scene = *state;

    open_any(scene);
    pass(scene);
    scene->fake.now_ns += 100 * NS_PER_MS;
    assert_int_equal(next_within(scene, 0), CAPTURE_PICTURE);
    assert_int_equal(next_within(scene, 0), CAPTURE_PICTURE);
    assert_int_equal(next_within(scene, -1), CAPTURE_PICTURE);
    assert_int_equal(next_within(scene, 0), CAPTURE_NOTHING);
}

static void should_return_early_when_a_signal_comes(void **state)
{
    struct scene *scene = *state;
    int64_t before;

    open_any(scene);
    pass(scene);
    scene->fake.wait_fault = -EINTR;
    before = scene->fake.now_ns;
    assert_int_equal(next_within(scene, 10000), CAPTURE_NOTHING);
    assert_int_equal(scene->fake.now_ns, before);
    assert_int_equal(about_of(scene).state, SOURCE_RUNNING);
    pass(scene);
}

static void should_make_interrupted_calls_again(void **state)
{
    struct scene *scene = *state;

    scene->fake.interrupts = 3;
    open_any(scene);
    scene->fake.interrupts = 5;
    pass(scene);
    assert_int_equal(about_of(scene).starts, 1);
}

/* ---- pictures that are not right ---- */

/* Every buffer goes back to the driver, whatever was in it. */
static void should_queue_every_buffer_again(void **state)
{
    static const struct fake_picture bad[] = {
        {.count = 40, .error = true},     {.count = 40, .empty = true},
        {.count = 40, .cut = 3},          {.count = 40, .no_picture_head = true},
        {.count = 40, .long_used = true}, {.count = 40, .cut = 100000, .empty = true},
    };
    struct scene *scene = *state;

    open_any(scene);
    pass(scene);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        scene->fake.script_count = scene->fake.script_at = 0;
        fake_script(&scene->fake, bad[i]);
        for (int k = 0; k < 40; k++)
            assert_true(pass(scene).damaged);
        assert_false(pass(scene).damaged);
        assert_int_equal(scene->fake.order_count, scene->fake.buffer_count);
    }
    assert_int_equal(about_of(scene).starts, 1);
}

static void should_keep_lengths_inside_the_buffer(void **state)
{
    struct scene *scene = *state;
    struct picture picture;

    open_any(scene);
    pass(scene);
    fake_script(&scene->fake, (struct fake_picture){.count = 1, .long_used = true});
    picture = take(scene);
    assert_true(picture.damaged);
    assert_int_equal(picture.length, scene->fake.size);
    capture_source_release(scene->source, &picture);
    fake_script(&scene->fake, (struct fake_picture){.count = 1, .empty = true});
    picture = pass(scene);
    assert_true(picture.damaged);
    assert_int_equal(picture.length, 0);
}

static void should_take_pictures_with_old_bytes_behind_them(void **state)
{
    struct scene *scene = *state;
    struct picture picture;

    open_any(scene);
    pass(scene);
    fake_script(&scene->fake, (struct fake_picture){.count = 1, .stale = 900});
    picture = pass(scene);
    assert_false(picture.damaged);
    assert_int_equal(picture.length, scene->fake.jpeg_length + 900);
}

static void should_open_again_when_the_driver_names_a_wrong_buffer(void **state)
{
    struct scene *scene = *state;

    open_any(scene);
    pass(scene);
    fake_script(&scene->fake, (struct fake_picture){.count = 1, .bad_index = true});
    pass(scene);
    assert_int_equal(about_of(scene).starts, 2);
    assert_says(scene->fake.notices, "a buffer that it did not have");
}

static void should_open_again_when_a_buffer_comes_that_is_lent(void **state)
{
    struct scene *scene = *state;
    struct picture lent;

    open_any(scene);
    lent = take(scene);
    /* the buffer before the next one is the lent one */
    fake_script(&scene->fake, (struct fake_picture){.count = 1, .repeat_index = true});
    assert_false(pass(scene).damaged);
    assert_int_equal(about_of(scene).starts, 2);
    capture_source_release(scene->source, &lent);
}

static void should_lend_until_all_are_lent(void **state)
{
    struct scene *scene = *state;
    struct picture lent[FAKE_BUFFERS], more;
    int count = 0;

    open_any(scene);
    lent[count++] = take(scene);
    while (count < scene->fake.buffer_count)
        lent[count++] = take(scene);
    assert_int_equal(capture_source_next(scene->source, 100, &more, &scene->fault),
                     CAPTURE_E_ARGUMENT);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            assert_ptr_not_equal(lent[i].bytes, lent[k].bytes);
    while (count > 0)
        capture_source_release(scene->source, &lent[--count]);
    capture_source_release(scene->source, &lent[0]); /* twice: nothing */
    pass(scene);
    assert_int_equal(about_of(scene).starts, 1);
}

/* ---- numbers and times ---- */

static void should_count_gaps_in_the_sequence(void **state)
{
    struct scene *scene = *state;
    uint64_t before;
    struct picture picture;

    open_any(scene);
    before = pass(scene).sequence;
    fake_script(&scene->fake, (struct fake_picture){.count = 1, .skip = 3});
    picture = pass(scene);
    assert_int_equal(picture.lost, 3);
    assert_int_equal(picture.sequence, before + 4);
    picture = pass(scene);
    assert_int_equal(picture.lost, 0);
    assert_int_equal(picture.sequence, before + 5);
}

static void should_go_on_counting_over_the_wrap(void **state)
{
    struct scene *scene = *state;
    uint64_t before;

    scene->fake.sequence = UINT32_MAX - 40;
    open_any(scene);
    before = pass(scene).sequence;
    for (uint64_t i = 1; i < 60; i++) {
        struct picture picture = pass(scene);

        assert_int_equal(picture.sequence, before + i);
        assert_int_equal(picture.lost, 0);
    }
    assert_true(scene->fake.sequence < 1000);
    fake_script(&scene->fake, (struct fake_picture){.count = 1, .skip = 2});
    assert_int_equal(pass(scene).lost, 2);
}

static void should_not_believe_a_sequence_that_stands_or_jumps(void **state)
{
    static const int skips[] = {-1, -500, 1000000};
    struct scene *scene = *state;
    uint64_t last;

    open_any(scene);
    last = pass(scene).sequence;
    for (size_t i = 0; i < sizeof skips / sizeof skips[0]; i++) {
        fake_script(&scene->fake, (struct fake_picture){.count = 1, .skip = skips[i]});
        struct picture picture = pass(scene);

        assert_int_equal(picture.lost, 0);
        assert_int_equal(picture.sequence, ++last);
    }
}

static void should_doubt_stamps_that_cannot_be(void **state)
{
    static const struct fake_picture wrong[] = {
        {.count = 1, .stamp_again = true},
        {.count = 1, .stamp_add_ns = -40 * NS_PER_MS},
        {.count = 1, .stamp_add_ns = -3000000 * NS_PER_MS},
        {.count = 1, .stamp_add_ns = 900 * NS_PER_MS},
        {.count = 1, .stamp_add_ns = 9000000000 * NS_PER_MS},
        {.count = 1, .no_stamp_kind = true},
    };
    struct scene *scene = *state;
    int64_t last = 0;

    open_any(scene);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct picture picture;

        for (int k = 0; k < 4; k++)
            last = pass(scene).time_ns;
        fake_script(&scene->fake, wrong[i]);
        picture = pass(scene);
        assert_true(picture.time_doubtful);
        assert_int_equal(picture.time_ns, picture.arrived_ns);
        assert_true(picture.time_ns > last);
        /* at most one more suffers for it, and time never runs backward */
        last = picture.time_ns;
        picture = pass(scene);
        assert_true(picture.time_ns > last);
        last = picture.time_ns;
        picture = pass(scene);
        assert_false(picture.time_doubtful);
        assert_true(picture.time_ns > last);
    }
}

static void should_measure_the_rate_by_stamps(void **state)
{
    struct scene *scene = *state;

    scene->fake.real_rate = 15;
    open_any(scene);
    for (int i = 0; i < 60; i++)
        pass(scene);
    assert_true(llabs(about_of(scene).interval_ns - 66666666) < NS_PER_MS);
    assert_int_equal(times_in(scene->fake.notices, "gives 15.0 pictures a second instead of 30.0"),
                     1);
    scene->fake.real_rate = 0;
    for (int i = 0; i < 90; i++)
        pass(scene);
    assert_int_equal(times_in(scene->fake.notices, "pictures a second again"), 1);
}

static void should_not_take_lost_pictures_for_a_low_rate(void **state)
{
    struct scene *scene = *state;

    open_any(scene);
    for (int i = 0; i < FAKE_SCRIPT; i++)
        fake_script(&scene->fake, (struct fake_picture){.count = 1, .skip = 1, .wait_ms = 33});
    for (int i = 0; i < 60; i++)
        pass(scene);
    assert_true(llabs(about_of(scene).interval_ns - 33333333) < 2 * NS_PER_MS);
}

static void should_set_no_rate_where_there_is_none(void **state)
{
    struct scene *scene = *state;

    scene->fake.no_rate = true; /* S_PARM would be a misuse */
    open_any(scene);
    pass(scene);
}

/* ---- away and back ---- */

static void should_come_back_at_another_node(void **state)
{
    struct scene *scene = *state;
    struct picture before, after;

    open_any(scene);
    before = pass(scene);
    fake_unplug(&scene->fake);
    assert_int_equal(next_within(scene, 3000), CAPTURE_NOTHING);
    assert_says(scene->fault.text, "away");
    assert_int_equal(about_of(scene).state, SOURCE_AWAY);
    assert_int_equal(capture_source_poll_file(scene->source), -1);
    assert_int_equal(next_within(scene, 30000), CAPTURE_NOTHING);
    fake_plug(&scene->fake, "/dev/fake3");
    after = pass(scene);
    assert_int_equal(after.sequence, before.sequence + 1);
    assert_true(after.time_ns > before.time_ns);
    assert_int_equal(about_of(scene).starts, 2);
    assert_int_equal(times_in(scene->fake.notices, "unplugged"), 1);
    assert_int_equal(times_in(scene->fake.notices, "is back, at /dev/fake3"), 1);
}

static void should_find_it_again_at_once(void **state)
{
    struct scene *scene = *state;
    int64_t plugged;

    open_any(scene);
    pass(scene);
    fake_unplug(&scene->fake);
    assert_int_equal(next_within(scene, 60000), CAPTURE_NOTHING);
    fake_plug(&scene->fake, "/dev/fake1");
    plugged = scene->fake.now_ns;
    pass(scene);
    assert_true(scene->fake.now_ns - plugged < 1200 * NS_PER_MS);
}

static void should_come_back_each_of_fifty_times(void **state)
{
    struct scene *scene = *state;
    uint64_t last = 0;

    open_any(scene);
    for (int i = 0; i < 50; i++) {
        char node[32];

        /* while it runs, while it warms up, while it is still away, and with a picture lent */
        for (int k = 0; k < i % 7; k++) {
            struct picture picture = pass(scene);

            assert_true(picture.sequence > last);
            last = picture.sequence;
        }
        if (i % 3 == 0)
            next_within(scene, 37 * (i % 11));
        struct picture lent = {.slot = -1};
        if (i % 4 == 1)
            lent = take(scene);
        fake_unplug(&scene->fake);
        next_within(scene, 90 * (i % 13));
        snprintf(node, sizeof node, "/dev/fake%d", i % 5);
        fake_plug(&scene->fake, node);
        if (lent.slot >= 0) {
            last = lent.sequence;
            assert_int_equal(lent.bytes[0], 0xff);
            capture_source_release(scene->source, &lent);
        }
    }
    assert_false(pass(scene).damaged);
    assert_int_equal(scene->fake.buffer_count, scene->fake.order_count);
}

static void should_keep_a_lent_picture_when_it_is_unplugged(void **state)
{
    struct scene *scene = *state;
    struct picture lent, other;

    open_any(scene);
    lent = take(scene);
    other = take(scene);
    fake_unplug(&scene->fake);
    assert_int_equal(next_within(scene, 500), CAPTURE_NOTHING);
    assert_memory_equal(lent.bytes, scene->fake.jpeg, lent.length);
    fake_plug(&scene->fake, "/dev/fake1");
    pass(scene);
    assert_memory_equal(lent.bytes, scene->fake.jpeg, lent.length);
    capture_source_release(scene->source, &lent);
    assert_memory_equal(other.bytes, scene->fake.jpeg, other.length);
    capture_source_release(scene->source, &other);
    pass(scene);
}

static void should_open_again_after_every_error_of_a_stream(void **state)
{
    static const struct {
        unsigned long request;
        int error, wait;
    } errors[] = {
        {VIDIOC_DQBUF, EIO, 0},
        {VIDIOC_DQBUF, ENODEV, 0},
        {VIDIOC_DQBUF, ENOTTY, 0},
        {VIDIOC_DQBUF, EINVAL, 0},
        {VIDIOC_QBUF, EINVAL, 0},
        {VIDIOC_QBUF, EIO, 0},
        {0, 0, -EBADF},
        {VIDIOC_DQBUF, EAGAIN, DEVICE_FAULT},
        {VIDIOC_DQBUF, EIO, DEVICE_FAULT},
    };
    struct scene *scene = *state;

    open_any(scene);
    pass(scene);
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        if (errors[i].error && i < sizeof scene->fake.faults / sizeof scene->fake.faults[0]) {
            scene->fake.fault_count = 0;
            fake_fail(&scene->fake, errors[i].request, errors[i].error, 1);
        }
        scene->fake.wait_fault = errors[i].wait;
        pass(scene);
        pass(scene);
        assert_int_equal(about_of(scene).starts, i + 2);
        scene->fake.wait_fault = 0;
    }
}

static void should_not_spin_when_there_is_nothing_after_all(void **state)
{
    struct scene *scene = *state;
    int waits;

    open_any(scene);
    pass(scene);
    fake_fail(&scene->fake, VIDIOC_DQBUF, EAGAIN, 1000000);
    waits = scene->fake.waits;
    assert_int_equal(next_within(scene, 1000), CAPTURE_NOTHING);
    assert_true(scene->fake.waits - waits < 2200);
}

static void should_try_less_and_less_often(void **state)
{
    struct scene *scene = *state;
    int before;

    open_any(scene);
    pass(scene);
    fake_fail(&scene->fake, VIDIOC_DQBUF, EIO, 1);
    fake_fail(&scene->fake, VIDIOC_STREAMON, EIO, 1000);
    before = scene->fake.opens;
    assert_int_equal(next_within(scene, 60000), CAPTURE_NOTHING);
    assert_true(scene->fake.opens - before >= 10);
    assert_true(scene->fake.opens - before <= 20);
    assert_int_equal(times_in(scene->fake.notices, "\n"), 1);
    scene->fake.fault_count = 0;
    pass(scene);
}

static void should_give_up_a_stream_without_pictures(void **state)
{
    struct scene *scene = *state;

    open_any(scene);
    pass(scene);
    scene->fake.silent = true;
    assert_int_equal(next_within(scene, 2000), CAPTURE_NOTHING);
    assert_int_equal(about_of(scene).state, SOURCE_RUNNING);
    assert_int_equal(next_within(scene, 120000), CAPTURE_NOTHING);
    assert_true(about_of(scene).starts > 3);
    assert_true(about_of(scene).starts < 30);
    assert_int_equal(times_in(scene->fake.notices, "no picture has come"), 1);
    scene->fake.silent = false;
    pass(scene);
    assert_int_equal(times_in(scene->fake.notices, "is back"), 1);
}

static void should_not_take_another_camera_for_it(void **state)
{
    struct scene *scene = *state;

    open_any(scene);
    pass(scene);
    fake_unplug(&scene->fake);
    assert_int_equal(next_within(scene, 1000), CAPTURE_NOTHING);
    scene->fake.card = "Other Webcam";
    fake_plug(&scene->fake, "/dev/fake0");
    assert_int_equal(next_within(scene, 10000), CAPTURE_NOTHING);
    assert_says(scene->fault.text, "another camera (Other Webcam)");
    scene->fake.card = "Fake Webcam";
    pass(scene);
}

static void should_come_back_with_the_same_size_only(void **state)
{
    struct scene *scene = *state;

    scene->fake.modes[1] = (struct fake_mode){V4L2_PIX_FMT_YUYV, 32, 24, {30}, 0};
    scene->fake.mode_count = 2;
    open_any(scene);
    pass(scene);
    fake_unplug(&scene->fake);
    next_within(scene, 500);
    fake_plug(&scene->fake, "/dev/fake0");
    scene->fake.other_fourcc = V4L2_PIX_FMT_YUYV;
    assert_int_equal(next_within(scene, 5000), CAPTURE_NOTHING);
    assert_says(scene->fault.text, "YUYV instead of mjpeg");
    scene->fake.other_fourcc = 0;
    assert_int_equal(pass(scene).format, PICTURE_MJPEG);
}

static void should_come_back_by_its_name_where_no_place_is_known(void **state)
{
    struct scene *scene = *state;

    scene->fake.placeless = true;
    open_any(scene);
    pass(scene);
    fake_unplug(&scene->fake);
    assert_int_equal(next_within(scene, 10000), CAPTURE_NOTHING);
    fake_plug(&scene->fake, "/dev/fake0");
    pass(scene);
    assert_int_equal(about_of(scene).starts, 2);
}

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
    assert_says(scene->fault.text, "1 buffer");
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

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_make, scene_end)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        SCENE(should_give_pictures_after_warming_up),
        SCENE(should_say_that_it_warms_up),
        SCENE(should_wait_until_brightness_stands_still),
        SCENE(should_not_wait_for_ever_for_brightness),
        SCENE(should_not_count_bad_pictures_as_warm),
        SCENE(should_give_what_waits_without_waiting),
        SCENE(should_return_early_when_a_signal_comes),
        SCENE(should_make_interrupted_calls_again),
        SCENE(should_queue_every_buffer_again),
        SCENE(should_keep_lengths_inside_the_buffer),
        SCENE(should_take_pictures_with_old_bytes_behind_them),
        SCENE(should_open_again_when_the_driver_names_a_wrong_buffer),
        SCENE(should_open_again_when_a_buffer_comes_that_is_lent),
        SCENE(should_lend_until_all_are_lent),
        SCENE(should_count_gaps_in_the_sequence),
        SCENE(should_go_on_counting_over_the_wrap),
        SCENE(should_not_believe_a_sequence_that_stands_or_jumps),
        SCENE(should_doubt_stamps_that_cannot_be),
        SCENE(should_measure_the_rate_by_stamps),
        SCENE(should_not_take_lost_pictures_for_a_low_rate),
        SCENE(should_set_no_rate_where_there_is_none),
        SCENE(should_come_back_at_another_node),
        SCENE(should_find_it_again_at_once),
        SCENE(should_come_back_each_of_fifty_times),
        SCENE(should_keep_a_lent_picture_when_it_is_unplugged),
        SCENE(should_open_again_after_every_error_of_a_stream),
        SCENE(should_not_spin_when_there_is_nothing_after_all),
        SCENE(should_try_less_and_less_often),
        SCENE(should_give_up_a_stream_without_pictures),
        SCENE(should_not_take_another_camera_for_it),
        SCENE(should_come_back_with_the_same_size_only),
        SCENE(should_come_back_by_its_name_where_no_place_is_known),
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
