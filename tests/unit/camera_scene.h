/* tests/unit/camera_scene.h: a camera on a scripted device, for the tests of cameras. */
#ifndef TESTS_CAMERA_SCENE_H
#define TESTS_CAMERA_SCENE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/camera.h"
#include "tests/unit/fake_v4l2.h"

#define NS_PER_MS 1000000LL

static const struct camera_wish any __attribute__((unused)) = {
    .format = -1, .exposure_100us = -1, .white_balance_k = -1, .focus = -1};

struct scene {
    struct fake fake;
    struct source *source;
    struct capture_fault fault;
};

static inline int scene_make(void **state)
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
static inline int scene_end(void **state)
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

static inline int open_with(struct scene *scene, struct camera_wish wish)
{
    wish.notice = fake_notice;
    wish.notice_context = &scene->fake;
    return capture_camera_open_on(&scene->fake.calls, scene->fake.node, &wish, &scene->source,
                                  &scene->fault);
}

static inline void open_any(struct scene *scene)
{
    assert_int_equal(open_with(scene, any), 0);
}

/* A picture within ten seconds of the device's time. The caller releases it. */
static inline struct picture take(struct scene *scene)
{
    struct picture picture;

    assert_int_equal(capture_source_next(scene->source, 10000, &picture, &scene->fault),
                     CAPTURE_PICTURE);
    return picture;
}

/* The same, released. */
static inline struct picture pass(struct scene *scene)
{
    struct picture picture = take(scene);

    capture_source_release(scene->source, &picture);
    return picture;
}

static inline int next_within(struct scene *scene, int timeout_ms)
{
    struct picture picture;
    int got = capture_source_next(scene->source, timeout_ms, &picture, &scene->fault);

    if (got == CAPTURE_PICTURE)
        capture_source_release(scene->source, &picture);
    return got;
}

static inline struct source_about about_of(const struct scene *scene)
{
    struct source_about about;

    capture_source_about(scene->source, &about);
    return about;
}

static inline int times_in(const char *text, const char *part)
{
    int times = 0;

    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        times++;
    return times;
}

static inline void assert_says(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" should say \"%s\"", text, part);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_make, scene_end)

#endif
