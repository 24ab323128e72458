/* referee/history.h: all events of a match, and the state that they lead to.
 *
 * Undo and overrule lie above the engine: an event that was undone is left out, one that was
 * overruled carries the person's ruling, and the events are stepped over anew from the first. So
 * the state after an undo is, by the way it is made, the state without that event: clocks, owed
 * cards and all. What later events lose by it does not come out again; the events themselves stay.
 * Nothing here does I/O. */
#ifndef REFEREE_HISTORY_H
#define REFEREE_HISTORY_H

#include "referee/error.h"
#include "referee/step.h"

struct history;

/* What an event brought out before a change of the past and what it brings out now, each with the
 * state behind it (which is part of what is said: names, points). */
struct history_pair {
    const struct decisions *gone, *come;
    const struct match_state *before, *after;
};

/* Called, in order, for each event from the changed one on that brings something out, before or
 * now. A negative value stops the calls and is what the change returns; the change has then been
 * made all the same. */
typedef int (*history_change)(void *context, const struct history_pair *pair);

/* Called for each event of the past that counts, with what it brings out. */
typedef int (*history_visit)(void *context, const struct event *event,
                             const struct decisions *decisions, const struct match_state *after);

/* NULL when there is no memory. The caller gives it to referee_history_destroy. */
struct history *referee_history_create(void);
void referee_history_destroy(struct history **history);

/* Steps over one more event, which is copied (a set-up's cards, too). Its seq must be above all
 * before it (REFEREE_E_ARGUMENT). REFEREE_E_MEMORY leaves all as it was. */
int referee_history_step(struct history *history, const struct event *event, struct decisions *out);

/* Takes back the newest event as if it had never come: for an event that could not be put on
 * record. */
void referee_history_unstep(struct history *history);

/* Takes an event out of the past (`undone`), or puts it back. REFEREE_E_UNKNOWN: there is no such
 * event, it is the set-up, it is already so, or it brings nothing out that could be taken back. */
int referee_history_undo(struct history *history, uint64_t seq, bool undone, history_change change,
                         void *context);

/* Makes the verdict that an event causes the ruling in `forced`, or the engine's own again when
 * that is not set. REFEREE_E_UNKNOWN: no verdict goes back to such an event, nor was one forced on
 * it before. */
int referee_history_overrule(struct history *history, uint64_t seq,
                             const struct event_forced *forced, history_change change,
                             void *context);

/* Makes an event as it was before a change that could not be put on record. Needs no memory. */
void referee_history_restore(struct history *history, uint64_t seq, bool undone,
                             const struct event_forced *forced);

/* The state now. Lent. */
const struct match_state *referee_history_state(const struct history *history);

/* Goes over the past as it counts now. The visitor's negative value ends it and is returned. */
int referee_history_replay(const struct history *history, history_visit visit, void *context);

/* The event of that number, with what was forced on it. False when there is none. A set-up's cards
 * are lent until the history is destroyed. */
bool referee_history_event(const struct history *history, uint64_t seq, struct event *out);

/* Has this event been undone? */
bool referee_history_undone(const struct history *history, uint64_t seq);

/* The seq of the newest event; 0 for none. */
uint64_t referee_history_last(const struct history *history);

#endif
