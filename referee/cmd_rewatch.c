/* referee/cmd_rewatch.c: a recording watched again, as its own eyes did. */
#include "referee/cmd_replay.h"

#include "capture/playback.h"
#include "referee/digest.h"
#include "vision/watch.h"

#include <stdlib.h>
#include <string.h>

/* As the eyes': after so many intervals without a picture the table is not seen any more. */
#define STALE_INTERVALS 3
/* Pictures that are at hand, for their digests: a layout's first is at most this far back (settle_frames up
 * to 30, and what vision/loop_record.c adds). */
#define RING 40

struct watcher {
    struct rewatch *out;
    const struct cmd_folder_about *about;
    const struct table_kit *kit;
    struct watch *watch;
    int64_t interval_ns, last_ns;
    bool seen; /* a picture since the watch began */
    int at;
    /* A digest takes as long as a tenth of the reading, and few are asked for. */
    struct kept {
        uint64_t frame;
        uint8_t *bytes;
        size_t length, capacity; /* length 0: nothing */
    } kept[RING];
};

static void event_add(struct watcher *watcher, const struct event *event)
{
    struct rewatch *out = watcher->out;

    if (out->count == out->room) {
        size_t room = out->room > 0 ? 2 * out->room : 64;
        struct rewatch_told *grown = realloc(out->told, room * sizeof *grown);
        out->failed = out->failed || !grown;
        if (!grown)
            return;
        out->told = grown;
        out->room = room;
    }
    out->told[out->count++].event = *event;
}

static void tell_layout(void *context, const struct layout_seat *seat, int64_t first_t_ns,
                        int64_t moved_t_ns, uint64_t frame)
{
    struct watcher *watcher = context;
    struct event event;

    memset(&event, 0, sizeof event);
    event.kind = EVENT_LAYOUT;
    event.layout.seat = *seat;
    event.layout.first_t_ns = first_t_ns;
    event.layout.moved_t_ns = moved_t_ns;
    event.layout.frame = frame;
    for (int i = 0; i < RING; i++)
        if (watcher->kept[i].length > 0 && watcher->kept[i].frame == frame)
            referee_digest(watcher->kept[i].bytes, watcher->kept[i].length, event.layout.digest);
    event_add(watcher, &event);
}

static void tell_card(void *context, const struct layout_card *card, int64_t first_t_ns)
{
    struct event event;

    memset(&event, 0, sizeof event);
    event.kind = EVENT_CARD;
    event.card.card = *card;
    event.card.first_t_ns = first_t_ns;
    event_add(context, &event);
}

static bool watch_begin(struct watcher *watcher, int64_t interval_ns)
{
    const struct watch_sink sink = {.layout = tell_layout, .card = tell_card, .context = watcher};
    const struct alignment alignment = vision_alignment_defaults();
    const struct watch_options options = {.settle_frames = watcher->about->settle_frames,
                                          .interval_ns = interval_ns,
                                          .live = watcher->about->live,
                                          .mirrored = watcher->about->mirrored};

    vision_watch_destroy(&watcher->watch);
    watcher->watch = vision_watch_create(watcher->kit, &alignment, &options, &sink);
    watcher->interval_ns = interval_ns;
    watcher->seen = false;
    return watcher->watch != NULL;
}

/* A live table that was not seen for a while: what was read before it counts no more. */
static void gap_look(struct watcher *watcher, int64_t time_ns)
{
    int64_t stale_ns = watcher->last_ns + STALE_INTERVALS * watcher->interval_ns + 1;

    if (watcher->about->live && watcher->seen && watcher->interval_ns > 0 && time_ns > stale_ns)
        vision_watch_nothing(watcher->watch, stale_ns);
}

/* False for no memory. */
static bool picture_keep(struct watcher *watcher, const struct picture *picture)
{
    watcher->at = (watcher->at + 1) % RING;
    struct kept *kept = &watcher->kept[watcher->at];
    kept->length = 0;
    if (kept->capacity < picture->length) {
        uint8_t *grown = realloc(kept->bytes, picture->length);
        if (!grown)
            return false;
        kept->bytes = grown;
        kept->capacity = picture->length;
    }
    memcpy(kept->bytes, picture->bytes, picture->length);
    kept->length = picture->length;
    kept->frame = picture->sequence;
    return true;
}

static bool picture_look(struct watcher *watcher, const struct picture *picture)
{
    if (!picture_keep(watcher, picture))
        return false;
    gap_look(watcher, picture->time_ns);
    watcher->seen = true;
    watcher->last_ns = picture->time_ns;
    watcher->out->pictures++;
    return vision_watch_picture(watcher->watch, picture) >= 0;
}

/* The eyes were late, and passed it over. */
static void picture_pass(struct watcher *watcher, const struct frame_line *line)
{
    const struct picture picture = {.sequence = line->sequence, .time_ns = line->time_ns};

    if (!watcher->watch)
        return;
    gap_look(watcher, line->time_ns);
    watcher->seen = true;
    watcher->last_ns = line->time_ns;
    vision_watch_passed(watcher->watch, &picture);
}

static bool item_look(struct watcher *watcher, const struct playback_item *item)
{
    struct rewatch *out = watcher->out;

    switch (item->line.kind) {
    case FRAME_LINE_START:
        return watch_begin(watcher, item->line.interval_ns);
    case FRAME_LINE_RESTART:
        if (watcher->watch)
            vision_watch_restart(watcher->watch);
        return true;
    case FRAME_LINE_LOST:
        out->lost += item->line.lost;
        return true;
    case FRAME_LINE_FRAME:
        out->missing += item->state == PLAYBACK_MISSING;
        out->changed += item->state == PLAYBACK_CHANGED;
        if (item->line.passed)
            picture_pass(watcher, &item->line);
        return item->line.passed || item->state != PLAYBACK_SOUND || !watcher->watch ||
               picture_look(watcher, &item->picture);
    case FRAME_LINE_HEADER:
        break;
    }
    return true;
}

static bool playback_watch(struct watcher *watcher, struct playback *playback, const char *folder)
{
    struct capture_fault fault = {.text = ""};
    struct playback_item item;
    int got;

    while ((got = capture_playback_next(playback, &item, &fault)) == CAPTURE_PICTURE)
        if (!item_look(watcher, &item) || watcher->out->failed) {
            cmd_error("out of memory");
            return false;
        }
    if (got != CAPTURE_END)
        cmd_error("%s: %s", folder, fault.text);
    return got == CAPTURE_END;
}

bool cmd_rewatch(const char *folder, const struct cmd_folder_about *about,
                 const struct cmd_kit *kit, struct rewatch *out)
{
    const struct table_kit lying = {
        .mat = kit->mat, .set = kit->set, .deck = kit->deck, .style = kit->style, .rig = kit->rig};
    struct watcher watcher = {.out = out, .about = about, .kit = &lying};
    struct capture_fault fault = {.text = ""};
    struct playback *playback = NULL;

    memset(out, 0, sizeof *out);
    bool well = capture_playback_open(folder, &playback, &fault) == CAPTURE_OK;
    if (!well)
        cmd_error("%s: %s", folder, fault.text);
    well = well && playback_watch(&watcher, playback, folder);
    vision_watch_destroy(&watcher.watch);
    capture_playback_close(&playback);
    for (int i = 0; i < RING; i++)
        free(watcher.kept[i].bytes);
    return well;
}

void cmd_rewatch_free(struct rewatch *rewatch)
{
    free(rewatch->told);
    memset(rewatch, 0, sizeof *rewatch);
}
