/* vision/seat.c: looking at a seat; see seat.h. */
#include "vision/seat.h"

#include "vision/seat_ends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a top must show on its own: most of its variance explained (of 4,000 places that are no
 * tops in path-traced pictures the best left half of it), a field clearly darker than white in
 * some channel, in a colour of the set. */
#define TOP_LEFT_MOST 0.45f
/* Of edges: among 1,000 places that are no tops in drawn seats the best leave 0.33, the next 0.5. */
#define TOP_LEFT_GLARE_MOST 0.42f
#define TOP_CONTRAST_LEAST 0.5f
#define TOP_COLOUR_MOST 4.5f
#define SHAPE_SURE_LEFT 0.2f    /* less left than this and the shape alone is a strong witness */
#define SHAPE_SURE_COLOUR 15.0f /* then colour may be off by up to 3 standard errors more */
/* Candidates that stay under this after a first fit are no cells at all and not moved about. */
#define TRY_LEFT_MOST 0.93f
/* Half of what a rim over field shows in a soft picture of small cells. */
#define RIM_LEAST 0.16f

/* A cell may teach its colour when little is unexplained and no other symbol comes near. */
#define TEACH_LEFT_MOST 0.2f
#define TEACH_MARGIN_LEAST 8.0f

_Static_assert(BLOCKSET_BLOCKS_MAX <= BLOCKSET_SYMBOLS_MAX, "each block has an end of its own");

struct seat_reader *vision_seat_reader_create(const struct blockset *set,
                                              const struct alignment *alignment)
{
    struct seat_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->set = set;
    reader->alignment = *alignment;
    reader->model = vision_cell_model_create(set);
    reader->finder = vision_cell_finder_create(set);
    reader->ends = calloc(1, sizeof *reader->ends);
    if (reader->ends && vision_ends_set(set, reader->ends) == 0)
        reader->end_model = vision_cell_model_create(reader->ends);
    if (!reader->model || !reader->finder || !reader->end_model)
        vision_seat_reader_destroy(&reader);
    return reader;
}

void vision_seat_reader_destroy(struct seat_reader **reader)
{
    if (!reader || !*reader)
        return;
    vision_cell_model_destroy(&(*reader)->model);
    vision_cell_finder_destroy(&(*reader)->finder);
    vision_cell_model_destroy(&(*reader)->end_model);
    free((*reader)->ends);
    free(*reader);
    *reader = NULL;
}

const struct cell_model *vision_seat_model(const struct seat_reader *reader)
{
    return reader->model;
}

struct seat_sight *vision_seat_sight_create(void)
{
    return calloc(1, sizeof(struct seat_sight));
}

void vision_seat_sight_destroy(struct seat_sight **sight)
{
    if (!sight || !*sight)
        return;
    vision_patch_free(&(*sight)->patch);
    free((*sight)->whiteness);
    free(*sight);
    *sight = NULL;
}

/* A shape that is beyond doubt may stand in a colour further from the palette: small pictures
 * with halved chroma wash colours out, and cameras turn them. */
float vision_fit_colour_bound(const struct cell_fit *fit)
{
    float sure = fit->through_glare ? 0 : SHAPE_SURE_LEFT - fit->unexplained;
    return TOP_COLOUR_MOST + (sure > 0 ? sure * SHAPE_SURE_COLOUR : 0);
}

bool vision_fit_convinces(const struct cell_fit *fit)
{
    float contrast = TOP_CONTRAST_LEAST * (1 - 0.5f * fit->burnt); /* a veil halves contrast */
    float left = fit->through_glare ? TOP_LEFT_GLARE_MOST : TOP_LEFT_MOST;
    return fit->seen && fit->unexplained < left &&
           fit->contrast > contrast &&
           fit->colour_error < vision_fit_colour_bound(fit);
}

void vision_sight_fit(const struct seat_reader *reader, const struct palette *palette,
                      const struct seat_sight *sight, struct cell_place *place, float reach_px,
                      float reach_rad, struct cell_fit *fit)
{
    const struct cell_model *model = reader->model;
    vision_cell_fit(model, palette, &sight->patch, place, sight->blur, true, fit);
    if (fit->unexplained > TRY_LEFT_MOST)
        return;
    for (int round = 0; round < 2; round++) {
        int symbol = fit->best;
        vision_cell_refine(model, &sight->patch, sight->whiteness, symbol, fit->quarter[symbol],
                           sight->blur, reach_px, reach_rad, place);
        vision_cell_fit(model, palette, &sight->patch, place, sight->blur, true, fit);
        if (fit->best == symbol)
            break;
    }
}

static int whiteness_reserve(struct seat_sight *sight)
{
    int pixels = sight->patch.width * sight->patch.height;
    if (sight->capacity >= pixels)
        return VISION_OK;
    float *whiteness = realloc(sight->whiteness, (size_t)pixels * sizeof *whiteness);
    if (!whiteness)
        return VISION_E_MEMORY;
    sight->whiteness = whiteness;
    sight->capacity = pixels;
    return VISION_OK;
}

/* Share of the seat, on the plane of the tops, that lies outside the picture. */
static double outside_share(const struct seat_sight *sight)
{
    const struct patch *patch = &sight->patch;
    int margin = (int)ceil(SIGHT_MARGIN_CELLS * SIGHT_CELL_PX), count = 0, pixels = 0;
    for (int y = margin; y < patch->height - margin; y++)
        for (int x = margin; x < patch->width - margin; x++, pixels++)
            count += (patch->flag[y * patch->width + x] & PATCH_OUTSIDE) != 0;
    return pixels ? (double)count / pixels : 0;
}

static int sight_sample(const struct seat_reader *reader, const struct pyramid *pyramid,
                        const struct white_map *white, const struct mat_pose *pose,
                        struct seat_sight *sight)
{
    const double *r = sight->seat->rect_mm, height = reader->set->height_mm;
    const double m = SIGHT_MARGIN_CELLS * reader->set->width_mm;
    const double rect[4] = {r[0] - m, r[1] - m, r[2] + 2 * m, r[3] + 2 * m};
    int error = vision_patch_sample(&sight->patch, pyramid, pose, rect, -height,
                                    SIGHT_CELL_PX / reader->set->width_mm);
    if (error)
        return error;
    error = whiteness_reserve(sight);
    if (error)
        return error;
    vision_whiteness(white, &sight->patch, sight->whiteness);
    sight->px_per_cell =
        reader->set->width_mm * vision_plane_scale(pose, r[0] + r[2] / 2, r[1] + r[3] / 2, -height);
    sight->blur = vision_cell_blur(sight->px_per_cell > 1 ? sight->px_per_cell : 1);
    sight->view = vision_view_from_pose(pose);
    sight->outside = outside_share(sight);
    return VISION_OK;
}

int vision_seat_look(struct seat_reader *reader, const struct pyramid *pyramid,
                     const struct white_map *white, const struct mat_pose *pose,
                     const struct mat *mat, int seat_index, struct seat_sight *sight)
{
    struct candidate candidate[CANDIDATES_MAX];
    struct palette palette;
    sight->seat = &mat->seat[seat_index];
    sight->cells = 0;
    int error = sight_sample(reader, pyramid, white, pose, sight);
    if (error)
        return error;
    int found = vision_cells_find(reader->finder, sight->whiteness, sight->patch.width,
                                  sight->patch.height, SIGHT_CELL_PX, candidate);
    if (found < 0)
        return found;
    vision_palette_default(reader->model, &palette);
    for (int i = 0; i < found && sight->cells < SIGHT_CELLS_MAX; i++) {
        if (candidate[i].score < RIM_LEAST)
            break;
        struct sight_cell *cell = &sight->cell[sight->cells++];
        memset(cell, 0, sizeof *cell);
        cell->place = candidate[i].place;
        vision_sight_fit(reader, &palette, sight, &cell->place, 4, 0.2f, &cell->fit);
        if (cell->fit.unexplained > TRY_LEFT_MOST) {
            sight->cells--;
            continue;
        }
        vision_patch_to_mm(&sight->patch, (double)cell->place.x, (double)cell->place.y, cell->mm);
    }
    return VISION_OK;
}

void vision_seat_teach(const struct seat_sight *sight, struct palette *palette)
{
    for (int i = 0; i < sight->cells; i++) {
        const struct cell_fit *fit = &sight->cell[i].fit;
        /* what a cell mirrors would be learnt with it */
        if (vision_fit_convinces(fit) && !fit->through_glare && fit->unexplained < TEACH_LEFT_MOST &&
            fit->score[fit->best] - fit->score[fit->second] > TEACH_MARGIN_LEAST)
            vision_palette_learn(palette, fit);
    }
}

void vision_seat_census(const struct seat_reader *reader, const struct seat_sight *sight,
                        struct colour_census *census)
{
    struct palette print;
    vision_palette_default(reader->model, &print);
    for (int i = 0; i < sight->cells; i++)
        vision_census_add(census, &print, vision_cell_model_symbols(reader->model),
                          &sight->cell[i].fit);
}
