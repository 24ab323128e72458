/* capture/camera_picture.c: a buffer that came back, as a picture. No length is believed. */
#include <string.h>

#include "capture/camera.h"
#include "capture/picture_parts.h"

/* What the driver says is used of a plane, kept inside it. False when it said more than there is,
 * or nothing. */
static bool clip_plane(const struct camera_buffer *buffer, const struct device_filled *filled,
                       int plane, const uint8_t **bytes, size_t *length)
{
    size_t used = filled->used[plane], start = filled->start[plane];
    bool whole = used <= buffer->length[plane] && start < used;

    if (used > buffer->length[plane])
        used = buffer->length[plane];
    if (start > used)
        start = used;
    *bytes = (const uint8_t *)buffer->start[plane] + start;
    *length = used - start;
    return whole;
}

/* Begins as a JPEG does, and ends somewhere: behind the end there may be old bytes, which the gate
 * cuts off. */
static bool jpeg_is_whole(const uint8_t *bytes, size_t length)
{
    if (length < 4 || bytes[0] != 0xff || bytes[1] != 0xd8)
        return false;
    for (size_t i = length - 1; i > 2; i--)
        if (bytes[i] == 0xd9 && bytes[i - 1] == 0xff)
            return true;
    return false;
}

bool capture_camera_picture(const struct live_camera *camera, const struct device_filled *filled,
                            struct picture *out)
{
    const struct camera_buffers *buffers = camera->buffers;
    const struct camera_buffer *buffer;
    const struct device_geometry *geometry = &camera->geometry;
    bool whole;

    memset(out, 0, sizeof *out);
    if (filled->index >= (unsigned)buffers->count || !buffers->buffer[filled->index].queued)
        return false;
    buffer = &buffers->buffer[filled->index];
    out->format = camera->choice.format;
    out->width = geometry->width;
    out->height = geometry->height;
    out->full_range = geometry->full_range;
    out->slot = (int)(buffers->generation * CAMERA_BUFFERS_MAX + filled->index);
    whole = clip_plane(buffer, filled, 0, &out->bytes, &out->length);
    if (out->format == PICTURE_MJPEG) {
        whole = whole && jpeg_is_whole(out->bytes, out->length);
    } else {
        out->stride = geometry->stride[0];
        if (buffers->planes > 1)
            whole = clip_plane(buffer, filled, 1, &out->chroma, &out->chroma_length) && whole;
        whole = whole && capture_picture_is_whole(out);
    }
    out->damaged = filled->error || !whole;
    return true;
}
