/* referee/loop_service.h: what the files of the referee's process share. Program layer. */
#ifndef REFEREE_LOOP_SERVICE_H
#define REFEREE_LOOP_SERVICE_H

#include "pubsub/access.h"
#include "pubsub/request.h"
#include "pubsub/wire.h"
#include "referee/loop_publish.h"
#include "referee/loop_referee.h"
#include "referee/loop_told.h"

/* What one act brought out, while it is done. */
struct brought {
    bool open;
    struct json_text decisions, voids; /* items of lists */
    uint64_t refused_seq;              /* the event that was refused; 0: none */
    enum why why;
};

/* The request sockets, and what keeps them in bounds. */
struct desk {
    struct wire_socket *near, *far; /* ipc; tcp or NULL */
    char *room;                     /* REQUEST_SIZE_MAX bytes and one */
    struct access_keys keys;
    struct request_memory *memory;
    struct request_bucket acts, questions;
    char build[17];
};

/* Said by a record that was opened, before it could be published. */
struct left {
    bool stands;
    char *body;
};

struct replay;

struct service {
    const struct referee_service *asked;
    struct replay
        *replay; /* a match that is shown again (loop_replay.c); NULL: one that is played */
    const volatile bool *stop;
    struct wire *wire;
    struct wire_keys *keys; /* the table's, for what other machines reach; NULL for none */
    struct wire_socket *eyes;
    struct wire_peer peer;
    struct record *record;
    struct publisher *publisher;
    struct told *told;
    struct desk desk;
    struct brought brought;
    struct left *left;
    size_t lefts;
    bool said;  /* something was said since the last event was done */
    char *room; /* WIRE_MESSAGE_MAX bytes and one */
    bool live, greeted, over;
    bool timed;         /* the match's time follows the machine's: live, or a paced recording */
    bool stuck;         /* the journal cannot be written now */
    char recorder[256]; /* what the recording lacks; "": nothing */
    int64_t clock_ns;   /* timed: the machine's time at 0 of the match's */
    int64_t base_ns;    /* of the eyes' time: 0 of the match's */
    int64_t t_ns;       /* of the newest event */
    int64_t seen_t_ns;
    int64_t synced_ns;
    int64_t start_t_ns; /* when the start event is due; -1: at a word, or it is done */
    int claim;          /* the next one of the file */
    uint64_t known;     /* recorded: events still to come that are on record already */
    int status;
};

/* --- loop_referee.c ----------------------------------------------------------------------------
 */

int64_t loop_now_ns(void);

/* The match's time now: never before its newest event. */
int64_t loop_match_ns(const struct service *service);

/* How often the match was taken up, or a replay wound: from 1. */
int64_t loop_epoch(const struct service *service);

/* A decision is printed as it was asked for. */
void loop_decision_print(const struct service *service, enum journal_kind kind,
                         const struct decision *decision, const char *body, size_t length,
                         const struct match_state *after);

/* An event is on record: what follows for the service's own notes, and for displays. */
void loop_event_done(struct service *service, const struct event *event);

/* --- loop_desk.c: requests ---------------------------------------------------------------------
 */

/* False after saying what is wrong; loop_desk_close in any case. */
bool loop_desk_open(struct service *service);
void loop_desk_close(struct service *service);

/* Answers what waits now, some at a time. */
void loop_desk_serve(struct service *service);

/* An answer on the way: what it holds besides v, id and ok. */
struct reply {
    enum request_error error; /* REQUEST_OK: ok */
    char text[256];
    struct json_text members; /* of an object whose brackets are not written */
};

/* --- loop_acts.c: acts -------------------------------------------------------------------------
 */

/* The record says something (decision NULL: void): noted while an act is done. `body` is closed by
 * a 0. */
void loop_act_brings(struct brought *brought, const struct decision *decision, const char *body);

/* Does what a person or a claim asks for, whose key was found to allow it. */
void loop_act(struct service *service, const struct request *request, struct reply *reply);

/* --- loop_replay.c: acts on a replay -----------------------------------------------------------
 */

int64_t loop_replay_ns(const struct replay *replay);
int64_t loop_replay_epoch(const struct replay *replay);

/* Winds, pauses, or sets the speed; refuses what is of a match that is played. */
void loop_replay_act(struct service *service, const struct request *request, struct reply *reply);

/* --- loop_answers.c: questions -----------------------------------------------------------------
 */

void loop_answer(struct service *service, const struct request *request, struct reply *reply);

/* Fills the reply's text. */
void loop_reply_refuse(struct reply *reply, enum request_error error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
