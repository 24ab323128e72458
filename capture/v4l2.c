/* capture/v4l2.c: the one file that knows the kernel's header. Translates, and decides nothing. */
#include "capture/v4l2.h"

#include "calib/mark.h"
#include "capture/frame.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_S 1000000000LL

/* A driver that is interrupted without end must not hold us. */
#define INTERRUPTIONS_MAX 100

static int control(const struct device *device, unsigned long request, void *argument)
{
    int error = -EINTR;

    for (int i = 0; i < INTERRUPTIONS_MAX && error == -EINTR; i++)
        error = device->calls->control(device->calls->context, device->fd, request, argument);
    return error;
}

static uint32_t buffer_type(const struct device *device)
{
    return device->about.multi_planar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE
                                      : V4L2_BUF_TYPE_VIDEO_CAPTURE;
}

/* Not every driver ends its texts; what does not print would get into logs. */
static void copy_text(char *out, size_t size, const uint8_t *text, size_t length)
{
    size_t n = 0;

    for (; n + 1 < size && n < length && text[n]; n++)
        out[n] = (char)(text[n] < 0x20 || text[n] == 0x7f ? '?' : text[n]);
    out[n] = '\0';
}

static enum device_role role_of(uint32_t caps)
{
    if (caps & (V4L2_CAP_VIDEO_M2M | V4L2_CAP_VIDEO_M2M_MPLANE))
        return DEVICE_CODEC;
    if (caps & (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_CAPTURE_MPLANE))
        return DEVICE_CAMERA;
    if (caps & V4L2_CAP_META_CAPTURE)
        return DEVICE_METADATA;
    if (caps & (V4L2_CAP_VIDEO_OUTPUT | V4L2_CAP_VIDEO_OUTPUT_MPLANE | V4L2_CAP_VIDEO_OVERLAY))
        return DEVICE_OUTPUT;
    return DEVICE_OTHER;
}

int capture_v4l2_about(struct device *device)
{
    struct v4l2_capability capability = {.capabilities = 0};
    struct device_about *about = &device->about;
    int error = control(device, VIDIOC_QUERYCAP, &capability);
    uint32_t caps;

    if (error)
        return error;
    copy_text(about->driver, sizeof about->driver, capability.driver, sizeof capability.driver);
    copy_text(about->card, sizeof about->card, capability.card, sizeof capability.card);
    copy_text(about->bus, sizeof about->bus, capability.bus_info, sizeof capability.bus_info);
    /* `capabilities` is of all nodes of the device together: a metadata node has capture there. */
    caps = capability.capabilities & V4L2_CAP_DEVICE_CAPS ? capability.device_caps
                                                          : capability.capabilities;
    about->role = role_of(caps);
    about->multi_planar = !(caps & V4L2_CAP_VIDEO_CAPTURE);
    about->streaming = (caps & V4L2_CAP_STREAMING) != 0;
    return 0;
}

/* ---- formats ---- */

static void format_of(uint32_t fourcc, struct device_format *out)
{
    static const struct device_format known[] = {
        {V4L2_PIX_FMT_MJPEG, PICTURE_MJPEG, 1}, {V4L2_PIX_FMT_JPEG, PICTURE_MJPEG, 1},
        {V4L2_PIX_FMT_YUYV, PICTURE_YUYV, 1},   {V4L2_PIX_FMT_UYVY, PICTURE_UYVY, 1},
        {V4L2_PIX_FMT_NV12, PICTURE_NV12, 1},   {V4L2_PIX_FMT_NV12M, PICTURE_NV12, 2},
        {V4L2_PIX_FMT_GREY, PICTURE_GREY, 1},
    };

    *out = (struct device_format){fourcc, -1, 0};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].fourcc == fourcc)
            *out = known[i];
}

int capture_v4l2_format_at(const struct device *device, int index, struct device_format *out)
{
    struct v4l2_fmtdesc description = {.index = (uint32_t)index, .type = buffer_type(device)};
    int error = control(device, VIDIOC_ENUM_FMT, &description);

    if (error)
        return error;
    format_of(description.pixelformat, out);
    return 0;
}

void capture_v4l2_fourcc_text(uint32_t fourcc, char out[5])
{
    for (int i = 0; i < 4; i++) {
        uint8_t c = (uint8_t)(fourcc >> (8 * i));

        out[i] = (char)(c < 0x20 || c > 0x7e || c == '"' || c == '\\' ? '.' : c);
    }
    out[4] = '\0';
}

static int side(uint32_t value)
{
    return value > CAPTURE_SIDE_MAX_PX ? CAPTURE_SIDE_MAX_PX : (int)value;
}

int capture_v4l2_size_at(const struct device *device, uint32_t fourcc, int index,
                         struct device_size *out)
{
    struct v4l2_frmsizeenum size = {.index = (uint32_t)index, .pixel_format = fourcc};
    int error = control(device, VIDIOC_ENUM_FRAMESIZES, &size);

    if (error)
        return error;
    memset(out, 0, sizeof *out);
    if (size.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
        out->width = side(size.discrete.width);
        out->height = side(size.discrete.height);
        return 0;
    }
    if (index > 0) /* there is one range only; some drivers answer again and again */
        return -EINVAL;
    out->stepped = true;
    out->width = side(size.stepwise.min_width);
    out->height = side(size.stepwise.min_height);
    out->width_max = side(size.stepwise.max_width);
    out->height_max = side(size.stepwise.max_height);
    out->width_step = size.stepwise.step_width > 0 ? side(size.stepwise.step_width) : 1;
    out->height_step = size.stepwise.step_height > 0 ? side(size.stepwise.step_height) : 1;
    return 0;
}

/* 0 when it is no time between pictures: 0, or over a minute. */
static int64_t interval_of(const struct v4l2_fract *fraction)
{
    int64_t ns;

    if (fraction->numerator == 0 || fraction->denominator == 0)
        return 0;
    ns = (int64_t)((uint64_t)fraction->numerator * (uint64_t)NS_PER_S / fraction->denominator);
    return ns > 60 * NS_PER_S ? 0 : ns;
}

int capture_v4l2_interval_at(const struct device *device, uint32_t fourcc, int width, int height,
                             int index, struct device_interval *out)
{
    struct v4l2_frmivalenum interval = {.index = (uint32_t)index,
                                        .pixel_format = fourcc,
                                        .width = (uint32_t)width,
                                        .height = (uint32_t)height};
    int error = control(device, VIDIOC_ENUM_FRAMEINTERVALS, &interval);

    if (error)
        return error;
    if (interval.type == V4L2_FRMIVAL_TYPE_DISCRETE) {
        out->least_ns = out->most_ns = interval_of(&interval.discrete);
        return 0;
    }
    if (index > 0)
        return -EINVAL;
    out->least_ns = interval_of(&interval.stepwise.min);
    out->most_ns = interval_of(&interval.stepwise.max);
    if (out->most_ns < out->least_ns)
        out->most_ns = out->least_ns;
    return 0;
}

static bool is_interlaced(uint32_t field)
{
    return field != V4L2_FIELD_NONE && field != V4L2_FIELD_ANY;
}

static void geometry_of_one(const struct v4l2_pix_format *from, struct device_geometry *out)
{
    struct device_format format;

    format_of(from->pixelformat, &format);
    out->fourcc = from->pixelformat;
    out->width = side(from->width);
    out->height = side(from->height);
    out->planes = 1;
    out->stride[0] = from->bytesperline;
    out->size[0] = from->sizeimage;
    out->interlaced = is_interlaced(from->field);
    /* What the header's own rule gives where the driver leaves it open. */
    out->full_range = from->quantization == V4L2_QUANTIZATION_FULL_RANGE ||
                      (from->quantization == V4L2_QUANTIZATION_DEFAULT &&
                       from->colorspace == V4L2_COLORSPACE_JPEG);
}

static void geometry_of_many(const struct v4l2_pix_format_mplane *from, struct device_geometry *out)
{
    out->fourcc = from->pixelformat;
    out->width = side(from->width);
    out->height = side(from->height);
    out->planes = from->num_planes;
    for (int i = 0; i < DEVICE_PLANES_MAX && i < from->num_planes; i++) {
        out->stride[i] = from->plane_fmt[i].bytesperline;
        out->size[i] = from->plane_fmt[i].sizeimage;
    }
    out->interlaced = is_interlaced(from->field);
    out->full_range = from->quantization == V4L2_QUANTIZATION_FULL_RANGE ||
                      (from->quantization == V4L2_QUANTIZATION_DEFAULT &&
                       from->colorspace == V4L2_COLORSPACE_JPEG);
}

int capture_v4l2_format_set(const struct device *device, struct device_geometry *geometry)
{
    struct v4l2_format format = {.type = buffer_type(device)};
    int error;

    if (device->about.multi_planar) {
        format.fmt.pix_mp.pixelformat = geometry->fourcc;
        format.fmt.pix_mp.width = (uint32_t)geometry->width;
        format.fmt.pix_mp.height = (uint32_t)geometry->height;
        format.fmt.pix_mp.field = V4L2_FIELD_NONE;
    } else {
        format.fmt.pix.pixelformat = geometry->fourcc;
        format.fmt.pix.width = (uint32_t)geometry->width;
        format.fmt.pix.height = (uint32_t)geometry->height;
        format.fmt.pix.field = V4L2_FIELD_NONE;
    }
    error = control(device, VIDIOC_S_FMT, &format);
    if (error)
        return error;
    memset(geometry, 0, sizeof *geometry);
    if (device->about.multi_planar)
        geometry_of_many(&format.fmt.pix_mp, geometry);
    else
        geometry_of_one(&format.fmt.pix, geometry);
    return 0;
}

int capture_v4l2_rate_set(const struct device *device, int rate, int64_t *interval_ns)
{
    struct v4l2_streamparm parameters = {.type = buffer_type(device)};
    int error = control(device, VIDIOC_G_PARM, &parameters);

    *interval_ns = 0;
    if (error)
        return error;
    *interval_ns = interval_of(&parameters.parm.capture.timeperframe);
    if (!(parameters.parm.capture.capability & V4L2_CAP_TIMEPERFRAME))
        return -ENOTTY;
    memset(&parameters, 0, sizeof parameters);
    parameters.type = buffer_type(device);
    parameters.parm.capture.timeperframe = (struct v4l2_fract){1, (uint32_t)rate};
    error = control(device, VIDIOC_S_PARM, &parameters);
    if (!error)
        *interval_ns = interval_of(&parameters.parm.capture.timeperframe);
    return error;
}

/* ---- buffers ---- */

int capture_v4l2_buffers_request(const struct device *device, int *count)
{
    struct v4l2_requestbuffers request = {
        .count = (uint32_t)*count, .type = buffer_type(device), .memory = V4L2_MEMORY_MMAP};
    int error = control(device, VIDIOC_REQBUFS, &request);

    *count = error || request.count > VIDEO_MAX_FRAME ? 0 : (int)request.count;
    return error;
}

/* A buffer's description, with its planes where the device has such. */
struct description {
    struct v4l2_buffer buffer;
    struct v4l2_plane planes[VIDEO_MAX_PLANES];
};

static void describe(const struct device *device, int planes, int index, struct description *out)
{
    memset(out, 0, sizeof *out);
    out->buffer.type = buffer_type(device);
    out->buffer.memory = V4L2_MEMORY_MMAP;
    out->buffer.index = (uint32_t)index;
    if (device->about.multi_planar) {
        out->buffer.m.planes = out->planes;
        out->buffer.length = (uint32_t)planes;
    }
}

int capture_v4l2_buffer_span(const struct device *device, int planes, int index,
                             struct device_span out[DEVICE_PLANES_MAX])
{
    struct description description;
    int error;

    describe(device, planes, index, &description);
    error = control(device, VIDIOC_QUERYBUF, &description.buffer);
    if (error)
        return error;
    if (!device->about.multi_planar) {
        out[0] = (struct device_span){description.buffer.length, description.buffer.m.offset};
        return 0;
    }
    if ((int)description.buffer.length < planes)
        return -EPROTO;
    for (int i = 0; i < planes && i < DEVICE_PLANES_MAX; i++)
        out[i] =
            (struct device_span){description.planes[i].length, description.planes[i].m.mem_offset};
    return 0;
}

int capture_v4l2_buffer_queue(const struct device *device, int planes, int index)
{
    struct description description;

    describe(device, planes, index, &description);
    return control(device, VIDIOC_QBUF, &description.buffer);
}

/* Drivers have been seen to count from a wrong origin; what does not fit is told as such. */
static int64_t stamp_of(const struct timeval *stamp)
{
    int64_t ns;

    if (stamp->tv_sec < 0 || stamp->tv_usec < 0 || stamp->tv_usec >= 1000000 ||
        __builtin_mul_overflow((int64_t)stamp->tv_sec, NS_PER_S, &ns) ||
        __builtin_add_overflow(ns, (int64_t)stamp->tv_usec * 1000, &ns))
        return INT64_MAX;
    return ns;
}

int capture_v4l2_buffer_dequeue(const struct device *device, int planes, struct device_filled *out)
{
    struct description description;
    const struct v4l2_buffer *buffer = &description.buffer;
    int error;

    memset(out, 0, sizeof *out);
    describe(device, planes, 0, &description);
    error = control(device, VIDIOC_DQBUF, &description.buffer);
    if (error)
        return error;
    out->index = buffer->index;
    out->sequence = buffer->sequence;
    out->error = (buffer->flags & V4L2_BUF_FLAG_ERROR) != 0;
    out->monotonic =
        (buffer->flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    out->stamp_ns = stamp_of(&buffer->timestamp);
    if (!device->about.multi_planar)
        out->used[0] = buffer->bytesused;
    for (int i = 0; device->about.multi_planar && i < planes && i < DEVICE_PLANES_MAX; i++) {
        out->used[i] = description.planes[i].bytesused;
        out->start[i] = description.planes[i].data_offset;
    }
    return 0;
}

int capture_v4l2_stream(const struct device *device, bool on)
{
    int type = (int)buffer_type(device);

    return control(device, on ? VIDIOC_STREAMON : VIDIOC_STREAMOFF, &type);
}

/* ---- controls ---- */

static const struct {
    uint32_t id;
    const char *name;
} controls[DEVICE_CONTROLS] = {
    [CONTROL_EXPOSURE_AUTO] = {V4L2_CID_EXPOSURE_AUTO, N_("automatic exposure")},
    [CONTROL_EXPOSURE_100US] = {V4L2_CID_EXPOSURE_ABSOLUTE, N_("exposure time")},
    [CONTROL_EXPOSURE_SLOWS] = {V4L2_CID_EXPOSURE_AUTO_PRIORITY, N_("exposure before rate")},
    [CONTROL_GAIN_AUTO] = {V4L2_CID_AUTOGAIN, N_("automatic gain")},
    [CONTROL_GAIN] = {V4L2_CID_GAIN, "gain"},
    [CONTROL_WHITE_AUTO] = {V4L2_CID_AUTO_WHITE_BALANCE, N_("automatic white balance")},
    [CONTROL_WHITE_K] = {V4L2_CID_WHITE_BALANCE_TEMPERATURE, N_("white balance")},
    [CONTROL_FOCUS_AUTO] = {V4L2_CID_FOCUS_AUTO, N_("automatic focus")},
    [CONTROL_FOCUS] = {V4L2_CID_FOCUS_ABSOLUTE, "focus"},
    [CONTROL_MAINS] = {V4L2_CID_POWER_LINE_FREQUENCY, N_("mains frequency")},
};

const char *capture_v4l2_control_name(enum device_control which)
{
    return (unsigned)which < DEVICE_CONTROLS ? controls[which].name : "control";
}

int capture_v4l2_control_range(const struct device *device, enum device_control which,
                               struct device_range *out)
{
    struct v4l2_queryctrl query = {.id = controls[which].id};
    int error = control(device, VIDIOC_QUERYCTRL, &query);

    if (error)
        return error;
    out->least = query.minimum;
    out->most = query.maximum;
    out->step = query.step > 0 ? query.step : 1;
    out->fixed = (query.flags & (V4L2_CTRL_FLAG_READ_ONLY | V4L2_CTRL_FLAG_DISABLED)) != 0;
    return 0;
}

bool capture_v4l2_control_has_item(const struct device *device, enum device_control which, int item)
{
    struct v4l2_querymenu menu = {.id = controls[which].id, .index = (uint32_t)item};

    return control(device, VIDIOC_QUERYMENU, &menu) == 0;
}

int capture_v4l2_control_get(const struct device *device, enum device_control which, int *value)
{
    struct v4l2_control one = {.id = controls[which].id};
    int error = control(device, VIDIOC_G_CTRL, &one);

    if (!error)
        *value = one.value;
    return error;
}

int capture_v4l2_control_set(const struct device *device, enum device_control which, int value)
{
    struct v4l2_control one = {.id = controls[which].id, .value = value};

    return control(device, VIDIOC_S_CTRL, &one);
}

int capture_v4l2_priority_raise(const struct device *device)
{
    uint32_t priority = V4L2_PRIORITY_RECORD;

    return control(device, VIDIOC_S_PRIORITY, &priority);
}
