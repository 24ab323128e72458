/* referee/record.h: a match on record: the engine and the journal, bound together.
 *
 * What always holds: nothing is said (record_output) before the journal that says it lies on the
 * disk; what could not be written has not happened. A journal that is opened again is stepped over
 * anew, and every decision in it must come out with the same bytes. */
#ifndef REFEREE_RECORD_H
#define REFEREE_RECORD_H

#include "referee/history.h"
#include "referee/journal.h"

#define RECORD_NAME_MAX 64
#define RECORD_DATE_MAX 32

/* The journal's first line: what the match is played with. Texts may be empty. */
struct record_header {
    char match[RECORD_NAME_MAX];
    char table[RECORD_NAME_MAX];
    char made[RECORD_DATE_MAX];    /* wall clock, for people: "2026-11-30T18:05:09Z" */
    char program[RECORD_NAME_MAX]; /* version */
    char set[DIGEST_TEXT_MAX], mat[DIGEST_TEXT_MAX], deck[DIGEST_TEXT_MAX], rig[DIGEST_TEXT_MAX];
    int rules; /* RULES_VERSION; filled by what writes it */
};

/* A person's word on the past. */
struct record_act {
    uint64_t event;     /* seq of the claim, layout or act: a decision's cause */
    enum ruling ruling; /* overrule */
    char by[EVENT_WORD_MAX];
    char why[EVENT_TEXT_MAX];
};

/* Hears what is said, after it is safe. `body` is the decision as in EVENTS.md, or for one that no
 * longer stands (`decision` NULL) {"seq":..,"index":..}. Lent. May be NULL. */
struct record_output {
    void (*say)(void *context, enum journal_kind kind, const struct decision *decision,
                const char *body, size_t length, const struct match_state *after);
    void *context;
};

/* A person's word on record, and behind which event it stands. */
struct record_word {
    enum journal_kind kind; /* undo, redo or overrule */
    struct record_act act;
    uint64_t after; /* seq of the newest event at that time */
};

struct record;

/* Opens a match's journal; a path of NULL keeps the match in memory only. A new one begins with
 * `header`, of an old one the header is in referee_record_header. Decisions whose events a dying
 * process had written, but not them, are put on record and said now. Errors: those of
 * referee_journal_open; REFEREE_E_DIFFERS, REFEREE_E_VERSION, REFEREE_E_SYNTAX with the line named.
 * The caller gives *out to referee_record_close. */
int referee_record_open(const char *path, const struct record_header *header,
                        const struct record_output *output, const struct calib_sink *sink,
                        struct record **out, struct calib_fault *fault);

/* The same only to look at it: nothing is written, locked or said, and acts are refused with
 * REFEREE_E_ARGUMENT. */
int referee_record_read(const char *path, const struct calib_sink *sink, struct record **out,
                        struct calib_fault *fault);

void referee_record_close(struct record **record);

/* One more event, ruled on as its line in the journal holds it. Its seq, when 0, becomes the next
 * one (which the event is told); a time below the last event's is refused by the engine, by name.
 * REFEREE_E_ARGUMENT: its seq is not above the last one, or the format cannot hold what it says;
 * nothing has changed. REFEREE_E_WRITE: it has not happened; raise the alarm and try again. The
 * first event without a number of its own that can be written after that finds play paused: if play
 * is on, a pause event by "journal" is put before it, so that a person resumes. */
int referee_record_event(struct record *record, struct event *event, struct calib_fault *fault);

/* Takes back what an event brought out (or puts it back), or overrules its verdict. As
 * referee_history_undo and _overrule, REFEREE_E_ARGUMENT for a text that the format cannot hold,
 * and REFEREE_E_WRITE. Decisions that come out with other bytes than before become void and are
 * said anew. */
int referee_record_undo(struct record *record, const struct record_act *act, bool undone,
                        struct calib_fault *fault);
int referee_record_overrule(struct record *record, const struct record_act *act,
                            struct calib_fault *fault);

/* Syncs observations that brought nothing out: call it every half second or so. */
int referee_record_sync(struct record *record, struct calib_fault *fault);

const struct record_header *referee_record_header(const struct record *record);
const struct history *referee_record_history(const struct record *record);
const struct match_state *referee_record_state(const struct record *record);
/* The chain's head ("" in memory), and how often the match was taken up again. */
const char *referee_record_head(const struct record *record);
int referee_record_epoch(const struct record *record);
/* The acts on the past that it holds, in their order; *count gets their number. Lent until the next
 * one. */
const struct record_word *referee_record_words(const struct record *record, size_t *count);

#endif
