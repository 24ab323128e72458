/* referee/cmd_match_evidence.c: `tableref match evidence`: a ruling as one picture. */
#include "calib/file.h"
#include "referee/cmd_match.h"
#include "referee/cmd_match_sheet.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_OUT = CMD_KEY_OWN, KEY_CARD };

static const struct cmd_option options[] = {
    {"out", "FILE", KEY_OUT, "the picture's file (evidence-EVENT.png; one that is there stays)"},
    {"card", "ID", KEY_CARD, "the ruling on this card, where several go back to the event"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "match evidence",
    .arguments = "MATCH EVENT",
    .about =
        "MATCH is a match's folder. EVENT is the cause of a ruling in `tableref match show`.\n"
        "Makes one picture (PNG) of it: the seat as it was seen, the cells as they were read,\n"
        "the card, the wrong cells marked, and times, frame and digest in words. Prints the same\n"
        "as a line of JSON. An evidence file that is missing or changed is taken from the\n"
        "recording, if that has the very same bytes, and it is said.",
    .options = options,
};

struct wishes {
    const char *match, *out;
    struct case_wish wish;
};

static bool case_print(const struct match_case *found, const struct case_picture *picture,
                       const char *file)
{
    struct json_text json;

    vision_json_init(&json);
    cmd_case_json(found, &json);
    vision_json_string(&json, "from", picture->recorded ? "recording" : picture->evidence);
    vision_json_string(&json, "picture", file);
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

static bool sheet_write(const struct wishes *wishes, const unsigned char *png, size_t length,
                        char file[PATH_MAX])
{
    if (wishes->out)
        snprintf(file, PATH_MAX, "%s", wishes->out);
    else
        snprintf(file, PATH_MAX, "evidence-%" PRIu64 ".png", wishes->wish.cause);
    if (calib_file_put(file, png, length, 0644, wishes->out != NULL) == 0)
        return true;
    if (errno == EEXIST && !wishes->out)
        cmd_error("%s: is there already and stays; name another file by --out", file);
    else
        cmd_error("%s: cannot be written: %s", file, strerror(errno));
    return false;
}

/* Said beside the picture, for it is no refusal. */
static void notes_say(const struct wishes *wishes, const struct match_case *found,
                      const struct case_picture *picture)
{
    if (picture->recorded)
        cmd_error("%s/%s is %s; the picture is the recording's, which has the same digest",
                  wishes->match, picture->evidence, picture->lacks);
    if (found->others > 0)
        cmd_error("%s: %d more go back to event %" PRIu64 "; this is the one on card %s, see "
                  "--card",
                  wishes->match, found->others, wishes->wish.cause, found->decision.card);
}

static bool evidence_make(const struct wishes *wishes, const struct case_match *match,
                          struct case_fault *fault)
{
    struct match_case *found = malloc(sizeof *found);
    struct case_picture picture = {.bytes = NULL};
    unsigned char *png = NULL;
    char file[PATH_MAX];
    size_t length = 0;

    if (!found)
        return cmd_case_fail(fault, "out of memory");
    bool well = cmd_case_find(match, &wishes->wish, found, fault) &&
                cmd_case_picture(match->folder, found, &picture, fault) &&
                cmd_sheet_draw(match, found, &picture, &png, &length, fault);
    if (well && sheet_write(wishes, png, length, file)) {
        notes_say(wishes, found, &picture);
        well = case_print(found, &picture, file);
    } else {
        well = false;
    }
    free(png);
    free(picture.bytes);
    free(found);
    return well;
}

static int evidence_run(const struct wishes *wishes)
{
    struct case_fault fault = {.text = ""};
    struct case_match match = {.record = NULL};
    char folder[PATH_MAX];

    bool well = cmd_match_folder(wishes->match, folder) &&
                cmd_case_open(folder, true, &match, &fault) &&
                evidence_make(wishes, &match, &fault);
    if (fault.text[0])
        cmd_error("%s", fault.text);
    cmd_case_close(&match);
    return cmd_finish(well ? CMD_DONE : CMD_UNUSABLE);
}

static int evidence(int argc, char **argv)
{
    struct wishes wishes = {.match = NULL};
    const char *value;
    int first = 0, key;

    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0) {
        if (key == KEY_OUT)
            wishes.out = value;
        else
            wishes.wish.card = value;
    }
    if (key == CMD_OPTION_HELP)
        return CMD_DONE;
    if (key == CMD_OPTION_END && first + 2 != argc) {
        cmd_error("%s: MATCH EVENT is needed, and nothing more; see tableref %s --help", verb.name,
                  verb.name);
        return CMD_WRONG_USE;
    }
    if (key == CMD_OPTION_WRONG || !cmd_match_event(&verb, argv[first + 1], &wishes.wish.cause))
        return CMD_WRONG_USE;
    wishes.match = argv[first];
    return evidence_run(&wishes);
}

const struct cmd_match_word cmd_match_evidence = {&verb, evidence};
