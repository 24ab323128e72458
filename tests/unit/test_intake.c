/* The intake: whoever looks at pictures may be late, and none is lost for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <stdatomic.h>

#include "capture/intake.h"
#include "capture/picture.h"
#include "capture/recorder.h"
#include "tests/unit/still_make.h"

#define WIDTH 48
#define HEIGHT 32
#define RAW_BYTES (WIDTH * HEIGHT * 2)
#define INTERVAL_NS 33333333
/* As long as any machine may take. */
#define PATIENCE_MS 60000
#define MS_NS 1000000

/* A camera that gives as many pictures as it was told to, and has two buffers. */
struct camera {
    atomic_int allowed, given, asked, lent, lent_most;
    atomic_int starts, ends_with; /* ends_with: what follows after `allowed`; 0: nothing yet */
    enum picture_format format;
    struct bytes jpeg;
    uint8_t raw[RAW_BYTES];
    int damaged, cut; /* the number of a picture that is damaged, cut short; -1: none */
};

static int camera_next(void *context, int timeout_ms, struct picture *out,
                       struct capture_fault *fault)
{
    struct camera *camera = context;
    int number = camera->given;

    (void)timeout_ms;
    if (number >= camera->allowed) {
        nanosleep(&(struct timespec){.tv_nsec = MS_NS}, NULL);
        snprintf(fault->text, sizeof fault->text, "nothing yet");
        camera->asked++;
        return camera->ends_with ? camera->ends_with : CAPTURE_NOTHING;
    }
    *out = (struct picture){.format = camera->format,
                            .width = WIDTH,
                            .height = HEIGHT,
                            .bytes = camera->raw,
                            .length = RAW_BYTES,
                            .stride = 2 * WIDTH,
                            .sequence = (uint64_t)number,
                            .time_ns = (int64_t)number * INTERVAL_NS,
                            .damaged = number == camera->damaged};
    if (camera->format == PICTURE_MJPEG) {
        out->bytes = camera->jpeg.data;
        out->length = number == camera->cut ? camera->jpeg.length / 2 : camera->jpeg.length;
    }
    if (++camera->lent > camera->lent_most)
        camera->lent_most = (int)camera->lent;
    camera->given++;
    return CAPTURE_PICTURE;
}

static void camera_release(void *context, const struct picture *picture)
{
    (void)picture;
    ((struct camera *)context)->lent--;
}

static void camera_about(const void *context, struct source_about *out)
{
    const struct camera *camera = context;

    out->live = true;
    out->format = camera->format;
    out->starts = (unsigned)camera->starts;
}

static void camera_destroy(void *context)
{
    (void)context;
}

static const struct source_kind kind = {.next = camera_next,
                                        .release = camera_release,
                                        .about = camera_about,
                                        .destroy = camera_destroy};

struct desk {
    struct camera camera;
    struct source *source;
    struct intake *intake;
};

static int setup(void **state)
{
    struct desk *desk = calloc(1, sizeof *desk);
    struct recipe recipe = {WIDTH, HEIGHT, JCS_YCbCr, .luma_h = 2};

    if (!desk)
        return -1;
    desk->camera.jpeg = make_jpeg(&recipe);
    desk->camera.damaged = desk->camera.cut = -1;
    memset(desk->camera.raw, 100, RAW_BYTES);
    desk->source = capture_source_create(&kind, &desk->camera);
    *state = desk;
    return desk->source ? 0 : -1;
}

static int teardown(void **state)
{
    struct desk *desk = *state;

    capture_intake_close(&desk->intake);
    capture_source_destroy(&desk->source);
    bytes_free(&desk->camera.jpeg);
    free(desk);
    return 0;
}

static struct camera *opened(void **state, enum picture_format format, bool stored,
                             size_t most_bytes)
{
    struct desk *desk = *state;
    const struct intake_options options = {.stored = stored, .most_bytes = most_bytes};
    struct capture_fault fault = {""};

    desk->camera.format = format;
    if (capture_intake_open(desk->source, &options, &desk->intake, &fault) != CAPTURE_OK)
        fail_msg("%s", fault.text);
    return &desk->camera;
}

/* The camera gives so many more, and all of them are taken while nobody looks. */
static void give(struct camera *camera, int count)
{
    camera->allowed += count;
    camera->asked = 0;
    for (int i = 0; i < PATIENCE_MS && camera->asked < 2; i++)
        nanosleep(&(struct timespec){.tv_nsec = MS_NS}, NULL);
    assert_int_equal(camera->given, camera->allowed);
}

static struct intake_picture next(void **state)
{
    struct desk *desk = *state;
    struct intake_picture came;

    assert_int_equal(capture_intake_next(desk->intake, PATIENCE_MS, &came, NULL), CAPTURE_PICTURE);
    return came;
}

static void should_give_all_that_came_while_nobody_looked(void **state)
{
    struct camera *camera = opened(state, PICTURE_MJPEG, false, 0);

    give(camera, 30);
    assert_int_equal(camera->lent, 0);
    assert_int_equal(camera->lent_most, 1);
    for (int i = 0; i < 30; i++) {
        struct intake_picture came = next(state);
        assert_int_equal(came.picture.sequence, i);
        assert_int_equal(came.picture.time_ns, (int64_t)i * INTERVAL_NS);
        assert_int_equal(came.picture.lost, 0);
        assert_int_equal(came.newer, i < 29);
        assert_int_equal(came.picture.length, camera->jpeg.length);
        assert_memory_equal(came.picture.bytes, camera->jpeg.data, camera->jpeg.length);
    }
}

static void should_say_that_nothing_came_and_why(void **state)
{
    struct camera *camera = opened(state, PICTURE_MJPEG, false, 0);
    struct desk *desk = *state;
    struct capture_fault fault = {""};
    struct intake_picture came;

    camera->starts = 3;
    give(camera, 0);
    assert_int_equal(capture_intake_next(desk->intake, 1, &came, &fault), CAPTURE_NOTHING);
    assert_string_equal(fault.text, "nothing yet");
    assert_int_equal(came.about.starts, 3);
    assert_true(came.about.live);
    assert_false(came.newer);
}

/* A picture of before a start is not one of after it. */
static void should_say_of_each_picture_how_the_source_stood(void **state)
{
    struct camera *camera = opened(state, PICTURE_MJPEG, false, 0);

    camera->starts = 1;
    give(camera, 2);
    camera->starts = 2;
    give(camera, 1);
    assert_int_equal(next(state).about.starts, 1);
    assert_int_equal(next(state).about.starts, 1);
    assert_int_equal(next(state).about.starts, 2);
}

static void should_not_call_a_damaged_picture_a_newer_one(void **state)
{
    struct camera *camera = opened(state, PICTURE_MJPEG, true, 0);

    camera->damaged = 1;
    camera->cut = 2;
    give(camera, 3);
    assert_false(next(state).newer);
    struct intake_picture came = next(state);
    assert_true(came.picture.damaged);
    came = next(state);
    assert_true(came.picture.damaged);
    assert_int_equal(came.picture.length, 0);
    give(camera, 2);
    assert_true(next(state).newer);
    assert_false(next(state).newer);
}

static void should_bring_pictures_into_their_stored_form(void **state)
{
    struct camera *camera = opened(state, PICTURE_YUYV, true, 0);
    struct decoder *decoder = capture_decoder_create();
    uint8_t *bytes = NULL;
    size_t capacity = 0, length = 0;
    struct picture raw = {.format = PICTURE_YUYV,
                          .width = WIDTH,
                          .height = HEIGHT,
                          .bytes = camera->raw,
                          .length = RAW_BYTES,
                          .stride = 2 * WIDTH};

    assert_int_equal(capture_picture_stored(decoder, &raw, &bytes, &capacity, &length, NULL),
                     CAPTURE_OK);
    give(camera, 1);
    struct intake_picture came = next(state);
    assert_int_equal(came.picture.format, PICTURE_MJPEG);
    assert_int_equal(came.picture.length, length);
    assert_memory_equal(came.picture.bytes, bytes, length);
    free(bytes);
    capture_decoder_destroy(&decoder);
}

static void should_leave_pictures_as_they_are_when_none_are_kept(void **state)
{
    struct camera *camera = opened(state, PICTURE_YUYV, false, 0);

    give(camera, 1);
    struct intake_picture came = next(state);
    assert_int_equal(came.picture.format, PICTURE_YUYV);
    assert_int_equal(came.picture.length, RAW_BYTES);
    assert_memory_equal(came.picture.bytes, camera->raw, RAW_BYTES);
}

/* Room for four: the newest stay, and what was let go is counted. */
static void should_let_the_oldest_go_when_there_is_no_room(void **state)
{
    struct camera *camera = opened(state, PICTURE_YUYV, false, 5 * RAW_BYTES);
    uint64_t lost = 0;

    give(camera, 10);
    for (int i = 6; i < 10; i++) {
        struct intake_picture came = next(state);
        assert_int_equal(came.picture.sequence, i);
        lost += came.picture.lost;
    }
    assert_int_equal(lost, 6);
}

/* What ended the source is said once all is given out, and from then on. */
static void should_end_as_its_source_does(void **state)
{
    struct camera *camera = opened(state, PICTURE_MJPEG, false, 0);
    struct desk *desk = *state;
    struct intake_picture came;

    give(camera, 2);
    camera->ends_with = CAPTURE_E_OPEN;
    next(state);
    next(state);
    for (int i = 0; i < 2; i++)
        assert_int_equal(capture_intake_next(desk->intake, PATIENCE_MS, &came, NULL),
                         CAPTURE_E_OPEN);
}

static void should_refuse_what_is_no_source(void **state)
{
    struct desk *desk = *state;
    const struct intake_options options = {.stored = false};
    struct capture_fault fault = {""};

    assert_int_equal(capture_intake_open(NULL, &options, &desk->intake, &fault),
                     CAPTURE_E_ARGUMENT);
    assert_string_not_equal(fault.text, "");
    assert_null(desk->intake);
    capture_intake_close(&desk->intake);
    capture_intake_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(should_give_all_that_came_while_nobody_looked, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(should_say_that_nothing_came_and_why, setup, teardown),
        cmocka_unit_test_setup_teardown(should_say_of_each_picture_how_the_source_stood, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(should_not_call_a_damaged_picture_a_newer_one, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(should_bring_pictures_into_their_stored_form, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(should_leave_pictures_as_they_are_when_none_are_kept, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(should_let_the_oldest_go_when_there_is_no_room, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(should_end_as_its_source_does, setup, teardown),
        cmocka_unit_test_setup_teardown(should_refuse_what_is_no_source, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
