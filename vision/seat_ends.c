/* vision/seat_ends.c: see seat_ends.h. */
#include "vision/seat_ends.h"

#include "vision/endfind.h"
#include "vision/endrim.h"
#include "vision/pips.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of an end's edge this is white, in sides; the rest of the way in is field. */
#define END_RIM 0.06
/* The cell model leaves out a cell's last edge (what it borders on is unknown). An end has most of
 * its white there, and its edge stands out against whatever lies below: so a model's cell is taken
 * larger than the end by as much. */
#define MODEL_SIDES (1 / 0.92)
#define PIP_RADIUS 0.085 /* of the field's side */
#define PIP_APART 0.27

/* With pips in the right places, most of what is left must be rim and field; squashed side faces
 * and other things at that height leave more. */
#define END_LEFT_MOST 0.6f
#define SURE_LEFT_MOST 0.35f /* and this is nothing but an end */
/* Without pips to be seen (too small, too dim) it must be all but a plain dark square. */
#define PLAIN_LEFT_MOST 0.33f
#define END_CONTRAST_LEAST 0.3f
/* Ends are no symbol of the set and their grey is any, tinted by what they mirror: only strong
 * colour speaks against one, as of a painted box. Pips bear more of it. */
#define PLAIN_CHROMA_MOST 0.45f
#define END_CHROMA_MOST 0.8f
/* Near black, noise is as colourful as anything. */
#define CHROMA_LIGHT_LEAST 0.12f
/* Of a symbol of the set the same place must leave this much more. */
#define SYMBOL_WORSE 0.1f
/* Pips that explain this much of what their places show are seen (chance seldom makes half), if
 * they stand out against the field by this share of the rim's: in soft pictures a pip keeps a
 * tenth. None is lighter than the rim, but where mirrored light grows towards it or the rim is
 * in shadow: such bold ones prove nothing of what is not an end without them. */
#define PIPS_SHARE_LEAST 0.65f
#define PIPS_STRENGTH_LEAST 0.08f
#define PIPS_STRENGTH_MOST 1.1f
/* Where only the rim tells a square from other things, pips must explain more, on a field without
 * strong colour: of two cells half under a sheet of paper a five can be made out by four fifths. */
#define RIM_PIPS_SHARE_LEAST 0.88f
/* A number that explains less than the best by no more than this may be the one. */
#define NUMBER_NEARLY 0.2f
/* A plain field varies less than this at the places of pips, in shares of the rim's height; and
 * where it varies so little, in cells that large, more than one pip would be seen. */
#define PLAIN_SPREAD_MOST 0.15f
#define CLEAR_SPREAD 0.05f
#define CLEAR_CELL_PX 25.0

/* Where only the rim can be gone by, it is lighter than the field beside it by a tenth of white at
 * least, all round by much the same (odd corners between blocks come to two thirds), on each side
 * by a fifth of that, and the field is smooth but for pips: a symbol leaves a third of the step
 * and more. */
#define RIM_DEPTH_LEAST 0.1f
#define RIM_SHARE_LEAST 0.75f
#define RIM_SIDE_LEAST 0.2f
#define RIM_ROUGH_MOST 0.15f

/* Places worth a second look: ends and odd corners between blocks. In drawn seats an end is among
 * the first five. */
#define FINDS_MOST 16
#define REACH_PX 4.0f
#define REACH_RAD 0.2f
#define ROUNDS 3 /* of moving to a better place */
#define ROUND_GAIN 0.02f
/* A rim is little more than a pixel wide, so a place may get stuck beside it: others nearby are
 * tried too, unless the first is nothing like an end. */
#define STARTS 5
#define HOPELESS_LEFT 0.65f /* a little more than any end may leave */
#define SETTLED_LEFT 0.2f   /* on the rim all round: there is no better place */

int vision_ends_set(const struct blockset *set, struct blockset *ends)
{
    memset(ends, 0, sizeof *ends);
    ends->rim = 0.5 - (0.5 - END_RIM) / MODEL_SIDES;
    for (int b = 0; b < set->blocks && b < BLOCKSET_BLOCKS_MAX; b++) {
        char path[512];
        int n = set->block[b].number, length = 0;
        if (n < 1 || n > PIPS_MOST)
            continue;
        struct symbol *s = &ends->symbol[ends->symbols];
        for (int i = 0; i < n; i++)
            length += snprintf(path + length, sizeof path - (size_t)length,
                               "M%.3f %.3fa%.3f %.3f 0 1 1 %.3f 0a%.3f %.3f 0 1 1 %.3f 0Z",
                               vision_pip_place[n - 1][i][0] * PIP_APART - PIP_RADIUS,
                               vision_pip_place[n - 1][i][1] * PIP_APART, PIP_RADIUS, PIP_RADIUS,
                               2 * PIP_RADIUS, PIP_RADIUS, PIP_RADIUS, -2 * PIP_RADIUS);
        s->label = (char)('0' + n);
        s->field = (struct rgb8){126, 128, 130};
        s->ink = (struct rgb8){250, 249, 246};
        int error = calib_shape_parse(path, (size_t)length, false, &s->shape, NULL);
        if (error)
            return error;
        ends->symbols++;
    }
    return 0;
}

/* What the search goes by, and what was seen at one place. */
struct ends_view {
    const struct seat_reader *reader;
    const struct seat_sight *sight;
    const struct tops *tops;
    const bool *numbers;
    const struct patch *patch;
    const float *whiteness;
};

struct end_look {
    struct cell_place place; /* of the whole end */
    struct cell_fit fit;
    struct pips pips;
    struct end_rim rim;
    struct standing end;
};

static float chroma_of(const float ratio[3])
{
    float most = fmaxf(ratio[0], fmaxf(ratio[1], ratio[2]));
    float least = fminf(ratio[0], fminf(ratio[1], ratio[2]));
    return (most - least) / fmaxf(most, CHROMA_LIGHT_LEAST);
}

static bool pips_seen(const struct pips *pips)
{
    return pips->share[pips->best] > PIPS_SHARE_LEAST && pips->strength > PIPS_STRENGTH_LEAST;
}

/* A rim all round and within it nothing but a smooth light. */
static bool rim_convinces(const struct end_rim *rim)
{
    return rim->depth > RIM_DEPTH_LEAST && rim->share > RIM_SHARE_LEAST &&
           rim->least > RIM_SIDE_LEAST * rim->depth && rim->rough < RIM_ROUGH_MOST;
}

/* Is it an end by its rim, its field and its pips? */
static bool end_convinces(const struct end_look *look)
{
    const struct cell_fit *fit = &look->fit;
    bool pips = pips_seen(&look->pips), bold = look->pips.strength > PIPS_STRENGTH_MOST;
    float left = pips && !bold ? END_LEFT_MOST : PLAIN_LEFT_MOST;
    if (!fit->seen ||
        chroma_of(fit->ratio[fit->best]) > (pips ? END_CHROMA_MOST : PLAIN_CHROMA_MOST) ||
        !(pips || look->pips.spread < PLAIN_SPREAD_MOST))
        return false;
    return rim_convinces(&look->rim) ||
           (fit->unexplained < left && fit->contrast > END_CONTRAST_LEAST);
}

/* Pips where they must be on a square that is little else. */
static bool end_sure(const struct end_look *look)
{
    const struct cell_fit *fit = &look->fit;
    if (!pips_seen(&look->pips))
        return false;
    return fit->unexplained < SURE_LEFT_MOST ||
           (rim_convinces(&look->rim) && look->pips.share[look->pips.best] > RIM_PIPS_SHARE_LEAST &&
            chroma_of(fit->ratio[fit->best]) < PLAIN_CHROMA_MOST);
}

/* May the pips, or what hides them, be those of a block that does not lie in the seat? */
static bool number_fits(const struct ends_view *view, const struct pips *pips)
{
    if (!pips_seen(pips)) /* a lone pip is easily lost */
        return view->numbers[1] || pips->spread > CLEAR_SPREAD ||
               view->sight->px_per_cell < CLEAR_CELL_PX;
    for (int n = 1; n <= PIPS_MOST; n++)
        if (view->numbers[n] && pips->share[n] > pips->share[pips->best] - NUMBER_NEARLY)
            return true;
    return false;
}

/* Does no symbol of the set explain the place nearly as well? The top of a block that lies there
 * looks much the same from the height of the ends. */
static bool no_symbol(const struct ends_view *view, const struct end_look *look)
{
    struct palette palette;
    struct cell_fit fit;
    vision_palette_default(view->reader->model, &palette);
    vision_cell_fit(view->reader->model, &palette, view->patch, &look->place, view->sight->blur,
                    false, &fit);
    return !vision_fit_convinces(&fit) || fit.unexplained > look->fit.unexplained + SYMBOL_WORSE;
}

/* Symbols seen on sides are squashed: what leaves no more than this is a top. An end that mirrors a
 * lamp may itself pass for a cell seen through glare. */
#define FIRM_LEFT_MOST 0.3f

static bool top_firm(const struct seat_sight *sight, const struct tops *tops, int top)
{
    const struct cell_fit *fit = &sight->cell[tops->cell[top]].fit;
    return fit->unexplained < FIRM_LEFT_MOST && !fit->through_glare;
}

bool vision_standing_shows(const struct seat_sight *sight, const struct standing *end,
                           const struct tops *tops, int top)
{
    const struct body_top *body = &tops->body[top];
    return !top_firm(sight, tops, top) &&
           vision_body_covers(&sight->view, &end->body, body->height_mm, body->center_mm, 0);
}

static bool feet_meet(const struct body_top *end, const struct body_top *other)
{
    double d[2];
    vision_top_offset(other, end, d);
    return fmax(fabs(d[0]), fabs(d[1])) < 0.8;
}

/* A standing block's foot can't be where another block is. */
static bool foot_free(const struct ends_view *view, const struct standing *end,
                      const struct standing *other, int others)
{
    for (int i = 0; i < view->tops->count; i++)
        if (feet_meet(&end->body, &view->tops->body[i]) &&
            !vision_standing_shows(view->sight, end, view->tops, i))
            return false;
    for (int i = 0; i < others; i++)
        if (feet_meet(&end->body, &other[i].body))
            return false;
    return true;
}

/* May a block stand with its end's middle there? In the seat, or half over its line, and not in
 * the midst of a block that lies. */
static bool may_stand(const void *context, float x, float y)
{
    const struct ends_view *view = context;
    const double *r = view->sight->seat->rect_mm, width = view->reader->set->width_mm;
    double mm[2], over = width / 2, near = 0.7 * width;
    vision_patch_to_mm(view->patch, (double)x, (double)y, mm);
    if (mm[0] < r[0] - over || mm[0] > r[0] + r[2] + over || mm[1] < r[1] - over ||
        mm[1] > r[1] + r[3] + over)
        return false;
    for (int i = 0; i < view->tops->count; i++) {
        const double *at = view->tops->body[i].center_mm;
        double dx = at[0] - mm[0], dy = at[1] - mm[1];
        if (dx * dx + dy * dy < near * near && top_firm(view->sight, view->tops, i))
            return false;
    }
    return true;
}

/* Moves a place to the end near it. */
static void end_settle(const struct ends_view *view, struct cell_place *place, struct cell_fit *fit)
{
    const struct cell_model *model = view->reader->end_model;
    struct palette palette;
    vision_palette_default(model, &palette);
    vision_cell_fit(model, &palette, view->patch, place, view->sight->blur, false, fit);
    for (int round = 0; round < ROUNDS; round++) {
        float before = fit->unexplained;
        vision_cell_refine(model, view->patch, view->whiteness, fit->best, fit->quarter[fit->best],
                           view->sight->blur, REACH_PX, REACH_RAD, place);
        vision_cell_fit(model, &palette, view->patch, place, view->sight->blur, false, fit);
        if (fit->unexplained > before - ROUND_GAIN || fit->unexplained > HOPELESS_LEFT)
            break;
    }
}

/* Goes by the rim alone. */
static void rim_look(const struct ends_view *view, const struct cell_place *place,
                     struct end_look *look)
{
    const struct cell_model *model = view->reader->end_model;
    struct cell_place at = *place, larger;
    struct palette palette;
    struct end_rim rim;
    vision_end_rim_settle(view->whiteness, view->patch->width, view->patch->height, &at, &rim);
    if (!rim_convinces(&rim))
        return;
    larger = at;
    larger.side_px = (float)(SIGHT_CELL_PX * MODEL_SIDES);
    vision_palette_default(model, &palette);
    vision_cell_fit(model, &palette, view->patch, &larger, view->sight->blur, false, &look->fit);
    vision_pips_measure(view->patch, &at, &look->pips);
    look->place = at;
    look->rim = rim;
}

/* Looks closely at a find: by all of the end, or where that does not convince, by its rim. */
static void end_look(const struct ends_view *view, const struct cell_place *place,
                     struct end_look *look)
{
    static const float start[STARTS][2] = {{0, 0}, {-2, 0}, {2, 0}, {0, -2}, {0, 2}};
    memset(look, 0, sizeof *look);
    look->fit.unexplained = 2;
    for (int i = 0; i < STARTS && look->fit.unexplained > SETTLED_LEFT; i++) {
        struct cell_place at = *place;
        struct cell_fit fit;
        at.x += start[i][0];
        at.y += start[i][1];
        at.side_px = (float)(SIGHT_CELL_PX * MODEL_SIDES);
        end_settle(view, &at, &fit);
        if (fit.unexplained < look->fit.unexplained) {
            look->place = at;
            look->fit = fit;
        }
        if (fit.unexplained > HOPELESS_LEFT)
            break;
    }
    look->place.side_px = SIGHT_CELL_PX;
    vision_pips_measure(view->patch, &look->place, &look->pips);
    if (!end_convinces(look))
        rim_look(view, place, look);
    look->end.body = (struct body_top){.turn_rad = (double)look->place.turn_rad,
                                       .side_mm = view->reader->set->width_mm,
                                       .height_mm = view->reader->set->length_mm};
    vision_patch_to_mm(view->patch, (double)look->place.x, (double)look->place.y,
                       look->end.body.center_mm);
}

static int ends_search(const struct ends_view *view, struct standing *out, int most)
{
    struct candidate find[FINDS_MOST];
    int finds = vision_ends_scan(view->whiteness, view->patch->width, view->patch->height,
                                 SIGHT_CELL_PX, may_stand, view, find, FINDS_MOST),
        count = 0;
    for (int i = 0; i < finds && count < most; i++) {
        struct end_look look;
        end_look(view, &find[i].place, &look);
        if (!end_convinces(&look) || !number_fits(view, &look.pips) ||
            !foot_free(view, &look.end, out, count) || !no_symbol(view, &look))
            continue;
        look.end.sure = end_sure(&look);
        out[count++] = look.end;
    }
    return count;
}

int vision_ends_find(struct seat_reader *reader, const struct pyramid *pyramid,
                     const struct white_map *white, const struct mat_pose *pose,
                     const struct seat_sight *sight, const struct tops *tops,
                     const bool numbers[ENDS_NUMBERS], struct standing *out, int most)
{
    const double *r = sight->seat->rect_mm, m = SIGHT_MARGIN_CELLS * reader->set->width_mm;
    const double rect[4] = {r[0] - m, r[1] - m, r[2] + 2 * m, r[3] + 2 * m};
    struct patch patch = {0};
    float *whiteness = NULL;
    if (reader->ends->symbols == 0) /* a set that does not say what its ends look like */
        return 0;
    int result = vision_patch_sample(&patch, pyramid, pose, rect, -reader->set->length_mm,
                                     SIGHT_CELL_PX / reader->set->width_mm);
    if (result)
        goto done;
    whiteness = malloc((size_t)patch.width * (size_t)patch.height * sizeof *whiteness);
    if (!whiteness) {
        result = VISION_E_MEMORY;
        goto done;
    }
    vision_whiteness(white, &patch, whiteness);
    const struct ends_view view = {reader, sight, tops, numbers, &patch, whiteness};
    result = ends_search(&view, out, most);
done:
    free(whiteness);
    vision_patch_free(&patch);
    return result;
}
