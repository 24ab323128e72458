/* referee/cmd_folder.c: a match's folder. */
#include "referee/cmd_folder.h"

#include "calib/file.h"
#include "calib/kit.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ABOUT "match.json"
#define ABOUT_FORMAT "tableref-match/1"
#define SETTLE_MOST 30 /* of vision/watch.h */

static const char *const names[FOLDER_FILES] = {"kit/set.json", "kit/mat.json", "kit/deck.json",
                                                "kit/rig.json"};

const char *cmd_folder_file(int file)
{
    return names[file];
}

bool cmd_folder_kit_read(const struct cmd_source *source, const struct cmd_kit *kit,
                         struct cmd_folder_kit *out)
{
    static const char *const rooms[FOLDER_FILES] = {"sets", "mats", "decks", "rigs"};
    const char *deck = source->deck ? source->deck : kit->deck ? kit->deck->name : NULL;
    const char *const named[FOLDER_FILES] = {source->set ? source->set : kit->set->name,
                                             source->mat ? source->mat : kit->mat->name,
                                             kit->deck ? deck : NULL, source->rig};
    struct calib_fault fault = {.line = 0};

    memset(out, 0, sizeof *out);
    for (int i = 0; i < FOLDER_FILES; i++) {
        if (!named[i])
            continue;
        int error = calib_kit_read(rooms[i], named[i], &out->bytes[i], &out->length[i], &fault);
        if (error != CALIB_OK) {
            cmd_fault(rooms[i], named[i], error, &fault);
            return false;
        }
    }
    return true;
}

void cmd_folder_kit_free(struct cmd_folder_kit *kit)
{
    for (int i = 0; i < FOLDER_FILES; i++)
        free(kit->bytes[i]);
    memset(kit, 0, sizeof *kit);
}

void cmd_folder_attach(const struct cmd_folder_kit *kit, struct recorder_options *options)
{
    for (int i = 0; i < FOLDER_FILES; i++)
        if (kit->bytes[i])
            options->attachment[options->attachments++] =
                (struct recorder_attachment){.name = names[i] + strlen("kit/"),
                                             .mime = "text/plain",
                                             .bytes = (const uint8_t *)kit->bytes[i],
                                             .length = kit->length[i]};
}

static bool path_of(const char *folder, const char *name, char out[PATH_MAX])
{
    int length = snprintf(out, PATH_MAX, "%s/%s", folder, name);

    return length > 0 && length < PATH_MAX;
}

/* What is there already stays. */
static bool file_put(const char *folder, const char *name, const char *bytes, size_t length)
{
    char path[PATH_MAX];

    if (!path_of(folder, name, path)) {
        cmd_error("%s: the path is too long", folder);
        return false;
    }
    if (calib_file_put(path, bytes, length, 0644, false) == 0 || errno == EEXIST)
        return true;
    cmd_error("%s: %s", path, strerror(errno));
    return false;
}

static bool about_put(const char *folder, const struct cmd_folder_about *about)
{
    json_t *object = json_pack("{s:s,s:s,s:s,s:b,s:b,s:i}", "format", ABOUT_FORMAT, "program",
                               TABLEREF_VERSION, "source", about->source, "live", about->live,
                               "mirrored", about->mirrored, "settle_frames", about->settle_frames);
    char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    bool well = text && file_put(folder, ABOUT, text, strlen(text));

    if (!text)
        cmd_error("%s: %s cannot be written: no text", folder, ABOUT);
    free(text);
    json_decref(object);
    return well;
}

bool cmd_folder_write(const char *folder, const struct cmd_folder_kit *kit,
                      const struct cmd_folder_about *about)
{
    char path[PATH_MAX];
    bool well = path_of(folder, "kit", path) && (mkdir(path, 0755) == 0 || errno == EEXIST);

    if (!well)
        cmd_error("%s/kit: %s", folder, strerror(errno));
    for (int i = 0; well && i < FOLDER_FILES; i++)
        if (kit->bytes[i])
            well = file_put(folder, names[i], kit->bytes[i], kit->length[i]);
    return well && about_put(folder, about);
}

bool cmd_folder_about_read(const char *folder, struct cmd_folder_about *out)
{
    char path[PATH_MAX];
    json_error_t error = {.line = 0};
    const char *format = NULL, *source = NULL;
    int live = 0, mirrored = 0, settle = 0;
    json_t *object = path_of(folder, ABOUT, path) ? json_load_file(path, 0, &error) : NULL;

    memset(out, 0, sizeof *out);
    bool well = object && json_unpack_ex(object, &error, 0, "{s:s,s:s,s:b,s:b,s:i}", "format",
                                         &format, "source", &source, "live", &live, "mirrored",
                                         &mirrored, "settle_frames", &settle) == 0;
    if (!well)
        cmd_error("%s/%s:%d: %s; was the match recorded?", folder, ABOUT, error.line, error.text);
    else if (strcmp(format, ABOUT_FORMAT) != 0 || settle < 1 || settle > SETTLE_MOST)
        cmd_error("%s/%s: is not as %s has it", folder, ABOUT, ABOUT_FORMAT);
    else {
        snprintf(out->source, sizeof out->source, "%s", source);
        out->live = live;
        out->mirrored = mirrored;
        out->settle_frames = settle;
    }
    json_decref(object);
    return out->settle_frames > 0;
}

void cmd_folder_path(const char *folder, int file, char out[PATH_MAX])
{
    if (!path_of(folder, names[file], out) || access(out, R_OK) != 0)
        out[0] = 0;
}
