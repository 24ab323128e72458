/* calib/cmd_calibrate_camera.c: `tableref calibrate camera`: the lens. */
#include "calib/cmd_calibrate.h"
#include "calib/lens.h"
#include "calib/loop_calibrate.h"
#include "referee/cmd_table.h"
#include "vision/board_find.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a recording five pictures a second are enough: a board is moved by hand. */
#define LOOK_EVERY_NS 200000000
#define LENS_VIEWS_GOOD 10
#define STILL_PX 2.0 /* from one look to the next */

struct camera_work {
    const struct calibrate *asked;
    struct calibrate_pictures pictures;
    struct board board;
    struct mat *mat; /* instead of a board; NULL: the board */
    struct tag_finder *finder;
    struct board_points points;
    struct lens *lens; /* made with the first picture */
    int width, height;
    int looked, unseen;
    int64_t looked_ns;
    struct lens_result result;
    struct calibrate_page *page; /* NULL: nobody is shown anything */
    bool ended;                  /* somebody said that it is enough */
    bool complete;               /* nothing is missing any more */
    int before;                  /* points of the picture before, of a live camera: */
    double before_px[BOARD_POINTS_MAX][2];
};

/* ---- what is looked for ---- */

static bool target_load(struct camera_work *work)
{
    const struct calibrate *asked = work->asked;
    const char *name = asked->board ? asked->board : BOARD_DEFAULT_CHESS;
    struct calib_fault fault = {.text = ""};

    if (asked->board && asked->kit.mat) {
        cmd_error("%s: --board and --mat: one of them is needed", asked->verb->name);
        return false;
    }
    if (asked->kit.mat) {
        int error = calib_mat_load(asked->kit.mat, NULL, &work->mat, &fault);
        if (error)
            cmd_fault("mat", asked->kit.mat, error, &fault);
        return error == CALIB_OK;
    }
    int error = calib_board_named(name, &work->board);
    if (error == CALIB_OK && work->board.kind != BOARD_COLOURS)
        return true;
    cmd_error("%s: --board %s: %s; chess:9x6x25 (inner corners, one side even and one odd, mm of a "
              "square) or tags:6x4x32 (tags, mm of a tag) is needed",
              asked->verb->name, name,
              error == CALIB_E_VALUE ? N_("there is no such board") : N_("that names no board"));
    return false;
}

/* ---- looking ---- */

static bool size_fits(struct camera_work *work)
{
    const struct frame *frame = work->pictures.frame;

    if (!work->lens) {
        work->width = frame->width;
        work->height = frame->height;
        work->lens = calib_lens_create(frame->width, frame->height);
        if (!work->lens)
            cmd_error("out of memory");
        return work->lens != NULL;
    }
    if (frame->width == work->width && frame->height == work->height)
        return true;
    cmd_error("%s: %dx%d, but those before it are %dx%d: a lens is calibrated at one size; it was "
              "left out",
              work->pictures.name, frame->width, frame->height, work->width, work->height);
    work->pictures.status = CMD_UNUSABLE;
    return true;
}

/* Somebody took these pictures one by one, so each counts; of a camera or a video those that show
 * something new. */
static bool pictures_chosen(const struct camera_work *work)
{
    return !work->asked->camera && !work->asked->video;
}

static int points_find(struct camera_work *work)
{
    const struct frame *frame = work->pictures.frame;
    bool thorough = pictures_chosen(work);

    return work->mat
               ? vision_board_find_mat(work->finder, frame, work->mat, &work->points)
               : vision_board_find(work->finder, frame, &work->board, thorough, &work->points);
}

/* Is the board where it was in the picture before? What moves is blurred, and a shutter that runs
 * down the picture bends it. */
static bool held_still(struct camera_work *work)
{
    const struct board_points *p = &work->points;
    bool still = p->count == work->before && p->count > 0;
    double moved = 0;

    for (int i = 0; i < p->count && still; i++)
        moved +=
            hypot(p->pixel[i][0] - work->before_px[i][0], p->pixel[i][1] - work->before_px[i][1]) /
            p->count;
    work->before = p->count;
    memcpy(work->before_px, p->pixel, (size_t)p->count * sizeof p->pixel[0]);
    return still && moved < STILL_PX;
}

/* Adds what the picture shows. False when there is no going on. */
static bool picture_look(struct camera_work *work)
{
    const struct board_points *p = &work->points;

    if (!size_fits(work))
        return false;
    if (work->pictures.frame->width != work->width || work->pictures.frame->height != work->height)
        return true;
    work->looked++;
    int found = points_find(work);
    if (found == VISION_E_MIRRORED) {
        cmd_error("%s: the picture is mirrored; turn mirroring off at the camera, or give "
                  "--mirrored",
                  work->pictures.name);
        return false;
    }
    if (found < 0) {
        cmd_error("%s: %s", work->pictures.name, vision_strerror(found));
        return false;
    }
    if (found == 0) {
        work->unseen++;
        if (pictures_chosen(work))
            cmd_error("%s: %s is not seen%s", work->pictures.name,
                      work->mat ? work->mat->name : work->board.name,
                      !work->mat && work->board.kind == BOARD_CHESS
                          ? N_(" whole; a white edge around it has to be in view, too")
                          : N_("; three tags are needed at least"));
        return true;
    }
    if (!pictures_chosen(work) && !held_still(work))
        return true;
    if (!pictures_chosen(work) && !calib_lens_new(work->lens, (const double(*)[2])p->pixel, found))
        return true;
    int added = calib_lens_add(work->lens, work->pictures.name, (const double(*)[2])p->point_mm,
                               (const double(*)[2])p->pixel, found);
    if (added == CALIB_E_MEMORY)
        cmd_error("out of memory");
    return added != CALIB_E_MEMORY;
}

/* ---- the page ---- */

/* What to do next, in one sentence. */
static const char *hint_of(const struct camera_work *work, const struct lens_result *seen)
{
    int views = work->lens ? calib_lens_views(work->lens) : 0;

    if (work->points.count == 0 && (work->mat || work->board.kind == BOARD_TAGS))
        return cmd_text("Hold it before the camera so that three of its tags are in view.");
    if (work->points.count == 0)
        return cmd_text("Hold the board before the camera, whole and with its white edge.");
    if (views < LENS_VIEWS_GOOD)
        return cmd_text("Hold it still for a moment; then elsewhere, and tilted another way.");
    for (int i = 0; i < 4; i++)
        if (!seen->corner_seen[i])
            return cmd_text("Now into the corners of the picture that are still dark.");
    return work->complete ? cmd_text("That will do.")
                          : cmd_text("Tilt it more, to all sides, and fill what is still dark.");
}

static void points_put(const struct camera_work *work, struct json_text *json)
{
    vision_json_open(json, "points", '[');
    for (int i = 0; i < work->points.count; i++)
        cmd_calibrate_point(json, work->points.pixel[i]);
    vision_json_close(json, ']');
}

static void fields_put(const struct lens_result *seen, struct json_text *json)
{
    vision_json_open(json, "fields", '[');
    for (int row = 0; row < LENS_FIELD_ROWS; row++) {
        vision_json_open(json, NULL, '[');
        for (int col = 0; col < LENS_FIELD_COLS; col++)
            vision_json_int(json, NULL, seen->field[row][col]);
        vision_json_close(json, ']');
    }
    vision_json_close(json, ']');
}

/* What the lens would be by now, when there is enough for one. */
static void result_put(const struct camera_work *work, struct json_text *json)
{
    const struct lens_result *result = &work->result;
    char line[160];

    vision_json_open(json, "facts", '[');
    snprintf(line, sizeof line, cmd_text("Pictures: %d of %d"),
             work->lens ? calib_lens_views(work->lens) : 0, LENS_VIEWS_GOOD);
    vision_json_string(json, NULL, line);
    if (result->used > 0) {
        snprintf(line, sizeof line, cmd_text("Points %.2f px off; focal length %.0f px"),
                 result->rms_px, result->camera.fx);
        vision_json_string(json, NULL, line);
    }
    vision_json_close(json, ']');
    vision_json_open(json, "says", '[');
    for (int i = 0; i < LENS_WARNINGS && result->used > 0; i++) {
        if (!(result->warnings & LENS_WARNING_BIT(i)) || i == LENS_K3_HELD)
            continue;
        vision_json_open(json, NULL, '{');
        vision_json_string(json, "word", calib_lens_warning_word((enum lens_warning)i));
        vision_json_string(json, "text", cmd_text(calib_lens_warning_text((enum lens_warning)i)));
        vision_json_bool(json, "blocks", false);
        vision_json_close(json, '}');
    }
    vision_json_close(json, ']');
}

/* Answers the page, and hears whether somebody said that it is enough. */
static void page_listen(struct camera_work *work)
{
    struct calibrate_act act;

    if (work->page && loop_calibrate_turn(work->page, 0, &act) && act.word == CALIBRATE_DONE)
        work->ended = true;
}

/* Shows the picture; false when there is no memory. */
static bool page_turn(struct camera_work *work)
{
    struct lens_result *seen;
    struct json_text json;
    bool done = true;

    page_listen(work);
    if (!work->page || !loop_calibrate_watched(work->page) || !work->lens)
        return true;
    if (!(seen = calloc(1, sizeof *seen)))
        return false;
    calib_lens_cover(work->lens, seen);
    cmd_calibrate_outline(&json, "camera", &work->pictures);
    vision_json_string(&json, "hint", hint_of(work, seen));
    points_put(work, &json);
    fields_put(seen, &json);
    result_put(work, &json);
    vision_json_close(&json, '}');
    done = !json.failed && loop_calibrate_give(work->page, work->pictures.frame, json.bytes);
    vision_json_free(&json);
    free(seen);
    return done;
}

/* A live board that was added: is it enough by now? */
static void complete_look(struct camera_work *work, int views_before)
{
    const unsigned fine = LENS_WARNING_BIT(LENS_K3_HELD) | LENS_WARNING_BIT(LENS_PICTURE_DROPPED);

    if (!work->lens || calib_lens_views(work->lens) == views_before ||
        calib_lens_views(work->lens) < LENS_VIEWS_GOOD)
        return;
    work->complete = calib_lens_solve(work->lens, &work->result) == CALIB_OK &&
                     (work->result.warnings & ~fine) == 0;
}

static bool pictures_look(struct camera_work *work)
{
    int got;

    while (!work->ended && !work->complete && !cmd_stopped &&
           (got = cmd_calibrate_next(&work->pictures)) != 0) {
        const struct picture *picture = work->pictures.picture;
        int views = work->lens ? calib_lens_views(work->lens) : 0;
        if (got < 0) {
            page_listen(work);
            continue;
        }
        if (picture && !pictures_chosen(work) && work->looked > 0 &&
            picture->time_ns - work->looked_ns < LOOK_EVERY_NS)
            continue;
        work->looked_ns = picture ? picture->time_ns : 0;
        if (!picture_look(work) || !page_turn(work))
            return false;
        if (!pictures_chosen(work))
            complete_look(work, views);
    }
    return true;
}

/* ---- saying it ---- */

static int64_t scaled(double value, double by)
{
    return isfinite(value) ? llround(value * by) : 0;
}

static void views_print(struct json_text *json, const struct lens_result *result)
{
    vision_json_open(json, "pictures", '[');
    for (int i = 0; i < result->views; i++) {
        const struct lens_view *view = &result->view[i];
        vision_json_open(json, NULL, '{');
        vision_json_string(json, "name", view->name);
        vision_json_bool(json, "used", view->used);
        vision_json_int(json, "points", view->points);
        vision_json_fixed(json, "rms_px", scaled(view->rms_px, 1e3), 3);
        vision_json_fixed(json, "tilt_deg", scaled(view->tilt_deg, 10), 1);
        vision_json_fixed(json, "distance_mm", scaled(view->distance_mm, 10), 1);
        vision_json_close(json, '}');
    }
    vision_json_close(json, ']');
}

static void coverage_print(struct json_text *json, const struct lens_result *result)
{
    static const char *const corner[4] = {"top_left", "top_right", "bottom_right", "bottom_left"};

    vision_json_open(json, "coverage", '{');
    vision_json_fixed(json, "area", scaled(result->covered, 1e3), 3);
    vision_json_open(json, "fields", '[');
    for (int row = 0; row < LENS_FIELD_ROWS; row++) {
        vision_json_open(json, NULL, '[');
        for (int col = 0; col < LENS_FIELD_COLS; col++)
            vision_json_int(json, NULL, result->field[row][col]);
        vision_json_close(json, ']');
    }
    vision_json_close(json, ']');
    vision_json_open(json, "corners_empty", '[');
    for (int i = 0; i < 4; i++)
        if (!result->corner_seen[i])
            vision_json_string(json, NULL, corner[i]);
    vision_json_close(json, ']');
    vision_json_open(json, "tilt_deg", '[');
    vision_json_fixed(json, NULL, scaled(result->tilt_least_deg, 10), 1);
    vision_json_fixed(json, NULL, scaled(result->tilt_most_deg, 10), 1);
    vision_json_close(json, ']');
    vision_json_close(json, '}');
}

/* The numbers of the lens, each with its standard error; 0 of what was not fitted. */
static void lens_print(struct json_text *json, const struct lens_result *result)
{
    static const char *const name[CALIB_CV_LENS] = {"fx", "fy", "cx", "cy", "k1",
                                                    "k2", "p1", "p2", "k3"};
    const struct camera *c = &result->camera;
    const double value[CALIB_CV_LENS] = {c->fx,      c->fy,      c->cx,      c->cy,     c->dist[0],
                                         c->dist[1], c->dist[2], c->dist[3], c->dist[4]};

    vision_json_open(json, "lens", '{');
    for (int i = 0; i < CALIB_CV_LENS; i++)
        vision_json_fixed(json, name[i], scaled(value[i], i < 4 ? 1e3 : 1e6), i < 4 ? 3 : 6);
    vision_json_close(json, '}');
    vision_json_open(json, "sigma", '{');
    for (int i = 0; i < CALIB_CV_LENS; i++)
        vision_json_fixed(json, name[i], scaled(result->sigma[i], i < 4 ? 1e3 : 1e6),
                          i < 4 ? 3 : 6);
    vision_json_close(json, '}');
}

static bool result_print(const struct camera_work *work, const char *identity, const char *made)
{
    const struct lens_result *result = &work->result;
    struct json_text json;

    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "target", work->mat ? work->mat->name : work->board.name);
    vision_json_string(&json, "camera", identity[0] ? identity : NULL);
    vision_json_string(&json, "made", made);
    vision_json_open(&json, "size", '[');
    vision_json_int(&json, NULL, work->width);
    vision_json_int(&json, NULL, work->height);
    vision_json_close(&json, ']');
    vision_json_int(&json, "looked_at", work->looked);
    vision_json_int(&json, "used", result->used);
    vision_json_fixed(&json, "rms_px", scaled(result->rms_px, 1e3), 3);
    vision_json_string(&json, "model", calib_lens_model_word(result->model));
    if (isfinite(result->focal_sigma))
        vision_json_fixed(&json, "focal_sigma", scaled(result->focal_sigma, 1e6), 6);
    else
        vision_json_null(&json, "focal_sigma");
    lens_print(&json, result);
    coverage_print(&json, result);
    views_print(&json, result);
    vision_json_open(&json, "warnings", '[');
    for (int i = 0; i < LENS_WARNINGS; i++)
        if (result->warnings & LENS_WARNING_BIT(i))
            vision_json_string(&json, NULL, calib_lens_warning_word((enum lens_warning)i));
    vision_json_close(&json, ']');
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

static void result_text(const struct camera_work *work)
{
    const struct lens_result *r = &work->result;

    printf(cmd_text("%d of %d pictures used; points lie %.2f px from where the lens puts them\n"),
           r->used, r->views, r->rms_px);
    if (isfinite(r->focal_sigma))
        printf(cmd_text("focal length %.1f px, known to %.2f %%; lens: %s\n"), r->camera.fx,
               100.0 * r->focal_sigma, calib_lens_model_word(r->model));
    else
        printf(cmd_text("focal length %.1f px, which these pictures do not determine; lens: %s\n"),
               r->camera.fx, calib_lens_model_word(r->model));
    printf(cmd_text("%.0f %% of the picture covered; tilts %.0f to %.0f degrees\n"),
           100.0 * r->covered, r->tilt_least_deg, r->tilt_most_deg);
    for (int i = 0; i < r->views; i++)
        printf("%s %6.3f px  %3.0f°  %s\n",
               r->view[i].used ? cmd_text("    used") : cmd_text("left out"), r->view[i].rms_px,
               r->view[i].tilt_deg, r->view[i].name);
}

/* What there is to say against it, in words. */
static void warnings_say(const struct lens_result *result)
{
    for (int i = 0; i < LENS_WARNINGS; i++)
        if (result->warnings & LENS_WARNING_BIT(i))
            cmd_error("warning: %s", cmd_text(calib_lens_warning_text((enum lens_warning)i)));
    for (int i = 0; i < result->views; i++)
        if (!result->view[i].used)
            cmd_error("%s: left out: its points are %.2f px off, %.2f px is usual here",
                      result->view[i].name, result->view[i].rms_px, result->rms_px);
}

static bool rig_save(const struct camera_work *work, const char *identity, const char *made)
{
    struct rig rig = {.camera = work->result.camera};
    char *text = NULL;

    snprintf(rig.identity, sizeof rig.identity, "%s", identity);
    snprintf(rig.made, sizeof rig.made, "%s", made);
    if (calib_rig_write(&rig, &text) != CALIB_OK) {
        cmd_error("%s: the rig cannot be written; is --identity plain text?", work->asked->out);
        return false;
    }
    bool done = cmd_calibrate_put(work->asked->out, text);
    free(text);
    return done;
}

static int work_finish(struct camera_work *work)
{
    char identity[sizeof((struct rig *)0)->identity], made[32];
    int views = work->lens ? calib_lens_views(work->lens) : 0;
    int error = work->lens ? calib_lens_solve(work->lens, &work->result) : CALIB_E_GEOMETRY;

    if (error == CALIB_E_GEOMETRY) {
        cmd_error("%s: %d of %d pictures show %s; %s", work->asked->verb->name, views, work->looked,
                  work->mat ? work->mat->name : work->board.name,
                  views < LENS_VIEWS_LEAST
                      ? N_("three are needed at least, ten are good")
                      : N_("they determine no lens: show it at different places and tilts"));
        return CMD_UNUSABLE;
    }
    if (error) {
        cmd_error("%s", calib_strerror(error));
        return CMD_UNUSABLE;
    }
    cmd_calibrate_identity(&work->pictures, identity, sizeof identity);
    cmd_calibrate_now(made, sizeof made);
    if (work->asked->text)
        result_text(work);
    else if (!result_print(work, identity, made))
        return CMD_UNUSABLE;
    warnings_say(&work->result);
    if (work->asked->out && !rig_save(work, identity, made))
        return CMD_UNUSABLE;
    return work->pictures.status;
}

/* A camera is held before a board by people who must see what they do. */
static bool page_open(struct camera_work *work)
{
    if (work->asked->page || work->asked->camera)
        work->page = loop_calibrate_open(work->asked->listen);
    return work->page || !(work->asked->page || work->asked->camera);
}

int cmd_calibrate_camera(const struct calibrate *asked)
{
    struct camera_work *work = calloc(1, sizeof *work);
    int status = CMD_UNUSABLE;

    if (!work) {
        cmd_error("out of memory");
        return status;
    }
    work->asked = asked;
    if (!target_load(work)) {
        status = work->asked->kit.mat && !work->asked->board ? CMD_UNUSABLE : CMD_WRONG_USE;
    } else if (!(work->finder = vision_tag_finder_create())) {
        cmd_error("out of memory");
    } else {
        cmd_stop_on_signals();
        if (page_open(work) && cmd_calibrate_open(asked, &work->pictures) && pictures_look(work))
            status = work_finish(work);
        loop_calibrate_close(&work->page);
        cmd_calibrate_close(&work->pictures);
    }
    vision_tag_finder_destroy(&work->finder);
    calib_lens_destroy(&work->lens);
    calib_mat_destroy(&work->mat);
    free(work);
    return status;
}
