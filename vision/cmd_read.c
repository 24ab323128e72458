/* vision/cmd_read.c: `tableref read`: pictures to layouts, a JSON line for each. */
#include "referee/cmd_common.h"
#include "vision/cmd_ramp.h"
#include "vision/layout_json.h"

static const struct cmd_option options[] = {
    CMD_SOURCE_OPTIONS,
    {"ramp", "NAME", CMD_KEY_RAMP, "read a ramp of Make 5 (make5), not a mat"},
    {NULL, NULL, 0, NULL}};

static const struct cmd_verb verb = {
    .name = "read",
    .arguments = "IMAGE...",
    .about = "Reads each picture and prints what lies in every seat and card slot, or on a ramp: a\n"
             "line of JSON for each picture. NAME is a built-in's name or a path to a JSON file.",
    .options = options,
};

/* One picture; false when nothing more can be printed. */
static bool read_image(struct cmd_session *session, int index)
{
    struct cmd_picture picture;
    struct json_text json;
    const char *path = session->paths[index];
    vision_json_init(&json);
    if (cmd_picture_read(session->reader, path, session->source.mirrored, &picture)) {
        vision_layout_json(&picture.layout, path, &json);
        cmd_session_annotate(session, index, &picture, NULL, 0);
    } else {
        vision_refusal_json(path, picture.reason, &json);
        session->status = CMD_UNUSABLE;
    }
    cmd_picture_free(&picture);
    bool printed = cmd_print(&json);
    if (!printed)
        session->status = CMD_UNUSABLE;
    return printed;
}

int cmd_read(int argc, char **argv)
{
    struct cmd_source source = {NULL, NULL, NULL, NULL, NULL, false};
    struct cmd_session session;
    const char *value, *ramp = NULL;
    int first = 0, key;
    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0)
        if (!cmd_source_take(&source, key, value))
            ramp = value;
    if (key == CMD_OPTION_HELP)
        return CMD_DONE;
    if (key == CMD_OPTION_WRONG)
        return CMD_WRONG_USE;
    if (first >= argc) {
        cmd_error("read: a picture is needed; see tableref read --help");
        return CMD_WRONG_USE;
    }
    if (ramp && (source.mat || source.set || source.deck)) {
        cmd_error("read: --ramp reads a ramp: --mat, --set and --deck do not go with it");
        return CMD_WRONG_USE;
    }
    if (ramp)
        return cmd_ramp_read(ramp, &source, argv + first, argc - first);
    if (cmd_session_open(&source, argv + first, argc - first, &session))
        for (int i = 0; i < session.count && read_image(&session, i); i++)
            ;
    return cmd_session_close(&session);
}
