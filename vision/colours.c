/* vision/colours.c: see colours.h. */
#include "vision/colours.h"

#include "calib/symbol.h"
#include "vision/plane.h"
#include "vision/white.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_MAX 64 /* cells or patches of one symbol */
#define CELL_PX 24     /* of a cell in its patch */
#define PATCH_PX 16    /* of a printed patch */
/* Only the inner part of a printed patch: its edges are blurred into what is beside it. */
#define PATCH_INSET 0.2
/* A cell's field as drawn, this far from the ink and the rim (cells). */
#define FIELD_MARGIN 0.03
#define PIXELS_LEAST 8

struct samples {
    int count;
    double ratio[SAMPLES_MAX][3];
};

struct colours {
    struct table_kit kit;
    struct table_reader *reader;
    struct tag_finder *finder;
    struct pyramid *pyramid;
    struct white_map *white;
    struct patch patch;
    struct samples symbol[BLOCKSET_SYMBOLS_MAX];
    struct samples paper;
    bool card;
};

struct colours *vision_colours_create(const struct table_kit *kit)
{
    struct alignment alignment = vision_alignment_defaults();
    struct colours *colours = calloc(1, sizeof *colours);

    if (colours == NULL)
        return NULL;
    colours->kit = *kit;
    colours->reader = vision_table_create(kit, &alignment);
    colours->finder = vision_tag_finder_create();
    colours->pyramid = vision_pyramid_create();
    colours->white = vision_white_create();
    if (colours->reader == NULL || colours->finder == NULL || colours->pyramid == NULL ||
        colours->white == NULL)
        vision_colours_destroy(&colours);
    return colours;
}

void vision_colours_destroy(struct colours **colours)
{
    if (colours == NULL || *colours == NULL)
        return;
    vision_table_destroy(&(*colours)->reader);
    vision_tag_finder_destroy(&(*colours)->finder);
    vision_pyramid_destroy(&(*colours)->pyramid);
    vision_white_destroy(&(*colours)->white);
    vision_patch_free(&(*colours)->patch);
    free(*colours);
    *colours = NULL;
}

static void sample_add(struct samples *samples, const double ratio[3])
{
    if (samples->count < SAMPLES_MAX)
        memcpy(samples->ratio[samples->count++], ratio, sizeof samples->ratio[0]);
}

/* The mean of what `inside` says belongs to it, over white there. False when too little does. */
static bool patch_mean(struct colours *colours, const double at_mm[2], const bool *inside,
                       double ratio[3])
{
    const struct patch *p = &colours->patch;
    double sum[3] = {0, 0, 0};
    float white[3];
    int count = 0;

    for (int i = 0; i < p->width * p->height; i++) {
        if (!inside[i] || (p->flag[i] & (PATCH_OUTSIDE | PATCH_BURNT)))
            continue;
        for (int k = 0; k < 3; k++)
            sum[k] += (double)p->rgb[3 * i + k];
        count++;
    }
    if (count < PIXELS_LEAST)
        return false;
    vision_white_at(colours->white, at_mm[0], at_mm[1], white);
    for (int k = 0; k < 3; k++)
        ratio[k] = sum[k] / count / (double)white[k];
    return true;
}

/* White around the tags: what the watch looks at during a match. */
static void paper_add(struct colours *colours, const struct mat *mat)
{
    for (int i = 0; i < mat->tags; i++) {
        float white[3];
        vision_white_at(colours->white, mat->tag[i].center_mm[0], mat->tag[i].center_mm[1], white);
        const double level[3] = {(double)white[0], (double)white[1], (double)white[2]};
        sample_add(&colours->paper, level);
    }
}

static int white_build(struct colours *colours, const struct frame *frame,
                       const struct mat_pose *pose, const struct mat *mat)
{
    int error = vision_pyramid_build(colours->pyramid, frame);

    error = error ? error : vision_white_build(colours->white, colours->pyramid, pose, mat);
    if (error == VISION_OK)
        paper_add(colours, mat);
    return error;
}

/* ---- blocks ---- */

/* Field in whichever quarter turn the symbol lies, and away from its edges. */
static bool field_surely(const struct symbol *symbol, double rim, double u, double v)
{
    for (int turn = 0; turn < 4; turn++) {
        for (int i = 0; i < 4; i++) {
            double x = u + (i & 1 ? FIELD_MARGIN : -FIELD_MARGIN);
            double y = v + (i & 2 ? FIELD_MARGIN : -FIELD_MARGIN);
            if (calib_symbol_at(symbol, rim, x, y) != 1)
                return false;
        }
        const double w = u;
        u = -v;
        v = w;
    }
    return true;
}

static int cell_measure(struct colours *colours, const struct mat_pose *pose,
                        const struct layout_cell *cell, const struct symbol *symbol, bool *measured,
                        double ratio[3])
{
    const struct blockset *set = colours->kit.set;
    const double w = set->width_mm;
    const double at[2] = {cell->center_mm10[0] / 10.0, cell->center_mm10[1] / 10.0};
    const double rect[4] = {at[0] - w / 2, at[1] - w / 2, w, w};
    const double turn = cell->turned_deg10 / 10.0 * (M_PI / 180);
    bool inside[4 * CELL_PX * CELL_PX];
    int error = vision_patch_sample(&colours->patch, colours->pyramid, pose, rect, -set->height_mm,
                                    CELL_PX / w);
    const struct patch *p = &colours->patch;

    *measured = false;
    if (error || p->width * p->height > 4 * CELL_PX * CELL_PX)
        return error;
    for (int i = 0; i < p->width * p->height; i++) {
        const int col = i % p->width, row = i / p->width;
        double mm[2];
        vision_patch_to_mm(p, col, row, mm);
        double x = (mm[0] - at[0]) / w, y = (mm[1] - at[1]) / w;
        inside[i] = field_surely(symbol, set->rim, cos(turn) * x + sin(turn) * y,
                                 cos(turn) * y - sin(turn) * x);
    }
    *measured = patch_mean(colours, at, inside, ratio);
    return VISION_OK;
}

static int blocks_add(struct colours *colours, const struct frame *frame)
{
    struct layout layout;
    struct mat_pose pose;
    int error = vision_table_read(colours->reader, frame, false, &layout, &pose);

    error = error ? error : white_build(colours, frame, &pose, colours->kit.mat);
    for (int i = 0; i < layout.seats && !error; i++)
        for (int j = 0; j < layout.seat[i].cells && !error; j++) {
            const struct layout_cell *cell = &layout.seat[i].cell[j];
            int symbol = calib_blockset_find(colours->kit.set, cell->symbol);
            double ratio[3];
            bool measured;
            if (symbol < 0 || cell->confidence < LAYOUT_SURE_PERMILLE)
                continue;
            error = cell_measure(colours, &pose, cell, &colours->kit.set->symbol[symbol], &measured,
                                 ratio);
            if (!error && measured)
                sample_add(&colours->symbol[symbol], ratio);
        }
    return error;
}

/* ---- the card ---- */

static int printed_measure(struct colours *colours, const struct mat_pose *pose,
                           const struct board_patch *patch)
{
    const double *r = patch->rect_mm, in = PATCH_INSET * r[2];
    const double rect[4] = {r[0] + in, r[1] + in, r[2] - 2 * in, r[3] - 2 * in};
    const double at[2] = {r[0] + r[2] / 2, r[1] + r[3] / 2};
    bool inside[4 * PATCH_PX * PATCH_PX];
    double ratio[3];
    int error = vision_patch_sample(&colours->patch, colours->pyramid, pose, rect, 0.0,
                                    PATCH_PX / rect[2]);
    int pixels = colours->patch.width * colours->patch.height;

    if (error || pixels > 4 * PATCH_PX * PATCH_PX)
        return error;
    memset(inside, true, sizeof inside);
    if (patch_mean(colours, at, inside, ratio))
        sample_add(&colours->symbol[patch->symbol], ratio);
    return VISION_OK;
}

/* The card is a mat that has nothing but tags. */
static int card_add(struct colours *colours, const struct frame *frame, const struct board *board)
{
    struct mat *sheet = calloc(1, sizeof *sheet);
    struct mat_pose pose;
    int error = sheet == NULL ? VISION_E_MEMORY : VISION_OK;

    if (error == VISION_OK) {
        memcpy(sheet->size_mm, board->size_mm, sizeof sheet->size_mm);
        sheet->tags = board->tags;
        memcpy(sheet->tag, board->tag, (size_t)board->tags * sizeof *sheet->tag);
        error = vision_pose_find(colours->finder, frame, sheet, colours->kit.rig, &pose);
    }
    error = error ? error : white_build(colours, frame, &pose, sheet);
    for (int i = 0; i < board->patches && !error; i++)
        if (board->patch[i].symbol >= 0 && !board->patch[i].drawn)
            error = printed_measure(colours, &pose, &board->patch[i]);
    free(sheet);
    return error;
}

int vision_colours_add(struct colours *colours, const struct frame *frame,
                       const struct board *board)
{
    if (colours == NULL || frame == NULL ||
        (board != NULL && (board->kind != BOARD_COLOURS || board->tags > MAT_TAGS_MAX)))
        return VISION_E_ARGUMENT;
    colours->card = board != NULL;
    return board != NULL ? card_add(colours, frame, board) : blocks_add(colours, frame);
}

/* ---- all of it ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void samples_median(const struct samples *samples, double out[3])
{
    double list[SAMPLES_MAX];

    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < samples->count; i++)
            list[i] = samples->ratio[i][k];
        qsort(list, (size_t)samples->count, sizeof *list, by_size);
        out[k] = list[samples->count / 2];
    }
}

int vision_colours_result(const struct colours *colours, struct rig_colours *out)
{
    const struct blockset *set = colours->kit.set;

    memset(out, 0, sizeof *out);
    memcpy(out->set, set->name, sizeof out->set);
    memcpy(out->from, colours->card ? "card" : "blocks", colours->card ? 5 : 7);
    if (colours->paper.count > 0)
        samples_median(&colours->paper, out->white);
    for (int i = 0; i < set->symbols; i++)
        if (colours->symbol[i].count > 0) {
            out->symbol[out->symbols].label = set->symbol[i].label;
            samples_median(&colours->symbol[i], out->symbol[out->symbols++].ratio);
        }
    out->known = out->symbols == set->symbols;
    return out->symbols;
}
