/* pubsub/loop_scoreboard_ask.c: the two threads that ask for the pages. */
#include "pubsub/loop_scoreboard_ask.h"

#include "pubsub/rundir.h"
#include "referee/cmd_common.h"

#include <inttypes.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000
/* A referee that lives answers within a few ms; a page is told soon that it does not. */
#define ANSWER_MS 1000
#define LOOK_MS 1000
/* How long a wait may hold up the end. */
#define SLICE_MS 200
/* Pictures are made for one asker in this time, and shown to all. */
#define PICTURE_FRESH_MS 200
/* The match's time is asked for this often, and not known any more after this without an answer. */
#define TIME_EVERY_MS 1000
#define TIME_OLD_MS 4000
/* Of the last so many answers the quickest counts. */
#define TIMES 8
#define HELLO_EVERY 5

struct time_sample {
    int64_t offset_ns; /* of the match's time to the machine's */
    int64_t way_ns;    /* how long the answer took */
};

struct asking {
    struct wire *wire;
    struct web_desk *asks, *looks;
    char asks_at[160], looks_at[160], source[17];
    pthread_t asker, looker;
    bool asker_runs, looker_runs;
    pthread_mutex_t lock; /* over all that follows */
    bool ending;
    struct time_sample sample[TIMES];
    int samples;
    int64_t heard_ns, epoch;
    bool recording;
};

/* One end of a socket, with room for what comes. */
struct end {
    struct asking *asking;
    struct wire_socket *socket;
    char *room;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static bool ending(struct asking *asking)
{
    pthread_mutex_lock(&asking->lock);
    bool yes = asking->ending;
    pthread_mutex_unlock(&asking->lock);
    return yes;
}

/* One question and its answer's length, or a negative number. A late answer to an earlier question
 * is not taken for this one's: ZeroMQ drops it. */
static int64_t ask(struct end *end, const char *request, size_t length, int timeout_ms)
{
    int64_t until_ns = now_ns() + (int64_t)timeout_ms * NS_PER_MS, left_ms;

    int error = pubsub_wire_send(end->socket, NULL, request, length, 0);
    if (error != PUBSUB_OK)
        return error;
    while ((left_ms = (until_ns - now_ns()) / NS_PER_MS) > 0 && !ending(end->asking)) {
        int64_t got = pubsub_wire_receive(end->socket, NULL, end->room, WIRE_MESSAGE_MAX + 1,
                                          left_ms < SLICE_MS ? (int)left_ms : SLICE_MS);
        if (got != PUBSUB_E_AGAIN)
            return got;
    }
    return PUBSUB_E_AGAIN;
}

static bool end_open(struct end *end, const char *address)
{
    struct wire_fault fault = {.text = ""};

    end->room = malloc(WIRE_MESSAGE_MAX + 1);
    if (end->room &&
        pubsub_wire_connect(end->asking->wire, WIRE_REQ, address, &end->socket, &fault) == 0)
        return true;
    cmd_error("%s", end->room ? fault.text : "out of memory");
    return false;
}

static void end_close(struct end *end)
{
    pubsub_wire_close(&end->socket);
    free(end->room);
}

/* A copy with a closing 0, or NULL. */
static char *text_copy(const char *bytes, size_t length)
{
    char *copy = malloc(length + 1);

    if (copy) {
        memcpy(copy, bytes, length);
        copy[length] = 0;
    }
    return copy;
}

/* ---- the referee ---- */

static void errand_ask(struct end *end, struct web_errand *errand)
{
    /* Who waited for another's answer in vain need not wait for its own. */
    if (!pubsub_web_errand_late(errand, ANSWER_MS)) {
        int64_t got = ask(end, errand->request, errand->request_length, ANSWER_MS);
        if (got > 0)
            errand->answer = text_copy(end->room, (size_t)got);
        if (errand->answer)
            errand->answer_length = (size_t)got;
    }
    pubsub_web_errand_finish(errand);
}

static json_t *question_ask(struct end *end, const char *what, uint64_t number)
{
    char request[128];
    int length =
        snprintf(request, sizeof request, "{\"v\":1,\"id\":\"board-%s-%" PRIu64 "\",\"do\":\"%s\"}",
                 end->asking->source, number, what);
    int64_t got = ask(end, request, (size_t)length, ANSWER_MS);
    json_t *answer = got > 0 ? json_loadb(end->room, (size_t)got, 0, NULL) : NULL;

    if (json_is_true(json_object_get(answer, "ok")))
        return answer;
    json_decref(answer);
    return NULL;
}

/* Half of the way there and back is how far the answer may be off. */
static void time_ask(struct end *end, uint64_t number)
{
    struct asking *asking = end->asking;
    int64_t asked_ns = now_ns();
    json_t *answer = question_ask(end, "time", number);
    int64_t answered_ns = now_ns();
    const json_t *t_ns = json_object_get(answer, "t_ns");

    if (json_is_integer(t_ns)) {
        const struct time_sample sample = {.offset_ns = json_integer_value(t_ns) -
                                                        (asked_ns + answered_ns) / 2,
                                           .way_ns = answered_ns - asked_ns};
        int64_t epoch = json_integer_value(json_object_get(answer, "epoch"));
        pthread_mutex_lock(&asking->lock);
        /* A match that was taken up again has another 0. */
        if (epoch != asking->epoch)
            asking->samples = 0;
        asking->epoch = epoch;
        asking->heard_ns = answered_ns;
        asking->sample[asking->samples++ % TIMES] = sample;
        pthread_mutex_unlock(&asking->lock);
    }
    json_decref(answer);
}

static void hello_ask(struct end *end, uint64_t number)
{
    json_t *answer = question_ask(end, "hello", number);

    if (answer) {
        pthread_mutex_lock(&end->asking->lock);
        end->asking->recording = json_is_true(json_object_get(answer, "recording"));
        pthread_mutex_unlock(&end->asking->lock);
    }
    json_decref(answer);
}

static void *asker_run(void *context)
{
    struct end end = {.asking = context};
    uint64_t number = 0;
    int64_t due_ns = 0;

    if (end_open(&end, end.asking->asks_at))
        while (!ending(end.asking)) {
            if (now_ns() >= due_ns) {
                due_ns = now_ns() + (int64_t)TIME_EVERY_MS * NS_PER_MS;
                time_ask(&end, number);
                if (number++ % HELLO_EVERY == 0)
                    hello_ask(&end, number);
            }
            struct web_errand *errand = pubsub_web_desk_take(end.asking->asks, SLICE_MS);
            if (errand)
                errand_ask(&end, errand);
        }
    end_close(&end);
    return NULL;
}

bool loop_scoreboard_time(struct asking *asking, struct match_time *out)
{
    int64_t now = now_ns();

    pthread_mutex_lock(&asking->lock);
    bool known = asking->samples > 0 && now - asking->heard_ns < (int64_t)TIME_OLD_MS * NS_PER_MS;
    const struct time_sample *best = &asking->sample[0];
    for (int i = 1; i < TIMES && i < asking->samples; i++)
        if (asking->sample[i].way_ns < best->way_ns)
            best = &asking->sample[i];
    *out = (struct match_time){
        .t_ns = now + best->offset_ns, .error_ns = best->way_ns / 2 + 1, .epoch = asking->epoch};
    pthread_mutex_unlock(&asking->lock);
    return known;
}

bool loop_scoreboard_recording(struct asking *asking)
{
    pthread_mutex_lock(&asking->lock);
    bool recording = asking->recording;
    pthread_mutex_unlock(&asking->lock);
    return recording;
}

/* ---- the eyes ---- */

/* The newest picture, kept for those who ask in the same moment. */
struct picture_kept {
    char *outline;
    size_t outline_length;
    unsigned char *picture;
    size_t picture_length;
    int64_t taken_ns;
};

static void kept_free(struct picture_kept *kept)
{
    free(kept->outline);
    free(kept->picture);
    memset(kept, 0, sizeof *kept);
}

/* An object, a newline, and the picture if there is one. */
static void kept_take(struct picture_kept *kept, const char *message, size_t length)
{
    const char *line = memchr(message, '\n', length);
    size_t outline = line ? (size_t)(line - message) : length;
    size_t picture = line ? length - outline - 1 : 0;

    kept_free(kept);
    kept->outline = text_copy(message, outline);
    kept->outline_length = outline;
    kept->taken_ns = now_ns();
    if (picture > 0)
        kept->picture = malloc(picture);
    if (kept->picture) {
        memcpy(kept->picture, line + 1, picture);
        kept->picture_length = picture;
    }
}

static void errand_look(struct end *end, struct picture_kept *kept, struct web_errand *errand)
{
    static const char request[] = "{\"v\":1,\"do\":\"picture\"}";
    bool fresh = kept->outline && now_ns() - kept->taken_ns < (int64_t)PICTURE_FRESH_MS * NS_PER_MS;

    if (!fresh && !pubsub_web_errand_late(errand, LOOK_MS)) {
        int64_t got = ask(end, request, sizeof request - 1, LOOK_MS);
        if (got > 0)
            kept_take(kept, end->room, (size_t)got);
        fresh = got > 0;
    }
    if (fresh && kept->outline) {
        errand->answer = text_copy(kept->outline, kept->outline_length);
        errand->answer_length = kept->outline_length;
        errand->picture = kept->picture ? malloc(kept->picture_length) : NULL;
        if (errand->picture)
            memcpy(errand->picture, kept->picture, kept->picture_length);
        errand->picture_length = kept->picture_length;
    }
    pubsub_web_errand_finish(errand);
}

static void *looker_run(void *context)
{
    struct end end = {.asking = context};
    struct picture_kept kept = {.outline = NULL};

    if (end_open(&end, end.asking->looks_at))
        while (!ending(end.asking)) {
            struct web_errand *errand = pubsub_web_desk_take(end.asking->looks, SLICE_MS);
            if (errand)
                errand_look(&end, &kept, errand);
        }
    kept_free(&kept);
    end_close(&end);
    return NULL;
}

/* ---- both ---- */

struct asking *loop_scoreboard_ask(struct wire *wire, const char *rundir, struct web_desk *asks,
                                   struct web_desk *looks, const char *source)
{
    struct asking *asking = calloc(1, sizeof *asking);

    if (!asking || pthread_mutex_init(&asking->lock, NULL) != 0) {
        free(asking);
        cmd_error("out of memory");
        return NULL;
    }
    asking->wire = wire;
    asking->asks = asks;
    asking->looks = looks;
    snprintf(asking->source, sizeof asking->source, "%s", source);
    if (pubsub_rundir_address(rundir, "requests", asking->asks_at, sizeof asking->asks_at) == 0 &&
        pubsub_rundir_address(rundir, "view", asking->looks_at, sizeof asking->looks_at) == 0) {
        asking->asker_runs = pthread_create(&asking->asker, NULL, asker_run, asking) == 0;
        asking->looker_runs = pthread_create(&asking->looker, NULL, looker_run, asking) == 0;
    }
    if (!asking->asker_runs || !asking->looker_runs) {
        cmd_error("%s: nothing can be asked there", rundir);
        loop_scoreboard_ask_end(&asking);
    }
    return asking;
}

void loop_scoreboard_ask_end(struct asking **asking)
{
    if (!asking || !*asking)
        return;
    pthread_mutex_lock(&(*asking)->lock);
    (*asking)->ending = true;
    pthread_mutex_unlock(&(*asking)->lock);
    if ((*asking)->asker_runs)
        pthread_join((*asking)->asker, NULL);
    if ((*asking)->looker_runs)
        pthread_join((*asking)->looker, NULL);
    pthread_mutex_destroy(&(*asking)->lock);
    free(*asking);
    *asking = NULL;
}
