/* The reader of ramps on drawn ones: what lies there, and every way in which it must not be told. */
#include "calib/blockset.h"
#include "calib/deck.h"
#include "tests/draw/ramp.h"
#include "vision/error.h"
#include "vision/ramp.h"
#include "vision/ramp_json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct world {
    struct ramp *ramp;
    struct blockset *set;
    struct cardstyle *style;
    struct mat mat;
    struct draw_kit kit;
    struct drawer *drawer;
    struct ramp_reader *reader;
    struct draw_ramp_range range;
    struct draw_ramp truth;
    struct draw_scene scene;
    struct ramp_layout layout;
};

static const char *const sample[5] = {"rygbw", "gg.yr", "w..rb", "y...b", "....."};

static int world_open(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    assert_int_equal(calib_ramp_load("make5", NULL, &w->ramp, NULL), 0);
    assert_int_equal(calib_blockset_load("match-madness", NULL, &w->set, NULL), 0);
    assert_int_equal(calib_cardstyle_load(NULL, NULL, &w->style, NULL), 0);
    draw_ramp_mat(w->ramp, &w->mat);
    w->kit = (struct draw_kit){.mat = &w->mat, .set = w->set, .style = w->style};
    w->drawer = draw_create(&w->kit);
    w->reader = vision_ramp_create(w->ramp, NULL);
    assert_non_null(w->drawer);
    assert_non_null(w->reader);
    *state = w;
    return 0;
}

static int world_close(void **state)
{
    struct world *w = *state;
    vision_ramp_destroy(&w->reader);
    draw_destroy(&w->drawer);
    calib_cardstyle_destroy(&w->style);
    calib_blockset_destroy(&w->set);
    calib_ramp_destroy(&w->ramp);
    free(w);
    return 0;
}

/* A plain picture: one board, even light, no noise. */
static void range_plain(struct world *w)
{
    w->range = draw_ramp_range_usual();
    w->range.scene = draw_range_plain();
    w->range.scene.cell_px[0] = w->range.scene.cell_px[1] = 34;
    w->range.scene.tilt_deg[0] = w->range.scene.tilt_deg[1] = 10;
    w->range.rim = 0;
    w->range.jitter_mm = 0.3;
    w->range.other_board = 0;
}

static void scene_place(struct world *w, const char *const rows[5])
{
    for (int r = 0; r < 5; r++)
        memcpy(w->truth.place[r], rows[r], 5);
    assert_int_equal(
        draw_ramp_place(&w->kit, w->ramp, 7, &w->range, &w->truth, &w->scene), 0);
}

static int scene_read(struct world *w)
{
    struct draw_picture picture;
    assert_int_equal(draw_picture(w->drawer, &w->scene, &picture), 0);
    int error = vision_ramp_read(w->reader, picture.frame, false, &w->layout, NULL);
    draw_picture_free(&picture);
    return error;
}

static void assert_place(const struct world *w, const char *const rows[5])
{
    for (int r = 0; r < 5; r++)
        assert_memory_equal(w->layout.place[r], rows[r], 5);
}

static struct draw_part *part_add(struct world *w)
{
    struct draw_part *part = &w->scene.part[w->scene.parts++];
    memset(part, 0, sizeof *part);
    part->thing = DRAW_THING_TOY;
    return part;
}

static void should_read_faces(void **state)
{
    struct world *w = *state;
    range_plain(w);
    scene_place(w, sample);
    assert_int_equal(scene_read(w), 0);
    assert_int_equal(w->layout.state, RAMP_COMPLETE);
    assert_int_equal(w->layout.seen, RAMP_SEEN_FACE);
    assert_int_equal(w->layout.discs, 14);
    assert_true(w->layout.confidence >= 900);
    assert_place(w, sample);
}

static void should_read_rims(void **state)
{
    struct world *w = *state;
    range_plain(w);
    w->range.rim = 1;
    scene_place(w, sample);
    assert_int_equal(scene_read(w), 0);
    assert_int_equal(w->layout.state, RAMP_COMPLETE);
    assert_int_equal(w->layout.seen, RAMP_SEEN_RIM);
    assert_place(w, sample);
}

static void should_read_an_empty_ramp(void **state)
{
    static const char *const none[5] = {".....", ".....", ".....", ".....", "....."};
    struct world *w = *state;
    range_plain(w);
    scene_place(w, none);
    assert_int_equal(scene_read(w), 0);
    assert_int_equal(w->layout.state, RAMP_COMPLETE);
    assert_int_equal(w->layout.discs, 0);
    assert_place(w, none);
}

static void should_read_a_full_ramp(void **state)
{
    static const char *const full[5] = {"rygbw", "ygbwr", "gbwry", "bwryg", "wrygb"};
    struct world *w = *state;
    range_plain(w);
    scene_place(w, full);
    assert_int_equal(scene_read(w), 0);
    assert_int_equal(w->layout.state, RAMP_COMPLETE);
    assert_place(w, full);
}

static void should_settle_nothing_under_a_thing(void **state)
{
    struct world *w = *state;
    range_plain(w);
    scene_place(w, sample);
    struct draw_part *finger = part_add(w);
    finger->shape = DRAW_CAPSULE;
    finger->a[0] = 102, finger->a[1] = 360, finger->a[2] = -40;
    finger->b[0] = 102, finger->b[1] = 250, finger->b[2] = -22;
    finger->radius_mm = 9;
    finger->colour[0] = 0.5f, finger->colour[1] = 0.3f, finger->colour[2] = 0.2f;
    assert_int_equal(scene_read(w), 0);
    assert_int_equal(w->layout.state, RAMP_OCCLUDED);
    assert_true(w->layout.reasons & REASON_BIT(REASON_HAND));
    assert_int_equal(w->layout.place[0][1], RAMP_UNTOLD);
    assert_int_equal(w->layout.place[0][4], 'w'); /* what is in plain sight is still told */
}

static void should_see_a_thing_on_a_bare_track(void **state)
{
    struct world *w = *state;
    range_plain(w);
    scene_place(w, sample);
    struct draw_part *box = part_add(w);
    box->shape = DRAW_BOX; /* of the wood's own colour */
    box->a[0] = 140, box->a[1] = 214, box->a[2] = -8;
    box->b[0] = 15, box->b[1] = 14, box->b[2] = 8;
    box->radius_mm = 1;
    memcpy(box->colour, w->truth.board.floor, sizeof box->colour);
    assert_int_equal(scene_read(w), 0);
    assert_int_not_equal(w->layout.state, RAMP_COMPLETE);
    assert_int_equal(w->layout.place[2][2], RAMP_UNTOLD);
}

/* The top disc of the last track moved up by so much. */
static void disc_up(struct world *w, double up_mm)
{
    for (int i = 0; i < w->truth.discs; i++)
        if (w->truth.disc[i].track == 4 && w->truth.disc[i].row == 3)
            w->scene.part[w->truth.disc[i].part].a[1] -= up_mm;
}

static void should_name_a_disc_between_rows(void **state)
{
    struct world *w = *state;
    range_plain(w);
    scene_place(w, sample);
    disc_up(w, 17);
    assert_int_equal(scene_read(w), 0);
    assert_int_equal(w->layout.state, RAMP_INCOMPLETE);
    assert_true(w->layout.reasons & REASON_BIT(REASON_BETWEEN_ROWS));
}

static void should_name_a_disc_above_the_rows(void **state)
{
    struct world *w = *state;
    range_plain(w);
    scene_place(w, sample);
    disc_up(w, 36 + 45);
    assert_int_equal(scene_read(w), 0);
    assert_int_not_equal(w->layout.state, RAMP_COMPLETE);
    assert_true(w->layout.reasons & REASON_BIT(REASON_ROLLING));
}

static void should_name_a_disc_afloat(void **state)
{
    static const char *const afloat[5] = {"rygbw", "g...r", "w.b..", ".....", "....."};
    struct world *w = *state;
    range_plain(w);
    scene_place(w, afloat);
    assert_int_equal(scene_read(w), 0);
    assert_int_equal(w->layout.state, RAMP_INCOMPLETE);
    assert_true(w->layout.reasons & REASON_BIT(REASON_FLOATING));
    assert_int_equal(w->layout.place[2][2], RAMP_UNTOLD);
}

static void should_doubt_more_discs_than_there_are(void **state)
{
    static const char *const many[5] = {"rrrrr", "rygbw", ".....", ".....", "....."};
    struct world *w = *state;
    range_plain(w);
    scene_place(w, many);
    assert_int_equal(scene_read(w), 0);
    assert_int_equal(w->layout.state, RAMP_UNREADABLE);
    assert_true(w->layout.reasons & REASON_BIT(REASON_DISC_COUNT));
    assert_int_equal(w->layout.place[0][0], RAMP_UNTOLD);
    assert_int_equal(w->layout.place[1][1], 'y');
}

static void should_name_no_colour_that_is_none(void **state)
{
    struct world *w = *state;
    range_plain(w);
    scene_place(w, sample);
    struct draw_part *disc = &w->scene.part[w->truth.disc[2].part];
    disc->colour[0] = 0.30f, disc->colour[1] = 0.02f, disc->colour[2] = 0.35f; /* purple */
    assert_int_equal(scene_read(w), 0);
    assert_int_not_equal(w->layout.state, RAMP_COMPLETE);
    assert_true(w->layout.reasons & REASON_BIT(REASON_UNSURE_COLOUR));
    assert_int_equal(w->layout.place[0][2], RAMP_UNTOLD);
}

static void should_refuse_grey_and_blank_pictures(void **state)
{
    struct world *w = *state;
    struct draw_picture picture;
    range_plain(w);
    scene_place(w, sample);
    assert_int_equal(draw_picture(w->drawer, &w->scene, &picture), 0);
    picture.frame->has_colour = false;
    assert_int_equal(vision_ramp_read(w->reader, picture.frame, false, &w->layout, NULL), 0);
    assert_int_equal(w->layout.state, RAMP_UNREADABLE);
    assert_int_equal(w->layout.reasons, REASON_BIT(REASON_NO_COLOUR));
    picture.frame->has_colour = true;
    for (int y = 0; y < picture.frame->height; y++)
        memset(picture.frame->y + (size_t)y * picture.frame->y_stride, 128,
               (size_t)picture.frame->width);
    assert_int_equal(vision_ramp_read(w->reader, picture.frame, false, &w->layout, NULL),
                     VISION_E_NO_MAT);
    assert_int_equal(w->layout.state, RAMP_UNREADABLE);
    assert_int_equal(w->layout.discs, 0);
    draw_picture_free(&picture);
}

/* A ramp and colours of one's own are a file, not code. */
static void should_read_other_colours(void **state)
{
    static const char *const rows[5] = {"pookk", "kop..", ".....", ".....", "....."};
    struct world *w = *state;
    struct ramp *own = malloc(sizeof *own);
    assert_non_null(own);
    *own = *w->ramp;
    own->colours = 3;
    own->each = 4;
    own->colour[0] = (struct ramp_colour){'p', "purple", {128, 40, 150}};
    own->colour[1] = (struct ramp_colour){'o', "orange", {235, 110, 20}};
    own->colour[2] = (struct ramp_colour){'k', "turquoise", {30, 160, 165}};
    struct ramp_reader *reader = vision_ramp_create(own, NULL);
    assert_non_null(reader);
    range_plain(w);
    for (int r = 0; r < 5; r++)
        memcpy(w->truth.place[r], rows[r], 5);
    assert_int_equal(draw_ramp_place(&w->kit, own, 7, &w->range, &w->truth, &w->scene), 0);
    struct draw_picture picture;
    assert_int_equal(draw_picture(w->drawer, &w->scene, &picture), 0);
    assert_int_equal(vision_ramp_read(reader, picture.frame, false, &w->layout, NULL), 0);
    assert_int_equal(w->layout.state, RAMP_COMPLETE);
    assert_place(w, rows);
    draw_picture_free(&picture);
    vision_ramp_destroy(&reader);
    free(own);
}

/* The sheet that `kit print ramp --ramp make5-flat` prints: calib/paint_board.c's greys. */
static void should_read_the_printed_sheet(void **state)
{
    struct world *w = *state;
    struct ramp *flat;
    struct draw_picture picture;
    assert_int_equal(calib_ramp_load("make5-flat", NULL, &flat, NULL), 0);
    struct ramp_reader *reader = vision_ramp_create(flat, NULL);
    assert_non_null(reader);
    range_plain(w);
    for (int r = 0; r < 5; r++)
        memcpy(w->truth.place[r], sample[r], 5);
    struct mat mat;
    draw_ramp_mat(flat, &mat);
    struct draw_kit kit = {.mat = &mat, .set = w->set, .style = w->style};
    struct drawer *drawer = draw_create(&kit);
    assert_non_null(drawer);
    assert_int_equal(draw_ramp_place(&kit, flat, 7, &w->range, &w->truth, &w->scene), 0);
    struct draw_board *board = &w->truth.board;
    board->grain = 0;
    for (int k = 0; k < 3; k++) {
        board->wood[k] = 0.85f;
        board->wall[k] = 0.102f;  /* 90 of 255 */
        board->floor[k] = 0.262f; /* 140 */
    }
    board->floor_half_mm = board->half_mm - 3;
    assert_int_equal(draw_picture(drawer, &w->scene, &picture), 0);
    assert_int_equal(vision_ramp_read(reader, picture.frame, false, &w->layout, NULL), 0);
    assert_int_equal(w->layout.state, RAMP_COMPLETE);
    assert_place(w, sample);
    draw_picture_free(&picture);
    draw_destroy(&drawer);
    vision_ramp_destroy(&reader);
    calib_ramp_destroy(&flat);
}

/* On pale paint a white disc looks like none: nothing is read there. */
static void should_refuse_a_board_that_hides_discs(void **state)
{
    struct world *w = *state;
    range_plain(w);
    scene_place(w, sample);
    for (int k = 0; k < 3; k++)
        w->truth.board.floor[k] = 0.7f;
    assert_int_equal(scene_read(w), 0);
    assert_int_equal(w->layout.state, RAMP_UNREADABLE);
    assert_int_equal(w->layout.reasons, REASON_BIT(REASON_LOW_CONTRAST));
}

static void should_write_rows_and_discs_from_one(void **state)
{
    struct ramp_layout layout;
    struct json_text json;
    (void)state;
    memset(&layout, 0, sizeof layout);
    strcpy(layout.ramp, "r");
    layout.rows = layout.tracks = 2;
    layout.state = RAMP_COMPLETE;
    layout.confidence = 993;
    memcpy(layout.place[0], "rg", 2);
    memcpy(layout.place[1], ".g", 2);
    layout.discs = 1;
    layout.disc[0] = (struct ramp_disc){.row = 1, .track = 1, .colour = 'g', .second = 'b',
                                        .confidence = 993, .center_px10 = {125, 8}};
    layout.reasons = REASON_BIT(REASON_ROLLING);
    vision_json_init(&json);
    vision_ramp_json(&layout, "x.jpg", &json);
    assert_false(json.failed);
    assert_string_equal(
        json.bytes,
        "{\"image\":\"x.jpg\",\"ok\":true,\"ramp\":\"r\",\"mirrored\":false,\"state\":\"complete\","
        "\"confidence\":0.993,\"seen\":\"face\",\"rows_from_bottom\":[\"rg\",\".g\"],"
        "\"discs\":[{\"row\":2,\"track\":2,\"colour\":\"g\",\"confidence\":0.993,\"second\":\"b\","
        "\"center_px\":[12.5,0.8]}],\"reasons\":[\"rolling\"]}");
    vision_json_free(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_read_faces),
        cmocka_unit_test(should_read_rims),
        cmocka_unit_test(should_read_an_empty_ramp),
        cmocka_unit_test(should_read_a_full_ramp),
        cmocka_unit_test(should_settle_nothing_under_a_thing),
        cmocka_unit_test(should_see_a_thing_on_a_bare_track),
        cmocka_unit_test(should_name_a_disc_between_rows),
        cmocka_unit_test(should_name_a_disc_above_the_rows),
        cmocka_unit_test(should_name_a_disc_afloat),
        cmocka_unit_test(should_doubt_more_discs_than_there_are),
        cmocka_unit_test(should_name_no_colour_that_is_none),
        cmocka_unit_test(should_refuse_grey_and_blank_pictures),
        cmocka_unit_test(should_read_other_colours),
        cmocka_unit_test(should_read_the_printed_sheet),
        cmocka_unit_test(should_refuse_a_board_that_hides_discs),
        cmocka_unit_test(should_write_rows_and_discs_from_one),
    };
    return cmocka_run_group_tests(tests, world_open, world_close);
}
