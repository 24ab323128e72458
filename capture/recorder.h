/* capture/recorder.h: keeps what a camera sent, beside a match that is being refereed.
 *
 * A folder gets video-0001.mkv and so on, frames.idx (capture/frame_index.h) and evidence/.
 * Pictures go in in their stored form (capture_picture_stored): MJPEG as it came, cut at its true
 * end, with the standard Huffman tables where they lack; raw pictures encoded. It knows frames and
 * timed texts, not what they mean.
 *
 * Writing is done by a thread of its own. A recorder never makes its caller wait for a disk: what
 * does not fit into its bounded memory is dropped and counted; pictures marked to be kept go first.
 * A disk that is full or fails stops the recording, not the caller; it goes on, in a new file, when
 * there is room again. */
#ifndef CAPTURE_RECORDER_H
#define CAPTURE_RECORDER_H

#include "capture/error.h"
#include "capture/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDER_ATTACHMENTS_MAX 16

struct recorder_attachment {
    const char *name; /* of the file within the video */
    const char *mime;
    const uint8_t *bytes;
    size_t length;
};

/* What is 0 is left to the recorder: the bounds stand in recorder.c with their reasons. */
struct recorder_options {
    const char *folder;                /* the match's; it is there */
    const char *title;                 /* of the video */
    const char *language;              /* of the texts: three letters of ISO 639-2, "eng" */
    int width, height;                 /* px, of the pictures */
    int64_t interval_ns;               /* between pictures; 0: not known */
    int64_t segment_ns, segment_bytes; /* a new file after so much */
    size_t queue_bytes;                /* of memory for what waits to be written */
    int64_t space_bytes;               /* that stay free on the disk */
    bool patient; /* a source that waits: offering a picture waits for room in memory, as long as
                     the disk takes what is written */
    struct recorder_attachment attachment[RECORDER_ATTACHMENTS_MAX];
    int attachments;
};

struct recorder;

struct recorder_status {
    uint64_t kept;    /* pictures that were written */
    uint64_t lost;    /* pictures that were dropped: memory full, or the disk */
    uint64_t damaged; /* pictures that came damaged: no player would show them */
    uint64_t evidence_lost;
    size_t queued_bytes;
    int segments;   /* video files begun */
    bool faulted;   /* nothing can be written now */
    char text[256]; /* why; "" while all is well */
};

/* Begins, or goes on in a folder that has a recording: a torn last line of its index is cut off.
 * The options' texts and attachments are lent for its life. A disk that is full is no error here,
 * but shows in the status. CAPTURE_E_ARGUMENT, _MEMORY, _UNSUPPORTED (libavformat is missing),
 * _OPEN (the folder or its index cannot be used: another's, or damaged before its last line). */
int capture_recorder_open(const struct recorder_options *options, struct recorder **out,
                          struct capture_fault *fault);

/* The number of the newest picture that was in the folder when it was opened, in *sequence; false
 * when there was none. */
bool capture_recorder_last(const struct recorder *recorder, uint64_t *sequence);

/* What a picture was used for: it was looked at; something was read from it, so that others are
 * dropped first; nobody looked at it, as a newer one was there already. */
enum recorder_use { RECORDER_LOOKED, RECORDER_KEEP, RECORDER_PASSED };

/* Offers a picture in its stored form; it is copied. CAPTURE_OK; CAPTURE_NOTHING when it is not
 * kept, which the status counts: one that came damaged, or no room; CAPTURE_E_ARGUMENT for another
 * format than PICTURE_MJPEG. */
int capture_recorder_picture(struct recorder *recorder, const struct picture *picture,
                             enum recorder_use use);

/* The camera was opened again: said in the index, as what was read before counts for nothing. */
int capture_recorder_restart(struct recorder *recorder);

/* A text to be shown from t_ns on (a picture's clock) for length_ns; a chapter that begins there.
 * Copied. CAPTURE_NOTHING when there is no room. */
int capture_recorder_text(struct recorder *recorder, int64_t t_ns, int64_t length_ns,
                          const char *text);
int capture_recorder_chapter(struct recorder *recorder, int64_t t_ns, const char *title);

/* Bytes to be kept as evidence/NAME, whole or not at all; a file of that name that is there already
 * stays. Letters, digits, '-', '_' and '.' in the name. Copied; goes before all else.
 * CAPTURE_E_ARGUMENT, CAPTURE_NOTHING. */
int capture_recorder_evidence(struct recorder *recorder, const char *name, const uint8_t *bytes,
                              size_t length);

void capture_recorder_status(struct recorder *recorder, struct recorder_status *out);

/* Writes what waits, for up to five seconds, and ends. */
void capture_recorder_close(struct recorder **recorder);

/* A picture as the recorder keeps it: *out, grown as needed (*capacity; the caller frees it), gets
 * its bytes. For digests of what lies in the recording. `decoder` is needed for raw pictures.
 * CAPTURE_E_DAMAGED and what the gate says, CAPTURE_E_MEMORY, CAPTURE_E_UNSUPPORTED (stills). */
struct decoder;
int capture_picture_stored(struct decoder *decoder, const struct picture *picture, uint8_t **out,
                           size_t *capacity, size_t *length, struct capture_fault *fault);

#endif
