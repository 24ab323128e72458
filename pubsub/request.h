/* pubsub/request.h: what a table is asked, and what it answers (see PROTOCOL.md): read, bounded and
 * remembered. No I/O, no clock: times are given.
 *
 * Nothing that comes here is trusted: size, depth, names and kinds of members are checked before
 * anybody looks at their values. What the values mean is the rules' matter. */
#ifndef PUBSUB_REQUEST_H
#define PUBSUB_REQUEST_H

#include "pubsub/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REQUEST_VERSION 1
#define REQUEST_SIZE_MAX ((size_t)64 << 10)
/* A pattern in a list in a request: nothing that is asked nests deeper than three. */
#define REQUEST_DEPTH_MAX 8
#define REQUEST_ID_MAX 65 /* with its 0 */
#define REQUEST_KEY_MAX 65

/* At most this many acts and questions a second are answered, after a burst of as many. */
#define REQUEST_ACTS_PER_S 50
#define REQUEST_QUESTIONS_PER_S 200
/* A question's answer may be some thousand times as long as the question: each whole part of this
 * size counts as one more. Most matches' snapshots are shorter, so a hall of displays that comes
 * back at once is served at once; nobody draws more than 50 MiB a second out of a table. */
#define REQUEST_ANSWER_PART ((size_t)256 << 10)

enum request_do {
    /* questions */
    REQUEST_HELLO,
    REQUEST_TIME,
    REQUEST_SNAPSHOT,
    REQUEST_DECISIONS,
    /* acts that become an event of the same name */
    REQUEST_CLAIM,
    REQUEST_GIVE_UP,
    REQUEST_PASS,
    REQUEST_START,
    REQUEST_PAUSE,
    REQUEST_RESUME,
    REQUEST_CONFIRM,
    REQUEST_DECIDE,
    REQUEST_SET_CARD,
    REQUEST_AWARD,
    REQUEST_PENALISE,
    REQUEST_SET_ASIDE,
    REQUEST_NAME,
    REQUEST_SET_DISCS,
    REQUEST_ABANDON,
    /* words on the past */
    REQUEST_UNDO,
    REQUEST_REDO,
    REQUEST_OVERRULE,
    /* acts on a replay */
    REQUEST_SEEK,
    REQUEST_SPEED,
    /* questions with a key */
    REQUEST_KEYS,
    REQUEST_HISTORY,
    REQUEST_DOS
};

enum request_sort { REQUEST_QUESTION, REQUEST_EVENT, REQUEST_WORD, REQUEST_PLAYBACK };

/* Whose key it takes. */
enum request_right {
    REQUEST_ANYBODY,
    REQUEST_SEAT,  /* that of its "seat", or the operator's */
    REQUEST_MAKER, /* MAKER's, or the operator's */
    REQUEST_OPERATOR
};

enum request_error {
    REQUEST_OK,
    REQUEST_E_BAD_REQUEST,
    REQUEST_E_BAD_KEY,
    REQUEST_E_REFUSED,
    REQUEST_E_TOO_MANY,
    REQUEST_E_TOO_LARGE,
    REQUEST_E_NOT_READY,
    REQUEST_E_NOT_WRITTEN,
    REQUEST_E_UNKNOWN_EVENT,
    REQUEST_E_RESTARTED,
    REQUEST_E_REPLAY,
    REQUEST_ERRORS
};

/* "claim" and so on; NULL outside. */
const char *pubsub_request_name(enum request_do what);
enum request_sort pubsub_request_sort(enum request_do what);
enum request_right pubsub_request_right(enum request_do what);
/* The name of its member of that place; NULL behind the last one. Without v, id, key, do, epoch. */
const char *pubsub_request_member(enum request_do what, int place);
/* "bad_request" and so on; NULL for REQUEST_OK and outside. */
const char *pubsub_request_error_name(enum request_error error);

struct request {
    char id[REQUEST_ID_MAX]; /* empty when it could not be read */
    char key[REQUEST_KEY_MAX];
    enum request_do what;
    int64_t epoch; /* for which it is meant; 0: whichever */
    json_t *body;  /* the whole object */
};

/* Reads one. REQUEST_OK, or REQUEST_E_BAD_REQUEST or _TOO_LARGE with `fault` (may be NULL) telling
 * what is wrong; the id is filled whenever it can be, so that the answer finds its way. The caller
 * gives it to pubsub_request_free in any case. */
enum request_error pubsub_request_parse(const char *bytes, size_t length, struct request *out,
                                        struct wire_fault *fault);
void pubsub_request_free(struct request *request);

/* A whole number of the request; `usual` when it is missing or null. */
int64_t pubsub_request_whole(const struct request *request, const char *key, int64_t usual);
/* A text; NULL when it is missing or null. Lent. */
const char *pubsub_request_text(const struct request *request, const char *key);
bool pubsub_request_given(const struct request *request, const char *key);

/* ---- answers ---- */

/* {"v":1,"id":..,"ok":true,MEMBERS}: `members` as JSON text without braces, may be "". The caller
 * frees *out. PUBSUB_E_MEMORY. */
int pubsub_answer_make(const char *id, const char *members, char **out, size_t *length);
/* {"v":1,"id":..,"ok":false,"error":..,"text":..,MEMBERS}. */
int pubsub_answer_refuse(const char *id, enum request_error error, const char *text,
                         const char *members, char **out, size_t *length);

struct answer {
    char id[REQUEST_ID_MAX]; /* empty: it is null */
    bool ok;
    enum request_error error; /* REQUEST_OK when ok; REQUEST_ERRORS for a word we do not know */
    json_t *body;
};

/* Reads one, for those who asked. PUBSUB_E_ARGUMENT with `fault`, PUBSUB_E_MEMORY. The caller gives
 * out->body to json_decref. */
int pubsub_answer_parse(const char *bytes, size_t length, struct answer *out,
                        struct wire_fault *fault);

/* ---- what was done already ---- */

/* How many acts are remembered, and how many bytes of answers: the oldest are forgotten. */
#define REQUEST_MEMORY_ACTS 256
#define REQUEST_MEMORY_BYTES ((size_t)8 << 20)

struct request_memory;

/* NULL when there is no memory. */
struct request_memory *pubsub_memory_create(void);
void pubsub_memory_destroy(struct request_memory **memory);

enum request_seen {
    REQUEST_NEW,   /* nothing of that id and key is remembered */
    REQUEST_AGAIN, /* the same was done; here is its answer */
    REQUEST_OTHER  /* that id and key stand for another act */
};

/* Looks for an act. What may differ when it is sent again is how long ago it was. *answer is lent
 * until the next call of pubsub_memory_keep. */
enum request_seen pubsub_memory_find(const struct request_memory *memory,
                                     const struct request *request, const char **answer,
                                     size_t *length);

/* Remembers an act with its answer, which is copied. Without memory it is not remembered:
 * PUBSUB_E_MEMORY. */
int pubsub_memory_keep(struct request_memory *memory, const struct request *request,
                       const char *answer, size_t length);

/* ---- how many a second ---- */

struct request_bucket {
    int64_t per_s; /* also what it holds at most */
    int64_t level; /* in thousand-millionths */
    int64_t at_ns;
    bool begun;
};

/* Takes `cost` out if there is as much; now_ns never runs backward. */
bool pubsub_bucket_take(struct request_bucket *bucket, int cost, int64_t now_ns);
/* Takes out what turned out to be needed besides, also what is not there yet: it is waited for. */
void pubsub_bucket_owe(struct request_bucket *bucket, size_t cost);

#endif
