/* capture/camera_controls.c: exposure, white balance, focus and mains, so that the table looks the
 * same all through a match. Automatics are switched off before values are set, as values are
 * ignored beside them; and everything is read back, as drivers round, refuse or pretend. */
#include <errno.h>
#include <stdlib.h>

#include "capture/camera.h"

/* Sets one and reads it back. A control that is absent is no error: it is said where someone asked
 * for it. */
static bool set_control(struct live_camera *camera, enum device_control control, int value,
                        bool asked)
{
    const struct device *device = &camera->device;
    const char *name = capture_v4l2_control_name(control);
    struct device_range range;
    int set = value, back, error = capture_v4l2_control_range(device, control, &range);

    if (error || range.fixed) {
        if (asked)
            capture_camera_notice(camera, "this camera has no control for %s", name);
        return false;
    }
    if (set < range.least || set > range.most)
        set = set < range.least ? range.least : range.most;
    set = range.least +
          (int)(((int64_t)set - range.least + range.step / 2) / range.step) * range.step;
    if (set > range.most)
        set -= range.step;
    error = capture_v4l2_control_set(device, control, set);
    back = set;
    if (!error)
        capture_v4l2_control_get(device, control, &back);
    if (asked && error)
        capture_camera_notice(camera, "%s cannot be set to %d (error %d)", name, value, -error);
    else if (asked && back != value)
        capture_camera_notice(camera, "%s is %d: the camera has no %d", name, back, value);
    return !error;
}

static void set_mains(struct live_camera *camera)
{
    int item = camera->wish.mains_hz == 50 ? 1 : 2;

    if (camera->wish.mains_hz == 0)
        return;
    if (!capture_v4l2_control_has_item(&camera->device, CONTROL_MAINS, item))
        capture_camera_notice(camera, "this camera cannot be told that the mains have %d Hz",
                              camera->wish.mains_hz);
    else
        set_control(camera, CONTROL_MAINS, item, true);
}

/* Lamps flicker twice in a period of the mains. An exposure of whole flickers shows no bands; a
 * shorter one, in bright light, cannot help it. */
static int whole_flickers(struct live_camera *camera, int exposure_100us)
{
    int mains = camera->wish.mains_hz, count, whole;

    if (mains == 0 || exposure_100us * 2 * mains < 10000)
        return exposure_100us;
    count = (exposure_100us * 2 * mains + 5000) / 10000;
    whole = (count * 10000 + mains) / (2 * mains);
    if (whole != exposure_100us && camera->starts <= 1)
        capture_camera_notice(
            camera, "exposure of %d.%d ms instead of %d.%d: whole flickers of %d Hz mains",
            whole / 10, whole % 10, exposure_100us / 10, exposure_100us % 10, mains);
    return whole;
}

static void exposure_automatic(struct live_camera *camera)
{
    const struct device *device = &camera->device;

    if (capture_v4l2_control_has_item(device, CONTROL_EXPOSURE_AUTO, DEVICE_EXPOSURE_APERTURE))
        set_control(camera, CONTROL_EXPOSURE_AUTO, DEVICE_EXPOSURE_APERTURE, false);
    else if (capture_v4l2_control_has_item(device, CONTROL_EXPOSURE_AUTO, DEVICE_EXPOSURE_AUTO))
        set_control(camera, CONTROL_EXPOSURE_AUTO, DEVICE_EXPOSURE_AUTO, false);
    set_control(camera, CONTROL_GAIN_AUTO, 1, false);
}

static void exposure_fixed(struct live_camera *camera, int exposure_100us, int gain, bool asked)
{
    set_control(camera, CONTROL_EXPOSURE_AUTO, DEVICE_EXPOSURE_MANUAL, false);
    set_control(camera, CONTROL_GAIN_AUTO, 0, false);
    if (exposure_100us >= 0)
        set_control(camera, CONTROL_EXPOSURE_100US, exposure_100us, asked);
    if (gain >= 0)
        set_control(camera, CONTROL_GAIN, gain, false);
}

static void white_fixed(struct live_camera *camera, int white_k, bool asked)
{
    set_control(camera, CONTROL_WHITE_AUTO, 0, false);
    if (white_k >= 0)
        set_control(camera, CONTROL_WHITE_K, white_k, asked);
}

void capture_camera_controls_start(struct live_camera *camera)
{
    const struct camera_wish *wish = &camera->wish;
    const struct camera_held *held = &camera->held;
    bool first = camera->starts <= 1; /* what is absent is said once */

    set_mains(camera);
    set_control(camera, CONTROL_EXPOSURE_SLOWS, 0, false);
    if (wish->exposure_100us >= 0)
        exposure_fixed(camera, whole_flickers(camera, wish->exposure_100us), -1, first);
    else if (held->exposure)
        exposure_fixed(camera, held->exposure_100us, held->gain, false);
    else
        exposure_automatic(camera);
    if (wish->white_balance_k >= 0)
        white_fixed(camera, wish->white_balance_k, first);
    else if (held->white)
        white_fixed(camera, held->white_k, false);
    else
        set_control(camera, CONTROL_WHITE_AUTO, 1, false);
    set_control(camera, CONTROL_FOCUS_AUTO, wish->focus < 0, false);
    if (wish->focus >= 0)
        set_control(camera, CONTROL_FOCUS, wish->focus, first);
}

static bool is_on(const struct live_camera *camera, enum device_control control, int off)
{
    int value;

    return capture_v4l2_control_get(&camera->device, control, &value) == 0 && value != off;
}

static bool exposure_runs(const struct live_camera *camera)
{
    return camera->wish.exposure_100us < 0 && !camera->held.exposure_free &&
           (is_on(camera, CONTROL_EXPOSURE_AUTO, DEVICE_EXPOSURE_MANUAL) ||
            is_on(camera, CONTROL_GAIN_AUTO, 0));
}

static bool white_runs(const struct live_camera *camera)
{
    return camera->wish.white_balance_k < 0 && !camera->held.white_free &&
           is_on(camera, CONTROL_WHITE_AUTO, 0);
}

static bool focus_runs(const struct live_camera *camera)
{
    return camera->wish.focus < 0 && is_on(camera, CONTROL_FOCUS_AUTO, 0);
}

bool capture_camera_controls_running(const struct live_camera *camera)
{
    return exposure_runs(camera) || white_runs(camera) || focus_runs(camera);
}

/* Switches an automatic off and sees that its value stays: some cameras fall back to another. */
static int hold_value(struct live_camera *camera, enum device_control automatic, int off,
                      enum device_control control)
{
    int value = -1, after = -1;
    bool there = capture_v4l2_control_get(&camera->device, control, &value) == 0;

    set_control(camera, automatic, off, false);
    if (!there)
        return -1;
    if (capture_v4l2_control_get(&camera->device, control, &after) != 0 || after != value)
        set_control(camera, control, value, false);
    return value;
}

void capture_camera_controls_hold(struct live_camera *camera)
{
    struct camera_held *held = &camera->held;

    if (exposure_runs(camera)) {
        held->exposure = true;
        held->exposure_100us = hold_value(camera, CONTROL_EXPOSURE_AUTO, DEVICE_EXPOSURE_MANUAL,
                                          CONTROL_EXPOSURE_100US);
        held->gain = hold_value(camera, CONTROL_GAIN_AUTO, 0, CONTROL_GAIN);
    }
    if (white_runs(camera)) {
        held->white = true;
        held->white_k = hold_value(camera, CONTROL_WHITE_AUTO, 0, CONTROL_WHITE_K);
    }
    /* The lens stays where it is; what the automatic says of its place is often old. */
    if (focus_runs(camera))
        set_control(camera, CONTROL_FOCUS_AUTO, 0, false);
}

void capture_camera_controls_let_go(struct live_camera *camera, bool exposure, bool white)
{
    struct camera_held *held = &camera->held;

    if (exposure && held->exposure) {
        held->exposure = false;
        held->exposure_free = true;
        exposure_automatic(camera);
        capture_camera_notice(camera, "its exposure cannot be held and stays automatic; give one");
    }
    if (white && held->white) {
        held->white = false;
        held->white_free = true;
        set_control(camera, CONTROL_WHITE_AUTO, 1, false);
        capture_camera_notice(camera,
                              "its white balance cannot be held and stays automatic; give one");
    }
}
