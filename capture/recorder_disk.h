/* capture/recorder_disk.h: the recorder's folder: video files, the index and the evidence as they
 * are written; for the recorder's own thread. */
#ifndef CAPTURE_RECORDER_DISK_H
#define CAPTURE_RECORDER_DISK_H

#include "capture/recorder_queue.h"

struct record_disk;

/* Opens the folder and its index, cutting a torn last line off. Errors as capture_recorder_open. */
int capture_record_disk_open(const struct recorder_options *options, struct record_disk **out,
                             struct capture_fault *fault);
/* The newest picture's number in the index as it was opened; false: none. */
bool capture_record_disk_last(const struct record_disk *disk, uint64_t *sequence);
void capture_record_disk_close(struct record_disk **disk);

/* Writes one thing. CAPTURE_E_OPEN: the disk does not take it, and the video file was ended;
 * another error: only this one cannot be kept. */
int capture_record_disk_write(struct record_disk *disk, const struct record_item *item,
                              struct capture_fault *fault);

/* So many pictures were not kept: said in the index before the next one. */
void capture_record_disk_lost(struct record_disk *disk, uint64_t count);

/* Everything so far to the disk; and whether as much is free as must stay. */
int capture_record_disk_sync(struct record_disk *disk, struct capture_fault *fault);
int capture_record_disk_space(const struct record_disk *disk, struct capture_fault *fault);

int capture_record_disk_segments(const struct record_disk *disk);

#endif
