/* capture/source.h: where pictures come from: a camera, a recorded video, a folder of pictures, a
 * test source. A source is a small table of functions behind these calls, so that what reads
 * pictures need not know which it is, and tests feed memory.
 *
 * A source gives undecoded pictures, each lent until it is released; a picture is decoded (or not)
 * by capture/picture.h. One thread for a source. Times are ns: of a live source CLOCK_MONOTONIC as
 * the camera stamped it, of a recorded one the place in the recording, 0 at its first picture. */
#ifndef CAPTURE_SOURCE_H
#define CAPTURE_SOURCE_H

#include "capture/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum picture_format {
    PICTURE_MJPEG,
    PICTURE_YUYV,
    PICTURE_UYVY,
    PICTURE_NV12,
    PICTURE_GREY,
    PICTURE_STILL, /* a file's bytes, JPEG or PNG, of folders: decoded as every still is */
    PICTURE_FORMATS
};

/* "mjpeg", "yuyv" and so on; "unknown" outside. */
const char *capture_picture_format_name(enum picture_format format);

/* A picture as it came, lent by the source. */
struct picture {
    enum picture_format format;
    int width, height; /* px, as the source says; the coded data of MJPEG and stills decide */
    const uint8_t *bytes;
    size_t length;         /* used bytes */
    size_t stride;         /* raw formats: bytes from row to row */
    const uint8_t *chroma; /* NV12: its second plane where that lies apart; its rows have `stride`.
                              NULL: it follows in `bytes`, after height rows */
    size_t chroma_length;
    bool full_range;    /* raw formats with colour: the driver says that luma uses 0..255; else it
                           is BT.601's studio range, 16..235 */
    uint64_t sequence;  /* rising; gaps are pictures lost */
    uint64_t lost;      /* before this one, since the one before it */
    int64_t time_ns;    /* of capture */
    int64_t arrived_ns; /* live: when it was taken from the driver, CLOCK_MONOTONIC; else time_ns */
    bool damaged;       /* the driver says so, or it is empty or short: it never decides */
    bool time_doubtful; /* its stamp ran backward, stood still, or is not the camera's own */
    int slot;           /* the source's own */
};

enum source_state {
    SOURCE_RUNNING = 0,
    SOURCE_WARMING_UP, /* a camera whose first pictures are thrown away */
    SOURCE_AWAY        /* a camera that is unplugged or does not answer; it is opened again */
};

/* What a source is. */
struct source_about {
    char name[128];  /* for people: the camera's name, the file */
    char place[128]; /* what stays the same over replugging: the bus path; the file's path */
    enum picture_format format;
    int width, height;
    int64_t interval_ns; /* between pictures, as measured so far, else as the source says; 0: not
                            known */
    bool live;           /* time goes on by itself; else the source waits for its reader */
    enum source_state state;
    unsigned starts; /* of a camera: after each one, what stood in the picture may stand elsewhere */
};

/* What capture_source_next gives besides errors. */
enum { CAPTURE_PICTURE = 0, CAPTURE_NOTHING = 1, CAPTURE_END = 2 };

struct source;

/* The functions of a kind of source. `context` is the kind's own; each is called as the call below
 * that has its name says. `release`, `set` and `poll_file` may be NULL. */
struct source_kind {
    int (*next)(void *context, int timeout_ms, struct picture *out, struct capture_fault *fault);
    void (*release)(void *context, const struct picture *picture);
    void (*about)(const void *context, struct source_about *out);
    int (*poll_file)(const void *context);
    void (*destroy)(void *context);
};

/* A source of that kind; owns `context` from now on (also when there is no memory: then it is
 * destroyed, and NULL comes back). `kind` must outlive it. */
struct source *capture_source_create(const struct source_kind *kind, void *context);
void capture_source_destroy(struct source **source);

/* The next picture: CAPTURE_PICTURE with *out filled; CAPTURE_NOTHING when none came within
 * timeout_ms (a camera that is away counts as that, with `fault` saying so); CAPTURE_END when a
 * recording is over; or a negative capture_error. Every picture is given to
 * capture_source_release; a live source holds few, so do not keep them. A recorded source lends up
 * to CAPTURE_LENT_MAX at once; asking for one more is CAPTURE_E_ARGUMENT. What is empty, or raw and
 * too short for its size, comes out with `damaged` set, whatever its source says. */
#define CAPTURE_LENT_MAX 8
int capture_source_next(struct source *source, int timeout_ms, struct picture *out,
                        struct capture_fault *fault);
void capture_source_release(struct source *source, const struct picture *picture);

void capture_source_about(const struct source *source, struct source_about *out);

/* A file descriptor that is readable when a picture may be there, or -1. A camera's is another one
 * after each start: ask before each wait, and do not wait for ever. */
int capture_source_poll_file(const struct source *source);

/* Recorded video (Matroska, AVI, MP4 or QuickTime, an ordinary file) with a track of MJPEG, whose
 * pictures are handed on undecoded. Other containers and codecs, and interlaced video, are refused
 * by name (CAPTURE_E_UNSUPPORTED). An empty packet (how AVI marks a dropped picture) counts as
 * `lost`; several pictures in one packet share its time out. Where stamps are missing, stand still
 * or run backward, times go on at the recording's own rate and are doubtful: they always rise. A
 * recording that breaks off is CAPTURE_E_DAMAGED where its container is corrupt (then
 * CAPTURE_END), and plainly over where it was only cut short. */
int capture_video_open(const char *path, struct source **out, struct capture_fault *fault);

/* The pictures of a folder (ordinary files named .jpg, .jpeg or .png), `interval_ns` apart, in the
 * order of their names with numbers compared as numbers: 2 before 10. Other files are passed over
 * without a word, as truth files and notes lie beside pictures. What has a picture's name but none
 * inside, or cannot be read, comes in its turn as a damaged picture: it had its time, and nothing
 * may seem to have happened without it. The list is made when the folder is opened. */
int capture_folder_open(const char *path, int64_t interval_ns, struct source **out,
                        struct capture_fault *fault);

/* Pictures from memory, for tests: copies of what was given, with the times given. Owns nothing of
 * the caller's. */
struct memory_picture {
    enum picture_format format;
    const uint8_t *bytes;
    size_t length;
    int width, height;
    int64_t time_ns;
    bool damaged;
};
int capture_memory_open(const struct memory_picture *pictures, int count, struct source **out,
                        struct capture_fault *fault);

/* A camera, by a device's path (/dev/video2), its stable path (/dev/v4l/by-path/..), or "test:WxH"
 * for a moving test picture in real time. `wish` may hold 0 and -1 for what does not matter. When
 * the camera was away it is opened again by itself: the same kind of camera at the same socket,
 * with the same format and size, and its controls set again.
 *
 * The first pictures after each start are not given, until brightness and colour stand still; then
 * what the automatics have come to is held. Pictures that are not given count as neither sequence
 * gaps nor lost. Damaged ones are given, as is the last of a stream that breaks off. */
struct camera_wish {
    int width, height;   /* 0: the largest up to 1920 x 1080 */
    int rate;            /* pictures a second; 0: 30, or the nearest */
    int format;          /* enum picture_format, or -1: MJPEG before raw */
    int mains_hz;        /* 50, 60; 0: leave it to the camera */
    int exposure_100us;  /* -1: whatever the automatic has come to, then held */
    int white_balance_k; /* -1: as exposure */
    int focus;           /* -1: as exposure */
    bool exclusive;      /* other programs may not change its controls meanwhile */
    /* What people should know, a line for each change of state; may be NULL. */
    void (*notice)(void *context, const char *text);
    void *notice_context;
};
int capture_camera_open(const char *device, const struct camera_wish *wish, struct source **out,
                        struct capture_fault *fault);

#endif
