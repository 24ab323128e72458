/* Cameras that run, with a scripted device in the kernel's place: every fault that people have
 * reported of pictures, stamps and plugs. */
#include <errno.h>
#include <linux/videodev2.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/camera_scene.h"

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
    assert_int_equal((picture.arrived_ns - picture.time_ns) / 10000, 300);
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

static void should_say_that_the_clock_cannot_be_used(void **state)
{
    struct scene *scene = *state;

    open_any(scene);
    fake_script(&scene->fake, (struct fake_picture){.count = 29, .no_stamp_kind = true});
    for (int i = 0; i < 40; i++)
        pass(scene);
    assert_null(strstr(scene->fake.notices, "clock"));
    fake_script(&scene->fake, (struct fake_picture){.count = 40, .no_stamp_kind = true});
    for (int i = 0; i < 60; i++)
        pass(scene);
    assert_non_null(strstr(scene->fake.notices, "of no clock that can be used"));
    assert_null(strstr(scene->fake.notices, "can be used again"));
    for (int i = 0; i < 20; i++)
        pass(scene);
    assert_non_null(strstr(scene->fake.notices, "can be used again"));
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
        SCENE(should_say_that_the_clock_cannot_be_used),
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
