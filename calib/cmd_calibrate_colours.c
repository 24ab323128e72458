/* calib/cmd_calibrate_colours.c: `tableref calibrate colours`: how the set's colours look here. */
#include "calib/cmd_calibrate.h"
#include "vision/colours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a camera or a recording: some pictures, over which noise averages out. */
#define LOOKS 6
#define LOOK_EVERY 5
#define NOTHING_MOST 100

struct colours_work {
    const struct calibrate *asked;
    struct cmd_kit kit;
    struct board board;
    bool card; /* else the blocks */
    struct calibrate_pictures pictures;
    struct colours *colours;
    int looked, found;
    int error; /* why the last one was of no use */
    struct rig_colours result;
};

/* --board colours: the printed card. */
static bool board_take(struct colours_work *work)
{
    const char *name = work->asked->board;

    if (!name)
        return true;
    work->card = true;
    if (strcmp(name, "colours") == 0 && calib_board_colours(work->kit.set, &work->board) == 0)
        return true;
    cmd_error("%s: --board %s: colours, the printed card of --set, is what colours are taken from; "
              "without it the blocks are",
              work->asked->verb->name, name);
    return false;
}

static bool picture_look(struct colours_work *work)
{
    int error =
        vision_colours_add(work->colours, work->pictures.frame, work->card ? &work->board : NULL);

    work->looked++;
    work->found += error == 0;
    work->error = error ? error : work->error;
    if (error != VISION_E_MEMORY && error != VISION_E_ARGUMENT)
        return true;
    cmd_error("%s", vision_strerror(error));
    return false;
}

static bool pictures_look(struct colours_work *work)
{
    bool chosen = !work->asked->camera && !work->asked->video;
    int got, came = 0, nothing = 0;

    while ((chosen || work->looked < LOOKS) && nothing < NOTHING_MOST &&
           (got = cmd_calibrate_next(&work->pictures)) != 0) {
        nothing = got < 0 ? nothing + 1 : 0;
        if (got > 0 && (chosen || came++ % LOOK_EVERY == 0) && !picture_look(work))
            return false;
    }
    return true;
}

static void result_print_list(struct json_text *json, const char *key, const double rgb[3])
{
    vision_json_open(json, key, '[');
    for (int k = 0; k < 3; k++)
        vision_json_fixed(json, NULL, llround(rgb[k] * 1e4), 4);
    vision_json_close(json, ']');
}

static bool result_print(const struct colours_work *work)
{
    const struct rig_colours *c = &work->result;
    char pair[3] = "";
    struct json_text json;

    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "set", c->set);
    vision_json_string(&json, "from", c->from);
    vision_json_int(&json, "pictures", work->found);
    result_print_list(&json, "white", c->white);
    vision_json_open(&json, "symbols", '[');
    for (int i = 0; i < c->symbols; i++) {
        const char label[2] = {c->symbol[i].label, 0};
        vision_json_open(&json, NULL, '{');
        vision_json_string(&json, "symbol", label);
        result_print_list(&json, "ratio", c->symbol[i].ratio);
        vision_json_close(&json, '}');
    }
    vision_json_close(&json, ']');
    vision_json_fixed(&json, "apart", llround(calib_rig_colours_apart(c, pair) * 1e3), 3);
    vision_json_string(&json, "nearest", pair);
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

static bool rig_save(struct colours_work *work)
{
    struct rig *rig = work->kit.rig;
    char *text = NULL;

    rig->colours = work->result;
    if (calib_rig_write(rig, &text) != CALIB_OK) {
        cmd_error("out of memory");
        return false;
    }
    bool done = cmd_calibrate_put(work->asked->out, text);
    free(text);
    return done;
}

/* Which are missing: a person must know which block to turn over. */
static bool all_seen(const struct colours_work *work)
{
    const struct blockset *set = work->kit.set;
    char missing[2 * BLOCKSET_SYMBOLS_MAX + 1] = "";
    size_t at = 0;

    for (int i = 0; i < set->symbols; i++) {
        bool seen = false;
        for (int j = 0; j < work->result.symbols; j++)
            seen = seen || work->result.symbol[j].label == set->symbol[i].label;
        if (!seen)
            at += (size_t)snprintf(missing + at, sizeof missing - at, "%s%c", at > 0 ? " " : "",
                                   set->symbol[i].label);
    }
    if (at == 0)
        return true;
    cmd_error("%s: no colour of %s was seen; lay blocks so that each symbol is on top somewhere",
              work->asked->verb->name, missing);
    return false;
}

static int work_finish(struct colours_work *work)
{
    char pair[2] = "";

    if (work->found == 0) {
        cmd_error("%s: %s is not seen: %s", work->asked->verb->name,
                  work->card ? N_("the card of colours") : work->kit.mat->name,
                  vision_strerror(work->error));
        return CMD_UNUSABLE;
    }
    vision_colours_result(work->colours, &work->result);
    cmd_calibrate_now(work->result.made, sizeof work->result.made);
    if (!all_seen(work) || !result_print(work))
        return CMD_UNUSABLE;
    if (calib_rig_colours_apart(&work->result, pair) < RIG_COLOURS_APART)
        cmd_error("warning: %c and %c look alike in this light: another lamp, or more light",
                  pair[0], pair[1]);
    if (work->asked->out && !rig_save(work))
        return CMD_UNUSABLE;
    return work->pictures.status;
}

static int work_do(struct colours_work *work)
{
    const struct table_kit kit = {work->kit.mat, work->kit.set, work->kit.deck, work->kit.style,
                                  work->kit.rig};
    int status = CMD_UNUSABLE;

    work->colours = vision_colours_create(&kit);
    if (!work->colours)
        cmd_error("out of memory");
    else if (cmd_calibrate_open(work->asked, &work->pictures) && pictures_look(work))
        status = work_finish(work);
    cmd_calibrate_close(&work->pictures);
    vision_colours_destroy(&work->colours);
    return status;
}

int cmd_calibrate_colours(const struct calibrate *asked)
{
    struct colours_work *work = calloc(1, sizeof *work);
    int status = CMD_UNUSABLE;

    if (!work) {
        cmd_error("out of memory");
        return status;
    }
    work->asked = asked;
    if (asked->out && !asked->kit.rig) {
        cmd_error("%s: colours go into a rig: --rig is needed with --out", asked->verb->name);
        status = CMD_WRONG_USE;
    } else if (cmd_kit_load(&asked->kit, &work->kit)) {
        status = board_take(work) ? work_do(work) : CMD_WRONG_USE;
    }
    cmd_kit_free(&work->kit);
    free(work);
    return status;
}
