/* tests/unit/fake_v4l2.c: see its header. */
#include "tests/unit/fake_v4l2.h"

#include "tests/unit/still_make.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAKE_FD 7
#define NS_PER_S 1000000000LL
#define NS_PER_MS 1000000LL

/* ---- scripting ---- */

void fake_script(struct fake *fake, struct fake_picture picture)
{
    if (fake->script_count < FAKE_SCRIPT)
        fake->script[fake->script_count++] = picture;
}

void fake_fail(struct fake *fake, unsigned long request, int error, int times)
{
    fake->faults[fake->fault_count].request = request;
    fake->faults[fake->fault_count].error = error;
    fake->faults[fake->fault_count].after = 0;
    fake->faults[fake->fault_count++].times = times;
}

void fake_unplug(struct fake *fake)
{
    fake->present = false;
}

void fake_plug(struct fake *fake, const char *node)
{
    fake->present = true;
    fake->streaming = false;
    snprintf(fake->node, sizeof fake->node, "%s", node);
}

struct fake_control *fake_add_control(struct fake *fake, uint32_t id, int least, int most,
                                      int value)
{
    struct fake_control *control = &fake->controls[fake->control_count++];

    *control = (struct fake_control){
        .id = id, .least = least, .most = most, .step = 1, .value = value, .items = ~0U};
    return control;
}

struct fake_control *fake_control(struct fake *fake, uint32_t id)
{
    for (int i = 0; i < fake->control_count; i++)
        if (fake->controls[i].id == id)
            return &fake->controls[i];
    return NULL;
}

void fake_notice(void *context, const char *text)
{
    struct fake *fake = context;
    size_t used = strlen(fake->notices);

    snprintf(fake->notices + used, sizeof fake->notices - used, "%s\n", text);
}

static int fault_of(struct fake *fake, unsigned long request)
{
    for (int i = 0; i < fake->fault_count; i++) {
        if (fake->faults[i].request != request || fake->faults[i].times == 0)
            continue;
        if (fake->faults[i].after > 0) {
            fake->faults[i].after--;
            continue;
        }
        fake->faults[i].times--;
        return -fake->faults[i].error;
    }
    return 0;
}

/* ---- formats ---- */

static bool many_planes(const struct fake *fake)
{
    return (fake->caps & V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0;
}

static const struct fake_mode *mode_of(const struct fake *fake, uint32_t fourcc)
{
    for (int i = 0; i < fake->mode_count; i++)
        if (fake->modes[i].fourcc == fourcc)
            return &fake->modes[i];
    return NULL;
}

/* The index-th fourcc, each counted once. */
static int enum_format(const struct fake *fake, struct v4l2_fmtdesc *out)
{
    uint32_t index = out->index;

    for (int i = 0; i < fake->mode_count; i++) {
        if (mode_of(fake, fake->modes[i].fourcc) != &fake->modes[i] || index-- > 0)
            continue;
        out->pixelformat = fake->modes[i].fourcc;
        return 0;
    }
    return -EINVAL;
}

static int enum_size(const struct fake *fake, struct v4l2_frmsizeenum *out)
{
    uint32_t index = out->index;

    for (int i = 0; i < fake->mode_count; i++) {
        if (fake->modes[i].fourcc != out->pixel_format || fake->modes[i].width == 0 || index-- > 0)
            continue;
        out->type = V4L2_FRMSIZE_TYPE_DISCRETE;
        out->discrete.width = (uint32_t)fake->modes[i].width;
        out->discrete.height = (uint32_t)fake->modes[i].height;
        return 0;
    }
    return -EINVAL;
}

static int enum_rate(const struct fake *fake, struct v4l2_frmivalenum *out)
{
    for (int i = 0; i < fake->mode_count; i++) {
        const struct fake_mode *mode = &fake->modes[i];

        if (mode->fourcc != out->pixel_format || mode->width != (int)out->width ||
            mode->height != (int)out->height || out->index > 2 || mode->rates[out->index] == 0)
            continue;
        out->type = V4L2_FRMIVAL_TYPE_DISCRETE;
        out->discrete = (struct v4l2_fract){1, (uint32_t)mode->rates[out->index]};
        return 0;
    }
    return -EINVAL;
}

static uint32_t row_bytes(uint32_t fourcc, int width)
{
    if (fourcc == V4L2_PIX_FMT_YUYV || fourcc == V4L2_PIX_FMT_UYVY)
        return 2 * (uint32_t)width;
    return fourcc == V4L2_PIX_FMT_MJPEG ? 0 : (uint32_t)width;
}

static int set_format(struct fake *fake, struct v4l2_format *format)
{
    bool many = many_planes(fake);
    uint32_t fourcc = many ? format->fmt.pix_mp.pixelformat : format->fmt.pix.pixelformat;
    const struct fake_mode *mode = mode_of(fake, fourcc);

    fake->misuses += format->type != (many ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE
                                           : (uint32_t)V4L2_BUF_TYPE_VIDEO_CAPTURE);
    if (fake->streaming)
        return -EBUSY;
    fake->fourcc = fake->other_fourcc ? fake->other_fourcc : fourcc;
    fake->width = (int)(many ? format->fmt.pix_mp.width : format->fmt.pix.width);
    fake->height = (int)(many ? format->fmt.pix_mp.height : format->fmt.pix.height);
    if (fake->width == 0) {
        fake->width = 64;
        fake->height = 48;
    }
    fake->planes = mode && mode->planes > 0 ? mode->planes : 1;
    fake->stride = row_bytes(fake->fourcc, fake->width) + fake->stride_add;
    fake->size = fake->stride * (uint32_t)fake->height;
    if (fake->fourcc == V4L2_PIX_FMT_NV12)
        fake->size += fake->size / 2;
    if (fake->fourcc == V4L2_PIX_FMT_MJPEG)
        fake->size = (uint32_t)(fake->width * fake->height * 2) + 20000;
    if (many) {
        format->fmt.pix_mp.pixelformat = fake->fourcc;
        format->fmt.pix_mp.width = (uint32_t)fake->width;
        format->fmt.pix_mp.height = (uint32_t)fake->height;
        format->fmt.pix_mp.num_planes = (uint8_t)fake->planes;
        format->fmt.pix_mp.field = fake->field ? fake->field : V4L2_FIELD_NONE;
        for (int i = 0; i < fake->planes; i++) {
            format->fmt.pix_mp.plane_fmt[i].bytesperline = fake->stride;
            format->fmt.pix_mp.plane_fmt[i].sizeimage = fake->size;
        }
        return 0;
    }
    format->fmt.pix.pixelformat = fake->fourcc;
    format->fmt.pix.width = (uint32_t)fake->width;
    format->fmt.pix.height = (uint32_t)fake->height;
    format->fmt.pix.bytesperline = fake->stride_zero ? 0 : fake->stride;
    format->fmt.pix.sizeimage = fake->size;
    format->fmt.pix.field = fake->field ? fake->field : V4L2_FIELD_NONE;
    return 0;
}

static int set_rate(struct fake *fake, struct v4l2_streamparm *parameters, bool set)
{
    if (set && fake->no_rate) {
        fake->misuses++;
        return -ENOTTY;
    }
    if (set)
        fake->rate = (int)parameters->parm.capture.timeperframe.denominator;
    parameters->parm.capture.capability = fake->no_rate ? 0 : V4L2_CAP_TIMEPERFRAME;
    parameters->parm.capture.timeperframe = (struct v4l2_fract){1, (uint32_t)fake->rate};
    return 0;
}

/* ---- buffers ---- */

static void forget_buffers(struct fake *fake)
{
    fake->order_count = 0;
    for (int i = 0; i < fake->buffer_count; i++)
        fake->buffer[i].queued = false;
    fake->buffer_count = 0;
}

static int request_buffers(struct fake *fake, struct v4l2_requestbuffers *request)
{
    fake->requests++;
    if (request->count > 0 && fake->streaming)
        return -EBUSY;
    forget_buffers(fake);
    if (request->count == 0)
        return 0;
    if (fake->buffers_granted > 0)
        request->count = (uint32_t)fake->buffers_granted;
    fake->buffer_count = (int)request->count;
    return 0;
}

/* Where a plane lies: offset = 1000 * index + plane, which `map` takes apart again. */
static int query_buffer(struct fake *fake, struct v4l2_buffer *buffer)
{
    if ((int)buffer->index >= fake->buffer_count)
        return -EINVAL;
    if (!many_planes(fake)) {
        buffer->length = fake->size;
        buffer->m.offset = buffer->index * 1000;
        return 0;
    }
    buffer->length = (uint32_t)fake->planes;
    for (int i = 0; i < fake->planes; i++) {
        buffer->m.planes[i].length = fake->size;
        buffer->m.planes[i].m.mem_offset = buffer->index * 1000 + (uint32_t)i;
    }
    return 0;
}

static int queue_buffer(struct fake *fake, const struct v4l2_buffer *buffer)
{
    if ((int)buffer->index >= fake->buffer_count || fake->buffer[buffer->index].queued) {
        fake->misuses++;
        return -EINVAL;
    }
    fake->buffer[buffer->index].queued = true;
    fake->order[fake->order_count++] = (int)buffer->index;
    return 0;
}

static const struct fake_picture *picture_now(const struct fake *fake)
{
    static const struct fake_picture good = {.count = 1};

    return fake->script_at < fake->script_count ? &fake->script[fake->script_at] : &good;
}

static bool is_dark(struct fake *fake)
{
    const struct fake_control *exposure = fake_control(fake, V4L2_CID_EXPOSURE_AUTO);

    return fake->dark_when_held && exposure && exposure->value == V4L2_EXPOSURE_MANUAL;
}

/* Writes the picture into the buffer; the bytes used of each plane. */
static void fill_buffer(struct fake *fake, int index, const struct fake_picture *picture,
                        long used[2])
{
    uint8_t *bytes = fake->buffer[index].bytes[0];
    int light = fake->brightness + picture->brightness_add - (is_dark(fake) ? 80 : 0);

    used[0] = (long)fake->size;
    used[1] = fake->planes > 1 ? (long)fake->size / 2 : 0;
    for (int i = 0; i < fake->planes; i++)
        memset(fake->buffer[index].bytes[i], light, fake->buffer[index].length[i]);
    if (fake->fourcc == V4L2_PIX_FMT_YUYV) /* grey */
        for (size_t i = 1; i < fake->buffer[index].length[0]; i += 2)
            bytes[i] = 128;
    if (fake->fourcc == V4L2_PIX_FMT_MJPEG) {
        memset(bytes, 0, fake->size);
        memcpy(bytes, fake->jpeg, fake->jpeg_length);
        used[0] = (long)fake->jpeg_length;
        if (picture->no_picture_head)
            memcpy(bytes, "\xa8\x0a", 2);
    }
    used[0] += picture->stale - picture->cut;
    if (picture->empty)
        used[0] = used[1] = 0;
    if (picture->long_used)
        used[0] = (long)fake->size + 4096;
}

static void stamp_buffer(struct fake *fake, const struct fake_picture *picture,
                         struct v4l2_buffer *buffer)
{
    int64_t stamp = fake->due_ns - 3 * NS_PER_MS + picture->stamp_add_ns;

    if (picture->stamp_again)
        stamp = fake->last_stamp_ns;
    fake->last_stamp_ns = stamp;
    buffer->timestamp.tv_sec = stamp / NS_PER_S;
    buffer->timestamp.tv_usec = stamp % NS_PER_S / 1000;
    fake->sequence += (uint32_t)picture->skip;
    buffer->sequence = fake->sequence++;
    buffer->flags = picture->no_stamp_kind ? 0 : V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    if (picture->error)
        buffer->flags |= V4L2_BUF_FLAG_ERROR;
}

static int dequeue_buffer(struct fake *fake, struct v4l2_buffer *buffer)
{
    const struct fake_picture *picture = picture_now(fake);
    long used[2];
    int index;

    if (!fake->streaming)
        return -EINVAL;
    if (fake->order_count == 0 || fake->silent || fake->due_ns > fake->now_ns)
        return -EAGAIN;
    index = fake->order[0];
    memmove(fake->order, fake->order + 1, (size_t)--fake->order_count * sizeof fake->order[0]);
    fake->buffer[index].queued = false;
    fill_buffer(fake, index, picture, used);
    stamp_buffer(fake, picture, buffer);
    buffer->index = (uint32_t)index;
    if (picture->bad_index)
        buffer->index = 77;
    if (picture->repeat_index)
        buffer->index = (uint32_t)(index + fake->buffer_count - 1) % (uint32_t)fake->buffer_count;
    buffer->bytesused = (uint32_t)used[0];
    for (int i = 0; many_planes(fake) && i < fake->planes; i++)
        buffer->m.planes[i].bytesused = (uint32_t)used[i];
    if (fake->script_at < fake->script_count && --fake->script[fake->script_at].count <= 0)
        fake->script_at++;
    fake->due_ns += NS_PER_S / (fake->real_rate ? fake->real_rate : fake->rate) +
                    picture_now(fake)->wait_ms * NS_PER_MS;
    return 0;
}

static int start(struct fake *fake, bool on)
{
    if (on) {
        fake->starts++;
        fake->due_ns = fake->now_ns + 20 * NS_PER_MS;
        fake->sequence = fake->sequence ? fake->sequence : 0;
    } else {
        fake->stops++;
        fake->order_count = 0;
        for (int i = 0; i < fake->buffer_count; i++)
            fake->buffer[i].queued = false;
    }
    fake->streaming = on;
    return 0;
}

/* ---- controls ---- */

static int query_control(struct fake *fake, struct v4l2_queryctrl *query)
{
    const struct fake_control *control = fake_control(fake, query->id);

    if (!control)
        return -EINVAL;
    query->minimum = control->least;
    query->maximum = control->most;
    query->step = control->step;
    return 0;
}

static bool automatic_runs(struct fake *fake, uint32_t id)
{
    const struct fake_control *exposure = fake_control(fake, V4L2_CID_EXPOSURE_AUTO);
    const struct fake_control *white = fake_control(fake, V4L2_CID_AUTO_WHITE_BALANCE);

    return (id == V4L2_CID_EXPOSURE_ABSOLUTE && exposure &&
            exposure->value != V4L2_EXPOSURE_MANUAL) ||
           (id == V4L2_CID_WHITE_BALANCE_TEMPERATURE && white && white->value != 0);
}

static int set_control(struct fake *fake, const struct v4l2_control *set)
{
    struct fake_control *control = fake_control(fake, set->id);

    if (!control)
        return -EINVAL;
    if (control->automatic_rules && automatic_runs(fake, set->id)) {
        fake->misuses++;
        return -EACCES;
    }
    if (set->value < control->least || set->value > control->most)
        return -ERANGE;
    control->sets++;
    if (!control->deaf)
        control->value = set->value;
    return 0;
}

static int get_control(struct fake *fake, struct v4l2_control *get)
{
    const struct fake_control *control = fake_control(fake, get->id);

    if (!control)
        return -EINVAL;
    get->value = control->value;
    return 0;
}

static int query_menu(struct fake *fake, const struct v4l2_querymenu *menu)
{
    const struct fake_control *control = fake_control(fake, menu->id);

    return control && menu->index <= (uint32_t)control->most && control->items >> menu->index & 1
               ? 0
               : -EINVAL;
}

/* ---- the table ---- */

static int fake_ioctl(struct fake *fake, unsigned long request, void *argument)
{
    struct v4l2_capability *capability = argument;

    switch (request) {
    case VIDIOC_QUERYCAP:
        snprintf((char *)capability->driver, sizeof capability->driver, "%s", fake->driver);
        snprintf((char *)capability->card, sizeof capability->card, "%s", fake->card);
        snprintf((char *)capability->bus_info, sizeof capability->bus_info, "%s", fake->bus);
        /* what all nodes of the device can do together: not to be taken for this one's */
        capability->capabilities =
            fake->caps | V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_META_CAPTURE | V4L2_CAP_DEVICE_CAPS;
        capability->device_caps = fake->caps;
        return 0;
    case VIDIOC_ENUM_FMT:
        return enum_format(fake, argument);
    case VIDIOC_ENUM_FRAMESIZES:
        return enum_size(fake, argument);
    case VIDIOC_ENUM_FRAMEINTERVALS:
        return enum_rate(fake, argument);
    case VIDIOC_S_FMT:
        return set_format(fake, argument);
    case VIDIOC_G_PARM:
    case VIDIOC_S_PARM:
        return set_rate(fake, argument, request == VIDIOC_S_PARM);
    case VIDIOC_REQBUFS:
        return request_buffers(fake, argument);
    case VIDIOC_QUERYBUF:
        return query_buffer(fake, argument);
    case VIDIOC_QBUF:
        return queue_buffer(fake, argument);
    case VIDIOC_DQBUF:
        return dequeue_buffer(fake, argument);
    case VIDIOC_STREAMON:
    case VIDIOC_STREAMOFF:
        return start(fake, request == VIDIOC_STREAMON);
    case VIDIOC_QUERYCTRL:
        return query_control(fake, argument);
    case VIDIOC_QUERYMENU:
        return query_menu(fake, argument);
    case VIDIOC_S_CTRL:
        return set_control(fake, argument);
    case VIDIOC_G_CTRL:
        return get_control(fake, argument);
    case VIDIOC_S_PRIORITY:
        fake->priority++;
        return 0;
    default:
        return -ENOTTY;
    }
}

static int call_control(void *context, int fd, unsigned long request, void *argument)
{
    struct fake *fake = context;
    int fault;

    fake->misuses += fd != FAKE_FD || !fake->open;
    if (fake->interrupts > 0) {
        fake->interrupts--;
        return -EINTR;
    }
    if (!fake->present)
        return -ENODEV;
    fault = fault_of(fake, request);
    return fault ? fault : fake_ioctl(fake, request, argument);
}

static int call_open(void *context, const char *path)
{
    struct fake *fake = context;
    int fault;

    fake->opens++;
    fake->misuses += fake->open;
    if (!fake->present || strcmp(path, fake->node) != 0)
        return -ENOENT;
    fault = fault_of(fake, 0);
    if (fault)
        return fault;
    fake->open = true;
    return FAKE_FD;
}

static void call_close(void *context, int fd)
{
    struct fake *fake = context;

    fake->misuses += fd != FAKE_FD || !fake->open;
    fake->closes++;
    fake->open = false;
    fake->streaming = false;
}

/* Each mapping is memory of its own, so that the sanitizer sees what is used after unmapping. */
static void *call_map(void *context, int fd, size_t length, int64_t offset)
{
    struct fake *fake = context;
    int index = (int)(offset / 1000), plane = (int)(offset % 1000);
    uint8_t *bytes = malloc(length);

    fake->misuses += fd != FAKE_FD || index >= fake->buffer_count || plane > 1 || !bytes;
    fake->maps++;
    fake->buffer[index].bytes[plane] = bytes;
    fake->buffer[index].length[plane] = length;
    return bytes;
}

static void call_unmap(void *context, void *start_of, size_t length)
{
    struct fake *fake = context;

    (void)length;
    fake->unmaps++;
    free(start_of);
}

static int call_wait(void *context, int fd, int timeout_ms)
{
    struct fake *fake = context;
    int64_t until = fake->now_ns + timeout_ms * NS_PER_MS;
    int fault = fake->wait_fault;

    fake->waits++;
    if (fd < 0) {
        fake->now_ns = until;
        return 0;
    }
    fake->wait_fault = 0;
    if (fault)
        return fault;
    if (!fake->present)
        return DEVICE_FAULT;
    if (fake->streaming && fake->order_count > 0 && !fake->silent && fake->due_ns <= until) {
        if (fake->due_ns > fake->now_ns)
            fake->now_ns = fake->due_ns;
        return DEVICE_READY;
    }
    fake->now_ns = until;
    return 0;
}

static int64_t call_now(void *context)
{
    return ((struct fake *)context)->now_ns;
}

static int call_place(void *context, const char *node, char *out, size_t size)
{
    struct fake *fake = context;

    if (fake->placeless || !fake->present || strcmp(node, fake->node) != 0)
        return -ENOENT;
    snprintf(out, size, "/sys/devices/fake/usb1/1-4#0");
    return 0;
}

static int call_find(void *context, const char *place, char *out, size_t size)
{
    struct fake *fake = context;

    if (!fake->present || strcmp(place, "/sys/devices/fake/usb1/1-4#0") != 0)
        return -ENOENT;
    snprintf(out, size, "%s", fake->node);
    return 0;
}

void fake_init(struct fake *fake)
{
    struct recipe recipe = {.width = 64, .height = 48, .space = JCS_YCbCr};
    struct bytes jpeg = make_jpeg(&recipe);

    memset(fake, 0, sizeof *fake);
    fake->calls = (struct device_calls){fake,       call_open, call_close, call_control, call_map,
                                        call_unmap, call_wait, call_now,   call_place,   call_find};
    fake->card = "Fake Webcam";
    fake->driver = "uvcvideo";
    fake->bus = "usb-fake-4";
    fake->caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
    fake->modes[0] = (struct fake_mode){V4L2_PIX_FMT_MJPEG, 64, 48, {30}, 0};
    fake->mode_count = 1;
    fake->rate = 30;
    fake->brightness = 120;
    fake->now_ns = FAKE_START_NS;
    fake->jpeg = jpeg.data;
    fake->jpeg_length = jpeg.length;
    fake_plug(fake, "/dev/fake0");
}

void fake_free(struct fake *fake)
{
    free(fake->jpeg);
    fake->jpeg = NULL;
}
