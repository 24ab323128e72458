/* referee/loop_told.h: the decisions of a match that stand, as the texts that were said, for late
 * comers; and the events that people, or claims, made. Program layer. */
#ifndef REFEREE_LOOP_TOLD_H
#define REFEREE_LOOP_TOLD_H

#include "referee/record.h"
#include "vision/json_text.h"

struct told;

/* NULL when there is no memory. */
struct told *loop_told_create(void);
void loop_told_destroy(struct told **told);

/* Takes in all that stands on record, and what people made: of a match that is taken up again.
 * False without memory. */
bool loop_told_fill(struct told *told, const struct record *record);

/* A decision is said, or (decision NULL, its name in `body`) no longer stands. False without
 * memory. */
bool loop_told_say(struct told *told, const struct decision *decision, const char *body,
                   size_t length);
/* An event is on record. */
bool loop_told_event(struct told *told, const struct event *event);

/* A person's word on that event is on record. */
bool loop_told_word(struct told *told, uint64_t event);
/* Does such an event come from people, by whatever way? */
bool loop_told_by_people(enum event_kind kind);

/* Which decisions are wanted. */
struct told_range {
    uint64_t from;    /* an event's number */
    size_t most;      /* of them */
    size_t most_size; /* bytes of text */
    bool newest;      /* the last ones, else the first ones */
};

/* "decisions":[..] as members of an open object, and "more": whether there are others in the
 * range (before them when the newest were asked for, else behind them). */
void loop_told_decisions(const struct told *told, const struct told_range *range,
                         struct json_text *out);

/* "entries":[..] and "more": events of people and claims with what they brought out. */
void loop_told_history(const struct told *told, const struct record *record,
                       const struct told_range *range, struct json_text *out);

#endif
