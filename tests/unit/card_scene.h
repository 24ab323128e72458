/* tests/unit/card_scene.h: draws one slot of a mat with a card in it, seen by a camera that is
 * known, so that tests of the card reader make their own pictures. Flat light, a box for blur,
 * noise in sRGB values, chroma at half resolution. */
#ifndef TESTS_CARD_SCENE_H
#define TESTS_CARD_SCENE_H

#include "calib/blockset.h"
#include "calib/deck.h"
#include "calib/mat.h"
#include "calib/symbol.h"
#include "capture/frame.h"
#include "vision/pose.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SCENE_CARD_Z_MM (-0.5)

struct scene_blot { /* a round thing over the card, in mm from the slot's centre; none at radius 0
                     */
    double at_mm[2], radius_mm;
    float rgb[3];
};

struct card_scene {
    const struct mat *mat;
    const struct blockset *set;
    const struct cardstyle *style;
    int slot; /* index */
    bool empty, back;
    struct grid grid;
    int level;
    double offset_mm[2], turn_deg, size_mm; /* clockwise; of the card as it lies */
    int width, height;
    double px_per_mm, tilt_deg;
    double softness_px; /* side of the box that a pixel sees: 1 is sharp */
    float lamp[3];      /* light that white sends back, linear */
    float fall;         /* share of light lost from left to right of the slot */
    float noise;        /* in sRGB bytes */
    struct scene_blot blot;
    uint32_t seed;
};

static inline struct card_scene card_scene_start(const struct mat *mat, const struct blockset *set,
                                                 const struct cardstyle *style)
{
    struct card_scene s;
    memset(&s, 0, sizeof s);
    s.mat = mat;
    s.set = set;
    s.style = style;
    s.slot = 2;
    s.level = 1;
    s.size_mm = style->size_mm;
    s.width = 320;
    s.height = 280;
    s.px_per_mm = 1.6;
    s.softness_px = 1.2;
    s.lamp[0] = s.lamp[1] = s.lamp[2] = 0.75f;
    s.noise = 2;
    s.seed = 1;
    return s;
}

static inline void scene_mix(float rgb[3], struct rgb8 colour)
{
    rgb[0] = (float)calib_srgb_to_linear(colour.r);
    rgb[1] = (float)calib_srgb_to_linear(colour.g);
    rgb[2] = (float)calib_srgb_to_linear(colour.b);
}

static inline void scene_back(const struct card_scene *s, double u, double v, float rgb[3])
{
    double edge = s->style->size_mm / 2 - fmax(fabs(u), fabs(v));
    const struct rgb8 frame = {214, 210, 198};
    scene_mix(rgb, edge > 3 && edge < 4 ? frame : s->style->back);
}

static inline bool scene_tick(const struct card_scene *s, double u, double v)
{
    double half = s->style->size_mm / 2, along = fabs(u) > fabs(v) ? v : u;
    double edge = half - fmax(fabs(u), fabs(v));
    if (edge < s->style->tick_inset_mm || edge > s->style->border_mm - s->style->tick_inset_mm)
        return false;
    for (int k = 0; k < s->level; k++)
        if (fabs(along - (k - (s->level - 1) / 2.0) * s->style->tick_pitch_mm) <
            s->style->tick_width_mm / 2)
            return true;
    return false;
}

/* Print at a place of the card, mm of its design from its centre. */
static inline void scene_card(const struct card_scene *s, double u, double v, float rgb[3])
{
    const struct cardstyle *style = s->style;
    if (s->back) {
        scene_back(s, u, v, rgb);
        return;
    }
    const struct rgb8 border = style->border[s->level], white = {0xFA, 0xF9, 0xF6};
    if (fmax(fabs(u), fabs(v)) > style->size_mm / 2 - style->border_mm) {
        scene_mix(rgb, scene_tick(s, u, v) ? style->tick : border);
        return;
    }
    double x = u / style->cell_mm + s->grid.cols / 2.0, y = v / style->cell_mm + s->grid.rows / 2.0;
    int col = (int)floor(x), row = (int)floor(y);
    if (col >= 0 && row >= 0 && col < s->grid.cols && row < s->grid.rows &&
        s->grid.cell[row][col] != GRID_HOLE) {
        const struct symbol *symbol =
            &s->set->symbol[calib_blockset_find(s->set, s->grid.cell[row][col])];
        int what = calib_symbol_at(symbol, style->rim, x - col - 0.5, y - row - 0.5);
        scene_mix(rgb, what == 0 ? white : what == 1 ? symbol->field : symbol->ink);
        return;
    }
    double mix = style->panel_mix;
    const struct rgb8 panel = {(uint8_t)(255 - (255 - border.r) * mix),
                               (uint8_t)(255 - (255 - border.g) * mix),
                               (uint8_t)(255 - (255 - border.b) * mix)};
    scene_mix(rgb, panel);
}

/* Print of the mat: paper, and the outline of its slot. */
static inline void scene_paper(const double rect[4], double x, double y, float rgb[3])
{
    double cx = rect[0] + rect[2] / 2, cy = rect[1] + rect[3] / 2;
    double off = fmax(fabs(x - cx) - rect[2] / 2, fabs(y - cy) - rect[3] / 2);
    const struct rgb8 paper = {246, 245, 241}, line = {150, 150, 146};
    scene_mix(rgb, fabs(off) < 0.4 ? line : paper);
}

static inline void scene_point(const struct card_scene *s, const double eye[3], const double ray[3],
                               float rgb[3])
{
    const double *rect = s->mat->slot[s->slot].rect_mm;
    double cx = rect[0] + rect[2] / 2, cy = rect[1] + rect[3] / 2;
    double k = (SCENE_CARD_Z_MM - eye[2]) / ray[2];
    double x = eye[0] + k * ray[0] - cx, y = eye[1] + k * ray[1] - cy;
    double light = 1 - (double)s->fall * fmin(fmax(x / rect[2] + 0.5, 0), 1);
    double turn = s->turn_deg * M_PI / 180, print = s->size_mm / s->style->size_mm;
    double dx = (x - s->offset_mm[0]) / print, dy = (y - s->offset_mm[1]) / print;
    double u = cos(turn) * dx + sin(turn) * dy, v = cos(turn) * dy - sin(turn) * dx;
    if (hypot(x - s->blot.at_mm[0], y - s->blot.at_mm[1]) < s->blot.radius_mm) {
        memcpy(rgb, s->blot.rgb, sizeof s->blot.rgb);
    } else if (!s->empty && fmax(fabs(u), fabs(v)) < s->style->size_mm / 2) {
        scene_card(s, u, v, rgb);
    } else {
        k = -eye[2] / ray[2];
        scene_paper(rect, eye[0] + k * ray[0], eye[1] + k * ray[1], rgb);
    }
    for (int c = 0; c < 3; c++)
        rgb[c] *= s->lamp[c] * (float)light;
}

/* The camera of a scene: square pixels, no distortion, aimed at the slot. */
static inline struct mat_pose card_scene_pose(const struct card_scene *s)
{
    struct mat_pose pose;
    memset(&pose, 0, sizeof pose);
    const double *rect = s->mat->slot[s->slot].rect_mm;
    double focal = 1.3 * s->width, far = focal / s->px_per_mm, tilt = s->tilt_deg * M_PI / 180;
    double c = cos(tilt), n = sin(tilt), aim[2] = {rect[0] + rect[2] / 2, rect[1] + rect[3] / 2};
    pose.camera.width = s->width;
    pose.camera.height = s->height;
    pose.camera.fx = pose.camera.fy = focal;
    pose.camera.cx = (s->width - 1) / 2.0;
    pose.camera.cy = (s->height - 1) / 2.0;
    const double r[9] = {1, 0, 0, 0, c, -n, 0, n, c};
    memcpy(pose.pose.r, r, sizeof r);
    pose.pose.t_mm[0] = -aim[0];
    pose.pose.t_mm[1] = -c * aim[1];
    pose.pose.t_mm[2] = far - n * aim[1];
    pose.tags = 6;
    return pose;
}

static inline double scene_random(uint32_t *seed) /* -0.5..0.5 */
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) - 0.5;
}

static inline void scene_pixel(const struct card_scene *s, const struct mat_pose *pose,
                               const double eye[3], int x, int y, double rgb[3])
{
    enum { SIDE = 3 };
    const double *r = pose->pose.r;
    rgb[0] = rgb[1] = rgb[2] = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        int across = i % SIDE, down = i / SIDE;
        double px = x + ((across + 0.5) / SIDE - 0.5) * s->softness_px - pose->camera.cx;
        double py = y + ((down + 0.5) / SIDE - 0.5) * s->softness_px - pose->camera.cy;
        double a = px / pose->camera.fx, b = py / pose->camera.fy;
        const double ray[3] = {r[0] * a + r[3] * b + r[6], r[1] * a + r[4] * b + r[7],
                               r[2] * a + r[5] * b + r[8]};
        float point[3];
        scene_point(s, eye, ray, point);
        for (int c = 0; c < 3; c++)
            rgb[c] += (double)point[c] / (SIDE * SIDE);
    }
}

static inline int scene_byte(const struct card_scene *s, double linear, uint32_t *seed)
{
    double noise = 0;
    for (int i = 0; i < 4; i++) /* four even ones make a bell of deviation 0.58 */
        noise += scene_random(seed);
    double code = calib_linear_to_srgb(linear) + noise / 0.58 * (double)s->noise;
    return code < 0 ? 0 : code > 255 ? 255 : (int)(code + 0.5);
}

/* The picture; the caller owns it. NULL for no memory. */
static inline struct frame *card_scene_draw(const struct card_scene *s)
{
    struct frame *frame = capture_frame_create(s->width, s->height, true, 1, 1);
    struct mat_pose pose = card_scene_pose(s);
    uint32_t seed = s->seed;
    double eye[3];
    if (!frame)
        return NULL;
    calib_pose_center(&pose.pose, eye);
    for (int y = 0; y < s->height; y += 2)
        for (int x = 0; x < s->width; x += 2) {
            int cb = 0, cr = 0;
            for (int k = 0; k < 4; k++) {
                double rgb[3];
                scene_pixel(s, &pose, eye, x + k % 2, y + k / 2, rgb);
                int r = scene_byte(s, rgb[0], &seed), g = scene_byte(s, rgb[1], &seed);
                struct capture_ycc ycc = capture_rgb_to_ycc(r, g, scene_byte(s, rgb[2], &seed));
                frame->y[(size_t)(y + k / 2) * frame->y_stride + (size_t)(x + k % 2)] = ycc.y;
                cb += ycc.cb;
                cr += ycc.cr;
            }
            size_t at = (size_t)(y / 2) * frame->c_stride + (size_t)(x / 2);
            frame->cb[at] = (uint8_t)((cb + 2) / 4);
            frame->cr[at] = (uint8_t)((cr + 2) / 4);
        }
    return frame;
}

#endif
