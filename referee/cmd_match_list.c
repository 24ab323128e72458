/* referee/cmd_match_list.c: `tableref match list`: the matches in a folder. */
#include "referee/cmd_match.h"
#include "referee/cmd_match_entry.h"
#include "vision/json_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { KEY_FORMAT = CMD_KEY_OWN };

static const struct cmd_option options[] = {
    {"format", "WORD", KEY_FORMAT, "text or json"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "match list",
    .arguments = "[DIR]",
    .about =
        "Lists the matches in DIR (that of matches recorded without --record): whether each is\n"
        "finished, unfinished (its process is gone: see tableref match close), running or\n"
        "damaged (see tableref match verify), when it began, its size, and who plays.",
    .options = options,
};

struct listing {
    bool json, failed;
    long count;
};

static void entry_json(const struct match_entry *entry, struct json_text *json)
{
    const struct record_header *header = &entry->scan.header;

    vision_json_open(json, NULL, '{');
    vision_json_string(json, "match", entry->path);
    vision_json_string(json, "state", cmd_match_standing_name(entry->standing));
    vision_json_string(json, "name", header->match);
    vision_json_string(json, "table", header->table);
    vision_json_string(json, "made", header->made[0] ? header->made : NULL);
    vision_json_string(json, "phase", referee_phase_name(entry->scan.phase));
    vision_json_open(json, "players", '[');
    for (int i = 0; i < entry->scan.players; i++)
        vision_json_string(json, NULL, entry->scan.player[i]);
    vision_json_close(json, ']');
    vision_json_int(json, "bytes", entry->bytes);
    vision_json_int(json, "video_bytes", entry->video_bytes);
    vision_json_bool(json, "kept", entry->kept);
    vision_json_string(json, "text", entry->standing == MATCH_DAMAGED ? entry->fault.text : NULL);
    vision_json_close(json, '}');
}

static bool entry_print(void *context, const struct match_entry *entry)
{
    struct listing *listing = context;
    char players[512], size[32];
    struct json_text json;

    listing->count++;
    if (listing->json) {
        vision_json_init(&json);
        entry_json(entry, &json);
        listing->failed = !cmd_print(&json);
        return !listing->failed;
    }
    cmd_match_players(&entry->scan, players, sizeof players);
    cmd_match_size_text(entry->bytes, size);
    printf("%-10s  %-20s  %9s%s  %s  %s%s%s\n", cmd_text(cmd_match_standing_name(entry->standing)),
           entry->scan.header.made, size, entry->kept ? cmd_text("  kept") : "      ", entry->path,
           players, entry->standing == MATCH_DAMAGED ? "; " : "", entry->fault.text);
    return true;
}

static int list_run(struct listing *listing, const char *folder)
{
    char usual[PATH_MAX];

    if (!folder && !cmd_matches_default(usual)) {
        cmd_error("%s: there is no usual folder; name one", verb.name);
        return CMD_UNUSABLE;
    }
    /* Before the first match there is no usual folder, and nothing wrong about it. */
    if (!cmd_match_each(folder ? folder : usual, false, entry_print, listing) &&
        (folder || errno != ENOENT)) {
        cmd_error("%s: %s", folder ? folder : usual, strerror(errno));
        return CMD_UNUSABLE;
    }
    if (listing->count == 0)
        cmd_error("no match in %s", folder ? folder : usual);
    return cmd_finish(listing->failed ? CMD_UNUSABLE : CMD_DONE);
}

static int list(int argc, char **argv)
{
    struct listing listing = {.json = false};
    const char *value;
    int first = 0, key;

    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0) {
        listing.json = strcmp(value, "json") == 0;
        if (!listing.json && strcmp(value, "text") != 0) {
            cmd_error("%s: --format %s: text or json is needed", verb.name, value);
            return CMD_WRONG_USE;
        }
    }
    if (key == CMD_OPTION_HELP)
        return CMD_DONE;
    if (key == CMD_OPTION_END && argc - first > 1) {
        cmd_error("%s: one DIR at most; see tableref %s --help", verb.name, verb.name);
        return CMD_WRONG_USE;
    }
    if (key == CMD_OPTION_WRONG)
        return CMD_WRONG_USE;
    return list_run(&listing, argc > first ? argv[first] : NULL);
}

const struct cmd_match_word cmd_match_list = {&verb, list};
