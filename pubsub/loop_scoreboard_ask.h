/* pubsub/loop_scoreboard_ask.h: the two threads that ask for the pages. Program layer. */
#ifndef PUBSUB_LOOP_SCOREBOARD_ASK_H
#define PUBSUB_LOOP_SCOREBOARD_ASK_H

#include "pubsub/web_desk.h"
#include "pubsub/wire.h"

struct asking;

/* What is known of the match's time. */
struct match_time {
    int64_t t_ns, error_ns, epoch;
};

/* Starts both; NULL after saying what is wrong. `wire` and desks are lent. `source` as in
 * web_options. */
struct asking *loop_scoreboard_ask(struct wire *wire, const char *rundir, struct web_desk *asks,
                                   struct web_desk *looks, const char *source);
/* Tells both to end and waits, a quarter of a second at most for each. */
void loop_scoreboard_ask_end(struct asking **asking);

/* The match's time now; false when the referee did not say it lately. From any thread. */
bool loop_scoreboard_time(struct asking *asking, struct match_time *out);
/* What the referee said last of whether pictures are kept. */
bool loop_scoreboard_recording(struct asking *asking);

#endif
