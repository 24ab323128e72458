/* calib/cmd_calibrate_table.c: `tableref calibrate table`: is this table ready for a match? */
#include "calib/certificate.h"
#include "calib/cmd_calibrate.h"
#include "vision/survey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a camera or a recording: two seconds of it, of which these many pictures, spread over them, are
 * looked at in full. */
#define LOOKS 8
#define LOOK_FOR_NS 2000000000
#define LOOK_EVERY_NS (LOOK_FOR_NS / LOOKS)
/* A camera that gives nothing for this many turns of a tenth of a second is away. */
#define NOTHING_MOST 100
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
    struct certificate certificate;
};

/* ---- looking ---- */

static bool picture_look(struct table_work *work)
{
    const struct picture *picture = work->pictures.picture;
    int error = vision_survey_add(work->survey, work->pictures.frame, -1, 0);

    work->looked_ns = picture ? picture->time_ns : 0;
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

static bool pictures_look(struct table_work *work)
{
    bool enough = false;
    int got, nothing = 0;

    while (!enough && (got = cmd_calibrate_next(&work->pictures)) != 0) {
        nothing = got < 0 ? nothing + 1 : 0;
        if (nothing > NOTHING_MOST) {
            cmd_error("%s: no picture comes from it", work->asked->camera);
            return false;
        }
        if (got > 0 && !picture_take(work, &enough))
            return false;
    }
    if (work->seen == 0)
        cmd_error("%s: there was no picture to look at", work->asked->verb->name);
    return work->seen > 0;
}

/* ---- ruling ---- */

/* The rig's colours, and the light now. */
static uint32_t colours_look(const struct table_work *work)
{
    const struct rig_colours *colours = &work->kit.rig->colours;
    double white[3];

    if (!colours->known)
        return CERTIFICATE_BIT(CERTIFICATE_NO_COLOURS);
    bool differs = vision_survey_white(work->survey, white) &&
                   calib_rig_light_differs(colours, white);
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

    vision_survey_result(work->survey, c);
    cmd_calibrate_now(c->made, sizeof c->made);
    cmd_calibrate_identity(&work->pictures, c->camera, sizeof c->camera);
    snprintf(c->mat, sizeof c->mat, "%s", work->kit.mat->name);
    snprintf(c->set, sizeof c->set, "%s", work->kit.set->name);
    if (work->pictures.frame) {
        c->width = work->pictures.frame->width;
        c->height = work->pictures.frame->height;
    }
    if (rig)
        snprintf(c->rig_made, sizeof c->rig_made, "%s", rig->made);
    if (rig && rig->identity[0] && c->camera[0] && strcmp(rig->identity, c->camera) != 0)
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

/* ---- saying it ---- */

static void faults_say(const struct certificate *c)
{
    for (int i = 0; i < CERTIFICATE_FAULTS; i++) {
        enum certificate_fault fault = (enum certificate_fault)i;
        if (!(c->faults & CERTIFICATE_BIT(i)))
            continue;
        const char *kind = calib_certificate_blocks(fault) ? "not ready" : "warning";
        if (fault == CERTIFICATE_PRINT_SIZE)
            cmd_error("%s: the mat is %.1f %% of its size: what should be 30 mm is %.1f mm; print "
                      "it at 100 %%, not fitted to the page",
                      kind, 100.0 * c->print_scale, 30.0 * c->print_scale);
        else
            cmd_error("%s: %s", kind, calib_certificate_text(fault));
    }
}

static void certificate_text(const struct certificate *c)
{
    printf("%s for a match on %s\n", c->ready ? "ready" : "NOT READY", c->mat);
    if (c->placed == 0)
        return;
    printf("camera %.0f mm over the mat, tilted %.0f degrees; %d of %d tags, %.2f px off\n",
           c->height_mm, c->tilt_deg, c->tags_seen, c->tags, c->rms_px);
    for (int i = 0; i < c->seats; i++)
        printf("seat %d: places to %.1f mm, a cell has %.0f px%s\n", c->seat[i].seat,
               c->seat[i].sigma_mm, c->seat[i].cell_px,
               c->seat[i].in_view ? "" : ", not wholly in view");
    printf("edges are %.1f px wide; white is %.0f to %.0f of 255\n", c->edge_px, c->white_least,
           c->white_most);
    for (int i = 0; i < c->glares; i++)
        printf("a lamp is mirrored about %.0f, %.0f mm\n", c->glare_mm[i][0], c->glare_mm[i][1]);
    if (c->rate > 0)
        printf("%.1f pictures a second\n", c->rate);
    if (c->size_by != CERTIFICATE_SIZE_NOT)
        printf("printed at %.1f %% of its size (to %.1f)\n", 100.0 * c->print_scale,
               100.0 * c->print_sigma);
}

static bool line_print(const char *text)
{
    struct json_text json;

    vision_json_init(&json);
    vision_json_raw(&json, text);
    return cmd_print(&json);
}

static int work_finish(struct table_work *work)
{
    char *text = NULL;
    bool done = true;

    certificate_fill(work);
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
    if (cmd_kit_load(&asked->kit, &work->kit)) {
        const struct table_kit kit = {work->kit.mat, work->kit.set, work->kit.deck,
                                      work->kit.style, work->kit.rig};
        work->survey = vision_survey_create(&kit);
        if (!work->survey)
            cmd_error("out of memory");
        else if (cmd_calibrate_open(asked, &work->pictures) && pictures_look(work))
            status = work_finish(work);
        cmd_calibrate_close(&work->pictures);
    }
    vision_survey_destroy(&work->survey);
    cmd_kit_free(&work->kit);
    free(work);
    return status;
}
