/* referee/cmd_match_finish.c: `tableref match finish`: photo finishes. */
#include "referee/cmd_match_finish.h"

#include "calib/file.h"
#include "referee/cmd_match.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_OUT = CMD_KEY_OWN };

static const struct cmd_option options[] = {
    {"out", "FILE", KEY_OUT, "the picture's file (finish-EVENT.png; one that is there stays)"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "match finish",
    .arguments = "MATCH [EVENT]",
    .about =
        "Lists the cards that two or more seats had within ten frame intervals, as lines of JSON.\n"
        "With EVENT, that of such a line, makes a picture (PNG) from the recording: the seats "
        "side\n"
        "by side, frame by frame, with times, and the frames that count marked. MATCH is a "
        "match's\n"
        "folder.",
    .options = options,
};

struct wishes {
    const char *match, *out;
    uint64_t event; /* 0: list */
};

static bool finish_print(const struct finish *finish, const char *file)
{
    struct json_text json;

    vision_json_init(&json);
    cmd_finish_json(finish, &json);
    if (file)
        vision_json_string(&json, "picture", file);
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

static bool finish_make(const struct wishes *wishes, const struct case_match *match,
                        const struct finish *finish, struct case_fault *fault)
{
    unsigned char *png = NULL;
    size_t length = 0;
    char file[PATH_MAX];

    if (!cmd_finish_draw(match, finish, &png, &length, fault))
        return false;
    if (wishes->out)
        snprintf(file, sizeof file, "%s", wishes->out);
    else
        snprintf(file, sizeof file, "finish-%" PRIu64 ".png", finish->event);
    bool well = calib_file_put(file, png, length, 0644, wishes->out != NULL) == 0;
    if (!well)
        cmd_case_fail(fault,
                      errno == EEXIST ? "%s: is there already and stays; name another by "
                                        "--out"
                                      : "%s: cannot be written",
                      file);
    free(png);
    return well && finish_print(finish, file);
}

static bool finish_do(const struct wishes *wishes, const struct case_match *match,
                      struct case_fault *fault)
{
    struct finish *list = NULL;
    size_t count = 0, at = 0;
    bool well =
        cmd_finish_find(match->record, &list, &count) || cmd_case_fail(fault, "out of memory");

    if (wishes->event > 0) {
        while (at < count && list[at].event != wishes->event)
            at++;
        if (well && at == count)
            well = cmd_case_fail(fault,
                                 "%s: no photo finish of event %" PRIu64
                                 "; tableref match finish %s lists those there are",
                                 match->folder, wishes->event, match->folder);
        well = well && finish_make(wishes, match, &list[at], fault);
    } else {
        for (at = 0; well && at < count; at++)
            well = finish_print(&list[at], NULL);
        if (well && count == 0)
            cmd_error("%s: no photo finish", match->folder);
    }
    free(list);
    return well;
}

static int finish_run(const struct wishes *wishes)
{
    struct case_fault fault = {.text = ""};
    struct case_match match = {.record = NULL};
    char folder[PATH_MAX];

    bool well = cmd_match_folder(wishes->match, folder) &&
                cmd_case_open(folder, wishes->event > 0, &match, &fault) &&
                finish_do(wishes, &match, &fault);
    if (fault.text[0])
        cmd_error("%s", fault.text);
    cmd_case_close(&match);
    return cmd_finish(well ? CMD_DONE : CMD_UNUSABLE);
}

static int finish(int argc, char **argv)
{
    struct wishes wishes = {.match = NULL};
    const char *value;
    int first = 0, key;

    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0)
        wishes.out = value;
    if (key == CMD_OPTION_HELP)
        return CMD_DONE;
    if (key == CMD_OPTION_END && (argc - first < 1 || argc - first > 2)) {
        cmd_error("%s: MATCH [EVENT] is needed, and nothing more; see tableref %s --help",
                  verb.name, verb.name);
        return CMD_WRONG_USE;
    }
    if (key == CMD_OPTION_WRONG ||
        (argc - first == 2 && !cmd_match_event(&verb, argv[first + 1], &wishes.event)))
        return CMD_WRONG_USE;
    wishes.match = argv[first];
    return finish_run(&wishes);
}

const struct cmd_match_word cmd_match_finish = {&verb, finish};
