/* referee/history.c: events kept, stepped over, and stepped over anew. */
#include "referee/history.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    struct event event;
    struct card *cards; /* the set-up's, owned */
    bool undone;
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
};

struct history *referee_history_create(void)
{
    struct history *history = calloc(1, sizeof *history);

    if (history)
        referee_state_clear(&history->state);
    return history;
}

void referee_history_destroy(struct history **history)
{
    if (!history || !*history)
        return;
    for (size_t i = 0; i < (*history)->entries; i++)
        free((*history)->entry[i].cards);
    free((*history)->entry);
    free(*history);
    *history = NULL;
}

static int entry_make(struct history *history, const struct event *event)
{
    if (history->entries == history->room) {
        size_t room = history->room ? 2 * history->room : 64;
        struct entry *grown = realloc(history->entry, room * sizeof *grown);
        if (!grown)
            return REFEREE_E_MEMORY;
        history->entry = grown;
        history->room = room;
    }
    struct entry *entry = &history->entry[history->entries];
    memset(entry, 0, sizeof *entry);
    entry->event = *event;
    entry->event.forced = (struct event_forced){.set = false};
    if (event->kind == EVENT_SETUP && event->setup.cards && event->setup.card_count > 0) {
        size_t size = (size_t)event->setup.card_count * sizeof *entry->cards;
        if (!(entry->cards = malloc(size)))
            return REFEREE_E_MEMORY;
        memcpy(entry->cards, event->setup.cards, size);
        entry->event.setup.cards = entry->cards;
    }
    history->entries++;
    return REFEREE_OK;
}

uint64_t referee_history_last(const struct history *history)
{
    return history->entries ? history->entry[history->entries - 1].event.seq : 0;
}

int referee_history_step(struct history *history, const struct event *event, struct decisions *out)
{
    if (event->seq <= referee_history_last(history))
        return REFEREE_E_ARGUMENT;
    int error = entry_make(history, event);
    if (error == REFEREE_OK)
        referee_step(&history->state, &history->entry[history->entries - 1].event, out);
    return error;
}

/* The state anew from the first event; decisions go to `out`, which is only room. */
static void fold_state(struct history *history, struct decisions *out)
{
    referee_state_clear(&history->state);
    for (size_t i = 0; i < history->entries; i++)
        if (!history->entry[i].undone)
            referee_step(&history->state, &history->entry[i].event, out);
}

void referee_history_unstep(struct history *history)
{
    struct decisions out;

    if (history->entries == 0)
        return;
    free(history->entry[--history->entries].cards);
    fold_state(history, &out);
}

static struct entry *entry_find(const struct history *history, uint64_t seq)
{
    size_t low = 0, high = history->entries;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (history->entry[middle].event.seq < seq)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == history->entries || history->entry[low].event.seq != seq)
        return NULL;
    return &history->entry[low];
}

const struct event *referee_history_event(const struct history *history, uint64_t seq)
{
    const struct entry *entry = entry_find(history, seq);

    return entry ? &entry->event : NULL;
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

/* Two decisions are one and the same when every byte is: the engine clears what it does not use. */
static bool decision_in(const struct decision *one, const struct decisions *all)
{
    for (int i = 0; i < all->count; i++)
        if (memcmp(one, &all->item[i], sizeof *one) == 0)
            return true;
    return false;
}

static int fold_tell(const struct fold *fold, history_change change, void *context)
{
    for (int i = 0; i < fold->gone.count; i++)
        if (!decision_in(&fold->gone.item[i], &fold->come)) {
            int error = change(context, &fold->gone.item[i], NULL, &fold->after);
            if (error < 0)
                return error;
        }
    for (int i = 0; i < fold->come.count; i++)
        if (!decision_in(&fold->come.item[i], &fold->gone)) {
            int error = change(context, NULL, &fold->come.item[i], &fold->after);
            if (error < 0)
                return error;
        }
    return 0;
}

/* Steps over the past twice at once: as it was and, with `changed` in place of `entry`, as it is
 * now; then that is the past. */
static int fold_changed(struct history *history, struct entry *entry, const struct entry *changed,
                        history_change change, void *context)
{
    struct fold *fold = calloc(1, sizeof *fold);
    int error = 0;

    if (!fold)
        return REFEREE_E_MEMORY;
    referee_state_clear(&fold->before);
    referee_state_clear(&fold->after);
    for (size_t i = 0; i < history->entries; i++) {
        const struct entry *was = &history->entry[i], *now = was == entry ? changed : was;
        fold->gone.count = fold->come.count = 0;
        if (!was->undone)
            referee_step(&fold->before, &was->event, &fold->gone);
        if (!now->undone)
            referee_step(&fold->after, &now->event, &fold->come);
        if (change && error >= 0)
            error = fold_tell(fold, change, context);
    }
    history->state = fold->after;
    *entry = *changed;
    free(fold);
    return error;
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

    if (!entry || entry->event.kind == EVENT_SETUP || entry->undone == undone)
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
    if (error != REFEREE_OK || !origin.verdict)
        return error != REFEREE_OK ? error : REFEREE_E_UNKNOWN;
    struct entry changed = *entry;
    changed.event.forced = *forced;
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
        referee_step(&fold->after, &history->entry[i].event, &fold->come);
        error = visit(context, &history->entry[i].event, &fold->come, &fold->after);
    }
    free(fold);
    return error < 0 ? error : REFEREE_OK;
}
