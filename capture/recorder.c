/* capture/recorder.c: the recorder: a queue, and a thread that writes. */
#include "capture/recorder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/fault.h"
#include "capture/recorder_disk.h"

#define NS_PER_S 1000000000
/* Four seconds of a camera's largest MJPEG at 30 pictures a second: a disk that is busy for longer
 * is too slow. */
#define QUEUE_BYTES ((size_t)32 << 20)
/* Who waits for room needs no more than keeps the disk busy. */
#define QUEUE_PATIENT_BYTES ((size_t)4 << 20)
/* A loss of power takes this much with it. */
#define SYNC_NS NS_PER_S
/* After a fault: soon enough for a person who makes room and looks. */
#define RETRY_NS (2 * (int64_t)NS_PER_S)
/* At the end, for what still waits. */
#define CLOSE_NS (5 * (int64_t)NS_PER_S)

struct recorder {
    struct recorder_options options;
    struct record_disk *disk; /* the thread's alone */
    bool resumed;             /* the folder had pictures, up to */
    uint64_t last;            /* this one */
    pthread_t thread;
    pthread_mutex_t lock; /* for all below */
    pthread_cond_t wake;  /* there is something to write */
    pthread_cond_t room;  /* something was written */
    bool started, ending;
    int64_t end_by_ns;
    struct record_queue queue;
    struct recorder_status status;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* ---- the thread ---- */

struct writer {
    struct recorder *recorder;
    int64_t synced_ns, again_ns;
    uint64_t told; /* of the lost ones, to the disk */
    bool faulted;
};

static void fault_note(struct writer *writer, const struct capture_fault *fault)
{
    struct recorder *recorder = writer->recorder;

    pthread_mutex_lock(&recorder->lock);
    writer->faulted = fault != NULL;
    recorder->status.faulted = writer->faulted;
    recorder->status.text[0] = 0;
    if (fault)
        snprintf(recorder->status.text, sizeof recorder->status.text, "%s", fault->text);
    pthread_cond_signal(&recorder->room); /* who waits need not */
    pthread_mutex_unlock(&recorder->lock);
    if (fault)
        writer->again_ns = now_ns() + RETRY_NS;
}

static void count_up(struct writer *writer, uint64_t *count)
{
    pthread_mutex_lock(&writer->recorder->lock);
    (*count)++;
    writer->recorder->status.segments = capture_record_disk_segments(writer->recorder->disk);
    pthread_mutex_unlock(&writer->recorder->lock);
}

/* While the disk takes nothing, pictures are let go; evidence is small, and tried. */
static void item_write(struct writer *writer, const struct record_item *item)
{
    struct recorder *recorder = writer->recorder;
    struct recorder_status *status = &recorder->status;
    struct capture_fault fault = {.text = ""};
    bool picture = item->kind == RECORD_PICTURE;

    if (writer->faulted && item->kind != RECORD_EVIDENCE) {
        if (picture)
            count_up(writer, &status->lost);
        return;
    }
    int error = capture_record_disk_write(recorder->disk, item, &fault);
    if (error == CAPTURE_OK && picture)
        count_up(writer, &status->kept);
    else if (error != CAPTURE_OK && item->kind == RECORD_EVIDENCE)
        count_up(writer, &status->evidence_lost);
    else if (error != CAPTURE_OK && picture)
        count_up(writer, &status->lost);
    if (error == CAPTURE_E_OPEN)
        fault_note(writer, &fault);
}

static void lost_tell(struct writer *writer)
{
    pthread_mutex_lock(&writer->recorder->lock);
    uint64_t lost = writer->recorder->status.lost;
    pthread_mutex_unlock(&writer->recorder->lock);
    capture_record_disk_lost(writer->recorder->disk, lost - writer->told);
    writer->told = lost;
}

/* Once a second: to the disk, and is there room? A fault is over when there is. */
static void disk_look(struct writer *writer)
{
    struct record_disk *disk = writer->recorder->disk;
    struct capture_fault fault = {.text = ""};
    int64_t now = now_ns();

    if (writer->faulted ? now < writer->again_ns : now - writer->synced_ns < SYNC_NS)
        return;
    writer->synced_ns = now;
    int error = capture_record_disk_sync(disk, &fault);
    if (error == CAPTURE_OK)
        error = capture_record_disk_space(disk, &fault);
    if (error != CAPTURE_OK)
        fault_note(writer, &fault);
    else if (writer->faulted)
        fault_note(writer, NULL);
}

/* Waits for something to write, for a second at the most. NULL: there is nothing; *end: nor will
 * there be. */
static struct record_item *item_wait(struct recorder *recorder, bool *end)
{
    struct timespec until;
    struct record_item *item;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec++;
    pthread_mutex_lock(&recorder->lock);
    if (!recorder->queue.first && !recorder->ending)
        pthread_cond_timedwait(&recorder->wake, &recorder->lock, &until);
    item = capture_record_queue_take(&recorder->queue);
    pthread_cond_signal(&recorder->room);
    recorder->status.queued_bytes = recorder->queue.bytes;
    *end = recorder->ending && (!item || now_ns() > recorder->end_by_ns);
    pthread_mutex_unlock(&recorder->lock);
    return item;
}

static void *writer_run(void *context)
{
    struct writer writer = {.recorder = context};
    bool end = false;

    while (!end) {
        struct record_item *item = item_wait(writer.recorder, &end);
        disk_look(&writer);
        lost_tell(&writer);
        if (item)
            item_write(&writer, item);
        free(item);
    }
    lost_tell(&writer);
    return NULL;
}

/* ---- the caller's side ---- */

static int thread_start(struct recorder *recorder, struct capture_fault *fault)
{
    pthread_condattr_t attributes;

    if (pthread_mutex_init(&recorder->lock, NULL) != 0)
        return capture_fail(fault, CAPTURE_E_MEMORY, "no lock is to be had");
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&recorder->wake, &attributes);
    pthread_cond_init(&recorder->room, &attributes);
    pthread_condattr_destroy(&attributes);
    recorder->started = pthread_create(&recorder->thread, NULL, writer_run, recorder) == 0;
    if (recorder->started)
        return CAPTURE_OK;
    pthread_cond_destroy(&recorder->wake);
    pthread_cond_destroy(&recorder->room);
    pthread_mutex_destroy(&recorder->lock);
    return capture_fail(fault, CAPTURE_E_MEMORY, "no thread is to be had");
}

int capture_recorder_open(const struct recorder_options *options, struct recorder **out,
                          struct capture_fault *fault)
{
    if (!options || !options->folder || options->attachments < 0 ||
        options->attachments > RECORDER_ATTACHMENTS_MAX)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no folder to record to");
    struct recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for a recording");
    recorder->options = *options;
    recorder->queue.most = options->queue_bytes > 0 ? options->queue_bytes
                           : options->patient       ? QUEUE_PATIENT_BYTES
                                                    : QUEUE_BYTES;
    int error = capture_record_disk_open(&recorder->options, &recorder->disk, fault);
    if (error == CAPTURE_OK) {
        recorder->resumed = capture_record_disk_last(recorder->disk, &recorder->last);
        error = thread_start(recorder, fault);
    }
    if (error == CAPTURE_OK)
        *out = recorder;
    else
        capture_recorder_close(&recorder);
    return error;
}

bool capture_recorder_last(const struct recorder *recorder, uint64_t *sequence)
{
    *sequence = recorder->last;
    return recorder->resumed;
}

static int item_put(struct recorder *recorder, struct record_item *item)
{
    bool evidence = item->kind == RECORD_EVIDENCE;
    bool patient = recorder->options.patient && item->kind == RECORD_PICTURE;

    pthread_mutex_lock(&recorder->lock);
    while (patient && !recorder->status.faulted && recorder->queue.first &&
           !capture_record_queue_fits(&recorder->queue, item))
        pthread_cond_wait(&recorder->room, &recorder->lock);
    bool taken = capture_record_queue_put(&recorder->queue, item, &recorder->status.lost);
    if (!taken && evidence)
        recorder->status.evidence_lost++;
    recorder->status.queued_bytes = recorder->queue.bytes;
    pthread_cond_signal(&recorder->wake);
    pthread_mutex_unlock(&recorder->lock);
    return taken ? CAPTURE_OK : CAPTURE_NOTHING;
}

int capture_recorder_picture(struct recorder *recorder, const struct picture *picture,
                             enum recorder_use use)
{
    struct record_item *item = NULL;
    bool damaged = picture->damaged || picture->length == 0;

    if (!damaged && picture->format != PICTURE_MJPEG)
        return CAPTURE_E_ARGUMENT;
    if (!damaged)
        item = capture_record_item_picture(picture, use);
    if (item)
        return item_put(recorder, item);
    pthread_mutex_lock(&recorder->lock);
    recorder->status.damaged += damaged;
    recorder->status.lost += !damaged;
    pthread_mutex_unlock(&recorder->lock);
    return CAPTURE_NOTHING;
}

int capture_recorder_restart(struct recorder *recorder)
{
    struct record_item *item = capture_record_item(RECORD_RESTART, 0);

    return item ? item_put(recorder, item) : CAPTURE_NOTHING;
}

static int words_put(struct recorder *recorder, enum record_kind kind, int64_t t_ns,
                     int64_t length_ns, const char *text)
{
    struct record_item *item = capture_record_item(kind, strlen(text) + 1);

    if (!item)
        return CAPTURE_NOTHING;
    memcpy(item->bytes, text, item->length);
    item->t_ns = t_ns;
    item->length_ns = length_ns;
    return item_put(recorder, item);
}

int capture_recorder_text(struct recorder *recorder, int64_t t_ns, int64_t length_ns,
                          const char *text)
{
    return words_put(recorder, RECORD_TEXT, t_ns, length_ns, text);
}

int capture_recorder_chapter(struct recorder *recorder, int64_t t_ns, const char *title)
{
    return words_put(recorder, RECORD_CHAPTER, t_ns, 0, title);
}

static bool name_fits(const char *name)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t length = strlen(name);

    return length > 0 && length < sizeof((struct record_item *)0)->name && name[0] != '.' &&
           strspn(name, allowed) == length;
}

int capture_recorder_evidence(struct recorder *recorder, const char *name, const uint8_t *bytes,
                              size_t length)
{
    if (!name_fits(name))
        return CAPTURE_E_ARGUMENT;
    struct record_item *item = capture_record_item(RECORD_EVIDENCE, length);
    if (!item) {
        pthread_mutex_lock(&recorder->lock);
        recorder->status.evidence_lost++;
        pthread_mutex_unlock(&recorder->lock);
        return CAPTURE_NOTHING;
    }
    if (length > 0)
        memcpy(item->bytes, bytes, length);
    memcpy(item->name, name, strlen(name) + 1);
    return item_put(recorder, item);
}

void capture_recorder_status(struct recorder *recorder, struct recorder_status *out)
{
    pthread_mutex_lock(&recorder->lock);
    *out = recorder->status;
    pthread_mutex_unlock(&recorder->lock);
}

void capture_recorder_close(struct recorder **recorder)
{
    struct recorder *gone = recorder ? *recorder : NULL;
    struct record_item *item;

    if (!gone)
        return;
    if (gone->started) {
        pthread_mutex_lock(&gone->lock);
        gone->ending = true;
        gone->end_by_ns = now_ns() + CLOSE_NS;
        pthread_cond_signal(&gone->wake);
        pthread_mutex_unlock(&gone->lock);
        pthread_join(gone->thread, NULL);
        pthread_cond_destroy(&gone->wake);
        pthread_cond_destroy(&gone->room);
        pthread_mutex_destroy(&gone->lock);
    }
    /* What there was no time for is said to be lacking. */
    while ((item = capture_record_queue_take(&gone->queue)) != NULL) {
        if (item->kind == RECORD_PICTURE)
            capture_record_disk_lost(gone->disk, 1);
        free(item);
    }
    capture_record_disk_close(&gone->disk);
    free(gone);
    *recorder = NULL;
}
