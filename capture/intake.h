/* capture/intake.h: takes what a live source gives, in a thread of its own, so that no picture is
 * lost while whoever looks at pictures is busy: a driver has a handful of buffers, and a second in
 * which none came back is a second that nobody recorded.
 *
 * The source's buffers go back at once: what waits here are copies. They come out in the order in
 * which they were taken, each saying whether a newer one waits behind it, so that a reader who is
 * late can pass over old ones and still see each of them go by. */
#ifndef CAPTURE_INTAKE_H
#define CAPTURE_INTAKE_H

#include "capture/error.h"
#include "capture/source.h"

#include <stdbool.h>
#include <stddef.h>

struct intake;

struct intake_options {
    bool stored;       /* pictures are brought into their stored form (capture/recorder.h) */
    size_t most_bytes; /* of pictures that wait; 0: left to the intake, see intake.c */
};

struct intake_picture {
    struct picture picture;    /* in stored form: MJPEG; `damaged` when it has none */
    struct source_about about; /* the source, as it was just after it gave this */
    bool newer;                /* another one waits that is not damaged */
};

/* Begins to take. The source is the intake's until it is closed; it is not destroyed then. What
 * does not fit is let go, the oldest first, and counts as `lost` of the next one, as what a driver
 * lost does. CAPTURE_E_ARGUMENT, CAPTURE_E_MEMORY (also: no thread). The caller gives *out to
 * capture_intake_close. */
int capture_intake_open(struct source *source, const struct intake_options *options,
                        struct intake **out, struct capture_fault *fault);

/* Waits for the source's next call to be over. */
void capture_intake_close(struct intake **intake);

/* The oldest picture that waits: CAPTURE_PICTURE with *out filled, lent until the next call;
 * CAPTURE_NOTHING when none came within timeout_ms, with `about` filled and `fault` saying what the
 * source said; once all that was taken is given out, what ended the source: CAPTURE_END or a
 * negative capture_error. One thread may ask. */
int capture_intake_next(struct intake *intake, int timeout_ms, struct intake_picture *out,
                        struct capture_fault *fault);

#endif
