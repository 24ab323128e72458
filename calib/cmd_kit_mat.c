/* calib/cmd_kit_mat.c: `tableref kit mat`: makes a mat, and says what camera it takes. */
#include "calib/cmd_kit.h"
#include "calib/mat_plan.h"
#include "calib/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_LEAST_MM 50.0
#define SIDE_MOST_MM 5000.0
#define TAG_LAST 586

enum {
    KEY_PAPER = CMD_KEY_OWN,
    KEY_WIDTH,
    KEY_HEIGHT,
    KEY_SEATS,
    KEY_SLOTS,
    KEY_BLOCK,
    KEY_CARD,
    KEY_TAG,
    KEY_VIEW,
    KEY_NAME,
    KEY_OUT
};

static const struct cmd_option options[] = {
    {"paper", "NAME", KEY_PAPER, "the sheet, its long side along the table (a1); or its sides:"},
    {"width-mm", "MM", KEY_WIDTH, "along the table"},
    {"height-mm", "MM", KEY_HEIGHT, "across the table"},
    {"seats", "N", KEY_SEATS, "players, along both sides (2)"},
    {"slots", "N", KEY_SLOTS, "places for cards, in the middle (5)"},
    {"set", "NAME", CMD_KEY_SET, "the blocks that are as large as (match-madness)"},
    {"block-mm", "MM", KEY_BLOCK, "or how wide a block is"},
    {"card-mm", "MM", KEY_CARD, "the side of a card (80)"},
    {"tag", "ID", KEY_TAG, "of the first of its six tags (40)"},
    {"view-deg", "DEG", KEY_VIEW, "what the camera's lens sees, across the picture (65)"},
    {"name", "NAME", KEY_NAME, "of the mat (by its size and seats)"},
    {"out", "FILE", KEY_OUT, "write the mat there, and say what camera it takes"},
    {NULL, NULL, 0, NULL},
};

const struct cmd_verb cmd_kit_mat_verb = {
    .name = "kit mat",
    .arguments = "",
    .about =
        "Makes a mat for a sheet: seats, card slots and tags, or says what does not go on it. "
        "Prints\n"
        "the mat, or with --out, as JSON, the height and resolution of the camera that it takes:\n"
        "a cell has 25 px then.",
    .options = options,
};

#define VERB (&cmd_kit_mat_verb)

struct mat_job {
    const char *set_name, *name, *out;
    struct mat_plan plan;
    double block_mm; /* 0: the set's */
};

static bool paper_take(struct mat_job *job, const char *name)
{
    struct paper paper;

    if (!calib_paper_find(name, &paper) || !(paper.size_mm[0] > 0.0)) {
        cmd_error(
            "kit mat: --paper %s: a0 to a5, letter, legal or tabloid is needed, or --width-mm "
            "and --height-mm",
            name);
        return false;
    }
    job->plan.size_mm[0] = paper.size_mm[1];
    job->plan.size_mm[1] = paper.size_mm[0];
    return true;
}

/* A name that the mat's file can hold, and that goes on a sheet. */
static bool name_take(struct mat_job *job, const char *name)
{
    bool well = name[0] != 0 && strlen(name) < KIT_NAME_MAX;

    for (const char *c = name; *c && well; c++) {
        well = (unsigned char)*c >= 0x20 && (unsigned char)*c < 0x7f;
    }
    if (!well) {
        cmd_error("kit mat: --name %s: 1 to %d printable ASCII characters are needed", name,
                  KIT_NAME_MAX - 1);
    }
    job->name = name;
    return well;
}

static bool option_take(struct mat_job *job, int key, const char *value)
{
    struct mat_plan *plan = &job->plan;

    switch (key) {
    case KEY_PAPER:
        return paper_take(job, value);
    case KEY_WIDTH:
        return cmd_decimal(VERB, "width-mm", value, SIDE_LEAST_MM, SIDE_MOST_MM, &plan->size_mm[0]);
    case KEY_HEIGHT:
        return cmd_decimal(VERB, "height-mm", value, SIDE_LEAST_MM, SIDE_MOST_MM,
                           &plan->size_mm[1]);
    case KEY_SEATS:
        return cmd_number(VERB, "seats", value, 1, MAT_SEATS_MAX, &plan->seats);
    case KEY_SLOTS:
        return cmd_number(VERB, "slots", value, 0, MAT_SLOTS_MAX, &plan->slots);
    case CMD_KEY_SET:
        job->set_name = value;
        return true;
    case KEY_BLOCK:
        return cmd_decimal(VERB, "block-mm", value, 5.0, 200.0, &job->block_mm);
    case KEY_CARD:
        return cmd_decimal(VERB, "card-mm", value, 10.0, 400.0, &plan->card_mm);
    case KEY_TAG:
        return cmd_number(VERB, "tag", value, 0, TAG_LAST - MAT_PLAN_TAGS + 1, &plan->tag_first);
    case KEY_VIEW:
        return cmd_decimal(VERB, "view-deg", value, 20.0, 120.0, &plan->view_deg);
    case KEY_NAME:
        return name_take(job, value);
    default:
        job->out = value;
        return true;
    }
}

/* Half of a sheet's sides would be a slip: A1 and another height. */
static bool sides_check(struct mat_job *job)
{
    bool width = job->plan.size_mm[0] > 0.0, height = job->plan.size_mm[1] > 0.0;

    if (!width && !height) {
        return paper_take(job, "a1");
    }
    if (width != height) {
        cmd_error("kit mat: both --width-mm and --height-mm are needed, or --paper");
        return false;
    }
    return true;
}

static bool block_find(struct mat_job *job)
{
    const char *name = job->set_name ? job->set_name : "match-madness";
    struct calib_fault fault = {.line = 0};
    struct blockset *set = NULL;

    if (job->block_mm > 0.0) {
        job->plan.block_mm = job->block_mm;
        return true;
    }
    int error = calib_blockset_load(name, NULL, &set, &fault);
    if (error) {
        cmd_fault("set", name, error, &fault);
        return false;
    }
    job->plan.block_mm = set->width_mm;
    calib_blockset_destroy(&set);
    return true;
}

static void camera_json(struct json_text *json, const struct mat_camera *camera)
{
    vision_json_open(json, NULL, '{');
    vision_json_open(json, "resolution", '[');
    vision_json_int(json, NULL, camera->width_px);
    vision_json_int(json, NULL, camera->height_px);
    vision_json_close(json, ']');
    vision_json_int(json, "height_mm", lround(camera->height_mm));
    vision_json_fixed(json, "cell_px", (int64_t)floor(camera->cell_px * 10.0), 1);
    vision_json_close(json, '}');
}

static bool cameras_say(const struct mat_job *job, const struct mat *mat,
                        const struct mat_camera *camera, int cameras)
{
    struct json_text json;

    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "file", job->out);
    vision_json_string(&json, "mat", mat->name);
    vision_json_int(&json, "seats", mat->seats);
    vision_json_int(&json, "slots", mat->slots);
    vision_json_fixed(&json, "tag_mm", lround(mat->tag[0].size_mm * 10.0), 1);
    vision_json_fixed(&json, "view_deg", lround(job->plan.view_deg * 10.0), 1);
    vision_json_open(&json, "cameras", '[');
    for (int i = 0; i < cameras; i++) {
        camera_json(&json, &camera[i]);
    }
    vision_json_close(&json, ']');
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

static bool mat_put(const struct mat_job *job, const struct mat *mat)
{
    struct mat_camera camera[MAT_CAMERAS_MAX];
    char note[200];
    size_t length;

    int cameras = calib_mat_cameras(mat, job->plan.block_mm, job->plan.view_deg, camera);
    (void)snprintf(
        note, sizeof note,
        "for blocks of %g mm and cards of %g mm; takes a camera of %d x %d px or more, with "
        "a lens that sees %g degrees across at %.0f mm above the mat",
        job->plan.block_mm, job->plan.card_mm, camera[0].width_px, camera[0].height_px,
        job->plan.view_deg, camera[0].height_mm);
    char *text = calib_mat_text(mat, note, &length);
    bool well = text != NULL;
    if (!text) {
        cmd_error("kit mat: out of memory");
    } else if (!job->out) {
        printf("%s\n", text);
    } else {
        well =
            cmd_file_write(job->out, text, length, false) && cameras_say(job, mat, camera, cameras);
    }
    free(text);
    if (well && cameras == 0) {
        cmd_error(
            "warning: kit mat: no usual camera gives a cell %g px; one of %d x %d px would, or "
            "a smaller sheet",
            MAT_PLAN_CELL_PX, camera[0].width_px, camera[0].height_px);
    }
    return well;
}

static int mat_make(struct mat_job *job)
{
    struct calib_fault fault = {.line = 0};
    char name[KIT_NAME_MAX];
    struct mat mat;

    if (!block_find(job)) {
        return CMD_UNUSABLE;
    }
    (void)snprintf(name, sizeof name, "%gx%g-%d-seats", job->plan.size_mm[0], job->plan.size_mm[1],
                   job->plan.seats);
    struct mat_plan plan = job->plan;
    plan.name = job->name ? job->name : name;
    int error = calib_mat_plan(&plan, &mat, &fault);
    if (error) {
        cmd_fault("kit mat", plan.name, error, &fault);
        return CMD_UNUSABLE;
    }
    return mat_put(job, &mat) ? CMD_DONE : CMD_UNUSABLE;
}

int cmd_kit_mat(int argc, char **argv)
{
    struct mat_job job = {.plan = {.seats = 2,
                                   .slots = 5,
                                   .card_mm = 80.0,
                                   .tag_first = MAT_PLAN_TAG_FIRST,
                                   .view_deg = MAT_PLAN_VIEW_DEG}};
    const char *value;
    int first = 0, key;

    while ((key = cmd_options_next(VERB, argc, argv, &first, &value)) != CMD_OPTION_END) {
        if (key == CMD_OPTION_HELP) {
            return CMD_DONE;
        }
        if (key == CMD_OPTION_WRONG || !option_take(&job, key, value)) {
            return CMD_WRONG_USE;
        }
    }
    if (first < argc) {
        cmd_error("kit mat: %s: no argument is taken; see tableref kit mat --help", argv[first]);
        return CMD_WRONG_USE;
    }
    return sides_check(&job) ? mat_make(&job) : CMD_WRONG_USE;
}
