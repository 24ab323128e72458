/* capture/playback.c: plays a recording again. */
#include "capture/playback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/fault.h"
#include "capture/file.h"

/* As the recorder's: a day of 60 pictures a second has an index of less than half of it. */
#define INDEX_MAX_BYTES ((int64_t)2 << 30)
#define PATH_ROOM 4096
#define WAIT_MS 1000

struct playback {
    char folder[PATH_ROOM];
    char *index;
    size_t length, at;
    long number;
    bool torn;
    char check[FRAME_CHECK_MAX];
    struct source *source; /* of the segment that is open; NULL: it cannot be read, or is over */
    int segment;
    int64_t place; /* of the next picture in it */
    struct picture lent;
    bool lending;
};

static int index_read(struct playback *playback, struct capture_fault *fault)
{
    char path[PATH_ROOM + 16];
    int64_t size = 0;
    int fd = -1;

    snprintf(path, sizeof path, "%s/frames.idx", playback->folder);
    int error = capture_file_open(path, &fd, &size, fault);
    if (error != CAPTURE_OK)
        return error;
    if (size > INDEX_MAX_BYTES)
        error = capture_fail(fault, CAPTURE_E_SIZE, "frames.idx is too large to be one");
    if (error == CAPTURE_OK) {
        playback->index = malloc((size_t)size + 1);
        if (!playback->index)
            error = capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for frames.idx");
    }
    if (error == CAPTURE_OK)
        error = capture_file_read(fd, (uint8_t *)playback->index, (size_t)size, &playback->length,
                                  fault);
    close(fd);
    return error;
}

int capture_playback_open(const char *folder, struct playback **out, struct capture_fault *fault)
{
    if (strlen(folder) >= PATH_ROOM)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "the folder's path is too long");
    struct playback *playback = calloc(1, sizeof *playback);
    if (!playback)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for a recording");
    memcpy(playback->folder, folder, strlen(folder) + 1);
    capture_frame_digest_begin();
    int error = index_read(playback, fault);
    if (error == CAPTURE_OK)
        *out = playback;
    else
        capture_playback_close(&playback);
    return error;
}

static void lent_release(struct playback *playback)
{
    if (playback->lending)
        capture_source_release(playback->source, &playback->lent);
    playback->lending = false;
}

void capture_playback_close(struct playback **playback)
{
    struct playback *gone = playback ? *playback : NULL;

    if (!gone)
        return;
    lent_release(gone);
    capture_source_destroy(&gone->source);
    free(gone->index);
    free(gone);
    *playback = NULL;
}

bool capture_playback_torn(const struct playback *playback)
{
    return playback->torn;
}

/* A segment that cannot be opened has no pictures. */
static void segment_open(struct playback *playback, int segment)
{
    char path[PATH_ROOM + 32];

    capture_source_destroy(&playback->source);
    playback->segment = segment;
    playback->place = 0;
    snprintf(path, sizeof path, "%s/video-%04d.mkv", playback->folder, segment);
    if (capture_video_open(path, &playback->source, NULL) != CAPTURE_OK)
        playback->source = NULL;
}

static bool picture_next(struct playback *playback)
{
    lent_release(playback);
    if (!playback->source ||
        capture_source_next(playback->source, WAIT_MS, &playback->lent, NULL) != CAPTURE_PICTURE) {
        capture_source_destroy(&playback->source);
        return false;
    }
    playback->lending = true;
    playback->place++;
    return true;
}

static enum playback_state picture_find(struct playback *playback, const struct frame_line *line)
{
    char digest[FRAME_DIGEST_MAX];

    lent_release(playback);
    if (line->segment != playback->segment)
        segment_open(playback, line->segment);
    if (line->place < playback->place)
        return PLAYBACK_CHANGED; /* an index runs forward */
    while (playback->place <= line->place)
        if (!picture_next(playback))
            return PLAYBACK_MISSING;
    capture_frame_digest(playback->lent.bytes, playback->lent.length, digest);
    return strcmp(digest, line->digest) == 0 ? PLAYBACK_SOUND : PLAYBACK_CHANGED;
}

static void picture_fill(const struct playback *playback, struct playback_item *out)
{
    out->picture = playback->lent;
    out->picture.sequence = out->line.sequence;
    out->picture.time_ns = out->picture.arrived_ns = out->line.time_ns;
    out->picture.lost = 0;
    out->picture.time_doubtful = false;
}

int capture_playback_line(struct playback *playback, struct playback_item *out,
                          struct capture_fault *fault)
{
    const char *at = playback->index + playback->at;
    size_t left = playback->length - playback->at, used = 0;
    struct capture_fault line_fault = {.text = ""};

    memset(out, 0, sizeof *out);
    out->state = PLAYBACK_MISSING;
    if (left > 0 && !memchr(at, '\n', left)) {
        playback->torn = true;
        return CAPTURE_END;
    }
    int error = capture_frame_line_read(at, left, playback->check, &out->line, &used, &line_fault);
    if (error == CAPTURE_E_EMPTY)
        return CAPTURE_END;
    if (error != CAPTURE_OK)
        return capture_fail(fault, error, "frames.idx:%ld: %.200s", playback->number + 1,
                            line_fault.text);
    playback->at += used;
    out->number = ++playback->number;
    return CAPTURE_PICTURE;
}

void capture_playback_picture(struct playback *playback, struct playback_item *item)
{
    if (item->line.kind != FRAME_LINE_FRAME)
        return;
    item->state = picture_find(playback, &item->line);
    if (item->state == PLAYBACK_SOUND)
        picture_fill(playback, item);
}

int capture_playback_next(struct playback *playback, struct playback_item *out,
                          struct capture_fault *fault)
{
    int got = capture_playback_line(playback, out, fault);

    if (got == CAPTURE_PICTURE)
        capture_playback_picture(playback, out);
    return got;
}
