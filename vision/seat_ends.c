/* vision/seat_ends.c: see seat_ends.h. */
#include "vision/seat_ends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most of an end's variance must be rim, field and pips of one number. Squashed side faces and
 * other things at that height leave more than half of it. */
#define END_LEFT_MOST 0.5f
#define END_CONTRAST_LEAST 0.3f
#define RIM_LEAST 0.14f
/* Ends are no symbol of the set and their grey is any: only strong colour speaks against one. */
#define END_CHROMA_MOST 0.45f

static float chroma_of(const float ratio[3])
{
    float most = fmaxf(ratio[0], fmaxf(ratio[1], ratio[2]));
    float least = fminf(ratio[0], fminf(ratio[1], ratio[2]));
    return most > 0.02f ? (most - least) / most : 0;
}

static bool end_convinces(const struct cell_fit *fit)
{
    return fit->seen && fit->unexplained < END_LEFT_MOST && fit->contrast > END_CONTRAST_LEAST &&
           chroma_of(fit->ratio[fit->best]) < END_CHROMA_MOST;
}

/* A standing block's foot can't be where another block stands, nor its end where one is seen. */
static bool end_possible(const struct seat_sight *sight, const struct tops *tops,
                         const struct body_top *end, const struct body_top *other, int others)
{
    for (int i = 0; i < tops->count + others; i++) {
        const struct body_top *b = i < tops->count ? &tops->body[i] : &other[i - tops->count];
        double d[2];
        vision_top_offset(b, end, d);
        if (fmax(fabs(d[0]), fabs(d[1])) < 0.8)
            return false;
        if (i >= tops->count &&
            vision_body_covers(&sight->view, b, end->height_mm, end->center_mm, -3))
            return false;
    }
    return true;
}

/* Pips of neighbouring numbers look alike in small pictures: a number that is missing from the
 * seat will do when it fits nearly as well as the best. */
#define NUMBER_NEARLY 0.08f

static bool number_fits(const struct seat_reader *reader, const bool numbers[ENDS_NUMBERS],
                        const struct cell_fit *fit)
{
    for (int k = 0; k < reader->ends->symbols; k++)
        if (numbers[reader->ends->symbol[k].label - '0'] &&
            fit->left[k] < fit->unexplained + NUMBER_NEARLY)
            return true;
    return false;
}

static void end_fit(const struct seat_reader *reader, const struct patch *patch,
                    const float *whiteness, int blur, struct cell_place *place,
                    struct cell_fit *fit)
{
    struct palette palette;
    vision_palette_default(reader->end_model, &palette);
    vision_cell_fit(reader->end_model, &palette, patch, place, blur, false, fit);
    vision_cell_refine(reader->end_model, patch, whiteness, fit->best, fit->quarter[fit->best],
                       blur, 4, 0.2f, place);
    vision_cell_fit(reader->end_model, &palette, patch, place, blur, false, fit);
}

static int ends_search(struct seat_reader *reader, const struct patch *patch,
                       const float *whiteness, const struct seat_sight *sight,
                       const struct tops *tops, const bool numbers[ENDS_NUMBERS],
                       struct body_top *out, int most)
{
    struct candidate candidate[CANDIDATES_MAX];
    int found = vision_cells_find(reader->end_finder, whiteness, patch->width, patch->height,
                                  SIGHT_CELL_PX, candidate),
        count = 0;
    for (int i = 0; i < found && count < most && candidate[i].score >= RIM_LEAST; i++) {
        struct cell_place place = candidate[i].place;
        struct cell_fit fit;
        struct body_top end = {.side_mm = reader->set->width_mm,
                               .height_mm = reader->set->length_mm};
        end_fit(reader, patch, whiteness, sight->blur, &place, &fit);
        end.turn_rad = (double)place.turn_rad;
        vision_patch_to_mm(patch, (double)place.x, (double)place.y, end.center_mm);
        if (end_convinces(&fit) && number_fits(reader, numbers, &fit) &&
            end_possible(sight, tops, &end, out, count))
            out[count++] = end;
    }
    return found < 0 ? found : count;
}

int vision_ends_find(struct seat_reader *reader, const struct pyramid *pyramid,
                     const struct white_map *white, const struct mat_pose *pose,
                     const struct seat_sight *sight, const struct tops *tops,
                     const bool numbers[ENDS_NUMBERS], struct body_top *out, int most)
{
    const double *r = sight->seat->rect_mm, m = SIGHT_MARGIN_CELLS * reader->set->width_mm;
    const double rect[4] = {r[0] - m, r[1] - m, r[2] + 2 * m, r[3] + 2 * m};
    struct patch patch = {0};
    float *whiteness = NULL;
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
    result = ends_search(reader, &patch, whiteness, sight, tops, numbers, out, most);
done:
    free(whiteness);
    vision_patch_free(&patch);
    return result;
}
