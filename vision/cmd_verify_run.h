/* vision/cmd_verify_run.h: how verify does much: what there is to do, workers that do it, and lines
 * that say what came of each thing, in files, too. Program layer.
 *
 * What is printed does not depend on how many workers there were, nor on which of them did what: it
 * comes in the order of the list. */
#ifndef VISION_CMD_VERIFY_RUN_H
#define VISION_CMD_VERIFY_RUN_H

#include "referee/cmd_build.h"
#include "referee/event.h"
#include "vision/cmd_verify.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what there is to do ---- */

enum verify_kind {
    VERIFY_PICTURE, /* with its truth */
    VERIFY_MATCH,   /* a match's folder */
    VERIFY_ALONE    /* a picture without a truth: only counted */
};

struct verify_item {
    enum verify_kind kind;
    char *path;   /* of the picture (of the truth, when it has none), or of the folder */
    char *truth;  /* a picture's; else NULL */
    bool lacks;   /* a truth without a picture */
    int64_t work; /* how long it takes, in bytes of pictures */
    char known[DIGEST_TEXT_MAX]; /* what was done of it before was of these bytes; "": nothing */
};

struct verify_list {
    struct verify_item *item;
    int count, capacity;
    int faults; /* folders that could not be read */
};

/* Adds what lies in a folder, sorted by name: pictures, truths, matches (folders with a journal);
 * or the folder, if it is a match. What cannot be read is said, and is a fault of the list. */
void verify_list_add(struct verify_list *list, const char *folder);
void verify_list_free(struct verify_list *list);

/* ---- what came of a thing ---- */

/* One thing's outcome; a line of JSON as it goes from workers and into files:
 *   {"v":1,"build":"..","number":0,"of":2,"list_faults":0,"kind":"picture","path":"..","digest":"..",
 *    "said":"..","fault":false,"crashed":false,"ramp":false,"readings":[..],"match":{..}} */
struct verify_outcome {
    json_t *body; /* owned; texts below are lent from it */
    const char *build, *path, *digest, *said;
    int number, of, list_faults;
    enum verify_kind kind;
    bool fault, crashed, ramp;
    int readings;
    struct verify_result reading[2];
    struct {
        bool judged;
        int64_t verdicts, layouts, differences;
        const json_t *lines; /* a text for each difference */
    } match;
};

/* What is said of a thing before it is known what came of it: opens the line's object. */
struct verify_heading {
    const char *build;
    int number, of, list_faults;
    const struct verify_item *item;
    const char *digest, *said;
};
void verify_outcome_begin(const struct verify_heading *heading, bool fault, bool crashed,
                          struct json_text *out);
/* A reading, inside of "readings":[..]. */
void verify_result_pack(const struct verify_result *result, struct json_text *out);

/* Reads a line. False with `why` (of that size) when it is none; verify_outcome_free in any case.
 */
bool verify_outcome_parse(const char *bytes, size_t length, struct verify_outcome *out, char *why,
                          size_t size);
void verify_outcome_free(struct verify_outcome *outcome);

/* What came of a match as it goes to standard output. */
void verify_match_json(const struct verify_outcome *outcome, struct json_text *out);
void verify_match_text(const struct verify_outcome *outcome, struct json_text *out);

/* ---- doing it ---- */

struct verify_how {
    bool rig[2]; /* [0]: read without rig, [1]: with */
    char build[CMD_BUILD_MAX];
};

/* Reads the number-th thing and makes its line in *out. What is known already of the same bytes is
 * not done again: the line is empty then. `said` gives what went to stderr since it was called
 * last. */
struct verify_worker;
struct verify_worker *verify_worker_create(const struct verify_how *how,
                                           const struct verify_list *list);
void verify_worker_destroy(struct verify_worker **worker);
void verify_worker_do(struct verify_worker *worker, int number, const char *(*said)(void),
                      struct json_text *out);

/* ---- many at once ---- */

struct verify_pool_sink {
    /* The next number to be done; negative: there is none. */
    int (*next)(void *context);
    /* A line came; of length 0 when the thing is known already. False: stop. */
    bool (*done)(void *context, int number, const char *line, size_t length);
    /* A worker ended in the middle of a thing: how ("signal 11"), and what it had said. False:
     * stop. */
    bool (*crashed)(void *context, int number, const char *how, const char *said);
    /* Called several times a second. */
    void (*look)(void *context);
    void *context;
};

/* Runs so many workers until nothing is left, or *stop becomes true: then what they are at is given
 * up. False when none could be started, after saying why. */
bool verify_pool_run(int workers, const struct verify_how *how, const struct verify_list *list,
                     const struct verify_pool_sink *sink, const volatile bool *stop);

#endif
