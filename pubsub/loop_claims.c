/* pubsub/loop_claims.c: claims by keys and buttons. */
#include "pubsub/loop_claims.h"

#include "pubsub/keys.h"
#include "pubsub/wire.h"
#include "referee/cmd_common.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000
#define ANSWER_MS 1000
/* A claim is sent so often before it is said that nobody answers. */
#define TRIES 3
#define TIME_EVERY_MS 1000
/* Of the last so many answers the quickest counts. */
#define TIMES 8
/* Two clocks of quartz drift apart by less than this: 200 parts in a million. */
#define DRIFT_PER_MILLION 200
/* More waiting than all players can press within the time that all tries take. */
#define WAITING_MOST 32
#define ROOM_BYTES ((size_t)64 << 10)

struct time_sample {
    int64_t offset_ns; /* of the match's time to this machine's */
    int64_t way_ns, at_ns;
};

struct claims {
    struct wire *wire;
    struct wire_keys *keys;
    struct wire_socket *socket;
    char requests[256], access[PATH_MAX], source[17], room[ROOM_BYTES];
    struct time_sample sample[TIMES];
    int samples;
    int64_t epoch;
    uint64_t number;
    pthread_t thread;
    bool runs;
    pthread_mutex_t lock; /* over all that follows */
    pthread_cond_t wake;
    bool ending;
    struct claims_press waiting[WAITING_MOST];
    struct claims_told told[WAITING_MOST];
    int waits, tells;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* ---- keys of seats ---- */

/* False: there is no such file, or none that only its owner may read. */
static bool access_load(const char *path, struct access_keys *out)
{
    char text[ACCESS_TEXT_MAX];
    struct stat status;
    ssize_t length = -1;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

    if (file < 0)
        return false;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & 077) == 0)
        length = read(file, text, sizeof text);
    close(file);
    bool well = length > 0 && length < (ssize_t)sizeof text &&
                pubsub_access_parse(text, (size_t)length, out, NULL) == PUBSUB_OK;
    sodium_memzero(text, sizeof text);
    return well;
}

int loop_claims_seats(const char *access, int seats[ACCESS_SEATS_MAX])
{
    struct access_keys keys;
    int count = 0;

    if (!access_load(access, &keys))
        return 0;
    for (; count < keys.seats; count++)
        seats[count] = keys.seat[count].seat;
    sodium_memzero(&keys, sizeof keys);
    return count;
}

/* ---- asking ---- */

static void socket_anew(struct claims *claims)
{
    pubsub_wire_close(&claims->socket);
    (void)pubsub_wire_connect_keys(claims->wire, WIRE_REQ, claims->requests, claims->keys,
                                   &claims->socket, NULL);
}

/* One question's answer, which the caller gives to json_decref; NULL: none came. A socket without
 * an answer is of no use any longer. */
static json_t *ask(struct claims *claims, const char *request)
{
    int64_t got = -1;

    if (!claims->socket)
        socket_anew(claims);
    if (claims->socket &&
        pubsub_wire_send(claims->socket, NULL, request, strlen(request), 0) == PUBSUB_OK)
        got =
            pubsub_wire_receive(claims->socket, NULL, claims->room, sizeof claims->room, ANSWER_MS);
    if (got < 0)
        pubsub_wire_close(&claims->socket);
    return got > 0 ? json_loadb(claims->room, (size_t)got, 0, NULL) : NULL;
}

static void time_ask(struct claims *claims)
{
    char request[96];
    int64_t asked_ns = now_ns();

    snprintf(request, sizeof request, "{\"v\":1,\"id\":\"key-%s-%" PRIu64 "\",\"do\":\"time\"}",
             claims->source, claims->number++);
    json_t *answer = ask(claims, request);
    int64_t answered_ns = now_ns();
    const json_t *t_ns = json_object_get(answer, "t_ns");
    if (json_is_integer(t_ns)) {
        int64_t epoch = json_integer_value(json_object_get(answer, "epoch"));
        /* A match that was taken up again has another 0. */
        if (epoch != claims->epoch)
            claims->samples = 0;
        claims->epoch = epoch;
        claims->sample[claims->samples++ % TIMES] = (struct time_sample){
            .offset_ns = json_integer_value(t_ns) - (asked_ns + answered_ns) / 2,
            .way_ns = answered_ns - asked_ns,
            .at_ns = answered_ns};
    }
    json_decref(answer);
}

/* How far a sample may be off by now. */
static int64_t doubt_ns(const struct time_sample *sample, int64_t now)
{
    return sample->way_ns / 2 + (now - sample->at_ns) / 1000000 * DRIFT_PER_MILLION + 1;
}

/* The one that says best what time it is; NULL: none is known. */
static const struct time_sample *best(const struct claims *claims, int64_t now)
{
    const struct time_sample *found = NULL;

    for (int i = 0; i < TIMES && i < claims->samples; i++)
        if (!found || doubt_ns(&claims->sample[i], now) < doubt_ns(found, now))
            found = &claims->sample[i];
    return found;
}

/* ---- a claim ---- */

/* The request's text; the caller frees it. NULL without memory. */
static char *claim_make(struct claims *claims, const struct claims_press *press, const char *key,
                        int64_t *error_ns)
{
    const struct time_sample *sample = best(claims, press->at_ns);
    char id[64];

    snprintf(id, sizeof id, "key-%s-%" PRIu64, claims->source, claims->number++);
    json_t *request = json_pack("{s:i,s:s,s:s,s:s}", "v", 1, "id", id, "do",
                                press->seat ? "claim" : "start", "key", key);
    json_object_set_new(request, "by", json_string(press->by));
    if (press->seat && sample) {
        *error_ns = press->error_ns + doubt_ns(sample, press->at_ns);
        json_object_set_new(request, "seat", json_integer(press->seat));
        json_object_set_new(request, "claimed_t_ns",
                            json_integer(press->at_ns + sample->offset_ns));
        json_object_set_new(request, "error_ns", json_integer(*error_ns));
        /* Meant for the match as it stood when the time was known. */
        json_object_set_new(request, "epoch", json_integer(claims->epoch));
    }
    char *text = json_dumps(request, JSON_COMPACT);
    json_decref(request);
    return text;
}

static void answer_take(const json_t *answer, struct claims_told *out)
{
    const char *text = json_string_value(json_object_get(answer, "text"));

    out->well = json_is_true(json_object_get(answer, "ok"));
    if (!out->well)
        snprintf(out->text, sizeof out->text, "%s",
                 answer ? text ? text : "refused" : "nobody answers");
}

static void tell(struct claims *claims, const struct claims_told *told)
{
    pthread_mutex_lock(&claims->lock);
    if (claims->tells < WAITING_MOST)
        claims->told[claims->tells++] = *told;
    pthread_mutex_unlock(&claims->lock);
}

static void claim_send(struct claims *claims, const struct claims_press *press)
{
    struct claims_told told = {.seat = press->seat};
    struct access_keys keys;
    json_t *answer = NULL;
    const char *key = NULL;
    char *request = NULL;

    bool known = access_load(claims->access, &keys);
    if (known)
        key = press->seat ? pubsub_access_seat(&keys, press->seat) : keys.operator_key;
    if (!best(claims, now_ns()))
        time_ask(claims);
    if (!key)
        snprintf(told.text, sizeof told.text, "%s",
                 known ? "nobody plays at that seat"
                       : N_("there is no file of keys that can be used"));
    else if (press->seat && !best(claims, now_ns()))
        snprintf(told.text, sizeof told.text, N_("the table does not say what time it is"));
    else
        request = claim_make(claims, press, key, &told.error_ns);
    for (int i = 0; request && !answer && i < TRIES; i++)
        answer = ask(claims, request);
    if (request)
        answer_take(answer, &told);
    json_decref(answer);
    if (request)
        sodium_memzero(request, strlen(request));
    free(request);
    sodium_memzero(&keys, sizeof keys);
    tell(claims, &told);
}

/* ---- the thread ---- */

/* The oldest that waits, until the time that is due. False: nothing came. */
static bool press_next(struct claims *claims, int64_t until_ns, struct claims_press *out)
{
    const struct timespec until = {.tv_sec = until_ns / NS_PER_S, .tv_nsec = until_ns % NS_PER_S};
    bool any = false;

    pthread_mutex_lock(&claims->lock);
    while (claims->waits == 0 && !claims->ending)
        if (pthread_cond_timedwait(&claims->wake, &claims->lock, &until) != 0)
            break;
    if (claims->waits > 0 && !claims->ending) {
        *out = claims->waiting[0];
        any = true;
        memmove(claims->waiting, claims->waiting + 1,
                (size_t)(--claims->waits) * sizeof claims->waiting[0]);
    }
    pthread_mutex_unlock(&claims->lock);
    return any;
}

static bool ending(struct claims *claims)
{
    pthread_mutex_lock(&claims->lock);
    bool yes = claims->ending;
    pthread_mutex_unlock(&claims->lock);
    return yes;
}

static void *run(void *context)
{
    struct claims *claims = context;
    struct claims_press press;
    int64_t due_ns = 0;

    while (!ending(claims)) {
        if (now_ns() >= due_ns) {
            time_ask(claims);
            due_ns = now_ns() + (int64_t)TIME_EVERY_MS * NS_PER_MS;
        }
        if (press_next(claims, due_ns, &press))
            claim_send(claims, &press);
    }
    pubsub_wire_close(&claims->socket);
    return NULL;
}

/* ---- beginning and end ---- */

static bool wake_begin(struct claims *claims)
{
    pthread_condattr_t attributes;

    if (pthread_condattr_init(&attributes) != 0)
        return false;
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    bool well = pthread_mutex_init(&claims->lock, NULL) == 0;
    if (well && pthread_cond_init(&claims->wake, &attributes) != 0) {
        pthread_mutex_destroy(&claims->lock);
        well = false;
    }
    pthread_condattr_destroy(&attributes);
    return well;
}

static bool wire_begin(struct claims *claims, const struct claims_options *options)
{
    struct wire_fault fault = {.text = ""};
    unsigned char bytes[8];

    snprintf(claims->requests, sizeof claims->requests, "%s", options->requests);
    snprintf(claims->access, sizeof claims->access, "%s", options->access);
    if (sodium_init() < 0 || !(claims->wire = pubsub_wire_create())) {
        cmd_error("out of memory");
        return false;
    }
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(claims->source, sizeof claims->source, bytes, sizeof bytes);
    if ((options->keys && pubsub_keys_display(options->keys, &claims->keys, &fault) != PUBSUB_OK) ||
        pubsub_wire_connect_keys(claims->wire, WIRE_REQ, claims->requests, claims->keys,
                                 &claims->socket, &fault) != PUBSUB_OK) {
        cmd_error("%s", fault.text);
        return false;
    }
    return true;
}

bool loop_claims_open(const struct claims_options *options, struct claims **out)
{
    struct claims *claims = calloc(1, sizeof *claims);

    *out = NULL;
    if (!claims || !wake_begin(claims)) {
        free(claims);
        cmd_error("out of memory");
        return false;
    }
    *out = claims;
    if (!wire_begin(claims, options))
        return false;
    claims->runs = pthread_create(&claims->thread, NULL, run, claims) == 0;
    if (!claims->runs)
        cmd_error("out of memory");
    return claims->runs;
}

void loop_claims_close(struct claims **claims)
{
    if (!claims || !*claims)
        return;
    pthread_mutex_lock(&(*claims)->lock);
    (*claims)->ending = true;
    pthread_cond_signal(&(*claims)->wake);
    pthread_mutex_unlock(&(*claims)->lock);
    if ((*claims)->runs)
        pthread_join((*claims)->thread, NULL);
    pubsub_wire_close(&(*claims)->socket);
    pubsub_wire_destroy(&(*claims)->wire);
    pubsub_keys_destroy(&(*claims)->keys);
    pthread_cond_destroy(&(*claims)->wake);
    pthread_mutex_destroy(&(*claims)->lock);
    free(*claims);
    *claims = NULL;
}

void loop_claims_press(struct claims *claims, const struct claims_press *press)
{
    struct claims_told full = {.seat = press->seat, .text = N_("too many are waiting")};

    pthread_mutex_lock(&claims->lock);
    bool fits = claims->waits < WAITING_MOST;
    if (fits)
        claims->waiting[claims->waits++] = *press;
    pthread_cond_signal(&claims->wake);
    pthread_mutex_unlock(&claims->lock);
    if (!fits)
        tell(claims, &full);
}

void loop_claims_start(struct claims *claims)
{
    const struct claims_press press = {.by = "keyboard"};

    loop_claims_press(claims, &press);
}

bool loop_claims_told(struct claims *claims, struct claims_told *out)
{
    pthread_mutex_lock(&claims->lock);
    bool any = claims->tells > 0;
    if (any) {
        *out = claims->told[0];
        memmove(claims->told, claims->told + 1, (size_t)(--claims->tells) * sizeof claims->told[0]);
    }
    pthread_mutex_unlock(&claims->lock);
    return any;
}
