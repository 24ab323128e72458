/* capture/camera_start.c: opening a camera, setting it up, starting it, and closing all of it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/camera.h"
#include "capture/fault.h"
#include "capture/picture_parts.h"

/* Errors after which the next try may come through: the device is only just there, or was
 * disturbed. */
static bool is_passing(int error)
{
    return error == -EIO || error == -EINVAL || error == -EPROTO || error == -ENODEV ||
           error == -EAGAIN || error == -ETIMEDOUT || error == -EPIPE || error == -EREMOTEIO ||
           error == -EILSEQ;
}

static int refuse(const struct live_camera *camera, int error, struct capture_fault *fault)
{
    enum device_why why = capture_devices_why_of(error);
    struct capture_fault text;

    if (error == -EIO && strcmp(camera->device.about.driver, "v4l2 loopback") == 0)
        why = DEVICE_NOT_FED;
    capture_devices_explain(camera->node, &camera->device.about, why, error, &text);
    return capture_fail(fault, error == -ENOMEM ? CAPTURE_E_MEMORY : CAPTURE_E_OPEN, "%s",
                        text.text);
}

static int refuse_why(const struct live_camera *camera, enum device_why why,
                      struct capture_fault *fault)
{
    struct capture_fault text;

    capture_devices_explain(camera->node, &camera->device.about, why, 0, &text);
    return capture_fail(fault, CAPTURE_E_UNSUPPORTED, "%s", text.text);
}

/* What is at the place now must be what was there at first: a rig belongs to one camera. */
static int check_identity(struct live_camera *camera, struct capture_fault *fault)
{
    const struct device_about *about = &camera->device.about, *first = &camera->first_about;

    if (about->role != DEVICE_CAMERA)
        return refuse_why(camera, DEVICE_NO_CAMERA, fault);
    if (!about->streaming)
        return refuse_why(camera, DEVICE_NO_STREAMING, fault);
    if (!camera->known)
        return CAPTURE_OK;
    if (strcmp(about->card, first->card) != 0 || strcmp(about->driver, first->driver) != 0 ||
        strcmp(about->bus, first->bus) != 0)
        return capture_fail(fault, CAPTURE_E_OPEN,
                            "another camera (%s) is plugged in where \"%s\" was; put that one back",
                            about->card, first->card);
    return CAPTURE_OK;
}

/* Is what the driver made of it what was asked for, and does it make sense? */
static int check_geometry(const struct live_camera *camera, const struct camera_choice *choice,
                          const struct device_geometry *geometry, struct capture_fault *fault)
{
    char text[5];
    size_t row = capture_raw_row_bytes(choice->format, geometry->width);
    bool raw = choice->format != PICTURE_MJPEG;

    capture_v4l2_fourcc_text(geometry->fourcc, text);
    if (geometry->fourcc != choice->fourcc)
        return capture_fail(fault, CAPTURE_E_UNSUPPORTED, "the driver gives %s instead of %s", text,
                            capture_picture_format_name(choice->format));
    if (choice->width > 0 && choice->height > 0 &&
        (geometry->width != choice->width || geometry->height != choice->height))
        return capture_fail(fault, CAPTURE_E_UNSUPPORTED, "the driver gives %dx%d instead of %dx%d",
                            geometry->width, geometry->height, choice->width, choice->height);
    if (geometry->width <= 0 || geometry->height <= 0 ||
        (int64_t)geometry->width * geometry->height > CAPTURE_PIXELS_MAX)
        return capture_fail(fault, CAPTURE_E_SIZE, "the driver gives pictures of %dx%d",
                            geometry->width, geometry->height);
    if (geometry->interlaced)
        return capture_fail(fault, CAPTURE_E_UNSUPPORTED,
                            "gives half pictures (interlaced video), which are not read");
    if (geometry->planes != choice->planes)
        return capture_fail(fault, CAPTURE_E_UNSUPPORTED,
                            "gives %s in %d planes of memory; %d can be read", text,
                            geometry->planes, choice->planes);
    if (raw && (geometry->stride[0] < row ||
                (choice->planes > 1 && geometry->stride[1] != geometry->stride[0])))
        return capture_fail(fault, CAPTURE_E_UNSUPPORTED,
                            "the driver's rows have %u and %u bytes; %zu are needed",
                            geometry->stride[0], geometry->stride[1], row);
    (void)camera;
    return CAPTURE_OK;
}

/* One choice. 0 when it was granted; else `fault` says why not, and *error is a negative errno
 * where the device did not even answer. */
static int set_choice(struct live_camera *camera, const struct camera_choice *choice, int *error,
                      struct capture_fault *fault)
{
    struct device_geometry geometry = {
        .fourcc = choice->fourcc, .width = choice->width, .height = choice->height};
    size_t row;

    *error = capture_v4l2_format_set(&camera->device, &geometry);
    if (*error == -EINVAL) {
        *error = 0;
        return capture_fail(fault, CAPTURE_E_UNSUPPORTED, "the driver refuses %s of %dx%d",
                            capture_picture_format_name(choice->format), choice->width,
                            choice->height);
    }
    if (*error)
        return refuse(camera, *error, fault);
    row = capture_raw_row_bytes(choice->format, geometry.width);
    for (int i = 0; i < choice->planes; i++)
        if (geometry.stride[i] == 0) /* the driver leaves it to us: rows without a gap */
            geometry.stride[i] = (uint32_t)row;
    int refused = check_geometry(camera, choice, &geometry, fault);
    if (refused)
        return refused;
    camera->geometry = geometry;
    camera->choice = *choice;
    camera->choice.width = geometry.width;
    camera->choice.height = geometry.height;
    return CAPTURE_OK;
}

static int choose_format(struct live_camera *camera, int *error, struct capture_fault *fault)
{
    struct camera_choice choices[CAMERA_CHOICES_MAX];
    struct device_modes *modes;
    int count, refused = CAPTURE_E_UNSUPPORTED;

    if (camera->known) /* the same as before */
        return set_choice(camera, &camera->choice, error, fault);
    modes = malloc(sizeof *modes);
    if (!modes)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for a camera");
    *error = capture_devices_modes(&camera->device, modes);
    if (*error) {
        refused = refuse(camera, *error, fault);
    } else {
        struct capture_fault first = {{0}};

        count = capture_camera_choose(modes, &camera->wish, choices, fault);
        for (int i = 0; i < count && refused && !*error; i++)
            refused = set_choice(camera, &choices[i], error, i == 0 ? &first : NULL);
        if (refused && count > 0)
            capture_fail(fault, refused, "%s", first.text);
    }
    free(modes);
    return refused;
}

static int take_buffers(struct live_camera *camera, int *error, struct capture_fault *fault)
{
    int granted = 0;

    *error = capture_camera_buffers_create(&camera->device, camera->choice.planes, &camera->buffers,
                                           &granted);
    if (camera->buffers)
        camera->buffers->generation = camera->starts + 1;
    if (*error == -ENOBUFS)
        return capture_fail(fault, CAPTURE_E_OPEN,
                            "of the driver's buffers for pictures there are %d; 2 are needed",
                            granted);
    return *error ? refuse(camera, *error, fault) : CAPTURE_OK;
}

static int open_node(struct live_camera *camera, int *error, struct capture_fault *fault)
{
    struct device *device = &camera->device;

    memset(&device->about, 0, sizeof device->about);
    device->fd = device->calls->open(device->calls->context, camera->node);
    if (device->fd < 0) {
        *error = device->fd;
        device->fd = -1;
        return refuse(camera, *error, fault);
    }
    *error = capture_v4l2_about(device);
    return *error ? refuse(camera, *error, fault) : check_identity(camera, fault);
}

static void note_start(struct live_camera *camera)
{
    const struct device_calls *calls = camera->device.calls;

    camera->known = true;
    camera->starts++;
    camera->first_about = camera->device.about;
    camera->picture_ns = calls->now_ns(calls->context);
    camera->picture_came = false;
    camera->broken = 0;
    camera->slow_windows = 0;
    memset(&camera->warmth, 0, sizeof camera->warmth);
    camera->phase = CAMERA_SETTLING;
}

int capture_camera_start(struct live_camera *camera, bool *passing, struct capture_fault *fault)
{
    const struct device_calls *calls = camera->device.calls;
    int error = 0, refused = open_node(camera, &error, fault);

    if (!refused)
        refused = choose_format(camera, &error, fault);
    if (!refused) {
        /* A camera without a rate to set has the one that it has. */
        capture_v4l2_rate_set(&camera->device, camera->choice.rate, &camera->asked_ns);
        refused = take_buffers(camera, &error, fault);
    }
    if (!refused) {
        if (camera->wish.exclusive) /* not every driver has priorities */
            capture_v4l2_priority_raise(&camera->device);
        capture_camera_stamps_start(&camera->stamps, calls->now_ns(calls->context));
        error = capture_v4l2_stream(&camera->device, true);
        refused = error ? refuse(camera, error, fault) : CAPTURE_OK;
    }
    *passing = is_passing(error);
    if (refused) {
        capture_camera_stop(camera);
        return refused;
    }
    note_start(camera);
    /* After the start: some cameras set their controls anew with it. */
    capture_camera_controls_start(camera);
    return CAPTURE_OK;
}

void capture_camera_stop(struct live_camera *camera)
{
    const struct device_calls *calls = camera->device.calls;
    struct camera_buffers *buffers = camera->buffers;
    int none = 0;

    if (camera->device.fd >= 0) {
        /* A buffer that stays mapped keeps the device open behind our back: without these two it
         * would be busy, by ourselves, when it is opened again. */
        capture_v4l2_stream(&camera->device, false);
        capture_v4l2_buffers_request(&camera->device, &none);
    }
    camera->buffers = NULL;
    if (buffers && buffers->lent > 0) {
        buffers->next = camera->retired;
        camera->retired = buffers;
    } else {
        capture_camera_buffers_destroy(calls, &buffers);
    }
    if (camera->device.fd >= 0)
        calls->close(calls->context, camera->device.fd);
    camera->device.fd = -1;
}
