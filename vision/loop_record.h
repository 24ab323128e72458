/* vision/loop_record.h: the eyes' recording: every picture that they look at goes to the recorder,
 * and what a ruling may rest on stays at hand until it is known whether it does. Program layer.
 *
 * A picture that is passed over, as a newer one is there already, is kept as well. A picture is
 * kept in its stored form (capture/recorder.h), and that form is what the eyes judge, so that the
 * recording gives the same readings. Pictures of a camera are numbered on over restarts. */
#ifndef VISION_LOOP_RECORD_H
#define VISION_LOOP_RECORD_H

#include "capture/recorder.h"
#include "referee/event.h"

struct eyes_record;

struct eyes_record_options {
    const struct recorder_options *recorder; /* copied; what they point to is lent */
    bool live;         /* pictures come in their stored form (capture/intake.h) */
    int settle_frames; /* a layout's first frame is at most a few more than this back */
};

/* CAPTURE_E_MEMORY and the errors of capture_recorder_open. The caller gives *out to
 * loop_record_close. */
int loop_record_open(const struct eyes_record_options *options, struct eyes_record **out,
                     struct capture_fault *fault);
void loop_record_close(struct eyes_record **record);

/* The picture as it is to be judged, in *out; lent until a few pictures later. A damaged one comes
 * out as it is. NULL for `record`: nothing is kept, and *out is the picture. */
void loop_record_take(struct eyes_record *record, const struct picture *picture,
                      struct picture *out);
/* It was looked at; `read`: something was read from it, or told of it. Offers it to the recorder.
 */
void loop_record_done(struct eyes_record *record, bool read);

/* Offers one to the recorder that nobody looks at. */
void loop_record_pass(struct eyes_record *record, const struct picture *picture);

/* The camera was opened again. */
void loop_record_restart(struct eyes_record *record);

/* A layout of that seat is told that rests on this frame: its digest (SHA-256 of the stored form,
 * "" when it is not at hand), and its bytes are held until the seat's next layout. */
void loop_record_hold(struct eyes_record *record, int seat, uint64_t frame,
                      char digest[DIGEST_TEXT_MAX]);
/* A ruling rests on it: it becomes evidence/NNNNNN-seatN.jpg. */
void loop_record_keep(struct eyes_record *record, int seat, uint64_t frame);

/* Texts and chapters, at times of the pictures. */
void loop_record_text(struct eyes_record *record, int64_t t_ns, int64_t length_ns,
                      const char *text);
void loop_record_chapter(struct eyes_record *record, int64_t t_ns, const char *title);

/* True when what should be shown of the recorder has changed since it was last asked for: a fault
 * came or went, or more was lost (told at most once a second). */
bool loop_record_news(struct eyes_record *record, int64_t now_ns, struct recorder_status *out);

#endif
