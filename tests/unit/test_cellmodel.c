/* What a cell looks like: read on patches that are printed here, under lamps, veils and mirrored
 * light; and the solver of mirrored light on its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/patch_scene.h"
#include "vision/celledge.h"
#include "vision/cellmodel.h"

#define SIDE 24 /* px of a cell, as the seat reader has it */
#define PATCH 48
#define SETS 3

struct world {
    struct blockset *set[SETS];
    struct cell_model *model[SETS];
    struct patch patch;
    float whiteness[PATCH * PATCH];
};

static int world_open(void **state)
{
    static const char *const name[SETS] = {"match-madness", "matching-talent", "harbour"};
    struct world *w = calloc(1, sizeof *w);
    struct calib_fault fault;
    *state = w;
    for (int i = 0; i < SETS && w; i++) {
        if (calib_blockset_load(name[i], NULL, &w->set[i], &fault) != 0)
            return -1;
        w->model[i] = vision_cell_model_create(w->set[i]);
        if (!w->model[i])
            return -1;
    }
    return w ? 0 : -1;
}

static int world_close(void **state)
{
    struct world *w = *state;
    for (int i = 0; i < SETS; i++) {
        vision_cell_model_destroy(&w->model[i]);
        assert_null(w->model[i]);
        calib_blockset_destroy(&w->set[i]);
    }
    vision_patch_free(&w->patch);
    free(w);
    return 0;
}

/* One cell in the middle of a patch. */
static struct patch_scene scene_of(const struct world *w, int set, int symbol, double turn_rad)
{
    struct patch_scene s = patch_scene_start(w->set[set], PATCH, PATCH);
    s.cells = 1;
    s.cell[0] = (struct patch_cell){symbol, 23.5, 23.7, turn_rad, SIDE};
    s.seed = (uint64_t)(symbol + 20 * set);
    return s;
}

static struct cell_place place_of(const struct patch_scene *s)
{
    const struct patch_cell *c = &s->cell[0];
    return (struct cell_place){(float)c->x, (float)c->y, (float)c->turn_rad, (float)c->side_px};
}

static struct cell_fit fit_drawn(struct world *w, int set, const struct cell_place *place)
{
    struct palette palette;
    struct cell_fit fit;
    vision_palette_default(w->model[set], &palette);
    vision_cell_fit(w->model[set], &palette, &w->patch, place, 1, true, &fit);
    return fit;
}

static struct cell_fit fit_scene(struct world *w, int set, const struct patch_scene *s)
{
    struct cell_place place = place_of(s);
    assert_true(patch_scene_draw(s, &w->patch));
    return fit_drawn(w, set, &place);
}

static float margin_of(const struct cell_fit *fit)
{
    return fit->score[fit->best] - fit->score[fit->second];
}

static void should_read_every_symbol_of_every_set_under_any_lamp(void **state)
{
    struct world *w = *state;
    static const float lamp[][3] = {
        {0.7f, 0.7f, 0.7f}, {0.9f, 0.55f, 0.2f}, {0.3f, 0.45f, 0.9f}, {0.05f, 0.05f, 0.05f}};
    for (int set = 0; set < SETS; set++)
        for (int k = 0; k < w->set[set]->symbols; k++)
            for (int l = 0; l < 4; l++) {
                struct patch_scene s = scene_of(w, set, k, 0.1 * l);
                memcpy(s.lamp, lamp[l], sizeof s.lamp);
                s.noise *= lamp[l][1]; /* light is scarce, not the camera worse */
                struct cell_fit fit = fit_scene(w, set, &s);
                assert_true(fit.seen);
                assert_int_equal(fit.best, k);
                assert_int_not_equal(fit.second, k);
                assert_true(margin_of(&fit) > 5);
                assert_true(fit.unexplained < 0.12f);
                assert_true(fit.colour_error < 2.25f); /* half of what a cell may have */
                assert_true(fit.contrast > 0.5f);
                for (int c = 0; c < 3; c++) /* white is the lamp itself */
                    assert_true(fabsf(fit.white[k][c] / lamp[l][c] - 1) < 0.1f);
            }
}

static void should_measure_the_field_against_the_same_cell_s_white(void **state)
{
    struct world *w = *state;
    for (int k = 0; k < w->set[0]->symbols; k++) {
        struct patch_scene s = scene_of(w, 0, k, 0);
        const struct rgb8 field = w->set[0]->symbol[k].field;
        const unsigned char want[3] = {field.r, field.g, field.b};
        s.lamp[0] = 0.9f, s.lamp[2] = 0.25f;
        struct cell_fit fit = fit_scene(w, 0, &s);
        for (int c = 0; c < 3; c++)
            assert_true(fabs((double)fit.ratio[k][c] - calib_srgb_to_linear(want[c])) < 0.06);
    }
}

static void should_find_no_cell_where_there_is_none(void **state)
{
    struct world *w = *state;
    struct patch_scene s = scene_of(w, 0, 0, 0);
    s.cells = 0;
    struct cell_place place = {23.5f, 23.5f, 0, SIDE};
    assert_true(patch_scene_draw(&s, &w->patch));
    struct cell_fit fit = fit_drawn(w, 0, &place);
    assert_true(fit.unexplained > 0.8f || fit.contrast < 0.2f);
    s.paper[0] = 0.05f, s.paper[1] = 0.1f, s.paper[2] = 0.6f; /* an even blue thing */
    assert_true(patch_scene_draw(&s, &w->patch));
    fit = fit_drawn(w, 0, &place);
    assert_true(fit.unexplained > 0.8f);
}

/* Petals look like a saltire when turned by 45 degrees: neither may be sure there. */
static void should_be_less_sure_of_a_shape_in_another_s_colour(void **state)
{
    struct world *w = *state;
    struct blockset wrong = *w->set[0]; /* lent shapes: not destroyed */
    int x = calib_blockset_find(&wrong, 'x'), o = calib_blockset_find(&wrong, 'o');
    struct patch_scene s = scene_of(w, 0, x, 0);
    struct cell_fit right = fit_scene(w, 0, &s);
    wrong.symbol[x].field = wrong.symbol[o].field;
    s.set = &wrong;
    struct cell_fit fit = fit_scene(w, 0, &s);
    assert_int_equal(right.best, x);
    assert_true(fit.colour_error > right.colour_error + 1 || fit.best != x);
    assert_true(fit.score[x] - fit.score[o] < right.score[x] - right.score[o] - 2);
}

static void should_tell_apart_by_shape_what_a_lamp_makes_alike_in_colour(void **state)
{
    struct world *w = *state;
    struct blockset grey = *w->set[0];
    for (int k = 0; k < grey.symbols;
         k++) /* all fields in one colour, on the blocks and in the set */
        grey.symbol[k].field = (struct rgb8){90, 60, 80};
    struct cell_model *model = vision_cell_model_create(&grey);
    struct palette palette;
    assert_non_null(model);
    vision_palette_default(model, &palette);
    for (int k = 0; k < grey.symbols; k++) {
        struct patch_scene s = scene_of(w, 0, k, 0.05);
        struct cell_place place = place_of(&s);
        struct cell_fit fit;
        s.set = &grey;
        assert_true(patch_scene_draw(&s, &w->patch));
        vision_cell_fit(model, &palette, &w->patch, &place, 1, true, &fit);
        assert_int_equal(fit.best, k);
        assert_true(margin_of(&fit) > 3);
    }
    vision_cell_model_destroy(&model);
}

static void should_see_no_cell_beyond_the_patch_or_the_picture(void **state)
{
    struct world *w = *state;
    struct patch_scene s = scene_of(w, 0, 1, 0);
    struct cell_place place = place_of(&s), off = place;
    assert_true(fit_scene(w, 0, &s).seen);
    off.x = 8; /* part of it lies outside the patch */
    assert_false(fit_drawn(w, 0, &off).seen);
    off.x = -100;
    assert_false(fit_drawn(w, 0, &off).seen);
    for (int y = 14; y < 18; y++)
        w->patch.flag[y * PATCH + 20] |= PATCH_OUTSIDE;
    assert_false(fit_drawn(w, 0, &place).seen);
}

/* Marks px of the cell whose place in it is left of a line as glare, and burns them. */
static void glare_lay(struct world *w, double until, float value)
{
    for (int i = 0; i < PATCH * PATCH; i++)
        if ((i % PATCH - 23.5) / SIDE < until) {
            w->patch.flag[i] |= PATCH_GLARE;
            for (int c = 0; c < 3; c++)
                w->patch.rgb[3 * i + c] = value;
        }
}

static void should_read_what_glare_leaves_of_a_cell(void **state)
{
    struct world *w = *state;
    for (int k = 0; k < w->set[0]->symbols; k++) {
        struct patch_scene s = scene_of(w, 0, k, 0);
        struct cell_place place = place_of(&s);
        float before = fit_scene(w, 0, &s).burnt;
        glare_lay(w, -0.15, 1.0f);
        struct cell_fit fit = fit_drawn(w, 0, &place);
        assert_true(before < 1e-6f && fabsf(fit.burnt - 0.37f) < 0.06f);
        assert_int_equal(fit.best, k);
        assert_true(margin_of(&fit) > 1);
    }
}

static void should_not_be_sure_of_a_cell_that_is_all_burnt(void **state)
{
    struct world *w = *state;
    for (int k = 0; k < w->set[0]->symbols; k++) {
        struct patch_scene s = scene_of(w, 0, k, 0);
        struct cell_place place = place_of(&s);
        fit_scene(w, 0, &s);
        glare_lay(w, 1, 1.0f);
        struct cell_fit fit = fit_drawn(w, 0, &place);
        assert_true(fit.contrast < 0.1f || fit.unexplained > 0.9f);
    }
}

/* Light mirrored on a glossy top, growing smoothly over the cell. */
static void mirror_lay(struct world *w, float most)
{
    for (int i = 0; i < PATCH * PATCH; i++) {
        float u = ((float)(i % PATCH) - 23.5f) / (SIDE / 2.0f),
              v = ((float)(i / PATCH) - 23.5f) / (SIDE / 2.0f);
        float added = most * (0.5f + 0.25f * u - 0.12f * v + 0.12f * u * u);
        for (int c = 0; c < 3; c++)
            w->patch.rgb[3 * i + c] += added;
        if (added > 0.9f) /* as white.c marks what is brighter than white by a quarter */
            w->patch.flag[i] |= PATCH_GLARE;
    }
}

static void should_read_through_smooth_mirrored_light(void **state)
{
    struct world *w = *state;
    for (int set = 0; set < SETS; set++)
        for (int k = 0; k < w->set[set]->symbols; k++) {
            struct patch_scene s = scene_of(w, set, k, 0.02);
            struct cell_place place = place_of(&s);
            struct palette palette;
            struct cell_fit plain, through;
            assert_true(patch_scene_draw(&s, &w->patch));
            mirror_lay(w, 1.2f);
            vision_palette_default(w->model[set], &palette);
            vision_cell_fit(w->model[set], &palette, &w->patch, &place, 1, false, &plain);
            vision_cell_fit(w->model[set], &palette, &w->patch, &place, 1, true, &through);
            assert_false(plain.through_glare);
            assert_true(through.through_glare);
            assert_true(through.unexplained < 0.6f * plain.unexplained);
            assert_int_equal(through.best, k);
        }
}

/* What covers half of a cell hides its edges and brings one of its own. */
static void should_not_see_a_cell_through_a_cover(void **state)
{
    struct world *w = *state;
    const float skin[3] = {0.45f, 0.25f, 0.16f};
    for (int k = 0; k < w->set[0]->symbols; k++) {
        struct patch_scene s = scene_of(w, 0, k, 0.02);
        struct cell_place place = place_of(&s);
        struct palette palette;
        struct cell_fit fit;
        assert_true(patch_scene_draw(&s, &w->patch));
        for (int i = 0; i < PATCH * PATCH; i++)
            if (i % PATCH + i / PATCH / 3 < PATCH / 2 + 10)
                memcpy(w->patch.rgb + 3 * i, skin, sizeof skin);
        vision_palette_default(w->model[0], &palette);
        vision_cell_fit(w->model[0], &palette, &w->patch, &place, 1, true, &fit);
        assert_true(fit.unexplained > 0.5f);
    }
}

static void should_not_look_for_mirrored_light_in_a_clear_cell(void **state)
{
    struct world *w = *state;
    struct patch_scene s = scene_of(w, 0, 2, 0);
    assert_false(fit_scene(w, 0, &s).through_glare);
}

static void should_move_a_place_to_where_the_cell_lies(void **state)
{
    struct world *w = *state;
    for (int k = 0; k < w->set[0]->symbols; k++)
        for (int way = 0; way < 4; way++) {
            struct patch_scene s = scene_of(w, 0, k, 0.2);
            struct cell_place place = place_of(&s);
            const struct cell_place true_place = place;
            place.x += way & 1 ? 2.5f : -2.5f;
            place.y += way & 2 ? 2.0f : -2.0f;
            place.turn_rad += way == 0 ? 0.12f : -0.12f;
            assert_true(patch_scene_draw(&s, &w->patch));
            patch_scene_whiteness(&s, &w->patch, w->whiteness);
            float left =
                vision_cell_refine(w->model[0], &w->patch, w->whiteness, k, 0, 1, 4, 0.2f, &place);
            assert_true(left < 0.15f);
            assert_true(hypotf(place.x - true_place.x, place.y - true_place.y) < 0.5f);
            assert_true(fabsf(place.turn_rad - true_place.turn_rad) < 0.05f);
        }
}

static void should_not_move_a_place_beyond_its_reach(void **state)
{
    struct world *w = *state;
    struct patch_scene s = scene_of(w, 0, 1, 0);
    struct cell_place place = place_of(&s), start = place;
    start.x = place.x += 5;
    start.turn_rad = place.turn_rad += 0.3f;
    assert_true(patch_scene_draw(&s, &w->patch));
    patch_scene_whiteness(&s, &w->patch, w->whiteness);
    vision_cell_refine(w->model[0], &w->patch, w->whiteness, 1, 0, 1, 1.5f, 0.1f, &place);
    assert_true(fabsf(place.x - start.x) <= 1.5f && fabsf(place.y - start.y) <= 1.5f);
    assert_true(fabsf(place.turn_rad - start.turn_rad) <= 0.1f);
    place = (struct cell_place){0, 47, 0, SIDE}; /* over the corner: nothing beyond is touched */
    vision_cell_refine(w->model[0], &w->patch, w->whiteness, 1, 0, 1, 4, 0.2f, &place);
    place.x = 1000;
    assert_true(
        vision_cell_refine(w->model[0], &w->patch, w->whiteness, 1, 0, 1, 4, 0.2f, &place) >= 1);
}

static void should_leave_more_unexplained_at_a_wrong_place(void **state)
{
    struct world *w = *state;
    struct patch_scene s = scene_of(w, 0, 3, 0);
    struct cell_place place = place_of(&s);
    float right = fit_scene(w, 0, &s).unexplained;
    place.x += 4;
    assert_true(fit_drawn(w, 0, &place).unexplained > right + 0.2f);
}

static void should_learn_the_colours_of_a_picture(void **state)
{
    struct world *w = *state;
    struct blockset faded = *w->set[0];
    struct palette palette, learnt;
    for (int k = 0; k < faded.symbols; k++) { /* washed out, as by a cheap camera */
        struct rgb8 *f = &faded.symbol[k].field;
        f->r = (uint8_t)(f->r + (200 - f->r) * 0.4);
        f->g = (uint8_t)(f->g + (200 - f->g) * 0.4);
        f->b = (uint8_t)(f->b + (200 - f->b) * 0.4);
    }
    vision_palette_default(w->model[0], &palette);
    learnt = palette;
    for (int k = 0; k < faded.symbols; k++) {
        struct patch_scene s = scene_of(w, 0, k, 0);
        s.set = &faded;
        struct cell_fit fit = fit_scene(w, 0, &s), again = fit;
        assert_int_equal(fit.best, k);
        for (int i = 0; i < 8; i++)
            vision_palette_learn(&learnt, &fit);
        assert_true(fabsf(learnt.weight[k] - 8) < 1e-6f);
        vision_cell_rescore(w->model[0], &learnt, &again);
        assert_int_equal(again.best, k);
        assert_true(again.colour_error < fit.colour_error);
        vision_cell_rescore(w->model[0], &palette, &again); /* and back: nothing is kept */
        assert_memory_equal(&again, &fit, sizeof fit);
    }
}

static void should_take_softer_templates_for_smaller_cells(void **state)
{
    (void)state;
    int before = CELL_BLURS;
    for (double px = 4; px < 120; px *= 1.1) {
        int blur = vision_cell_blur(px);
        assert_in_range(blur, 0, CELL_BLURS - 1);
        assert_true(blur <= before);
        before = blur;
    }
    assert_int_equal(before, 0);
    assert_int_equal(vision_cell_blur(5), CELL_BLURS - 1);
}

/* --- A cell's edges ----------------------------------------------------------------------------
 */

struct edge_case {
    float field[EDGE_SAMPLES], ink[EDGE_SAMPLES], weight[EDGE_SAMPLES];
    float channel[3][EDGE_SAMPLES];
};

static const float ink_share[3] = {0.05f, 0.1f, 0.2f};
static const float true_white[3] = {0.8f, 0.6f, 0.4f}, true_level[3] = {0.1f, 0.3f, 0.05f};

/* A field with a disc of ink, dark or white, and light over it that grows smoothly. */
static void edge_make(struct edge_case *e, bool white_ink, float veil, float slope)
{
    for (int i = 0; i < EDGE_SAMPLES; i++) {
        float u = (2 * (float)(i % EDGE_SIDE) + 1) / EDGE_SIDE - 1;
        float v = (2 * (float)(i / EDGE_SIDE) + 1) / EDGE_SIDE - 1;
        bool rim = fmaxf(fabsf(u), fabsf(v)) > 0.82f, ink = hypotf(u, v) < 0.5f;
        e->field[i] = !rim && !ink;
        e->ink[i] = ink;
        e->weight[i] = 1;
        for (int c = 0; c < 3; c++) {
            float white = 1 - e->field[i] - (white_ink ? 0 : e->ink[i] * (1 - ink_share[c]));
            e->channel[c][i] = true_white[c] * white + true_level[c] * e->field[i] +
                               veil * true_white[c] + slope * (0.5f * u - 0.3f * v * v);
        }
    }
}

static float edge_solve(const struct edge_case *e, bool weighed, const float *field,
                        const float *ink, bool white_ink, float white[3], float level[3])
{
    const float *const channel[3] = {e->channel[0], e->channel[1], e->channel[2]};
    struct edge_template t;
    struct edge_cell cell;
    struct edge_frame frame;
    vision_edge_frame(weighed ? e->weight : NULL, &frame);
    vision_edge_template(field, ink, &frame, white_ink, &t);
    vision_edge_cell(channel, &frame, &cell);
    return vision_edge_solve(&cell, &t, white_ink, ink_share, white, level);
}

static void should_find_the_step_from_white_to_field_under_any_smooth_light(void **state)
{
    (void)state;
    for (int step = 0; step < 4; step++) {
        struct edge_case e;
        float white[3], level[3];
        edge_make(&e, true, 0.2f * (float)step, 0.15f * (float)step);
        assert_true(edge_solve(&e, false, e.field, e.ink, true, white, level) < 0.03f);
        for (int c = 0; c < 3; c++)
            assert_true(fabsf(white[c] - level[c] - true_white[c] + true_level[c]) < 0.05f);
    }
}

/* Ink that should be dark and is not tells the veil over it; where it is white, nothing does. */
static void should_tell_an_even_veil_by_dark_ink(void **state)
{
    (void)state;
    struct edge_case e;
    float white[3], level[3];
    edge_make(&e, false, 0.5f, 0);
    assert_true(edge_solve(&e, false, e.field, e.ink, false, white, level) < 0.001f);
    for (int c = 0; c < 3; c++) {
        assert_true(fabsf(white[c] - true_white[c]) < 0.01f);
        assert_true(fabsf(level[c] - true_level[c]) < 0.01f);
    }
    edge_make(&e, true, 0.5f, 0);
    assert_true(edge_solve(&e, false, e.field, e.ink, true, white, level) < 0.001f);
    for (int c = 0; c < 3; c++)
        assert_true(fabsf(white[c] - 1.5f * true_white[c]) < 0.01f);
}

static void should_not_explain_a_print_by_another_s_edges(void **state)
{
    (void)state;
    struct edge_case e, other;
    float white[3], level[3];
    edge_make(&e, true, 0.3f, 0.4f);
    other = e;
    for (int i = 0; i < EDGE_SAMPLES; i++) { /* ink in a ring where e has it in a disc */
        float u = (2 * (float)(i % EDGE_SIDE) + 1) / EDGE_SIDE - 1;
        float v = (2 * (float)(i / EDGE_SIDE) + 1) / EDGE_SIDE - 1;
        bool rim = fmaxf(fabsf(u), fabsf(v)) > 0.82f;
        other.ink[i] = !rim && hypotf(u, v) > 0.55f;
        other.field[i] = !rim && !(other.ink[i] > 0);
    }
    float right = edge_solve(&e, false, e.field, e.ink, true, white, level);
    assert_true(edge_solve(&e, false, other.field, other.ink, true, white, level) > 10 * right);
}

static void should_leave_samples_without_weight_out(void **state)
{
    (void)state;
    struct edge_case e;
    float white[3], level[3];
    edge_make(&e, true, 0, 0.2f);
    for (int i = 0; i < EDGE_SAMPLES; i++)
        if (i % EDGE_SIDE < 5) {
            e.channel[1][i] = i % 3 ? 9 : 0;
            e.weight[i] = 0;
        }
    assert_true(edge_solve(&e, false, e.field, e.ink, true, white, level) > 0.5f);
    assert_true(edge_solve(&e, true, e.field, e.ink, true, white, level) < 0.03f);
    assert_true(fabsf(white[1] - level[1] - true_white[1] + true_level[1]) < 0.05f);
}

static void should_explain_nothing_when_there_is_nothing_to_go_by(void **state)
{
    (void)state;
    struct edge_case e;
    float white[3], level[3], none[EDGE_SAMPLES] = {0};
    edge_make(&e, true, 0, 0);
    assert_true(edge_solve(&e, false, none, none, true, white, level) >= 1);
    assert_true(edge_solve(&e, false, none, none, false, white, level) >= 1);
    memset(e.weight, 0, sizeof e.weight);
    assert_true(edge_solve(&e, true, e.field, e.ink, true, white, level) >= 1);
    memset(e.channel, 0, sizeof e.channel); /* an even grey has no edges */
    assert_true(edge_solve(&e, false, e.field, e.ink, true, white, level) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_every_symbol_of_every_set_under_any_lamp),
        cmocka_unit_test(should_measure_the_field_against_the_same_cell_s_white),
        cmocka_unit_test(should_find_no_cell_where_there_is_none),
        cmocka_unit_test(should_be_less_sure_of_a_shape_in_another_s_colour),
        cmocka_unit_test(should_tell_apart_by_shape_what_a_lamp_makes_alike_in_colour),
        cmocka_unit_test(should_see_no_cell_beyond_the_patch_or_the_picture),
        cmocka_unit_test(should_read_what_glare_leaves_of_a_cell),
        cmocka_unit_test(should_not_be_sure_of_a_cell_that_is_all_burnt),
        cmocka_unit_test(should_read_through_smooth_mirrored_light),
        cmocka_unit_test(should_not_look_for_mirrored_light_in_a_clear_cell),
        cmocka_unit_test(should_not_see_a_cell_through_a_cover),
        cmocka_unit_test(should_move_a_place_to_where_the_cell_lies),
        cmocka_unit_test(should_not_move_a_place_beyond_its_reach),
        cmocka_unit_test(should_leave_more_unexplained_at_a_wrong_place),
        cmocka_unit_test(should_learn_the_colours_of_a_picture),
        cmocka_unit_test(should_take_softer_templates_for_smaller_cells),
        cmocka_unit_test(should_find_the_step_from_white_to_field_under_any_smooth_light),
        cmocka_unit_test(should_tell_an_even_veil_by_dark_ink),
        cmocka_unit_test(should_not_explain_a_print_by_another_s_edges),
        cmocka_unit_test(should_leave_samples_without_weight_out),
        cmocka_unit_test(should_explain_nothing_when_there_is_nothing_to_go_by),
    };
    return cmocka_run_group_tests(tests, world_open, world_close);
}
