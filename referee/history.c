/* referee/history.c: events kept, stepped over, and stepped over anew. */
#include "referee/history.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* An event as it is kept: most are ticks, so only the part that its kind fills. */
struct entry {
    uint64_t seq;
    struct event_forced forced;
    bool undone;
    size_t size;
    unsigned char *bytes; /* the first `size` bytes of its struct event; owned */
    struct card *cards;   /* the set-up's; owned */
};

struct history {
    struct entry *entry;
    size_t entries, room;
    struct match_state state;
};

/* What a fold of the past needs at hand; too large for the stack of a small thread. */
struct fold {
    struct match_state before, after;
    struct decisions gone, come;
    struct event event;
};

struct history *referee_history_create(void)
{
    struct history *history = calloc(1, sizeof *history);

    if (history)
        referee_state_clear(&history->state);
    return history;
}

static void entry_free(struct entry *entry)
{
    free(entry->bytes);
    free(entry->cards);
}

void referee_history_destroy(struct history **history)
{
    if (!history || !*history)
        return;
    for (size_t i = 0; i < (*history)->entries; i++)
        entry_free(&(*history)->entry[i]);
    free((*history)->entry);
    free(*history);
    *history = NULL;
}

/* How much of an event its kind fills. */
static size_t event_size(enum event_kind kind)
{
    switch (kind) {
    case EVENT_SETUP:
        return offsetof(struct event, setup) + sizeof(struct event_setup);
    case EVENT_START:
        return offsetof(struct event, countdown_ms) + sizeof(int32_t);
    case EVENT_LAYOUT:
        return offsetof(struct event, layout) + sizeof(struct event_layout);
    case EVENT_MOTION:
        return offsetof(struct event, motion) + sizeof(struct event_motion);
    case EVENT_CARD:
        return offsetof(struct event, card) + sizeof(struct event_card);
    case EVENT_CLAIM:
        return offsetof(struct event, claim) + sizeof(struct event_claim);
    case EVENT_TICK:
        return offsetof(struct event, seen_t_ns) + sizeof(int64_t);
    case EVENT_HEALTH:
        return offsetof(struct event, health) + sizeof(uint64_t);
    case EVENT_DISCS:
    case EVENT_SET_DISCS:
        return offsetof(struct event, discs) + sizeof(struct event_discs);
    default:
        return offsetof(struct event, act) + sizeof(struct event_act);
    }
}

static enum event_kind entry_kind(const struct entry *entry)
{
    enum event_kind kind;

    memcpy(&kind, entry->bytes + offsetof(struct event, kind), sizeof kind);
    return kind;
}

/* The event again; what its kind does not fill is 0. */
static void entry_event(const struct entry *entry, struct event *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out, entry->bytes, entry->size);
    /* Member by member: states are compared as memory, and a copy would bring stray bytes along. */
    memset(&out->forced, 0, sizeof out->forced);
    out->forced.set = entry->forced.set;
    out->forced.ruling = entry->forced.ruling;
    if (out->kind == EVENT_SETUP)
        out->setup.cards = entry->cards;
}

static int history_grow(struct history *history)
{
    if (history->entries < history->room)
        return REFEREE_OK;
    size_t room = history->room ? 2 * history->room : 64;
    struct entry *grown = realloc(history->entry, room * sizeof *grown);
    if (!grown)
        return REFEREE_E_MEMORY;
    history->entry = grown;
    history->room = room;
    return REFEREE_OK;
}

static int entry_make(struct history *history, const struct event *event)
{
    struct entry made = {
        .seq = event->seq, .size = event_size(event->kind), .forced = {.set = false}};
    bool deck = event->kind == EVENT_SETUP && event->setup.cards && event->setup.card_count > 0;
    size_t cards = deck ? (size_t)event->setup.card_count * sizeof *made.cards : 0;

    if (history_grow(history) != REFEREE_OK || !(made.bytes = malloc(made.size)))
        return REFEREE_E_MEMORY;
    memcpy(made.bytes, event, made.size);
    if (cards > 0) {
        if (!(made.cards = malloc(cards))) {
            free(made.bytes);
            return REFEREE_E_MEMORY;
        }
        memcpy(made.cards, event->setup.cards, cards);
    }
    history->entry[history->entries++] = made;
    return REFEREE_OK;
}

uint64_t referee_history_last(const struct history *history)
{
    return history->entries ? history->entry[history->entries - 1].seq : 0;
}

int referee_history_step(struct history *history, const struct event *event, struct decisions *out)
{
    struct event kept;

    if (event->seq <= referee_history_last(history))
        return REFEREE_E_ARGUMENT;
    int error = entry_make(history, event);
    if (error != REFEREE_OK)
        return error;
    entry_event(&history->entry[history->entries - 1], &kept);
    referee_step(&history->state, &kept, out);
    return REFEREE_OK;
}

/* The state anew from the first event. */
static void fold_state(struct history *history)
{
    struct decisions out;
    struct event event;

    referee_state_clear(&history->state);
    for (size_t i = 0; i < history->entries; i++)
        if (!history->entry[i].undone) {
            entry_event(&history->entry[i], &event);
            referee_step(&history->state, &event, &out);
        }
}

void referee_history_unstep(struct history *history)
{
    if (history->entries == 0)
        return;
    entry_free(&history->entry[--history->entries]);
    fold_state(history);
}

static struct entry *entry_find(const struct history *history, uint64_t seq)
{
    size_t low = 0, high = history->entries;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (history->entry[middle].seq < seq)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == history->entries || history->entry[low].seq != seq)
        return NULL;
    return &history->entry[low];
}

bool referee_history_event(const struct history *history, uint64_t seq, struct event *out)
{
    const struct entry *entry = entry_find(history, seq);

    if (entry)
        entry_event(entry, out);
    return entry != NULL;
}

bool referee_history_undone(const struct history *history, uint64_t seq)
{
    const struct entry *entry = entry_find(history, seq);

    return entry && entry->undone;
}

const struct match_state *referee_history_state(const struct history *history)
{
    return &history->state;
}

/* Steps over an event that counts, unless it is undone. */
static void fold_step(const struct entry *entry, struct match_state *state, struct event *event,
                      struct decisions *out)
{
    out->count = 0;
    if (entry->undone)
        return;
    entry_event(entry, event);
    referee_step(state, event, out);
}

/* Steps over the past up to `entry`, and from there on twice at once: as it was and, with `changed`
 * in its place, as it is now; then that is the past. */
static int fold_changed(struct history *history, struct entry *entry, const struct entry *changed,
                        history_change change, void *context)
{
    struct fold *fold = calloc(1, sizeof *fold);
    size_t first = (size_t)(entry - history->entry);
    int error = 0;

    if (!fold)
        return REFEREE_E_MEMORY;
    const struct history_pair pair = {&fold->gone, &fold->come, &fold->before, &fold->after};
    referee_state_clear(&fold->before);
    for (size_t i = 0; i < first; i++)
        fold_step(&history->entry[i], &fold->before, &fold->event, &fold->gone);
    fold->after = fold->before;
    for (size_t i = first; i < history->entries; i++) {
        fold_step(&history->entry[i], &fold->before, &fold->event, &fold->gone);
        fold_step(i == first ? changed : &history->entry[i], &fold->after, &fold->event,
                  &fold->come);
        if (change && error >= 0 && (fold->gone.count > 0 || fold->come.count > 0))
            error = change(context, &pair);
    }
    history->state = fold->after;
    *entry = *changed;
    free(fold);
    return error < 0 ? error : REFEREE_OK;
}

void referee_history_restore(struct history *history, uint64_t seq, bool undone,
                             const struct event_forced *forced)
{
    struct entry *entry = entry_find(history, seq);

    if (!entry)
        return;
    entry->undone = undone;
    entry->forced = *forced;
    fold_state(history);
}

/* What a search for decisions that go back to an event finds. */
struct origin {
    uint64_t seq;
    bool any, verdict;
};

static int origin_visit(void *context, const struct event *event, const struct decisions *decisions,
                        const struct match_state *after)
{
    struct origin *origin = context;

    (void)event;
    (void)after;
    for (int i = 0; i < decisions->count; i++) {
        if (decisions->item[i].cause != origin->seq)
            continue;
        origin->any = true;
        if (decisions->item[i].kind == DECISION_VERDICT)
            origin->verdict = true;
    }
    return 0;
}

static int origin_find(const struct history *history, struct origin *origin)
{
    return referee_history_replay(history, origin_visit, origin);
}

int referee_history_undo(struct history *history, uint64_t seq, bool undone, history_change change,
                         void *context)
{
    struct entry *entry = entry_find(history, seq);
    struct origin origin = {.seq = seq};

    if (!entry || entry_kind(entry) == EVENT_SETUP || entry->undone == undone)
        return REFEREE_E_UNKNOWN;
    int error = undone ? origin_find(history, &origin) : REFEREE_OK;
    if (error != REFEREE_OK || (undone && !origin.any))
        return error != REFEREE_OK ? error : REFEREE_E_UNKNOWN;
    struct entry changed = *entry;
    changed.undone = undone;
    return fold_changed(history, entry, &changed, change, context);
}

int referee_history_overrule(struct history *history, uint64_t seq,
                             const struct event_forced *forced, history_change change,
                             void *context)
{
    struct entry *entry = entry_find(history, seq);
    struct origin origin = {.seq = seq};

    if (!entry || entry->undone)
        return REFEREE_E_UNKNOWN;
    int error = origin_find(history, &origin);
    /* What was forced before may be forced anew, even where that left no verdict to find. */
    if (error != REFEREE_OK || (!origin.verdict && !entry->forced.set))
        return error != REFEREE_OK ? error : REFEREE_E_UNKNOWN;
    struct entry changed = *entry;
    changed.forced = *forced;
    return fold_changed(history, entry, &changed, change, context);
}

int referee_history_replay(const struct history *history, history_visit visit, void *context)
{
    struct fold *fold = calloc(1, sizeof *fold);
    int error = 0;

    if (!fold)
        return REFEREE_E_MEMORY;
    referee_state_clear(&fold->after);
    for (size_t i = 0; i < history->entries && error >= 0; i++) {
        if (history->entry[i].undone)
            continue;
        fold_step(&history->entry[i], &fold->after, &fold->event, &fold->come);
        error = visit(context, &fold->event, &fold->come, &fold->after);
    }
    free(fold);
    return error < 0 ? error : REFEREE_OK;
}
