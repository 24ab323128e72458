/* capture/camera_buffers.c: the driver's buffers, mapped. */
#include <errno.h>
#include <stdlib.h>

#include "capture/camera.h"

/* One being filled, one waiting, and four pictures of 33 ms for a reader that is held up, or for
 * the recorder. More would only make old pictures; of 1080p YUYV these are 25 MB. */
#define BUFFERS_WANTED 6
#define BUFFERS_LEAST 2 /* with one, the driver has nowhere to write while we read */

static int map_buffer(const struct device *device, struct camera_buffers *buffers, int index)
{
    struct device_span spans[DEVICE_PLANES_MAX] = {{0, 0}};
    struct camera_buffer *buffer = &buffers->buffer[index];
    int error = capture_v4l2_buffer_span(device, buffers->planes, index, spans);

    if (error)
        return error;
    for (int i = 0; i < buffers->planes; i++) {
        if (spans[i].length == 0)
            return -EPROTO;
        buffer->start[i] = device->calls->map(device->calls->context, device->fd, spans[i].length,
                                              spans[i].offset);
        if (!buffer->start[i])
            return -ENOMEM;
        buffer->length[i] = spans[i].length;
    }
    return 0;
}

int capture_camera_buffers_create(const struct device *device, int planes,
                                  struct camera_buffers **out, int *granted)
{
    struct camera_buffers *buffers = calloc(1, sizeof *buffers);
    int error = 0;

    *out = buffers;
    *granted = BUFFERS_WANTED;
    if (!buffers)
        return -ENOMEM;
    buffers->planes = planes;
    error = capture_v4l2_buffers_request(device, granted);
    if (error)
        return error;
    if (*granted < BUFFERS_LEAST)
        return -ENOBUFS;
    buffers->count = *granted < CAMERA_BUFFERS_MAX ? *granted : CAMERA_BUFFERS_MAX;
    for (int i = 0; i < buffers->count && !error; i++)
        error = map_buffer(device, buffers, i);
    for (int i = 0; i < buffers->count && !error; i++)
        error = capture_camera_buffer_queue(device, buffers, i);
    return error;
}

void capture_camera_buffers_destroy(const struct device_calls *calls,
                                    struct camera_buffers **buffers)
{
    if (!buffers || !*buffers)
        return;
    for (int i = 0; i < (*buffers)->count; i++)
        for (int p = 0; p < DEVICE_PLANES_MAX; p++)
            if ((*buffers)->buffer[i].start[p])
                calls->unmap(calls->context, (*buffers)->buffer[i].start[p],
                             (*buffers)->buffer[i].length[p]);
    free(*buffers);
    *buffers = NULL;
}

int capture_camera_buffer_queue(const struct device *device, struct camera_buffers *buffers,
                                int index)
{
    int error = capture_v4l2_buffer_queue(device, buffers->planes, index);

    if (error)
        return error;
    buffers->buffer[index].queued = true;
    buffers->queued++;
    return 0;
}
