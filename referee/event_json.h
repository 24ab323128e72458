/* referee/event_json.h: events as lines of JSON; EVENTS.md is the format. Of the program's record:
 * the engine (step.h) knows no JSON.
 *
 * What is written is canonical: the same event gives the same bytes, and reading them gives an
 * event that is written as those bytes again. Not in the format, so 0 in what is read: `forced`
 * (the record's own matter) and, of a layout, the corners and turns of single cells and the card's
 * corners. */
#ifndef REFEREE_EVENT_JSON_H
#define REFEREE_EVENT_JSON_H

#include "calib/error.h"
#include "referee/event.h"
#include "vision/json_text.h"

#include <stddef.h>
#include <stdint.h>

/* "v" of events, decisions and states. */
#define EVENTS_VERSION 1

/* Owns the cards that a set-up event points to. */
struct referee_cards;

/* An event from JSON of `length` bytes. `next_seq` is taken when the line has no "seq". Errors:
 * CALIB_E_SYNTAX, _VALUE, _SIZE, _MEMORY with `fault` (may be NULL) filled; its line counts within
 * `json`, its file is "event": the caller knows better. *out is then cleared.
 * A set-up that lists its cards gives them to *cards, which the caller keeps for as long as it uses
 * the event and then gives to referee_cards_destroy; else *cards is NULL, and a set-up's `cards`
 * too: the caller may look up the deck by its name. */
int referee_event_parse(const char *json, size_t length, uint64_t next_seq, struct event *out,
                        struct referee_cards **cards, struct calib_fault *fault);

/* NULL and pointer to NULL are allowed. */
void referee_cards_destroy(struct referee_cards **cards);

/* One object on one line, without the newline. An event of no known kind is written as null. */
void referee_event_json(const struct event *event, struct json_text *out);

#endif
