/* capture/picture_raw.c: pictures that are not compressed, to planes. */
#include <string.h>

#include "capture/fault.h"
#include "capture/picture_parts.h"

size_t capture_raw_row_bytes(enum picture_format format, int width)
{
    size_t across = width > 0 ? (size_t)width : 0, pairs = (across + 1) / 2;

    switch (format) {
    case PICTURE_YUYV:
    case PICTURE_UYVY:
        return 4 * pairs;
    case PICTURE_NV12:
        return 2 * pairs; /* its chroma comes in pairs too */
    case PICTURE_GREY:
        return across;
    default:
        return 0;
    }
}

/* `rows` rows of `row` bytes, `stride` apart. The last one needs no more than `row`: drivers may
 * leave out what lies behind it. */
static bool rows_fit(size_t rows, size_t row, size_t stride, size_t length)
{
    size_t before;

    return !__builtin_mul_overflow(rows - 1, stride, &before) && before <= length &&
           length - before >= row;
}

static bool nv12_is_whole(const struct picture *picture, size_t row)
{
    size_t height = (size_t)picture->height, rows = (height + 1) / 2, luma;

    if (picture->chroma)
        return rows_fit(height, row, picture->stride, picture->length) &&
               rows_fit(rows, row, picture->stride, picture->chroma_length);
    return !__builtin_mul_overflow(height, picture->stride, &luma) && luma <= picture->length &&
           rows_fit(rows, row, picture->stride, picture->length - luma);
}

bool capture_picture_is_whole(const struct picture *picture)
{
    size_t row = capture_raw_row_bytes(picture->format, picture->width);

    if (!picture->bytes || picture->length == 0)
        return false;
    if (picture->format == PICTURE_MJPEG || picture->format == PICTURE_STILL)
        return true;
    if (picture->width <= 0 || picture->height <= 0 || picture->width > CAPTURE_SIDE_MAX_PX ||
        picture->height > CAPTURE_SIDE_MAX_PX || row == 0 || picture->stride < row)
        return false;
    if (picture->format == PICTURE_NV12)
        return nv12_is_whole(picture, row);
    return rows_fit((size_t)picture->height, row, picture->stride, picture->length);
}

static uint8_t to_byte(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* UVC's uncompressed formats and V4L2's default for YUV are BT.601 in studio range: black at 16,
 * white at 235, chroma 112 to either side of 128. Left so, black would be grey to whoever reads
 * colours as shares of white, and the same table would look flatter than through MJPEG, which is
 * full range. Rounded to nearest, so that no two steps of ours fall on one of theirs. */
void capture_ranges_make(struct ranges *ranges)
{
    for (int i = 0; i < 256; i++) {
        int chroma = 2 * 255 * (i - 128);

        ranges->luma[i] = to_byte(i <= 16 ? 0 : (2 * 255 * (i - 16) + 219) / (2 * 219));
        ranges->chroma[i] = to_byte(128 + (chroma + (chroma < 0 ? -224 : 224)) / (2 * 224));
    }
}

static void copy_rows(struct samples from, uint8_t *out, size_t out_stride, int width, int height,
                      const uint8_t *map)
{
    for (int y = 0; y < height; y++) {
        const uint8_t *in = from.data + (size_t)y * from.stride;
        uint8_t *to = out + (size_t)y * out_stride;

        if (map)
            for (int x = 0; x < width; x++)
                to[x] = map[in[(size_t)x * from.step]];
        else if (from.step == 1)
            memcpy(to, in, (size_t)width);
        else
            for (int x = 0; x < width; x++)
                to[x] = in[(size_t)x * from.step];
    }
}

/* The mean of one box, which the picture's edge may cut. */
static uint8_t box_mean(struct samples from, int left, int top, int right, int bottom)
{
    unsigned sum = 0, count = (unsigned)(right - left) * (unsigned)(bottom - top);

    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            sum += from.data[(size_t)y * from.stride + (size_t)x * from.step];
    return (uint8_t)((sum + count / 2) / count);
}

/* Whole boxes of a row, their sides and the step known to the compiler: this is where the time
 * goes. */
static inline __attribute__((always_inline)) void mean_whole(const uint8_t *in, size_t step,
                                                             size_t stride, uint8_t *out, int boxes,
                                                             int across, int down)
{
    unsigned count = (unsigned)(across * down);

    for (int i = 0; i < boxes; i++) {
        unsigned sum = 0;

        for (int y = 0; y < down; y++)
            for (int x = 0; x < across; x++)
                sum += in[(size_t)y * stride + ((size_t)i * (size_t)across + (size_t)x) * step];
        out[i] = (uint8_t)((sum + count / 2) / count);
    }
}

#define MEAN_BY_STEP(across, down)                                                                 \
    do {                                                                                           \
        if (from.step == 1)                                                                        \
            mean_whole(in, 1, from.stride, out, boxes, across, down);                              \
        else if (from.step == 2)                                                                   \
            mean_whole(in, 2, from.stride, out, boxes, across, down);                              \
        else                                                                                       \
            mean_whole(in, 4, from.stride, out, boxes, across, down);                              \
    } while (0)

/* Boxes are 1, 2, 4 or 8 wide and high; chroma that is coarser one way than the other gives boxes
 * that are not square. */
static void mean_row(struct samples from, const uint8_t *in, uint8_t *out, int boxes, int across,
                     int down)
{
    switch (across * 16 + down) {
    case 0x12:
        MEAN_BY_STEP(1, 2);
        break;
    case 0x22:
        MEAN_BY_STEP(2, 2);
        break;
    case 0x24:
        MEAN_BY_STEP(2, 4);
        break;
    case 0x44:
        MEAN_BY_STEP(4, 4);
        break;
    case 0x48:
        MEAN_BY_STEP(4, 8);
        break;
    case 0x88:
        MEAN_BY_STEP(8, 8);
        break;
    default:
        mean_whole(in, from.step, from.stride, out, boxes, across, down);
        break;
    }
}

static void map_row(uint8_t *row, int width, const uint8_t *map)
{
    for (int x = 0; map && x < width; x++)
        row[x] = map[row[x]];
}

/* A plane of width x height samples in boxes of across x down. */
static void reduce_plane(struct samples from, int width, int height, int across, int down,
                         uint8_t *out, size_t out_stride, const uint8_t *map)
{
    int boxes = width / across;

    if (across == 1 && down == 1) {
        copy_rows(from, out, out_stride, width, height, map);
        return;
    }
    for (int top = 0; top < height; top += down, out += out_stride) {
        int bottom = top + down < height ? top + down : height;
        int done = 0;

        if (bottom - top == down) {
            mean_row(from, from.data + (size_t)top * from.stride, out, boxes, across, down);
            done = boxes;
        }
        for (; done * across < width; done++) {
            int right = (done + 1) * across < width ? (done + 1) * across : width;

            out[done] = box_mean(from, done * across, top, right, bottom);
        }
        map_row(out, done, map);
    }
}

static int shifted_up(int size, int shift)
{
    return (size + (1 << shift) - 1) >> shift;
}

int capture_planes_reduce(const struct planes *from, int scale, bool colour,
                          const struct ranges *ranges, struct kept_frame *out)
{
    int power = scale == 8 ? 3 : scale / 2; /* of 1, 2, 4, 8 */
    bool has_colour = colour && from->has_colour;
    /* Chroma stays as fine as it is, until the luma is no finer. */
    int cx_shift = from->cx_shift > power ? from->cx_shift - power : 0;
    int cy_shift = from->cy_shift > power ? from->cy_shift - power : 0;
    int across = 1 << (power > from->cx_shift ? power - from->cx_shift : 0);
    int down = 1 << (power > from->cy_shift ? power - from->cy_shift : 0);
    int c_width = shifted_up(from->width, from->cx_shift);
    int c_height = shifted_up(from->height, from->cy_shift);
    struct frame *frame = &out->frame;
    int error = capture_kept_shape(out, shifted_up(from->width, power),
                                   shifted_up(from->height, power), has_colour, cx_shift, cy_shift);

    if (error)
        return error;
    reduce_plane(from->y, from->width, from->height, scale, scale, frame->y, frame->y_stride,
                 ranges ? ranges->luma : NULL);
    if (!has_colour)
        return CAPTURE_OK;
    reduce_plane(from->cb, c_width, c_height, across, down, frame->cb, frame->c_stride,
                 ranges ? ranges->chroma : NULL);
    reduce_plane(from->cr, c_width, c_height, across, down, frame->cr, frame->c_stride,
                 ranges ? ranges->chroma : NULL);
    return CAPTURE_OK;
}

void capture_planes_of(const struct frame *frame, struct planes *planes)
{
    *planes = (struct planes){
        .width = frame->width,
        .height = frame->height,
        .has_colour = frame->has_colour,
        .cx_shift = frame->cx_shift,
        .cy_shift = frame->cy_shift,
        .y = {frame->y, 1, frame->y_stride},
        .cb = {frame->cb, 1, frame->c_stride},
        .cr = {frame->cr, 1, frame->c_stride},
    };
}

static void planes_of_pairs(const struct picture *picture, size_t y, size_t cb, size_t cr,
                            struct planes *planes)
{
    planes->cx_shift = 1;
    planes->y = (struct samples){picture->bytes + y, 2, picture->stride};
    planes->cb = (struct samples){picture->bytes + cb, 4, picture->stride};
    planes->cr = (struct samples){picture->bytes + cr, 4, picture->stride};
}

static void planes_of_nv12(const struct picture *picture, struct planes *planes)
{
    const uint8_t *chroma = picture->chroma
                                ? picture->chroma
                                : picture->bytes + (size_t)picture->height * picture->stride;

    planes->cx_shift = planes->cy_shift = 1;
    planes->y = (struct samples){picture->bytes, 1, picture->stride};
    planes->cb = (struct samples){chroma, 2, picture->stride};
    planes->cr = (struct samples){chroma + 1, 2, picture->stride};
}

int capture_raw_decode(const struct picture *picture, int scale, bool colour,
                       const struct ranges *ranges, struct kept_frame *out,
                       struct capture_fault *fault)
{
    struct planes planes = {.width = picture->width, .height = picture->height, .has_colour = true};
    int error;

    if (!capture_picture_is_whole(picture))
        return capture_fail(fault, CAPTURE_E_DAMAGED,
                            "the picture is damaged: %zu bytes are too few for its size",
                            picture->length);
    if (picture->format == PICTURE_YUYV)
        planes_of_pairs(picture, 0, 1, 3, &planes);
    else if (picture->format == PICTURE_UYVY)
        planes_of_pairs(picture, 1, 0, 2, &planes);
    else if (picture->format == PICTURE_NV12)
        planes_of_nv12(picture, &planes);
    else
        planes = (struct planes){.width = picture->width,
                                 .height = picture->height,
                                 .y = {picture->bytes, 1, picture->stride}};
    /* Sensors that send grey alone use all of its 256 values. */
    if (picture->full_range || !planes.has_colour)
        ranges = NULL;
    error = capture_planes_reduce(&planes, scale, colour, ranges, out);
    if (error == CAPTURE_E_SIZE)
        return capture_fail(fault, error, "the picture has %d x %d pixels, which is too many",
                            picture->width, picture->height);
    if (error)
        return capture_fail(fault, error, "not enough memory for the picture");
    return CAPTURE_OK;
}
