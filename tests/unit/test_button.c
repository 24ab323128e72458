/* Buttons: from bytes to presses, and a device that comes, goes and cannot be had. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "capture/button.h"

#include <errno.h>
#include <linux/input.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000
#define A KEY_A

static struct input_event event_of(int type, int code, int value, int64_t at_ms)
{
    struct input_event event = {.type = (uint16_t)type, .code = (uint16_t)code, .value = value};

    event.input_event_sec = at_ms / 1000;
    event.input_event_usec = at_ms % 1000 * 1000;
    return event;
}

/* ---- the filter ---- */

struct said {
    struct button_filter filter;
    struct button_press press[8];
    bool resync;
    int count;
};

static int take(struct said *said, const struct input_event *events, int count)
{
    said->count = capture_button_filter(&said->filter, events, (size_t)count * sizeof *events,
                                        said->press, 8, &said->resync);
    return said->count;
}

static void should_date_a_press_by_its_event(void **state)
{
    struct said said = {.count = 0};
    (void)state;
    const struct input_event events[] = {event_of(EV_MSC, MSC_SCAN, 30, 1234),
                                         event_of(EV_KEY, A, 1, 1234),
                                         event_of(EV_SYN, SYN_REPORT, 0, 1234)};
    assert_int_equal(take(&said, events, 3), 1);
    assert_int_equal(said.press[0].code, A);
    assert_true(said.press[0].at_ns == 1234 * (int64_t)MS);
    assert_false(said.resync);
}

static void should_take_neither_repeats_nor_releases(void **state)
{
    struct said said = {.count = 0};
    (void)state;
    const struct input_event events[] = {event_of(EV_KEY, A, 1, 0), event_of(EV_KEY, A, 2, 250),
                                         event_of(EV_KEY, A, 2, 283), event_of(EV_KEY, A, 0, 300)};
    assert_int_equal(take(&said, events, 4), 1);
    const struct input_event again = event_of(EV_KEY, A, 1, 400);
    assert_int_equal(take(&said, &again, 1), 1);
    /* Down again without an up: the device was mistaken, the finger was there all the time. */
    assert_int_equal(take(&said, &again, 1), 0);
}

static void should_take_a_bounce_for_what_it_is(void **state)
{
    struct said said = {.count = 0};
    (void)state;
    const struct input_event press[] = {event_of(EV_KEY, A, 1, 1000), event_of(EV_KEY, A, 0, 1003),
                                        event_of(EV_KEY, A, 1, 1007), event_of(EV_KEY, A, 0, 1200),
                                        event_of(EV_KEY, A, 1, 1210), event_of(EV_KEY, A, 0, 1213)};
    assert_int_equal(take(&said, press, 6), 1);
    assert_true(said.press[0].at_ns == 1000 * (int64_t)MS);
    const struct input_event next = event_of(EV_KEY, A, 1, 1213 + BUTTON_BOUNCE_NS / MS);
    assert_int_equal(take(&said, &next, 1), 1);
    /* Another key of the same device has bounces of its own. */
    const struct input_event other = event_of(EV_KEY, KEY_B, 1, 1214 + BUTTON_BOUNCE_NS / MS);
    assert_int_equal(take(&said, &other, 1), 1);
}

static void should_take_no_press_of_what_was_lost(void **state)
{
    struct said said = {.count = 0};
    uint8_t held[BUTTON_CODES / 8] = {0};
    (void)state;
    const struct input_event events[] = {
        event_of(EV_SYN, SYN_DROPPED, 0, 10), event_of(EV_KEY, A, 1, 10),
        event_of(EV_SYN, SYN_REPORT, 0, 10), event_of(EV_KEY, KEY_B, 1, 20)};
    assert_int_equal(take(&said, events, 4), 1);
    assert_int_equal(said.press[0].code, KEY_B);
    assert_true(said.resync);
    held[A / 8] |= 1 << A % 8;
    capture_button_filter_sync(&said.filter, held, sizeof held);
    assert_true(said.filter.down[A]);
    assert_false(said.filter.down[KEY_B]);
}

static void should_refuse_half_an_event(void **state)
{
    struct said said = {.count = 0};
    (void)state;
    const struct input_event event = event_of(EV_KEY, A, 1, 10);
    assert_int_equal(
        capture_button_filter(&said.filter, &event, sizeof event - 1, said.press, 8, &said.resync),
        CAPTURE_E_DAMAGED);
    assert_int_equal(capture_button_filter(&said.filter, &event, 0, said.press, 8, &said.resync),
                     0);
}

static void should_pass_over_codes_and_times_that_make_no_sense(void **state)
{
    struct said said = {.count = 0};
    (void)state;
    struct input_event events[] = {event_of(EV_KEY, BUTTON_CODES, 1, 1),
                                   event_of(EV_KEY, 0xFFFF, 1, 1), event_of(EV_KEY, A, -7, 1),
                                   event_of(EV_KEY, A, 1, 1)};
    events[3].input_event_sec = -5;
    assert_int_equal(take(&said, events, 4), 1);
    assert_true(said.press[0].at_ns == 0);
    /* Nor does one in the far future stand in the way of those that follow. */
    events[0] = event_of(EV_KEY, A, 0, INT32_MAX);
    events[1] = event_of(EV_KEY, A, 1, 5000);
    assert_int_equal(take(&said, events, 2), 1);
}

static void should_give_no_more_than_there_is_room_for(void **state)
{
    struct button_filter filter = {.lost = false};
    struct button_press press[2];
    struct input_event events[20];
    bool resync;
    (void)state;
    for (int i = 0; i < 20; i++)
        events[i] = event_of(EV_KEY, 1 + i, 1, 10);
    assert_int_equal(capture_button_filter(&filter, events, sizeof events, press, 2, &resync), 2);
}

/* ---- a device ---- */

struct fake {
    int opens, closes, grabs;
    int open_error, grab_error; /* 0, or what it answers with */
    bool no_keys, gone;
    int held;
    int clock;
    struct input_event event[8];
    int events;
};

static int fake_open(void *context, const char *path)
{
    struct fake *fake = context;
    assert_string_equal(path, "/dev/input/by-id/pedal");
    if (fake->open_error)
        return fake->open_error;
    fake->opens++;
    return 7;
}

static void fake_close(void *context, int file)
{
    struct fake *fake = context;
    assert_int_equal(file, 7);
    fake->closes++;
}

static int fake_control(void *context, int file, unsigned long request, void *argument)
{
    struct fake *fake = context;
    assert_int_equal(file, 7);
    if (fake->gone)
        return -ENODEV;
    if (request == EVIOCGRAB) {
        if (argument && fake->grab_error)
            return fake->grab_error;
        fake->grabs += argument ? 1 : -1;
    } else if (request == EVIOCSCLOCKID) {
        memcpy(&fake->clock, argument, sizeof fake->clock);
    } else if (request == EVIOCGBIT(EV_KEY, BUTTON_CODES / 8)) {
        ((uint8_t *)argument)[A / 8] = fake->no_keys ? 0 : 1 << A % 8;
    } else if (request == EVIOCGKEY(BUTTON_CODES / 8)) {
        memset(argument, 0, BUTTON_CODES / 8);
        ((uint8_t *)argument)[fake->held / 8] |= (uint8_t)(fake->held ? 1 << fake->held % 8 : 0);
    } else {
        strcpy(argument, "Pedal");
    }
    return 0;
}

static int64_t fake_read(void *context, int file, void *bytes, size_t size)
{
    struct fake *fake = context;
    assert_int_equal(file, 7);
    if (fake->gone)
        return -ENODEV;
    if (fake->events == 0)
        return -EAGAIN;
    size_t length = (size_t)fake->events * sizeof fake->event[0];
    assert_true(length <= size);
    memcpy(bytes, fake->event, length);
    fake->events = 0;
    return (int64_t)length;
}

static struct button_calls calls_of(struct fake *fake)
{
    return (struct button_calls){fake_open, fake_close, fake_control, fake_read, fake};
}

static void should_take_a_device_for_itself_with_monotonic_times(void **state)
{
    struct fake fake = {.clock = -1};
    struct button_calls calls = calls_of(&fake);
    struct button *button = capture_button_create(&calls, "/dev/input/by-id/pedal");
    struct capture_fault fault = {.text = ""};
    struct button_press press[4];
    (void)state;
    assert_int_equal(capture_button_file(button), -1);
    assert_int_equal(capture_button_take(button, press, 4), 0);
    assert_int_equal(capture_button_look(button, &fault), BUTTON_CAME);
    assert_int_equal(capture_button_look(button, &fault), BUTTON_SAME);
    assert_int_equal(fake.clock, 1); /* CLOCK_MONOTONIC */
    assert_int_equal(fake.grabs, 1);
    fake.event[fake.events++] = event_of(EV_KEY, A, 1, 77);
    assert_int_equal(capture_button_take(button, press, 4), 1);
    assert_true(press[0].at_ns == 77 * (int64_t)MS);
    capture_button_destroy(&button);
    assert_null(button);
    assert_int_equal(fake.grabs, 0);
    assert_int_equal(fake.closes, 1);
}

static void should_come_back_by_itself(void **state)
{
    struct fake fake = {.held = 0};
    struct button_calls calls = calls_of(&fake);
    struct button *button = capture_button_create(&calls, "/dev/input/by-id/pedal");
    struct capture_fault fault = {.text = ""};
    struct button_press press[4];
    (void)state;
    assert_int_equal(capture_button_look(button, &fault), BUTTON_CAME);
    fake.gone = true;
    assert_int_equal(capture_button_take(button, press, 4), 0);
    assert_int_equal(capture_button_file(button), -1);
    fake.open_error = -ENOENT;
    assert_int_equal(capture_button_look(button, &fault), BUTTON_LOST);
    assert_non_null(strstr(fault.text, "no such button"));
    /* It is said once, not with each try. */
    assert_int_equal(capture_button_look(button, &fault), BUTTON_SAME);
    fake.open_error = 0;
    fake.gone = false;
    fake.held = A;
    assert_int_equal(capture_button_look(button, &fault), BUTTON_CAME);
    /* It is held down while it is plugged in: that is no press, and its repeats and end are none.
     */
    fake.event[fake.events++] = event_of(EV_KEY, A, 1, 5000);
    assert_int_equal(capture_button_take(button, press, 4), 0);
    fake.event[fake.events++] = event_of(EV_KEY, A, 0, 6000);
    fake.event[fake.events++] = event_of(EV_KEY, A, 1, 7000);
    assert_int_equal(capture_button_take(button, press, 4), 1);
    capture_button_destroy(&button);
    assert_int_equal(fake.opens, fake.closes);
}

static void should_say_why_a_device_cannot_be_had(void **state)
{
    static const struct {
        int open_error, grab_error;
        bool no_keys;
        enum button_why why;
        const char *name, *says;
    } cases[] = {
        {-EACCES, 0, false, BUTTON_NO_RIGHTS, "no_rights", "group input"},
        {-ENOENT, 0, false, BUTTON_ABSENT, "absent", "plugged in"},
        {-ENOTTY, 0, false, BUTTON_NOT_INPUT, "not_input", "input layer"},
        {0, -EBUSY, false, BUTTON_BUSY, "busy", "another program"},
        {0, 0, true, BUTTON_NO_KEYS, "no_keys", "no key"},
        {-EIO, 0, false, BUTTON_FAILED, "failed", "Input/output"},
        {0, 0, false, BUTTON_USABLE, "usable", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fake fake = {.open_error = cases[i].open_error,
                            .grab_error = cases[i].grab_error,
                            .no_keys = cases[i].no_keys};
        struct button_calls calls = calls_of(&fake);
        struct button_entry entry;
        capture_button_examine(&calls, "/dev/input/by-id/pedal", &entry);
        assert_int_equal(entry.why, cases[i].why);
        assert_string_equal(capture_button_why_name(entry.why), cases[i].name);
        assert_non_null(strstr(entry.explained.text, cases[i].says));
        assert_int_equal(entry.explained.text[0] == 0, entry.why == BUTTON_USABLE);
        assert_int_equal(fake.opens, fake.closes);
        assert_int_equal(fake.grabs, 0);
    }
}

static void should_refuse_a_path_that_is_too_long(void **state)
{
    char path[BUTTON_PATH_MAX + 1];
    (void)state;
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = 0;
    assert_null(capture_button_create(&capture_button_system, path));
    capture_button_destroy(NULL);
}

/* No device of the input layer is opened that is none. */
static void should_open_nothing_else(void **state)
{
    (void)state;
    assert_int_equal(capture_button_system.open(NULL, "/dev/null"), -ENOTTY);
    assert_int_equal(capture_button_system.open(NULL, "/etc/passwd"), -ENOTTY);
    assert_int_equal(capture_button_system.open(NULL, "/no/such/thing"), -ENOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_date_a_press_by_its_event),
        cmocka_unit_test(should_take_neither_repeats_nor_releases),
        cmocka_unit_test(should_take_a_bounce_for_what_it_is),
        cmocka_unit_test(should_take_no_press_of_what_was_lost),
        cmocka_unit_test(should_refuse_half_an_event),
        cmocka_unit_test(should_pass_over_codes_and_times_that_make_no_sense),
        cmocka_unit_test(should_give_no_more_than_there_is_room_for),
        cmocka_unit_test(should_take_a_device_for_itself_with_monotonic_times),
        cmocka_unit_test(should_come_back_by_itself),
        cmocka_unit_test(should_say_why_a_device_cannot_be_had),
        cmocka_unit_test(should_refuse_a_path_that_is_too_long),
        cmocka_unit_test(should_open_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
