/* pubsub/loop_claims.h: claims by keys and buttons, sent to a table in a thread of their own, so
 * that neither a slow table nor a display holds up the next one. Program layer.
 *
 * Who presses gives the time of the press on this machine's CLOCK_MONOTONIC and how far that may be
 * off. The thread knows the match's time by asking for it once a second, as a phone does: half of
 * the quickest way there and back, and what two clocks of quartz drift apart since, is added to the
 * error. A claim is sent again with the same id when no answer comes, so it counts once. */
#ifndef PUBSUB_LOOP_CLAIMS_H
#define PUBSUB_LOOP_CLAIMS_H

#include "pubsub/access.h"

#include <stdbool.h>
#include <stdint.h>

/* How far the time of a key that a terminal gives may be off: the keyboard is asked every 8 or 10
 * ms, and the terminal's program and this one must each get their turn. */
#define CLAIMS_KEY_ERROR_NS 25000000
/* The same when the keys come over a network (ssh), whose ways nobody measures. */
#define CLAIMS_FAR_KEY_ERROR_NS 250000000

struct claims_options {
    const char *requests; /* where the table answers; lent while it is opened */
    const char *keys;     /* a display's key for CURVE; NULL: none */
    const char *access;   /* the file of the seats' keys, read at each claim; copied */
};

struct claims;

/* False after saying what is wrong. The caller gives *out to loop_claims_close. */
bool loop_claims_open(const struct claims_options *options, struct claims **out);
void loop_claims_close(struct claims **claims);

struct claims_press {
    int seat;
    int64_t at_ns, error_ns;
    const char *by; /* "button": the claim's source, of up to 31 bytes; lent for ever */
};

/* Any thread. What does not fit any more is said to have failed. */
void loop_claims_press(struct claims *claims, const struct claims_press *press);
/* The start of the count, as the operator says it: with that one's key. */
void loop_claims_start(struct claims *claims);

struct claims_told {
    int seat; /* 0: of the start */
    bool well;
    int64_t error_ns; /* as it was sent */
    char text[160];   /* why not, in a line */
};

/* What became of the oldest that was not told yet. False: nothing new. */
bool loop_claims_told(struct claims *claims, struct claims_told *out);

/* The seats of the table's players, in their order, as far as the file of keys says; their count.
 */
int loop_claims_seats(const char *access, int seats[ACCESS_SEATS_MAX]);

#endif
