/* calib/cmd_calibrate.c: `tableref calibrate`: the camera's lens, the table, the colours. */
#include "calib/cmd_calibrate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_CAMERA = CMD_KEY_OWN,
    KEY_VIDEO,
    KEY_IMAGES,
    KEY_SIZE,
    KEY_RATE,
    KEY_MAINS,
    KEY_BOARD,
    KEY_OUT,
    KEY_CERTIFICATE,
    KEY_RULER,
    KEY_IDENTITY,
    KEY_PAGE,
    KEY_LISTEN,
    KEY_TEXT
};

static const struct cmd_option options[] = {
    {"camera", "DEV", KEY_CAMERA, "look through a camera: a device, see tableref devices"},
    {"video", "FILE", KEY_VIDEO, "look at a recorded video"},
    {"images", "DIR", KEY_IMAGES, "look at a folder of pictures"},
    {"size", "WxH", KEY_SIZE, "the camera's pictures (the largest up to 1920x1080)"},
    {"rate", "N", KEY_RATE, "the camera's pictures a second (30)"},
    {"mains", "HZ", KEY_MAINS, "50 or 60: the lamps' flicker, for the camera"},
    {"board", "NAME", KEY_BOARD, "chess:COLSxROWSxMM, tags:COLSxROWSxMM (chess:9x6x25); colours"},
    {"mat", "NAME", CMD_KEY_MAT, "the printed mat (a1-four); camera: its tags, not a board"},
    {"set", "NAME", CMD_KEY_SET, "the blocks (match-madness)"},
    {"rig", "FILE", CMD_KEY_RIG, "what calibration found of the camera"},
    {"ruler", "MM", KEY_RULER, "table: what the 100 mm of the sheet's ruler measure"},
    {"certificate", "FILE", KEY_CERTIFICATE, "table: write the certificate there, for run"},
    {"mirrored", NULL, CMD_KEY_MIRRORED, "the pictures are mirrored: flip them first"},
    {"out", "FILE", KEY_OUT, "write the rig there"},
    {"identity", "TEXT", KEY_IDENTITY, "the camera's name in the rig (what the camera says)"},
    {"page", NULL, KEY_PAGE, "show it in a browser and ask; the camera's lens does so by itself"},
    {"listen", "ADDR:PORT", KEY_LISTEN, "where the page is (127.0.0.1:8080, or a free port above)"},
    {"text", NULL, KEY_TEXT, "print lines for people, not JSON"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "calibrate",
    .arguments = "camera | table | colours [IMAGE]...",
    .about =
        "  camera   the lens, from ten or more pictures of a board held at all places and tilts,\n"
        "           or of the mat's own tags from several sides: a rig for --rig, with what\n"
        "           there is to say against it\n"
        "  table    the table before a match: is it ready, and if not why: the mat and its "
        "printed\n"
        "           size, places, sharpness, light, the camera's rate\n"
        "  colours  how the set's colours look here, from the blocks on the table or from the\n"
        "           printed card (--board colours), into the rig\n"
        "Prints a line of JSON.",
    .options = options,
};

static bool size_set(struct calibrate *asked, const char *value)
{
    char *end;
    long width = strtol(value, &end, 10);
    long height = *end == 'x' ? strtol(end + 1, &end, 10) : 0;

    if (*end || width < 1 || height < 1 || width > CAPTURE_SIDE_MAX_PX ||
        height > CAPTURE_SIDE_MAX_PX) {
        cmd_error("%s: --size %s: like 1920x1080 is needed", verb.name, value);
        return false;
    }
    asked->wish.width = (int)width;
    asked->wish.height = (int)height;
    return true;
}

static bool mains_set(struct calibrate *asked, const char *value)
{
    if (cmd_number(&verb, "mains", value, 50, 60, &asked->wish.mains_hz) &&
        (asked->wish.mains_hz == 50 || asked->wish.mains_hz == 60))
        return true;
    cmd_error("%s: --mains %s: 50 or 60 is needed", verb.name, value);
    return false;
}

/* A ruler that measures half or double would be another drawing. */
static bool ruler_set(struct calibrate *asked, const char *value)
{
    char *end;

    asked->ruler_mm = strtod(value, &end);
    if (end != value && *end == 0 && asked->ruler_mm >= 50.0 && asked->ruler_mm <= 200.0)
        return true;
    cmd_error("%s: --ruler %s: millimetres are needed, from 50 to 200", verb.name, value);
    return false;
}

static bool option_take(struct calibrate *asked, int key, const char *value)
{
    if (cmd_source_take(&asked->kit, key, value))
        return true;
    switch (key) {
    case KEY_CAMERA:
        asked->camera = value;
        return true;
    case KEY_VIDEO:
        asked->video = value;
        return true;
    case KEY_IMAGES:
        asked->images = value;
        return true;
    case KEY_SIZE:
        return size_set(asked, value);
    case KEY_RATE:
        return cmd_number(&verb, "rate", value, 1, 240, &asked->wish.rate);
    case KEY_MAINS:
        return mains_set(asked, value);
    case KEY_BOARD:
        asked->board = value;
        return true;
    case KEY_OUT:
        asked->out = value;
        return true;
    case KEY_PAGE:
        return asked->page = true;
    case KEY_LISTEN:
        asked->listen = value;
        return asked->page = true;
    case KEY_CERTIFICATE:
        asked->certificate = value;
        return true;
    case KEY_RULER:
        return ruler_set(asked, value);
    case KEY_IDENTITY:
        asked->identity = value;
        return true;
    default:
        return asked->text = true;
    }
}

static bool pictures_one(const struct calibrate *asked)
{
    int kinds = (asked->camera != NULL) + (asked->video != NULL) + (asked->images != NULL) +
                (asked->count > 0);

    if (kinds == 1)
        return true;
    cmd_error("%s: one of --camera, --video, --images and pictures is needed, and only one; see "
              "tableref %s --help",
              verb.name, verb.name);
    return false;
}

static int calibrate_do(struct calibrate *asked, const char *what)
{
    static const struct {
        const char *word;
        int (*run)(const struct calibrate *asked);
    } kinds[] = {
        {"camera", cmd_calibrate_camera},
        {"table", cmd_calibrate_table},
        {"colours", cmd_calibrate_colours},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(what, kinds[i].word) == 0)
            return pictures_one(asked) ? kinds[i].run(asked) : CMD_WRONG_USE;
    cmd_error("%s: %s: camera, table or colours is needed; see tableref %s --help", verb.name,
              what[0] ? what : "nothing", verb.name);
    return CMD_WRONG_USE;
}

static void notice(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "tableref: %s\n", text);
}

int cmd_calibrate(int argc, char **argv)
{
    struct calibrate asked = {.verb = &verb,
                              .wish = {.format = -1,
                                       .exposure_100us = -1,
                                       .white_balance_k = -1,
                                       .focus = -1,
                                       .notice = notice}};
    const char *value = NULL;
    int first = 0, key;

    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0)
        if (!option_take(&asked, key, value))
            return CMD_WRONG_USE;
    if (key == CMD_OPTION_HELP)
        return CMD_DONE;
    if (key == CMD_OPTION_WRONG)
        return CMD_WRONG_USE;
    const char *what = first < argc ? argv[first++] : "";
    asked.paths = argv + first;
    asked.count = argc - first;
    return calibrate_do(&asked, what);
}
