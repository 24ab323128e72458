/* referee/cmd_timeline.h: what was decided in a match, in order of time, as lines for people, in
 * the language that is spoken. Program layer. */
#ifndef REFEREE_CMD_TIMELINE_H
#define REFEREE_CMD_TIMELINE_H

#include "referee/history.h"
#include "referee/record.h"
#include "vision/json_text.h"

/* A line for each decision that stands: its cause (what undo and overrule take), the time, and what
 * it says. Says so when there was no memory to go over the past. */
void cmd_timeline_text(const struct history *history, struct json_text *out);

/* A decision's line, with its newline. */
void cmd_timeline_decision(const struct match_state *state, const struct decision *decision,
                           struct json_text *out);

/* What such a line says, without cause, time and newline. */
void cmd_timeline_words(const struct match_state *state, const struct decision *decision,
                        struct json_text *out);

/* A line for an undo, redo or overrule on record. */
void cmd_timeline_act(enum journal_kind kind, const struct record_act *act, struct json_text *out);

#endif
