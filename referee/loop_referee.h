/* referee/loop_referee.h: the referee as a process: hears what the eyes see, keeps the match on
 * record, and says what is decided. Program layer.
 *
 * It publishes and answers requests as pubsub/PROTOCOL.md says.
 *
 * It talks with the `vision` process over one socket, in messages of a word, a space and JSON:
 *   from the eyes   hello {"base_ns":..,"interval_ns":..,"live":true}   they begin (again);
 *                   "paced_ns": a recording that is read at its own speed began then
 *                   event {..}   an event as in EVENTS.md, without seq, in the eyes' own time
 *                   partial {..}   the same of a layout or card that has not settled: for displays
 *                   end {}       the recording is over
 *                   recorder {"text":..}   what the recording lacks; null: nothing
 *   to the eyes     who {}       say hello again
 *                   keep {"seat":..,"frame":..}      a ruling rests on that frame
 *                   text, chapter {"t_ns":..,"text":..}   for the recording, in the eyes' time
 *                   retell {}    tell everything anew as it stands
 *                   stop {}      what was sent until now is on record; end
 *
 * A recorded source runs on its own time: the events of a match depend on the recording alone, not
 * on how fast it is read. A live one is ticked on when the eyes are silent, so that nobody waits
 * for ever. */
#ifndef REFEREE_LOOP_REFEREE_H
#define REFEREE_LOOP_REFEREE_H

#include "referee/cmd_game.h"
#include "referee/record.h"

/* Made in the run's folder when the match is under way: the eyes see, and the record is that
 * match's. */
#define REFEREE_BEGUN_FILE "begun"

struct referee_service {
    const char *rundir;             /* where the socket is; held by who started us, or by us */
    const char *journal;            /* its path */
    const char *table;              /* its name, for displays */
    const char *publish, *requests; /* addresses besides the run's own; NULL for none */
    const char *keys;               /* the folder of keys for those; NULL for none */
    const struct cmd_game *game;
    struct record_header header;
    bool recorded;   /* its pictures are kept, too */
    bool text;       /* decisions as lines for people, else JSON */
    bool no_word;    /* standard input is another's: the keyboard claims */
    int start_after; /* live: seconds after the eyes' first word until the count begins; -1: at a
                        word on standard input */
};

/* Runs until the recording is over, or until *stop becomes true (set by a signal). An exit status;
 * what goes wrong is said on stderr, once. */
int loop_referee_run(const struct referee_service *asked, const volatile bool *stop);

#endif
