/* calib/cmd_calibrate_table.c: `tableref calibrate table`: is this table ready for a match? */
#include "calib/certificate.h"
#include "calib/cmd_calibrate_places.h"
#include "calib/loop_calibrate.h"
#include "referee/cmd_table.h"
#include "vision/survey.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a camera or a recording: two seconds of it, of which these many pictures, spread over them,
 * are looked at in full. */
#define LOOKS 8
#define LOOK_FOR_NS 2000000000
#define LOOK_EVERY_NS (LOOK_FOR_NS / LOOKS)
/* A camera that gives nothing for this many turns of a tenth of a second is away. */
#define NOTHING_MOST 100
#define ASK_MS 100
#define RULER_MM 100.0
#define RULER_SIGMA_MM 0.5 /* read by eye */

struct table_work {
    const struct calibrate *asked;
    struct cmd_kit kit;
    struct calibrate_pictures pictures;
    struct survey *survey;
    int seen; /* pictures that came, looked at or not */
    uint64_t lost;
    int64_t first_ns, last_ns, looked_ns;
    int width, height; /* of the pictures */
    struct certificate certificate;
    bool ruled;                  /* the certificate is there */
    struct calibrate_page *page; /* NULL: nobody is asked */
    bool right, ended;           /* somebody said that the grid is right; that it is over */
    struct calibrate_place hand; /* where the mat is by hand; known: it counts */
};

/* ---- looking ---- */

static bool picture_look(struct table_work *work)
{
    const struct picture *picture = work->pictures.picture;
    int error = vision_survey_add(work->survey, work->pictures.frame, -1, 0);

    work->looked_ns = picture ? picture->time_ns : 0;
    work->width = work->pictures.frame->width;
    work->height = work->pictures.frame->height;
    if (error == VISION_E_MEMORY || error == VISION_E_ARGUMENT) {
        cmd_error("%s: %s", work->pictures.name, vision_strerror(error));
        return false;
    }
    return true;
}

/* Every picture counts for the rate, some of them for the rest. */
static bool picture_take(struct table_work *work, bool *enough)
{
    const struct picture *picture = work->pictures.picture;

    if (!picture || work->asked->images) { /* one by one: all are looked at */
        work->seen++;
        return picture_look(work);
    }
    if (work->seen++ == 0)
        work->first_ns = picture->time_ns;
    else
        work->lost += picture->lost;
    work->last_ns = picture->time_ns;
    *enough = picture->time_ns - work->first_ns >= LOOK_FOR_NS;
    if (work->seen > 1 && picture->time_ns - work->looked_ns < LOOK_EVERY_NS)
        return true;
    return picture_look(work);
}

static void certificate_fill(struct table_work *work);
static bool picture_show(struct table_work *work);
static bool page_turn(struct table_work *work, int wait_ms, bool fresh);

/* Begins anew: with a page the table is looked over again and again. */
static bool survey_begin(struct table_work *work)
{
    const struct table_kit kit = {work->kit.mat, work->kit.set, work->kit.deck, work->kit.style,
                                  work->kit.rig};

    vision_survey_destroy(&work->survey);
    work->survey = vision_survey_create(&kit);
    work->seen = 0;
    work->lost = 0;
    if (!work->survey)
        cmd_error("out of memory");
    return work->survey != NULL;
}

static bool over(const struct table_work *work)
{
    return work->right || work->ended || cmd_stopped;
}

/* One look at the table: two seconds, or all the pictures there are. *more: there may be another.
 */
static bool survey_look(struct table_work *work, bool *more)
{
    bool enough = false;
    int got, nothing = 0;

    while (!enough && !over(work) && (got = cmd_calibrate_next(&work->pictures)) != 0) {
        nothing = got < 0 ? nothing + 1 : 0;
        if (nothing > NOTHING_MOST) {
            cmd_error("%s: no picture comes from it", work->asked->camera);
            return false;
        }
        if ((got > 0 && !picture_take(work, &enough)) || !page_turn(work, 0, got > 0))
            return false;
    }
    *more = enough;
    if (work->seen > 0)
        certificate_fill(work);
    return true;
}

static bool pictures_look(struct table_work *work)
{
    bool more = true;

    while (more && !over(work)) {
        if (!survey_begin(work) || !survey_look(work, &more))
            return false;
        if (!work->page)
            break;
        if (work->pictures.frame && !picture_show(work))
            return false;
    }
    /* The pictures are over; the question stays. */
    while (work->page && !over(work) && page_turn(work, ASK_MS, false))
        continue;
    if (!work->ruled)
        cmd_error("%s: there was no picture to look at", work->asked->verb->name);
    return work->ruled;
}

/* ---- ruling ---- */

/* The rig's colours, and the light now. */
static uint32_t colours_look(const struct table_work *work)
{
    const struct rig_colours *colours = &work->kit.rig->colours;
    double white[3];

    if (!colours->known)
        return CERTIFICATE_BIT(CERTIFICATE_NO_COLOURS);
    bool differs =
        vision_survey_white(work->survey, white) && calib_rig_light_differs(colours, white);
    return (differs ? CERTIFICATE_BIT(CERTIFICATE_LIGHT_CHANGED) : 0) |
           (calib_rig_colours_apart(colours, NULL) < RIG_COLOURS_APART
                ? CERTIFICATE_BIT(CERTIFICATE_COLOURS_CLOSE)
                : 0);
}

static void certificate_fill(struct table_work *work)
{
    struct certificate *c = &work->certificate;
    const struct calibrate *asked = work->asked;
    const struct rig *rig = work->kit.rig;

    memset(c, 0, sizeof *c);
    work->ruled = true;
    vision_survey_result(work->survey, c);
    cmd_calibrate_now(c->made, sizeof c->made);
    cmd_calibrate_identity(&work->pictures, c->camera, sizeof c->camera);
    snprintf(c->mat, sizeof c->mat, "%s", work->kit.mat->name);
    snprintf(c->set, sizeof c->set, "%s", work->kit.set->name);
    c->width = work->width;
    c->height = work->height;
    if (rig)
        snprintf(c->rig_made, sizeof c->rig_made, "%s", rig->made);
    if (rig && rig->identity[0] && c->camera[0] &&
        cmd_camera_compare(rig->identity, c->camera) == CMD_CAMERA_OTHER)
        c->found |= CERTIFICATE_BIT(CERTIFICATE_OTHER_CAMERA);
    if (rig)
        c->found |= colours_look(work);
    if (work->seen > 1 && work->last_ns > work->first_ns)
        c->rate = (work->seen - 1) * 1e9 / (double)(work->last_ns - work->first_ns);
    c->lost = work->lost;
    if (asked->ruler_mm > 0) {
        c->size_by = CERTIFICATE_SIZE_RULER;
        c->print_scale = asked->ruler_mm / RULER_MM;
        c->print_sigma = RULER_SIGMA_MM / RULER_MM;
    }
    calib_certificate_rule(c);
}

/* ---- the page ---- */

/* Where the mat is: by hand, or as it was found. */
static struct calibrate_place place_of(const struct table_work *work)
{
    const struct mat_pose *pose = work->survey ? vision_survey_pose(work->survey) : NULL;
    struct calibrate_place place = {.known = pose != NULL};

    if (work->hand.known)
        return work->hand;
    if (pose) {
        place.camera = pose->camera;
        place.pose = pose->pose;
    }
    return place;
}

static void corners_take(struct table_work *work, const double px[4][2])
{
    struct calibrate_place found = place_of(work), hand;
    struct camera camera = work->kit.rig ? work->kit.rig->camera
                           : found.known ? found.camera
                                         : cmd_calibrate_usual_camera(work->width, work->height);

    if (cmd_calibrate_corners(work->kit.mat, &camera, px, &hand))
        work->hand = hand;
}

static void says_put(const struct certificate *c, struct json_text *json)
{
    vision_json_open(json, "says", '[');
    for (int i = 0; i < CERTIFICATE_FAULTS; i++) {
        enum certificate_fault fault = (enum certificate_fault)i;
        if (!(c->faults & CERTIFICATE_BIT(i)))
            continue;
        vision_json_open(json, NULL, '{');
        vision_json_string(json, "word", calib_certificate_word(fault));
        vision_json_string(json, "text", cmd_text(calib_certificate_text(fault)));
        vision_json_bool(json, "blocks", calib_certificate_blocks(fault));
        vision_json_close(json, '}');
    }
    vision_json_close(json, ']');
}

static void fact_put(struct json_text *json, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void fact_put(struct json_text *json, const char *format, ...)
{
    char line[160];
    va_list list;

    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    vision_json_string(json, NULL, line);
}

static void facts_put(const struct table_work *work, struct json_text *json)
{
    const struct certificate *c = &work->certificate;

    vision_json_open(json, "facts", '[');
    if (work->hand.known)
        fact_put(json, cmd_text("Corners by hand: %.1f px from where a camera would see them"),
                 work->hand.miss_px);
    if (work->ruled && c->placed > 0) {
        fact_put(json, cmd_text("Tags: %d of %d, %.2f px off"), c->tags_seen, c->tags, c->rms_px);
        fact_put(json, cmd_text("Camera: %.0f mm over the mat"), c->height_mm);
        for (int i = 0; i < c->seats; i++)
            fact_put(json, cmd_text("Seat %d: places to %.1f mm, %.0f px to a cell"),
                     c->seat[i].seat, c->seat[i].sigma_mm, c->seat[i].cell_px);
        if (c->rate > 0)
            fact_put(json, cmd_text("Pictures a second: %.1f"), c->rate);
        if (c->size_by != CERTIFICATE_SIZE_NOT)
            fact_put(json, cmd_text("Printed at %.1f %% of its size"), 100 * c->print_scale);
    }
    vision_json_close(json, ']');
}

static bool picture_show(struct table_work *work)
{
    struct calibrate_place place = place_of(work);
    struct json_text json;

    cmd_calibrate_outline(&json, "table", &work->pictures);
    vision_json_bool(&json, "by_hand", work->hand.known);
    vision_json_bool(&json, "ready", work->ruled && work->certificate.ready);
    vision_json_string(&json, "hint",
                       !work->ruled              ? cmd_text("Looking at the table")
                       : work->certificate.ready ? cmd_text("The table is ready.")
                                                 : cmd_text("The table is not ready."));
    cmd_calibrate_places(&json, &place, work->kit.mat, work->kit.set->width_mm);
    says_put(&work->certificate, &json);
    facts_put(work, &json);
    vision_json_close(&json, '}');
    bool done = !json.failed && loop_calibrate_give(work->page, work->pictures.frame, json.bytes);
    vision_json_free(&json);
    return done;
}

/* Shows what is there, and does what was said. False when there is no memory. */
static bool page_turn(struct table_work *work, int wait_ms, bool fresh)
{
    struct calibrate_act act;
    bool moved = false;

    if (!work->page)
        return true;
    if (loop_calibrate_turn(work->page, wait_ms, &act)) {
        work->right = act.word == CALIBRATE_RIGHT;
        work->ended = act.word == CALIBRATE_DONE;
        moved = act.word == CALIBRATE_CORNERS || act.word == CALIBRATE_AGAIN;
        if (act.word == CALIBRATE_AGAIN)
            work->hand.known = false;
        if (act.word == CALIBRATE_CORNERS)
            corners_take(work, (const double(*)[2])act.px);
    }
    if (!work->pictures.frame || !(moved || (fresh && loop_calibrate_watched(work->page))))
        return true;
    return picture_show(work);
}

/* ---- saying it ---- */

static void faults_say(const struct certificate *c)
{
    for (int i = 0; i < CERTIFICATE_FAULTS; i++) {
        enum certificate_fault fault = (enum certificate_fault)i;
        if (!(c->faults & CERTIFICATE_BIT(i)))
            continue;
        const char *kind =
            calib_certificate_blocks(fault) ? cmd_text("not ready") : cmd_text("warning");
        if (fault == CERTIFICATE_PRINT_SIZE)
            cmd_error("%s: the mat is %.1f %% of its size: what should be 30 mm is %.1f mm; print "
                      "it at 100 %%, not fitted to the page",
                      kind, 100.0 * c->print_scale, 30.0 * c->print_scale);
        else
            cmd_error("%s: %s", kind, cmd_text(calib_certificate_text(fault)));
    }
}

static void certificate_text(const struct certificate *c)
{
    printf(c->ready ? cmd_text("ready for a match on %s\n")
                    : cmd_text("NOT READY for a match on %s\n"),
           c->mat);
    if (c->placed == 0)
        return;
    printf(cmd_text("camera %.0f mm over the mat, tilted %.0f degrees; %d of %d tags, %.2f px "
                    "off\n"),
           c->height_mm, c->tilt_deg, c->tags_seen, c->tags, c->rms_px);
    for (int i = 0; i < c->seats; i++)
        printf(c->seat[i].in_view
                   ? cmd_text("seat %d: places to %.1f mm, a cell has %.0f px\n")
                   : cmd_text("seat %d: places to %.1f mm, a cell has %.0f px, not wholly in "
                              "view\n"),
               c->seat[i].seat, c->seat[i].sigma_mm, c->seat[i].cell_px);
    printf(cmd_text("edges are %.1f px wide; white is %.0f to %.0f of 255\n"), c->edge_px,
           c->white_least, c->white_most);
    for (int i = 0; i < c->glares; i++)
        printf(cmd_text("a lamp is mirrored about %.0f, %.0f mm\n"), c->glare_mm[i][0],
               c->glare_mm[i][1]);
    if (c->rate > 0)
        printf(cmd_text("%.1f pictures a second\n"), c->rate);
    if (c->size_by != CERTIFICATE_SIZE_NOT)
        printf(cmd_text("printed at %.1f %% of its size (to %.1f)\n"), 100.0 * c->print_scale,
               100.0 * c->print_sigma);
}

static bool line_print(const char *text)
{
    struct json_text json;

    vision_json_init(&json);
    vision_json_raw(&json, text);
    return cmd_print(&json);
}

/* Where the mat is goes into the rig, for the next time to start from; with a page only when
 * somebody said that it is right. */
static bool pose_save(struct table_work *work)
{
    struct calibrate_place place = place_of(work);
    struct rig *rig = work->kit.rig;
    char *text = NULL;

    if ((work->page && !work->right) || !place.known) {
        cmd_error("%s: left as it is: %s", work->asked->out,
                  place.known ? N_("nobody said that the grid is right")
                              : N_("the mat was not found"));
        return true;
    }
    rig->has_pose = true;
    rig->pose = place.pose;
    if (calib_rig_write(rig, &text) != CALIB_OK) {
        cmd_error("out of memory");
        return false;
    }
    bool done = cmd_calibrate_put(work->asked->out, text);
    free(text);
    return done;
}

static int work_finish(struct table_work *work)
{
    char *text = NULL;
    bool done = true;

    if (calib_certificate_write(&work->certificate, &text) != CALIB_OK) {
        cmd_error("the certificate cannot be written; is --identity plain text?");
        return CMD_UNUSABLE;
    }
    if (work->asked->text)
        certificate_text(&work->certificate);
    else
        done = line_print(text);
    faults_say(&work->certificate);
    if (done && work->asked->certificate)
        done = cmd_calibrate_put(work->asked->certificate, text);
    free(text);
    if (done && work->asked->out)
        done = pose_save(work);
    return done && work->certificate.ready ? work->pictures.status : CMD_UNUSABLE;
}

int cmd_calibrate_table(const struct calibrate *asked)
{
    struct table_work *work = calloc(1, sizeof *work);
    int status = CMD_UNUSABLE;

    if (!work) {
        cmd_error("out of memory");
        return status;
    }
    work->asked = asked;
    if (asked->out && !asked->kit.rig) {
        cmd_error("%s: the mat's place goes into a rig: --rig is needed with --out",
                  asked->verb->name);
        status = CMD_WRONG_USE;
    } else if (cmd_kit_load(&asked->kit, &work->kit)) {
        cmd_stop_on_signals();
        if (asked->page)
            work->page = loop_calibrate_open(asked->listen);
        if ((work->page || !asked->page) && cmd_calibrate_open(asked, &work->pictures) &&
            pictures_look(work))
            status = work_finish(work);
        loop_calibrate_close(&work->page);
        cmd_calibrate_close(&work->pictures);
    }
    vision_survey_destroy(&work->survey);
    cmd_kit_free(&work->kit);
    free(work);
    return status;
}
