/* vision/card.c: see card.h. */
#include "vision/card.h"

#include "vision/card_face.h"
#include "vision/card_find.h"
#include "vision/card_level.h"
#include "vision/card_match.h"
#include "vision/card_symbol.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer picture pixels to a cell than this hold no shape: a ring's hole is then two pixels. */
#define CELL_LEAST_PX 6.5
#define OUTSIDE_MOST 0.10   /* of a slot */
#define BURNT_MOST 0.30f    /* of a place: its symbol may be gone */
#define FOREIGN_LEAST 0.06f /* two sections of 32 */
#define BACK_COLOUR_LEAST (-6.0f)
#define GREY_TINT_MOST 0.02f
/* Of paper within an outline, in every channel: a back that mirrors a lamp is as grey as paper in
 * a shadow, but no outline throws one. */
#define PAPER_LEAST 0.85f
#define PAPER_TINT_MOST 0.15f
#define PAPER_SHARE 0.55 /* of a slot without a card */
/* Where the sensor was driven to its limit everything light is white. A card's panel and symbols
 * are then gone, its border nearly: so little of a slot may be burnt out for it to be empty. */
#define EMPTY_BURNT_MOST 0.3
/* And so much of it must be paper in full light, or else have few edges: a back that mirrors a lamp
 * is like paper in a shadow, but it covers 0.6 of its slot and has 250 mm of edge; noise in a dark
 * corner has 100, a shadow's edge as much. */
#define EMPTY_LIT_LEAST 0.75
#define EMPTY_EDGE_MOST_MM 150
/* The slot's own line may pass for an outline. What lies within is paper in a shadow where all of
 * it has paper's colour and less of an edge than one side of a card. */
#define SHADE_PAPER_LEAST 0.93
#define SHADE_EDGE_MOST_MM 60
#define BACK_LUMA 0.70f /* of a back; in glare that is stronger only its frame tells it */

struct card_reader {
    const struct blockset *set;
    const struct cardstyle *style;
    const struct deck *deck;
    int cells; /* symbols on a card: as many as the blocks have cells */
    struct card_finder *finder;
    struct card_symbols *symbols;
    struct level_reader level;
    struct card_colour back;
    struct face face;
    struct face_frame frame;
    struct face_places places;
};

struct card_reader *vision_card_reader_create(const struct blockset *set,
                                              const struct cardstyle *style,
                                              const struct deck *deck)
{
    struct card_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->set = set;
    reader->style = style;
    reader->deck = deck;
    reader->cells = calib_blockset_cells(set);
    vision_level_init(&reader->level, style);
    vision_face_init(&reader->face);
    const struct rgb8 white = {0xFA, 0xF9, 0xF6}; /* of printed paper */
    vision_card_colour_init(&reader->back, style->back, white);
    reader->finder = vision_card_finder_create();
    reader->symbols = vision_card_symbols_create(set, style);
    if (!reader->finder || !reader->symbols)
        vision_card_reader_destroy(&reader);
    return reader;
}

void vision_card_reader_destroy(struct card_reader **reader)
{
    if (!reader || !*reader)
        return;
    vision_card_finder_destroy(&(*reader)->finder);
    vision_card_symbols_destroy(&(*reader)->symbols);
    free(*reader);
    *reader = NULL;
}

static void card_state(struct layout_card *out, enum slot_state state, int confidence,
                       uint64_t reasons)
{
    out->state = state;
    out->confidence = (int16_t)confidence;
    out->reasons = reasons;
    if (state == SLOT_FACE_UP)
        return;
    out->id[0] = 0;
    out->level = 0;
    out->turn_deg = 0;
    calib_grid_clear(&out->grid, 0, 0);
}

/* Corners on the picture, from the printed top-left on, clockwise, for a card turned by
 * `quarters`. */
static void card_corners(const struct mat_pose *pose, const struct card_square *square,
                         int quarters, struct layout_card *out)
{
    static const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 4; i++) {
        const double *s = sign[(i + quarters) % 4];
        double at[3] = {0, 0, CARD_TOP_Z_MM}, px[2];
        vision_card_square_to_mm(square, s[0] * square->size_mm / 2, s[1] * square->size_mm / 2,
                                 at);
        if (!calib_camera_project(&pose->camera, &pose->pose, at, px))
            continue;
        out->corner_px10[i][0] = (int32_t)lround(px[0] * 10);
        out->corner_px10[i][1] = (int32_t)lround(px[1] * 10);
    }
}

static int places_count(const struct face_places *places, enum place_kind kind)
{
    int count = 0;
    for (int i = 0; i < places->rows * places->cols; i++)
        count += places->place[i].kind == kind;
    return count;
}

/* White on this card: the map's, as bright as the white of its symbols. */
static void white_of(const struct face_places *places, float white[3])
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < places->rows * places->cols; i++) {
        const struct place *place = &places->place[i];
        if (place->kind != PLACE_SYMBOL)
            continue;
        sum += (double)place->fit.level[place->fit.best][0];
        count++;
    }
    double level = count ? pow(sum / count, 2.2) : 1; /* near enough from sRGB to linear */
    for (int c = 0; c < 3; c++)
        white[c] = (float)level;
}

/* Why a card could not be read, from what was seen of it. */
static void card_refuse(const struct card_reader *reader, double px_per_cell,
                        struct layout_card *out)
{
    const struct face_places *places = &reader->places;
    float glare, foreign = vision_face_foreign(&reader->frame, reader->style, &glare);
    uint64_t reasons = 0;
    int burnt = 0;
    for (int i = 0; i < places->rows * places->cols; i++)
        burnt += places->place[i].kind != PLACE_SYMBOL && places->place[i].burnt > BURNT_MOST;
    if (foreign >= FOREIGN_LEAST) {
        card_state(out, SLOT_OCCLUDED, 900, REASON_BIT(REASON_HAND));
        return;
    }
    if (glare > 0.1f || burnt > 0)
        reasons |= REASON_BIT(REASON_GLARE);
    if (px_per_cell < 9)
        reasons |= REASON_BIT(REASON_TOO_SMALL);
    if (places->blur >= CARD_BLURS - 1)
        reasons |= REASON_BIT(REASON_BLUR);
    if (!reasons)
        reasons = REASON_BIT(REASON_UNSURE_SYMBOL);
    card_state(out, SLOT_UNREADABLE, 900, reasons);
}

static void card_face_up(const struct mat_pose *pose, const struct card_square *square,
                         const struct card_match *match, const struct level_reading *level,
                         struct layout_card *out)
{
    card_state(out, SLOT_FACE_UP, match->confidence, 0);
    out->grid = match->grid;
    out->level = (int8_t)level->level;
    if (match->card) {
        memcpy(out->id, match->card->id, sizeof out->id);
        out->level = (int8_t)match->card->level;
        out->grid = match->card->grid;
        out->turn_deg = (int16_t)(90 * match->quarters);
        card_corners(pose, square, match->quarters, out);
    }
}

/* Is it the plain dark of a back, in a square that has a card's size and shows all its sides? */
static bool back_is_plain(const struct card_reader *reader, const struct card_square *square)
{
    const struct face_frame *frame = &reader->frame;
    double full = square->size_mm / reader->style->size_mm, small = full / CARD_SMALL_PRINT,
           seen = 0;
    bool sized = fabs(full - 1) < 0.03 || fabs(small - 1) < 0.03;
    float glare, foreign = vision_face_foreign(frame, reader->style, &glare);
    for (int k = 0; k < 4; k++)
        seen += square->seen[k];
    return sized && seen > 3.4 && foreign < FOREIGN_LEAST && frame->panel_luma < BACK_LUMA &&
           frame->panel_luma < frame->border_luma + 0.05f && /* no panel within a border */
           vision_card_colour_score(&reader->back, frame->panel) > BACK_COLOUR_LEAST;
}

/* Paper keeps its colour in a shadow; borders and panels are tinted. */
static bool colour_is_paper(const float rgb[3], float least_light)
{
    float least = fminf(rgb[0], fminf(rgb[1], rgb[2])), most = fmaxf(rgb[0], fmaxf(rgb[1], rgb[2]));
    return least > least_light && most - least < PAPER_TINT_MOST * most;
}

/* Is there but paper within an outline? In full light, or in a shadow that shows no edge. */
static bool square_is_bare(const struct card_reader *reader)
{
    const struct face_frame *frame = &reader->frame;
    double paper = vision_card_finder_paper(reader->finder);
    bool shade = paper > SHADE_PAPER_LEAST &&
                 vision_card_finder_edges_mm(reader->finder) < SHADE_EDGE_MOST_MM;
    float light = shade ? 0 : PAPER_LEAST;
    return colour_is_paper(frame->border_rgb, light) && colour_is_paper(frame->panel, light) &&
           places_count(&reader->places, PLACE_UNKNOWN) == 0 && paper > PAPER_SHARE;
}

/* A slot in which there is nothing to be seen: empty only if anything would be seen. */
static void card_paper(const struct card_reader *reader, int confidence, struct layout_card *out)
{
    if (vision_card_finder_burnt(reader->finder) > EMPTY_BURNT_MOST)
        card_state(out, SLOT_UNREADABLE, 900, REASON_BIT(REASON_GLARE));
    else if (vision_card_finder_lit(reader->finder) < EMPTY_LIT_LEAST &&
             vision_card_finder_edges_mm(reader->finder) > EMPTY_EDGE_MOST_MM)
        card_state(out, SLOT_UNREADABLE, 900, REASON_BIT(REASON_UNKNOWN_THING));
    else
        card_state(out, SLOT_EMPTY, confidence, 0);
}

/* Whatever has no face on it: a back, bare paper within some outline, or a foreign thing. */
static void card_faceless(struct card_reader *reader, const struct card_square *square,
                          double px_per_cell, struct layout_card *out)
{
    if (vision_face_back_sides(&reader->face, reader->style) >= 3)
        card_state(out, SLOT_FACE_DOWN, 990, 0);
    else if (square_is_bare(reader))
        card_paper(reader, 950, out);
    else if (back_is_plain(reader, square))
        card_state(out, SLOT_FACE_DOWN, 970, 0);
    else
        card_refuse(reader, px_per_cell, out);
}

/* A border is always strongly coloured: one without any tint shows that the picture is grey. */
static bool face_is_grey(const struct face_frame *frame)
{
    const float *rgb = frame->border_rgb;
    float least = fminf(rgb[0], fminf(rgb[1], rgb[2])), most = fmaxf(rgb[0], fmaxf(rgb[1], rgb[2]));
    return most - least < GREY_TINT_MOST * most;
}

static void card_printed(struct card_reader *reader, const struct mat_pose *pose,
                         const struct card_square *square, double px_per_mm, double px_per_cell,
                         struct layout_card *out)
{
    const struct patch *patch = vision_card_finder_patch(reader->finder);
    struct level_reading level;
    struct card_match match;
    float white[3];
    vision_face_read(&reader->face, reader->style, reader->symbols, &reader->frame, px_per_cell,
                     &reader->places);
    if (places_count(&reader->places, PLACE_SYMBOL) == 0) {
        card_faceless(reader, square, px_per_cell, out);
        return;
    }
    if (face_is_grey(&reader->frame)) {
        card_state(out, SLOT_UNREADABLE, 950, REASON_BIT(REASON_NO_COLOUR));
        return;
    }
    white_of(&reader->places, white);
    vision_level_read(&reader->level, reader->style, patch, square, &reader->frame, white,
                      px_per_mm, &level);
    if (vision_card_match(&reader->places, &level, reader->set, reader->deck, reader->cells,
                          &match))
        card_face_up(pose, square, &match, &level, out);
    else
        card_refuse(reader, px_per_cell, out);
}

static void card_square(struct card_reader *reader, const struct white_map *white,
                        const struct mat_pose *pose, const struct card_square *square,
                        double px_per_mm, struct layout_card *out)
{
    double print = square->size_mm / reader->style->size_mm;
    double px_per_cell = px_per_mm * print * reader->style->cell_mm;
    float white_rgb[3];
    card_corners(pose, square, 0, out);
    if (px_per_cell < CELL_LEAST_PX) {
        card_state(out, SLOT_UNREADABLE, 900, REASON_BIT(REASON_TOO_SMALL));
        return;
    }
    vision_white_at(white, square->center_mm[0], square->center_mm[1], white_rgb);
    vision_face_sample(&reader->face, reader->style, vision_card_finder_patch(reader->finder),
                       square, white_rgb);
    vision_face_frame(&reader->face, reader->style, &reader->frame);
    card_printed(reader, pose, square, px_per_mm * print, px_per_cell, out);
}

int vision_card_read(struct card_reader *reader, const struct pyramid *pyramid,
                     const struct white_map *white, const struct mat_pose *pose,
                     const struct mat *mat, int slot_index, struct layout_card *out)
{
    memset(out, 0, sizeof *out);
    if (slot_index < 0 || slot_index >= mat->slots || !vision_face_possible(reader->style))
        return VISION_E_ARGUMENT;
    const struct mat_slot *slot = &mat->slot[slot_index];
    const double *rect = slot->rect_mm;
    double scale =
        vision_plane_scale(pose, rect[0] + rect[2] / 2, rect[1] + rect[3] / 2, CARD_TOP_Z_MM);
    struct card_view view = {pyramid, white, pose, rect, reader->style->size_mm};
    struct card_square square;
    out->slot = (int8_t)slot->slot;
    int found = vision_card_find(reader->finder, &view, &square);
    if (found < 0)
        return found;
    if (vision_card_finder_outside(reader->finder) > OUTSIDE_MOST)
        card_state(out, SLOT_UNREADABLE, 990, REASON_BIT(REASON_OUT_OF_VIEW));
    else if (found == CARD_FIND_PAPER)
        card_paper(reader, 990, out);
    else if (found == CARD_FIND_THING)
        card_state(out, SLOT_OCCLUDED, 900, REASON_BIT(REASON_HAND));
    else
        card_square(reader, white, pose, &square, scale, out);
    return VISION_OK;
}
