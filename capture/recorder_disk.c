/* capture/recorder_disk.c: the recorder's folder. */
#include "capture/recorder_disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "calib/file.h"
#include "capture/fault.h"
#include "capture/frame_index.h"
#include "capture/record_file.h"

#define NS_PER_MS 1000000
#define NS_PER_S 1000000000
/* A file that cannot be copied or is damaged takes no more than this with it; FAT takes 4 GiB. */
#define SEGMENT_NS (600 * (int64_t)NS_PER_S)
#define SEGMENT_BYTES ((int64_t)2 << 30)
/* The journal and the evidence must still have room when the videos have none. */
#define SPACE_BYTES ((int64_t)256 << 20)
/* Of an index: a day of 60 pictures a second has 5 million lines of some 150 bytes. */
#define INDEX_MAX_BYTES ((int64_t)2 << 30)
#define SEGMENTS_MAX 9999
#define PATH_ROOM 4096

struct record_disk {
    const struct recorder_options *options;
    int64_t segment_ns, segment_bytes, space_bytes;
    int index; /* frames.idx, held by a lock */
    char check[FRAME_CHECK_MAX];
    uint64_t lost; /* since the last line of the index */
    bool resumed;  /* the index had frames */
    uint64_t last; /* the largest of their numbers */
    struct record_file *file;
    int segment;      /* of `file`; the last one there is before the first */
    int64_t from_ns;  /* its first picture's time */
    int64_t pictures; /* in it */
};

static int system_failed(const char *what, struct capture_fault *fault)
{
    return capture_fail(fault, CAPTURE_E_OPEN, "%s: %s", what, strerror(errno));
}

static bool path_make(const struct record_disk *disk, const char *name, char out[PATH_ROOM])
{
    int length = snprintf(out, PATH_ROOM, "%s/%s", disk->options->folder, name);

    return length > 0 && length < PATH_ROOM;
}

/* ---- the index ---- */

/* A line is there whole or not at all: half a one is taken back. */
static int line_put(struct record_disk *disk, const struct frame_line *line,
                    struct capture_fault *fault)
{
    char text[FRAME_LINE_MAX], check[FRAME_CHECK_MAX];
    off_t end = lseek(disk->index, 0, SEEK_END);

    memcpy(check, disk->check, sizeof check);
    size_t length = capture_frame_line_write(line, check, text);
    if (end < 0 || calib_bytes_write(disk->index, text, length) != 0) {
        int error = system_failed("frames.idx", fault);
        if (end >= 0 && ftruncate(disk->index, end) != 0)
            return error; /* the next opening cuts it off */
        return error;
    }
    memcpy(disk->check, check, sizeof check);
    return CAPTURE_OK;
}

static void frame_note(struct record_disk *disk, const struct frame_line *line)
{
    if (line->kind != FRAME_LINE_FRAME)
        return;
    if (!disk->resumed || line->sequence > disk->last)
        disk->last = line->sequence;
    disk->resumed = true;
}

/* Reads the index to its end, so that it can be gone on with. What breaks off at the very end is
 * cut off; what is wrong before is not ours to mend. */
static int index_walk(struct record_disk *disk, const char *bytes, size_t length,
                      struct capture_fault *fault)
{
    struct frame_line line;
    size_t at = 0, used = 0;

    while (at < length) {
        int error =
            capture_frame_line_read(bytes + at, length - at, disk->check, &line, &used, fault);
        if (error == CAPTURE_OK) {
            frame_note(disk, &line);
            at += used;
            continue;
        }
        if (memchr(bytes + at, '\n', length - at))
            return capture_fail(fault, CAPTURE_E_OPEN,
                                "frames.idx is damaged at byte %zu; give another folder", at);
        return ftruncate(disk->index, (off_t)at) == 0 ? CAPTURE_OK
                                                      : system_failed("frames.idx", fault);
    }
    return CAPTURE_OK;
}

static int index_resume(struct record_disk *disk, struct capture_fault *fault)
{
    struct stat about;

    if (fstat(disk->index, &about) != 0)
        return system_failed("frames.idx", fault);
    if (about.st_size > INDEX_MAX_BYTES)
        return capture_fail(fault, CAPTURE_E_OPEN, "frames.idx is too large to be one");
    char *bytes = malloc((size_t)about.st_size + 1);
    if (!bytes)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for frames.idx");
    size_t length = 0;
    ssize_t got;
    while (length < (size_t)about.st_size &&
           (got = pread(disk->index, bytes + length, (size_t)about.st_size - length,
                        (off_t)length)) > 0)
        length += (size_t)got;
    int error = index_walk(disk, bytes, length, fault);
    free(bytes);
    return error;
}

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static int index_open(struct record_disk *disk, struct capture_fault *fault)
{
    const struct frame_line header = {.kind = FRAME_LINE_HEADER};
    const struct frame_line start = {
        .kind = FRAME_LINE_START, .time_ns = now_ns(), .interval_ns = disk->options->interval_ns};
    char path[PATH_ROOM];

    if (!path_make(disk, "frames.idx", path))
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "the folder's path is too long");
    disk->index = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (disk->index < 0)
        return system_failed(path, fault);
    if (flock(disk->index, LOCK_EX | LOCK_NB) != 0)
        return capture_fail(fault, CAPTURE_E_OPEN, "%s: another process records there", path);
    int error = index_resume(disk, fault);
    /* A full disk shows when the first picture comes: then these lines are tried again. */
    if (error == CAPTURE_OK && disk->check[0] == 0)
        line_put(disk, &header, NULL);
    if (error == CAPTURE_OK && disk->check[0] != 0)
        line_put(disk, &start, NULL);
    return error;
}

/* ---- video files ---- */

static void segment_name(int segment, char out[32])
{
    snprintf(out, 32, "video-%04d.mkv", segment);
}

/* The number of a video file of ours, else 0. */
static int segment_number(const char *name)
{
    char again[32];
    const char *digits = name + strlen("video-");

    if (strncmp(name, "video-", strlen("video-")) != 0)
        return 0;
    long number = strtol(digits, NULL, 10);
    if (number < 1 || number > SEGMENTS_MAX)
        return 0;
    segment_name((int)number, again);
    return strcmp(name, again) == 0 ? (int)number : 0;
}

static int segments_count(const struct record_disk *disk, int *out, struct capture_fault *fault)
{
    DIR *folder = opendir(disk->options->folder);
    const struct dirent *entry;

    if (!folder)
        return system_failed(disk->options->folder, fault);
    *out = 0;
    while ((entry = readdir(folder)) != NULL)
        if (segment_number(entry->d_name) > *out)
            *out = segment_number(entry->d_name);
    closedir(folder);
    return CAPTURE_OK;
}

static int segment_open(struct record_disk *disk, int64_t from_ns, struct capture_fault *fault)
{
    char name[32], path[PATH_ROOM];

    if (disk->segment >= SEGMENTS_MAX)
        return capture_fail(fault, CAPTURE_E_OPEN, "%d video files are the most", SEGMENTS_MAX);
    segment_name(disk->segment + 1, name);
    if (!path_make(disk, name, path))
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "the folder's path is too long");
    int error = capture_record_file_open(path, disk->options, &disk->file, fault);
    if (error != CAPTURE_OK) {
        unlink(path); /* an empty file helps nobody, and the number is tried again */
        return error;
    }
    disk->segment++;
    disk->from_ns = from_ns;
    disk->pictures = 0;
    return CAPTURE_OK;
}

static int segment_due(struct record_disk *disk, int64_t t_ns, struct capture_fault *fault)
{
    int error = CAPTURE_OK;
    bool over = disk->file && (t_ns - disk->from_ns >= disk->segment_ns || t_ns < disk->from_ns ||
                               capture_record_file_size(disk->file) >= disk->segment_bytes);

    if (over)
        error = capture_record_file_close(&disk->file, fault);
    if (error == CAPTURE_OK && !disk->file)
        error = segment_open(disk, t_ns, fault);
    return error;
}

/* ---- what is written ---- */

static int lost_put(struct record_disk *disk, struct capture_fault *fault)
{
    const struct frame_line header = {.kind = FRAME_LINE_HEADER};
    const struct frame_line line = {.kind = FRAME_LINE_LOST, .lost = disk->lost};
    int error = CAPTURE_OK;

    if (disk->check[0] == 0)
        error = line_put(disk, &header, fault);
    if (error == CAPTURE_OK && disk->lost > 0)
        error = line_put(disk, &line, fault);
    if (error == CAPTURE_OK)
        disk->lost = 0;
    return error;
}

static int restart_put(struct record_disk *disk, struct capture_fault *fault)
{
    const struct frame_line line = {.kind = FRAME_LINE_RESTART};
    int error = lost_put(disk, fault);

    return error == CAPTURE_OK ? line_put(disk, &line, fault) : error;
}

static int picture_put(struct record_disk *disk, const struct record_item *item,
                       struct capture_fault *fault)
{
    struct frame_line line = {.kind = FRAME_LINE_FRAME,
                              .time_ns = item->t_ns,
                              .sequence = item->sequence,
                              .passed = item->use == RECORDER_PASSED,
                              .length = item->length};
    int error = segment_due(disk, item->t_ns, fault);

    if (error == CAPTURE_OK)
        error = lost_put(disk, fault);
    if (error == CAPTURE_OK)
        error = capture_record_file_picture(disk->file, item->bytes, item->length,
                                            (item->t_ns - disk->from_ns) / NS_PER_MS, fault);
    if (error != CAPTURE_OK)
        return error;
    line.segment = disk->segment;
    line.place = disk->pictures++;
    capture_frame_digest(item->bytes, item->length, line.digest);
    return line_put(disk, &line, fault);
}

static int text_put(struct record_disk *disk, const struct record_item *item,
                    struct capture_fault *fault)
{
    if (!disk->file)
        return CAPTURE_OK; /* before the first picture there is nothing to show it on */
    int64_t t_ms = (item->t_ns - disk->from_ns) / NS_PER_MS;
    if (item->kind == RECORD_CHAPTER)
        return capture_record_file_chapter(disk->file, t_ms, (const char *)item->bytes);
    return capture_record_file_text(disk->file, t_ms, item->length_ns / NS_PER_MS,
                                    (const char *)item->bytes, fault);
}

static int evidence_put(const struct record_disk *disk, const struct record_item *item,
                        struct capture_fault *fault)
{
    char folder[PATH_ROOM], path[PATH_ROOM + 80];

    if (!path_make(disk, "evidence", folder))
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "the folder's path is too long");
    if (mkdir(folder, 0755) != 0 && errno != EEXIST)
        return system_failed(folder, fault);
    snprintf(path, sizeof path, "%s/%s", folder, item->name);
    /* the first one stays */
    if (calib_file_put(path, item->bytes, item->length, 0644, false) == 0 || errno == EEXIST)
        return CAPTURE_OK;
    return system_failed(path, fault);
}

int capture_record_disk_write(struct record_disk *disk, const struct record_item *item,
                              struct capture_fault *fault)
{
    int error;

    if (item->kind == RECORD_EVIDENCE)
        return evidence_put(disk, item, fault);
    if (item->kind == RECORD_RESTART)
        return restart_put(disk, fault);
    error =
        item->kind == RECORD_PICTURE ? picture_put(disk, item, fault) : text_put(disk, item, fault);
    if (error == CAPTURE_E_OPEN)
        capture_record_file_close(&disk->file, NULL);
    return error;
}

void capture_record_disk_lost(struct record_disk *disk, uint64_t count)
{
    disk->lost += count;
}

int capture_record_disk_sync(struct record_disk *disk, struct capture_fault *fault)
{
    int error = disk->file ? capture_record_file_sync(disk->file, fault) : CAPTURE_OK;

    if (error == CAPTURE_OK && fdatasync(disk->index) != 0)
        error = system_failed("frames.idx", fault);
    if (error != CAPTURE_OK)
        capture_record_file_close(&disk->file, NULL);
    return error;
}

int capture_record_disk_space(const struct record_disk *disk, struct capture_fault *fault)
{
    struct statvfs about;

    if (statvfs(disk->options->folder, &about) != 0)
        return system_failed(disk->options->folder, fault);
    int64_t mebibytes = (int64_t)(about.f_bavail / 1024 * (about.f_frsize / 1024));
    if (about.f_frsize < 1024)
        mebibytes = (int64_t)(about.f_bavail * about.f_frsize / 1048576);
    if (mebibytes >= disk->space_bytes / 1048576)
        return CAPTURE_OK;
    return capture_fail(fault, CAPTURE_E_OPEN,
                        "the disk is almost full: %lld MiB free, %lld stay free",
                        (long long)mebibytes, (long long)(disk->space_bytes / 1048576));
}

bool capture_record_disk_last(const struct record_disk *disk, uint64_t *sequence)
{
    *sequence = disk->last;
    return disk->resumed;
}

int capture_record_disk_segments(const struct record_disk *disk)
{
    return disk->segment;
}

int capture_record_disk_open(const struct recorder_options *options, struct record_disk **out,
                             struct capture_fault *fault)
{
    struct record_disk *disk = calloc(1, sizeof *disk);

    if (!disk)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for a recording");
    disk->options = options;
    disk->index = -1;
    capture_frame_digest_begin();
    disk->segment_ns = options->segment_ns > 0 ? options->segment_ns : SEGMENT_NS;
    disk->segment_bytes = options->segment_bytes > 0 ? options->segment_bytes : SEGMENT_BYTES;
    disk->space_bytes = options->space_bytes > 0 ? options->space_bytes : SPACE_BYTES;
    int error = index_open(disk, fault);
    if (error == CAPTURE_OK)
        error = segments_count(disk, &disk->segment, fault);
    if (error == CAPTURE_OK)
        *out = disk;
    else
        capture_record_disk_close(&disk);
    return error;
}

void capture_record_disk_close(struct record_disk **disk)
{
    struct record_disk *gone = disk ? *disk : NULL;

    if (!gone)
        return;
    capture_record_file_close(&gone->file, NULL);
    if (gone->index >= 0) {
        lost_put(gone, NULL);
        fdatasync(gone->index);
        close(gone->index);
    }
    free(gone);
    *disk = NULL;
}
