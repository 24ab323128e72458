/* capture/record_file.h: one video file of a recording, written by libavformat; for the recorder.
 *
 * Matroska, MJPEG as it came, in clusters of a second at most: a file that breaks off anywhere
 * plays up to its last second. Times are ms from the file's own start. */
#ifndef CAPTURE_RECORD_FILE_H
#define CAPTURE_RECORD_FILE_H

#include "capture/recorder.h"

struct record_file;

/* Makes the file, which must not be there, with tracks for pictures and texts and the attachments.
 * CAPTURE_E_OPEN with what the system said, _MEMORY, _UNSUPPORTED (no libavformat). The caller
 * gives *out to capture_record_file_close. */
int capture_record_file_open(const char *path, const struct recorder_options *options,
                             struct record_file **out, struct capture_fault *fault);

/* A picture, a text. Pictures' times rise; a text lies between the pictures around it.
 * CAPTURE_E_OPEN: it could not be written; close the file. */
int capture_record_file_picture(struct record_file *file, const uint8_t *bytes, size_t length,
                                int64_t t_ms, struct capture_fault *fault);
int capture_record_file_text(struct record_file *file, int64_t t_ms, int64_t length_ms,
                             const char *text, struct capture_fault *fault);

/* A chapter from there to the next one. libavformat writes them when the file is closed.
 * CAPTURE_E_MEMORY. */
int capture_record_file_chapter(struct record_file *file, int64_t t_ms, const char *title);

/* Bytes so far, and everything so far to the disk. */
int64_t capture_record_file_size(const struct record_file *file);
int capture_record_file_sync(struct record_file *file, struct capture_fault *fault);

/* Ends the file. Every error of writing is told, also here; NULL for *file is allowed. */
int capture_record_file_close(struct record_file **file, struct capture_fault *fault);

#endif
