/* capture/intake.c: takes what a live source gives, in a thread of its own. */
#include "capture/intake.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/fault.h"
#include "capture/picture.h"
#include "capture/recorder.h"

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000
/* A second of a camera's largest MJPEG at 30 pictures a second, or four raw pictures of 1080p: who
 * is further behind does not catch up by having more. */
#define MOST_BYTES ((size_t)16 << 20)
/* How long the source is asked for at a time: soon enough to end. */
#define TURN_MS 100
/* Memory of pictures that were given out is used again, as long as it is this many's. */
#define SPARE_MOST 4

struct item {
    struct item *next;
    struct picture picture;
    struct source_about about;
    uint8_t *bytes;
    size_t capacity;
};

struct intake {
    struct source *source;
    struct intake_options options;
    struct decoder *decoder; /* the thread's, for raw pictures */
    struct item *given;      /* what the reader has */
    pthread_t thread;
    pthread_mutex_t lock; /* for all below */
    pthread_cond_t came;
    bool started, ending;
    struct item *first, *last, *spare;
    int spares, good; /* good: undamaged ones that wait */
    size_t bytes;
    uint64_t lost; /* let go since the last one that was put in */
    struct source_about about;
    int ended; /* CAPTURE_PICTURE while it goes on; else what ended the source */
    struct capture_fault fault;
};

/* ---- items ---- */

static size_t weight(const struct item *item)
{
    return sizeof *item + item->picture.length + item->picture.chroma_length;
}

static void item_free(struct item *item)
{
    if (item)
        free(item->bytes);
    free(item);
}

/* Under the lock. */
static void item_spare(struct intake *intake, struct item *item)
{
    if (!item || intake->spares >= SPARE_MOST) {
        item_free(item);
        return;
    }
    item->next = intake->spare;
    intake->spare = item;
    intake->spares++;
}

static struct item *item_new(struct intake *intake)
{
    pthread_mutex_lock(&intake->lock);
    struct item *item = intake->spare;
    if (item) {
        intake->spare = item->next;
        intake->spares--;
    }
    pthread_mutex_unlock(&intake->lock);
    return item ? item : calloc(1, sizeof *item);
}

/* Under the lock. */
static struct item *item_take(struct intake *intake)
{
    struct item *item = intake->first;

    if (!item)
        return NULL;
    intake->first = item->next;
    if (!intake->first)
        intake->last = NULL;
    intake->bytes -= weight(item);
    intake->good -= !item->picture.damaged;
    return item;
}

static void item_put(struct intake *intake, struct item *item)
{
    size_t most = intake->options.most_bytes > 0 ? intake->options.most_bytes : MOST_BYTES;

    pthread_mutex_lock(&intake->lock);
    while (intake->first && intake->bytes + weight(item) > most) {
        struct item *gone = item_take(intake);
        intake->lost += 1 + gone->picture.lost;
        item_spare(intake, gone);
    }
    item->next = NULL;
    item->picture.lost += intake->lost;
    intake->lost = 0;
    if (intake->last)
        intake->last->next = item;
    else
        intake->first = item;
    intake->last = item;
    intake->bytes += weight(item);
    intake->good += !item->picture.damaged;
    intake->about = item->about;
    intake->fault.text[0] = 0;
    pthread_cond_signal(&intake->came);
    pthread_mutex_unlock(&intake->lock);
}

/* ---- the thread ---- */

/* The bytes as they came, with those of a second plane behind them. */
static int picture_copy(struct item *item, const struct picture *picture)
{
    size_t chroma = picture->chroma ? picture->chroma_length : 0, needed = picture->length + chroma;

    if (item->capacity < needed) {
        uint8_t *grown = realloc(item->bytes, needed);
        if (!grown)
            return CAPTURE_E_MEMORY;
        item->bytes = grown;
        item->capacity = needed;
    }
    if (picture->length > 0)
        memcpy(item->bytes, picture->bytes, picture->length);
    if (chroma > 0)
        memcpy(item->bytes + picture->length, picture->chroma, chroma);
    item->picture.length = picture->length;
    item->picture.chroma = chroma > 0 ? item->bytes + picture->length : NULL;
    item->picture.chroma_length = chroma;
    return CAPTURE_OK;
}

/* In its stored form; one that has none came damaged. */
static int picture_store(struct intake *intake, struct item *item, const struct picture *picture)
{
    int error = capture_picture_stored(intake->decoder, picture, &item->bytes, &item->capacity,
                                       &item->picture.length, NULL);

    if (error == CAPTURE_E_MEMORY)
        return error;
    if (error != CAPTURE_OK) {
        item->picture.length = 0;
        item->picture.damaged = true;
    }
    item->picture.format = PICTURE_MJPEG;
    item->picture.chroma = NULL;
    item->picture.chroma_length = 0;
    return CAPTURE_OK;
}

static void picture_take(struct intake *intake, const struct picture *picture)
{
    struct item *item = item_new(intake);
    int error = CAPTURE_E_MEMORY;

    if (item) {
        item->picture = *picture;
        capture_source_about(intake->source, &item->about);
        error = intake->options.stored ? picture_store(intake, item, picture)
                                       : picture_copy(item, picture);
    }
    if (error == CAPTURE_OK) {
        item->picture.bytes = item->bytes;
        item_put(intake, item);
        return;
    }
    item_free(item);
    pthread_mutex_lock(&intake->lock);
    intake->lost += 1 + picture->lost;
    pthread_mutex_unlock(&intake->lock);
}

/* Nothing came, or it is over: what the source says of it. */
static void word_take(struct intake *intake, int got, const struct capture_fault *fault)
{
    struct source_about about;

    capture_source_about(intake->source, &about);
    pthread_mutex_lock(&intake->lock);
    intake->about = about;
    intake->fault = *fault;
    if (got != CAPTURE_NOTHING) {
        intake->ended = got;
        pthread_cond_signal(&intake->came);
    }
    pthread_mutex_unlock(&intake->lock);
}

static bool intake_on(struct intake *intake)
{
    pthread_mutex_lock(&intake->lock);
    bool on = !intake->ending && intake->ended == CAPTURE_PICTURE;
    pthread_mutex_unlock(&intake->lock);
    return on;
}

static void *intake_run(void *context)
{
    struct intake *intake = context;

    while (intake_on(intake)) {
        struct capture_fault fault = {.text = ""};
        struct picture picture;
        int got = capture_source_next(intake->source, TURN_MS, &picture, &fault);
        if (got == CAPTURE_PICTURE) {
            picture_take(intake, &picture);
            capture_source_release(intake->source, &picture);
        } else {
            word_take(intake, got, &fault);
        }
    }
    return NULL;
}

/* ---- the reader's side ---- */

/* Signals are for the thread that asked for them. */
static bool thread_start(struct intake *intake)
{
    pthread_condattr_t attributes;
    sigset_t all, before;

    if (pthread_mutex_init(&intake->lock, NULL) != 0)
        return false;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&intake->came, &attributes);
    pthread_condattr_destroy(&attributes);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    intake->started = pthread_create(&intake->thread, NULL, intake_run, intake) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (intake->started)
        return true;
    pthread_cond_destroy(&intake->came);
    pthread_mutex_destroy(&intake->lock);
    return false;
}

int capture_intake_open(struct source *source, const struct intake_options *options,
                        struct intake **out, struct capture_fault *fault)
{
    if (!source || !options || !out)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no source to take pictures from");
    *out = NULL;
    struct intake *intake = calloc(1, sizeof *intake);
    if (!intake)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for an intake");
    intake->source = source;
    intake->options = *options;
    capture_source_about(source, &intake->about);
    intake->decoder = capture_decoder_create();
    if (!intake->decoder || !thread_start(intake)) {
        capture_intake_close(&intake);
        return capture_fail(fault, CAPTURE_E_MEMORY, "no memory or thread for an intake");
    }
    *out = intake;
    return CAPTURE_OK;
}

void capture_intake_close(struct intake **intake)
{
    struct intake *gone = intake ? *intake : NULL;
    struct item *item;

    if (!gone)
        return;
    if (gone->started) {
        pthread_mutex_lock(&gone->lock);
        gone->ending = true;
        pthread_mutex_unlock(&gone->lock);
        pthread_join(gone->thread, NULL);
        pthread_cond_destroy(&gone->came);
        pthread_mutex_destroy(&gone->lock);
    }
    while ((item = item_take(gone)) != NULL)
        item_free(item);
    while ((item = gone->spare) != NULL) {
        gone->spare = item->next;
        item_free(item);
    }
    item_free(gone->given);
    capture_decoder_destroy(&gone->decoder);
    free(gone);
    *intake = NULL;
}

static struct timespec until_make(int timeout_ms)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += timeout_ms / 1000;
    until.tv_nsec += (long)(timeout_ms % 1000) * NS_PER_MS;
    if (until.tv_nsec >= NS_PER_S) {
        until.tv_sec++;
        until.tv_nsec -= NS_PER_S;
    }
    return until;
}

int capture_intake_next(struct intake *intake, int timeout_ms, struct intake_picture *out,
                        struct capture_fault *fault)
{
    const struct timespec until = until_make(timeout_ms > 0 ? timeout_ms : 0);
    int got;

    memset(out, 0, sizeof *out);
    pthread_mutex_lock(&intake->lock);
    item_spare(intake, intake->given);
    while (!intake->first && intake->ended == CAPTURE_PICTURE)
        if (pthread_cond_timedwait(&intake->came, &intake->lock, &until) != 0)
            break;
    intake->given = item_take(intake);
    out->about = intake->about;
    out->newer = intake->good > 0;
    got = intake->ended == CAPTURE_PICTURE ? CAPTURE_NOTHING : intake->ended;
    if (fault)
        *fault = intake->fault;
    pthread_mutex_unlock(&intake->lock);
    if (!intake->given)
        return got;
    out->picture = intake->given->picture;
    out->about = intake->given->about;
    return CAPTURE_PICTURE;
}
