/* capture/frame.c: a picture as planes of luma and chroma. */
#include "capture/frame.h"

#include <stdlib.h>
#include <string.h>

/* A cache line: rows start on their own, decoders write whole blocks. */
#define ROW_ALIGN ((size_t)64)
#define TILE_PX 32 /* turning by tiles of 32 x 32 stays within the first cache */

static int shifted_up(int size, int shift)
{
    return (size + (1 << shift) - 1) >> shift;
}

static size_t row_bytes(int width)
{
    return ((size_t)width + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
}

static bool geometry_ok(int width, int height, int cx_shift, int cy_shift)
{
    return width > 0 && height > 0 && width <= CAPTURE_SIDE_MAX_PX &&
           height <= CAPTURE_SIDE_MAX_PX && (int64_t)width * height <= CAPTURE_PIXELS_MAX &&
           cx_shift >= 0 && cx_shift <= 2 && cy_shift >= 0 && cy_shift <= 2;
}

struct frame *capture_frame_create_bare(int width, int height, bool has_colour, int cx_shift,
                                        int cy_shift)
{
    struct frame *frame;
    size_t y_size, c_size = 0;

    if (!geometry_ok(width, height, cx_shift, cy_shift))
        return NULL;
    frame = calloc(1, sizeof *frame);
    if (!frame)
        return NULL;
    frame->width = width;
    frame->height = height;
    frame->y_stride = row_bytes(width);
    y_size = frame->y_stride * (size_t)height;
    if (has_colour) {
        frame->has_colour = true;
        frame->cx_shift = cx_shift;
        frame->cy_shift = cy_shift;
        frame->c_stride = row_bytes(shifted_up(width, cx_shift));
        c_size = frame->c_stride * (size_t)shifted_up(height, cy_shift);
    }
    /* One block for all planes: y is its start, and what destroy frees. */
    frame->y = aligned_alloc(ROW_ALIGN, y_size + 2 * c_size);
    if (!frame->y) {
        free(frame);
        return NULL;
    }
    if (has_colour) {
        frame->cb = frame->y + y_size;
        frame->cr = frame->cb + c_size;
    }
    return frame;
}

struct frame *capture_frame_create(int width, int height, bool has_colour, int cx_shift,
                                   int cy_shift)
{
    struct frame *frame = capture_frame_create_bare(width, height, has_colour, cx_shift, cy_shift);

    if (!frame)
        return NULL;
    memset(frame->y, 0, frame->y_stride * (size_t)height);
    if (has_colour)
        memset(frame->cb, 128, 2 * frame->c_stride * (size_t)shifted_up(height, cy_shift));
    return frame;
}

void capture_frame_destroy(struct frame **frame)
{
    if (!frame || !*frame)
        return;
    free((*frame)->y);
    free(*frame);
    *frame = NULL;
}

/* How a picture is read to turn it: the source is transposed last, so the flips are along the
 * source's own x and y. */
struct turn {
    bool flip_x, flip_y, transpose;
};

static struct turn turn_of(int orientation)
{
    static const struct turn turns[9] = {
        [2] = {true, false, false}, [3] = {true, true, false}, [4] = {false, true, false},
        [5] = {false, false, true}, [6] = {false, true, true}, [7] = {true, true, true},
        [8] = {true, false, true},
    };

    return turns[orientation >= 1 && orientation <= 8 ? orientation : 1];
}

struct plane {
    uint8_t *data;
    size_t stride;
    int width, height;
};

static void plane_turn(struct plane from, struct plane to, struct turn turn)
{
    ptrdiff_t step_x = turn.flip_x ? -1 : 1;
    ptrdiff_t step_y = turn.flip_y ? -(ptrdiff_t)from.stride : (ptrdiff_t)from.stride;
    const uint8_t *start = from.data + (turn.flip_x ? (size_t)from.width - 1 : 0) +
                           (turn.flip_y ? (size_t)(from.height - 1) * from.stride : 0);
    ptrdiff_t across = turn.transpose ? step_y : step_x;
    ptrdiff_t down = turn.transpose ? step_x : step_y;

    for (int top = 0; top < to.height; top += TILE_PX) {
        int bottom = top + TILE_PX < to.height ? top + TILE_PX : to.height;

        for (int left = 0; left < to.width; left += TILE_PX) {
            int right = left + TILE_PX < to.width ? left + TILE_PX : to.width;

            for (int y = top; y < bottom; y++) {
                uint8_t *out = to.data + (size_t)y * to.stride;

                for (int x = left; x < right; x++)
                    out[x] = start[across * x + down * y];
            }
        }
    }
}

static void plane_spread(struct plane from, struct plane to, int x_shift, int y_shift)
{
    for (int y = 0; y < to.height; y++) {
        const uint8_t *in = from.data + (size_t)(y >> y_shift) * from.stride;
        uint8_t *out = to.data + (size_t)y * to.stride;

        for (int x = 0; x < to.width; x++)
            out[x] = in[x >> x_shift];
    }
}

static struct plane luma_of(const struct frame *frame)
{
    return (struct plane){frame->y, frame->y_stride, frame->width, frame->height};
}

static struct plane chroma_of(const struct frame *frame, uint8_t *data)
{
    return (struct plane){data, frame->c_stride, shifted_up(frame->width, frame->cx_shift),
                          shifted_up(frame->height, frame->cy_shift)};
}

static void copy_origin(struct frame *to, const struct frame *from)
{
    to->sequence = from->sequence;
    to->time_ns = from->time_ns;
    to->extraneous_bytes = from->extraneous_bytes;
    to->step = from->step;
}

/* The same picture with chroma for every pixel. */
static struct frame *frame_spread(const struct frame *frame)
{
    struct frame *full = capture_frame_create(frame->width, frame->height, true, 0, 0);

    if (!full)
        return NULL;
    plane_spread(luma_of(frame), luma_of(full), 0, 0);
    plane_spread(chroma_of(frame, frame->cb), chroma_of(full, full->cb), frame->cx_shift,
                 frame->cy_shift);
    plane_spread(chroma_of(frame, frame->cr), chroma_of(full, full->cr), frame->cx_shift,
                 frame->cy_shift);
    copy_origin(full, frame);
    return full;
}

/* A last chroma pixel that covers only part of its luma pixels would come to lie first, where
 * it must cover all of them. */
static bool chroma_breaks(const struct frame *frame, struct turn turn)
{
    if (!frame->has_colour)
        return false;
    return (turn.flip_x && frame->width % (1 << frame->cx_shift) != 0) ||
           (turn.flip_y && frame->height % (1 << frame->cy_shift) != 0);
}

static struct frame *frame_turn(const struct frame *frame, struct turn turn)
{
    bool swap = turn.transpose;
    struct frame *turned = capture_frame_create(
        swap ? frame->height : frame->width, swap ? frame->width : frame->height, frame->has_colour,
        swap ? frame->cy_shift : frame->cx_shift, swap ? frame->cx_shift : frame->cy_shift);

    if (!turned)
        return NULL;
    plane_turn(luma_of(frame), luma_of(turned), turn);
    if (frame->has_colour) {
        plane_turn(chroma_of(frame, frame->cb), chroma_of(turned, turned->cb), turn);
        plane_turn(chroma_of(frame, frame->cr), chroma_of(turned, turned->cr), turn);
    }
    copy_origin(turned, frame);
    return turned;
}

struct frame *capture_frame_orient(const struct frame *frame, int orientation)
{
    struct turn turn = turn_of(orientation);
    struct frame *full, *turned;

    if (!frame)
        return NULL;
    if (!chroma_breaks(frame, turn))
        return frame_turn(frame, turn);
    full = frame_spread(frame);
    if (!full)
        return NULL;
    turned = frame_turn(full, turn);
    capture_frame_destroy(&full);
    return turned;
}

static uint8_t to_byte(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* Full range BT.601 in 16-bit fixed point, rounded: 1.402, 0.344136, 0.714136, 1.772. */
static void pixel_to_rgb(int y, int cb, int cr, uint8_t *rgb)
{
    rgb[0] = to_byte(y + ((91881 * cr + 32768) >> 16));
    rgb[1] = to_byte(y + ((-22554 * cb - 46802 * cr + 32768) >> 16));
    rgb[2] = to_byte(y + ((116130 * cb + 32768) >> 16));
}

void capture_frame_to_rgb(const struct frame *frame, uint8_t *rgb)
{
    for (int y = 0; y < frame->height; y++) {
        const uint8_t *luma = frame->y + (size_t)y * frame->y_stride;
        size_t chroma = (size_t)(y >> frame->cy_shift) * frame->c_stride;

        for (int x = 0; x < frame->width; x++, rgb += 3) {
            size_t at = chroma + (size_t)(x >> frame->cx_shift);

            if (frame->has_colour)
                pixel_to_rgb(luma[x], frame->cb[at] - 128, frame->cr[at] - 128, rgb);
            else
                memset(rgb, luma[x], 3);
        }
    }
}

struct frame *capture_frame_from_rgb(const uint8_t *rgb, int width, int height)
{
    struct frame *frame = capture_frame_create(width, height, true, 0, 0);

    if (!frame)
        return NULL;
    for (int y = 0; y < height; y++) {
        size_t luma = (size_t)y * frame->y_stride, chroma = (size_t)y * frame->c_stride;

        for (int x = 0; x < width; x++, rgb += 3) {
            struct capture_ycc pixel = capture_rgb_to_ycc(rgb[0], rgb[1], rgb[2]);

            frame->y[luma + (size_t)x] = pixel.y;
            frame->cb[chroma + (size_t)x] = pixel.cb;
            frame->cr[chroma + (size_t)x] = pixel.cr;
        }
    }
    return frame;
}

struct capture_ycc capture_rgb_to_ycc(int r, int g, int b)
{
    /* Full range BT.601 in 16-bit fixed point. The weights of y sum to 65536 and those of cb
     * and cr to 0, so that grey stays exactly grey; 32767 rather than 32768 keeps pure blue and
     * red at 255. */
    const int half = 32768, centre = (128 << 16) + 32767;

    return (struct capture_ycc){
        .y = (uint8_t)((19595 * r + 38470 * g + 7471 * b + half) >> 16),
        .cb = (uint8_t)((-11059 * r - 21709 * g + 32768 * b + centre) >> 16),
        .cr = (uint8_t)((32768 * r - 27439 * g - 5329 * b + centre) >> 16),
    };
}
