/* referee/cmd_retain.c: how long recordings are kept. */
#include "referee/cmd_retain.h"

#include "referee/cmd_common.h"
#include "referee/cmd_match_entry.h"
#include "vision/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DAY_S ((int64_t)86400)
/* A crash leaves one unfinished match; where a hall of them lies, this many say enough. */
#define TOLD_MOST 10

/* What counts of a match here. */
struct candidate {
    char path[PATH_MAX];
    int64_t changed_s, bytes; /* `bytes`: what its removal gives back */
};

struct gathering {
    const char *own;
    bool whole;
    int64_t bytes; /* of all */
    int told;
    struct json_text lines;
    struct candidate *item;
    size_t count, room;
};

static void unfinished_tell(struct gathering *gathering, const struct match_entry *entry)
{
    char players[256], line[PATH_MAX + 400];

    gathering->told++;
    if (gathering->told == TOLD_MOST + 1)
        vision_json_raw(&gathering->lines,
                        N_("more matches are unfinished; see tableref match list\n"));
    if (gathering->told > TOLD_MOST)
        return;
    cmd_match_players(&entry->scan, players, sizeof players);
    snprintf(line, sizeof line, N_("an unfinished match of %s%s%s: tableref match close %s\n"),
             entry->scan.header.made[0] ? entry->scan.header.made : N_("unknown date"),
             players[0] ? ", " : "", players, entry->path);
    vision_json_raw(&gathering->lines, line);
}

static void candidate_add(struct gathering *gathering, const struct match_entry *entry)
{
    int64_t bytes = gathering->whole ? entry->bytes : entry->video_bytes;

    if (bytes == 0)
        return;
    if (gathering->count == gathering->room) {
        size_t room = gathering->room > 0 ? 2 * gathering->room : 32;
        struct candidate *grown = realloc(gathering->item, room * sizeof *grown);
        if (!grown)
            return; /* it stays, which is the safe way */
        gathering->item = grown;
        gathering->room = room;
    }
    struct candidate *candidate = &gathering->item[gathering->count++];
    memcpy(candidate->path, entry->path, sizeof candidate->path);
    candidate->changed_s = entry->changed_s;
    candidate->bytes = bytes;
}

static bool entry_gather(void *context, const struct match_entry *entry)
{
    struct gathering *gathering = context;

    if (strcmp(entry->path, gathering->own) == 0)
        return true;
    gathering->bytes += entry->bytes;
    if (entry->standing == MATCH_UNFINISHED)
        unfinished_tell(gathering, entry);
    if (entry->standing == MATCH_FINISHED && !entry->kept)
        candidate_add(gathering, entry);
    return true;
}

static int oldest_first(const void *one, const void *other)
{
    const struct candidate *a = one, *b = other;

    return a->changed_s != b->changed_s
               ? (a->changed_s > b->changed_s) - (a->changed_s < b->changed_s)
               : strcmp(a->path, b->path);
}

static void candidate_remove(struct gathering *gathering, const struct candidate *candidate,
                             const char *why, int number)
{
    char size[32];

    if (!cmd_match_remove(candidate->path,
                          gathering->whole ? MATCH_REMOVE_ALL : MATCH_REMOVE_VIDEO))
        return;
    gathering->bytes -= candidate->bytes;
    cmd_match_size_text(candidate->bytes, size);
    cmd_error(gathering->whole ? N_("%s: the match was removed, %s (--keep-%s %d)")
                               : N_("%s: its video was removed, %s (--keep-%s %d)"),
              candidate->path, size, why, number);
}

static void candidates_remove(struct gathering *gathering, const struct retain_wish *wish)
{
    int64_t before_s = (int64_t)time(NULL) - wish->days * DAY_S;
    int64_t most = (int64_t)wish->gib << 30;

    if (gathering->count > 0)
        qsort(gathering->item, gathering->count, sizeof *gathering->item, oldest_first);
    for (size_t i = 0; i < gathering->count; i++) {
        const struct candidate *candidate = &gathering->item[i];
        if (wish->days > 0 && candidate->changed_s < before_s)
            candidate_remove(gathering, candidate, "days", wish->days);
        else if (wish->gib > 0 && gathering->bytes > most)
            candidate_remove(gathering, candidate, "gib", wish->gib);
    }
}

char *cmd_retain(const char *record, const struct retain_wish *wish)
{
    struct gathering gathering = {.own = record, .whole = wish->whole};
    char parent[PATH_MAX];
    const char *slash = strrchr(record, '/');
    size_t length = slash ? (size_t)(slash - record) : 0;

    vision_json_init(&gathering.lines);
    /* The record's path is a full one. */
    if (!slash || length >= sizeof parent)
        return NULL;
    memcpy(parent, length > 0 ? record : "/", length > 0 ? length : 1);
    parent[length > 0 ? length : 1] = 0;
    if (cmd_match_each(parent, true, entry_gather, &gathering))
        candidates_remove(&gathering, wish);
    free(gathering.item);
    return gathering.lines.bytes; /* with what there was memory for */
}
