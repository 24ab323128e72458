/* vision/loop_record.c: the eyes' recording. */
#include "vision/loop_record.h"

#include "calib/mat.h"
#include "capture/picture.h"
#include "referee/digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A layout counts from the picture before the first that is read; two more for a seat that waits
 * its turn to be read. */
#define RING_BEYOND 6
#define RING_MAX 40
#define NEWS_NS 1000000000

struct slot {
    uint8_t *bytes;
    size_t capacity, length; /* length 0: nothing */
    uint64_t frame;
};

struct eyes_record {
    struct recorder *recorder;
    struct decoder *decoder; /* for raw pictures */
    bool live;
    uint64_t add;  /* to a camera's numbers */
    uint64_t past; /* a recording's pictures up to this one are kept already; see `again` */
    bool again;
    int ring_size, at;
    struct slot ring[RING_MAX];
    struct slot held[MAT_SEATS_MAX];
    struct picture shown; /* the one that is being looked at */
    int64_t told_ns;
    struct recorder_status told;
};

int loop_record_open(const struct eyes_record_options *options, struct eyes_record **out,
                     struct capture_fault *fault)
{
    struct eyes_record *record = calloc(1, sizeof *record);
    uint64_t last = 0;
    int error = CAPTURE_E_MEMORY;

    if (record)
        record->decoder = capture_decoder_create();
    if (record && record->decoder)
        error = capture_recorder_open(options->recorder, &record->recorder, fault);
    else if (fault)
        snprintf(fault->text, sizeof fault->text, "out of memory");
    if (error != CAPTURE_OK) {
        loop_record_close(&record);
        return error;
    }
    record->live = options->live;
    record->ring_size = options->settle_frames + RING_BEYOND;
    if (record->ring_size > RING_MAX)
        record->ring_size = RING_MAX;
    if (capture_recorder_last(record->recorder, &last)) {
        record->add = options->live ? last + 1 : 0;
        record->again = !options->live;
        record->past = last;
    }
    *out = record;
    return CAPTURE_OK;
}

void loop_record_close(struct eyes_record **record)
{
    struct eyes_record *gone = record ? *record : NULL;

    if (!gone)
        return;
    capture_recorder_close(&gone->recorder);
    capture_decoder_destroy(&gone->decoder);
    for (int i = 0; i < RING_MAX; i++)
        free(gone->ring[i].bytes);
    for (int i = 0; i < MAT_SEATS_MAX; i++)
        free(gone->held[i].bytes);
    free(gone);
    *record = NULL;
}

/* False for no memory: then the slot is empty. */
static bool slot_put(struct slot *slot, uint64_t frame, const uint8_t *bytes, size_t length)
{
    slot->length = 0;
    if (slot->capacity < length) {
        uint8_t *grown = realloc(slot->bytes, length);
        if (!grown)
            return false;
        slot->bytes = grown;
        slot->capacity = length;
    }
    memcpy(slot->bytes, bytes, length);
    slot->length = length;
    slot->frame = frame;
    return true;
}

static int slot_fill(struct eyes_record *record, struct slot *slot, const struct picture *picture)
{
    if (record->live && (picture->damaged || picture->length == 0))
        return CAPTURE_E_DAMAGED;
    if (record->live)
        return slot_put(slot, slot->frame, picture->bytes, picture->length) ? CAPTURE_OK
                                                                            : CAPTURE_E_MEMORY;
    return capture_picture_stored(record->decoder, picture, &slot->bytes, &slot->capacity,
                                  &slot->length, NULL);
}

void loop_record_take(struct eyes_record *record, const struct picture *picture,
                      struct picture *out)
{
    *out = *picture;
    if (!record)
        return;
    record->at = (record->at + 1) % record->ring_size;
    struct slot *slot = &record->ring[record->at];
    out->sequence += record->add;
    slot->frame = out->sequence;
    slot->length = 0;
    if (slot_fill(record, slot, picture) == CAPTURE_OK) {
        out->format = PICTURE_MJPEG;
        out->bytes = slot->bytes;
        out->length = slot->length;
        out->chroma = NULL;
        out->chroma_length = 0;
        record->shown = *out;
        return;
    }
    slot->length = 0;
    record->shown = *out;
    record->shown.damaged = true; /* the recorder counts it */
}

void loop_record_done(struct eyes_record *record, bool read)
{
    if (!record || (record->again && record->shown.sequence <= record->past))
        return;
    capture_recorder_picture(record->recorder, &record->shown,
                             read ? RECORDER_KEEP : RECORDER_LOOKED);
}

void loop_record_pass(struct eyes_record *record, const struct picture *picture)
{
    if (!record)
        return;
    struct picture passed = *picture;
    passed.sequence += record->add;
    capture_recorder_picture(record->recorder, &passed, RECORDER_PASSED);
}

void loop_record_restart(struct eyes_record *record)
{
    if (record)
        capture_recorder_restart(record->recorder);
}

static const struct slot *ring_find(const struct eyes_record *record, uint64_t frame)
{
    for (int i = 0; i < record->ring_size; i++)
        if (record->ring[i].length > 0 && record->ring[i].frame == frame)
            return &record->ring[i];
    return NULL;
}

void loop_record_hold(struct eyes_record *record, int seat, uint64_t frame,
                      char digest[DIGEST_TEXT_MAX])
{
    const struct slot *slot = record ? ring_find(record, frame) : NULL;

    digest[0] = 0;
    if (!slot || seat < 1 || seat > MAT_SEATS_MAX)
        return;
    referee_digest(slot->bytes, slot->length, digest);
    /* without memory the video has it all the same */
    slot_put(&record->held[seat - 1], frame, slot->bytes, slot->length);
}

void loop_record_keep(struct eyes_record *record, int seat, uint64_t frame)
{
    char name[48];

    if (!record || seat < 1 || seat > MAT_SEATS_MAX)
        return;
    const struct slot *slot = &record->held[seat - 1];
    if (slot->length == 0 || slot->frame != frame)
        slot = ring_find(record, frame);
    if (!slot)
        return;
    snprintf(name, sizeof name, "%06llu-seat%d.jpg", (unsigned long long)frame, seat);
    capture_recorder_evidence(record->recorder, name, slot->bytes, slot->length);
}

void loop_record_text(struct eyes_record *record, int64_t t_ns, int64_t length_ns, const char *text)
{
    if (record)
        capture_recorder_text(record->recorder, t_ns, length_ns, text);
}

void loop_record_chapter(struct eyes_record *record, int64_t t_ns, const char *title)
{
    if (record)
        capture_recorder_chapter(record->recorder, t_ns, title);
}

bool loop_record_news(struct eyes_record *record, int64_t now_ns, struct recorder_status *out)
{
    if (!record || now_ns - record->told_ns < NEWS_NS)
        return false;
    record->told_ns = now_ns;
    capture_recorder_status(record->recorder, out);
    bool news = out->faulted != record->told.faulted || out->lost != record->told.lost ||
                out->evidence_lost != record->told.evidence_lost;
    record->told = *out;
    return news;
}
