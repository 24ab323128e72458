/* capture/video.c: recorded video, its MJPEG pictures handed on as they are. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/av.h"
#include "capture/fault.h"
#include "capture/file.h"
#include "capture/jpeg.h"
#include "capture/source.h"
#include "capture/video_clock.h"

#define IO_BYTES 65536    /* of one read from the file */
#define PROBE_BYTES 65536 /* what the three containers are known by lies in the first hundred */
#define ERRORS_MAX 8      /* in a row: libavformat finds its way after most, or never */
#define CUTS_MAX 8        /* pictures in a packet: two are known from cameras */
/* Between two pictures of one packet: what rounds them up to words or sectors. */
#define PADDING_MAX_BYTES 512
/* No camera for a table gives more than 240 a second. Writers that were told no rate put in a
 * guess, like 600, and a time limit would pass twenty times too fast. */
#define FASTEST_NS 4000000
#define DROPPED_MAX 1000000 /* pictures in a row: more is a broken stamp */

/* A picture within a packet. */
struct cut {
    size_t start, length;
    int width, height;
    bool damaged;
};

struct lent {
    AVPacket *packet;
    bool taken;
};

struct video {
    struct av av;
    AVFormatContext *context;
    AVIOContext *io;
    int fd;
    int64_t size, at; /* bytes: of the file as it was opened, and where it is read */
    int read_errno;   /* of the last reading that failed; 0: none */
    int stream;
    int width, height; /* px, as the container says */
    struct video_clock clock;
    AVPacket *packet; /* that is being handed on */
    struct cut cuts[CUTS_MAX];
    int cut_count, cut_next;
    struct lent lent[CAPTURE_LENT_MAX];
    bool counted;     /* the container's stamps are the pictures' numbers, as in AVI */
    int64_t last_pts; /* AV_NOPTS_VALUE: none yet */
    uint64_t sequence, lost;
    bool over;
    char path[4096];
};

/* --- The file, as libavformat reads it ------------------------------------------------------- */

static int read_file(void *context, uint8_t *bytes, int count)
{
    struct video *video = context;
    int64_t left = video->size - video->at;
    ssize_t got;

    if (left <= 0 || count <= 0)
        return AVERROR_EOF;
    do
        got = pread(video->fd, bytes, (size_t)(left < count ? left : count), video->at);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        video->read_errno = errno;
        return AVERROR(errno);
    }
    if (got == 0)
        return AVERROR_EOF;
    video->at += got;
    return (int)got;
}

static int64_t seek_file(void *context, int64_t offset, int whence)
{
    struct video *video = context;
    int64_t from = 0, to;

    whence &= ~AVSEEK_FORCE;
    if (whence == AVSEEK_SIZE)
        return video->size;
    if (whence == SEEK_CUR)
        from = video->at;
    else if (whence == SEEK_END)
        from = video->size;
    else if (whence != SEEK_SET)
        return AVERROR(EINVAL);
    if (__builtin_add_overflow(from, offset, &to) || to < 0)
        return AVERROR(EINVAL);
    video->at = to;
    return to;
}

/* A recording is one file: what it names besides is not opened. */
static int refuse_file(struct AVFormatContext *context, AVIOContext **io, const char *url,
                       int flags, AVDictionary **options)
{
    (void)context;
    (void)url;
    (void)flags;
    (void)options;
    *io = NULL;
    return AVERROR(EACCES);
}

/* --- Opening ---------------------------------------------------------------------------------- */

static int av_failed(const struct video *video, int code, struct capture_fault *fault)
{
    char text[AV_ERROR_MAX_STRING_SIZE] = "";

    if (video->read_errno)
        return capture_fail(fault, CAPTURE_E_OPEN, "cannot be read: %s",
                            strerror(video->read_errno));
    if (code == AVERROR(ENOMEM))
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the recording");
    video->av.av_strerror(code, text, sizeof text);
    return capture_fail(fault, CAPTURE_E_DAMAGED, "the recording is damaged: %s", text);
}

static int refuse_container(const char *name, struct capture_fault *fault)
{
    static const char *const known[] = {"matroska,", "avi", "mov,"};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strncmp(name, known[i], strlen(known[i])) == 0)
            return CAPTURE_OK;
    if (strstr(name, "_pipe")) /* libavformat's single pictures: jpeg_pipe and so on */
        return capture_fail(fault, CAPTURE_E_UNSUPPORTED,
                            "this is a single picture, not a recording");
    return capture_fail(fault, CAPTURE_E_UNSUPPORTED,
                        "a recording in %s is not supported, only in Matroska, AVI, MP4 or "
                        "QuickTime",
                        name);
}

/* The container is found by us and given to libavformat, so that nothing but these three demuxers
 * ever sees the file. */
static int find_container(struct video *video, const AVInputFormat **out,
                          struct capture_fault *fault)
{
    uint8_t *bytes = calloc(1, PROBE_BYTES + AVPROBE_PADDING_SIZE);
    AVProbeData probe = {.filename = "", .buf = bytes};
    int score = 0, error;
    size_t length = 0;

    if (!bytes)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the recording");
    error = capture_file_read(video->fd, bytes, PROBE_BYTES, &length, fault);
    if (!error && length == 0)
        error = capture_fail(fault, CAPTURE_E_EMPTY, "the file is empty");
    if (!error) {
        probe.buf_size = (int)length;
        *out = video->av.av_probe_input_format3(&probe, 1, &score);
        if (!*out || score <= AVPROBE_SCORE_RETRY)
            error = capture_fail(fault, CAPTURE_E_FORMAT,
                                 "not a recording in Matroska, AVI, MP4 or QuickTime");
        else
            error = refuse_container((*out)->name, fault);
    }
    free(bytes);
    return error;
}

static int open_io(struct video *video)
{
    uint8_t *buffer = video->av.av_malloc(IO_BYTES);

    if (!buffer)
        return CAPTURE_E_MEMORY;
    video->io =
        video->av.avio_alloc_context(buffer, IO_BYTES, 0, video, read_file, NULL, seek_file);
    if (!video->io) {
        video->av.av_free(buffer);
        return CAPTURE_E_MEMORY;
    }
    video->context = video->av.avformat_alloc_context();
    return video->context ? CAPTURE_OK : CAPTURE_E_MEMORY;
}

/* Packets come as they lie in the file: nothing is parsed, filled in or decoded by libavcodec. The
 * pictures are read from front to end, so no index is needed, and a bad one does no harm. */
static int open_container(struct video *video, struct capture_fault *fault)
{
    const AVInputFormat *format = NULL;
    int error = find_container(video, &format, fault), code;

    if (error)
        return error;
    if (open_io(video) != CAPTURE_OK)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the recording");
    video->context->pb = video->io;
    video->context->io_open = refuse_file;
    video->context->flags |=
        AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN | AVFMT_FLAG_IGNIDX;
    code = video->av.avformat_open_input(&video->context, "", format, NULL); /* frees on failure */
    return code < 0 ? av_failed(video, code, fault) : CAPTURE_OK;
}

static bool is_moving_picture(const AVStream *stream)
{
    return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
           !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC);
}

static int find_track(struct video *video, struct capture_fault *fault)
{
    const AVStream *other = NULL;

    video->stream = -1;
    for (unsigned i = 0; i < video->context->nb_streams; i++) {
        AVStream *stream = video->context->streams[i];
        bool wanted = video->stream < 0 && is_moving_picture(stream) &&
                      stream->codecpar->codec_id == AV_CODEC_ID_MJPEG;

        if (wanted)
            video->stream = (int)i;
        else
            stream->discard = AVDISCARD_ALL;
        if (!wanted && is_moving_picture(stream) && !other)
            other = stream;
    }
    if (video->stream >= 0)
        return CAPTURE_OK;
    if (!other)
        return capture_fail(fault, CAPTURE_E_UNSUPPORTED, "the recording has no moving picture");
    return capture_fail(fault, CAPTURE_E_UNSUPPORTED,
                        "the recording is in %s; only MJPEG keeps each picture as the camera sent "
                        "it, record in that",
                        video->av.avcodec_get_name(other->codecpar->codec_id));
}

/* 0: no rate, or one that no recording has. */
static int64_t interval_of(const struct video *video, AVRational rate)
{
    const AVRational nanosecond = {1, 1000000000};
    int64_t interval = 0;

    if (rate.num > 0 && rate.den > 0)
        interval = video->av.av_rescale_q(1, (AVRational){rate.den, rate.num}, nanosecond);
    return interval > 0 ? interval : 0;
}

static int prepare(struct video *video, struct capture_fault *fault)
{
    const AVStream *stream;
    int64_t interval;
    int error = open_container(video, fault);

    if (!error)
        error = find_track(video, fault);
    if (error)
        return error;
    stream = video->context->streams[video->stream];
    video->width = stream->codecpar->width > 0 ? stream->codecpar->width : 0;
    video->height = stream->codecpar->height > 0 ? stream->codecpar->height : 0;
    interval = interval_of(video, stream->avg_frame_rate);
    if (interval == 0)
        interval = interval_of(video, stream->r_frame_rate);
    capture_clock_start(&video->clock, interval);
    video->counted = stream->time_base.num > 0 && stream->avg_frame_rate.num > 0 &&
                     (int64_t)stream->time_base.num * stream->avg_frame_rate.num ==
                         (int64_t)stream->time_base.den * stream->avg_frame_rate.den;
    video->last_pts = AV_NOPTS_VALUE;
    video->packet = video->av.av_packet_alloc();
    for (int i = 0; i < CAPTURE_LENT_MAX; i++)
        video->lent[i].packet = video->av.av_packet_alloc();
    for (int i = 0; i < CAPTURE_LENT_MAX; i++)
        if (!video->packet || !video->lent[i].packet)
            return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the recording");
    return CAPTURE_OK;
}

/* --- The pictures of a packet ----------------------------------------------------------------- */

static bool is_damage(int error)
{
    return error == CAPTURE_E_DAMAGED || error == CAPTURE_E_HEADER || error == CAPTURE_E_FORMAT ||
           error == CAPTURE_E_EMPTY;
}

/* Where the next picture in a packet starts, after padding; `length` when none does. */
static size_t next_start(const uint8_t *bytes, size_t at, size_t length)
{
    size_t end = length - at > PADDING_MAX_BYTES ? at + PADDING_MAX_BYTES : length;

    while (at < end && bytes[at] == 0)
        at++;
    return length - at >= 2 && bytes[at] == 0xff && bytes[at + 1] == 0xd8 ? at : length;
}

/* A packet is a picture. Some writers put in another one behind it: that is one too, if it is
 * whole and of the same size; a preview or the second eye's view of another size is not. What the
 * first is like the decoder will say; its own refusals by name are not taken for damage. */
static int find_cuts(const uint8_t *bytes, size_t length, struct cut cuts[CUTS_MAX])
{
    struct jpeg_info info;
    int error = capture_jpeg_inspect(bytes, length, &info, NULL), count = 1;
    size_t at = info.end;

    cuts[0] = (struct cut){0, info.end > 0 ? info.end : length, info.width, info.height,
                           is_damage(error)};
    while (!error && count < CUTS_MAX && (at = next_start(bytes, at, length)) < length) {
        error = capture_jpeg_inspect(bytes + at, length - at, &info, NULL);
        if (error || info.width != cuts[0].width || info.height != cuts[0].height)
            break;
        cuts[count++] = (struct cut){at, info.end, info.width, info.height, false};
        at += info.end;
    }
    return count;
}

static int64_t pts_of(const AVPacket *packet)
{
    return packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
}

/* AVI marks a dropped picture by an empty chunk. libavformat hands it on as nothing but the number
 * that is left out. */
static void count_dropped(struct video *video, const AVPacket *packet)
{
    int64_t pts = pts_of(packet), ahead;

    if (video->counted && pts != AV_NOPTS_VALUE && video->last_pts != AV_NOPTS_VALUE &&
        !__builtin_sub_overflow(pts, video->last_pts, &ahead) && ahead > 1 && ahead <= DROPPED_MAX)
        video->lost += (uint64_t)ahead - 1;
    video->last_pts = pts;
}

static int64_t stamp_of(const struct video *video, const AVPacket *packet)
{
    const AVRational nanosecond = {1, 1000000000};
    int64_t stamp = pts_of(packet);

    if (stamp == AV_NOPTS_VALUE)
        return CLOCK_NO_STAMP;
    return video->av.av_rescale_q(stamp, video->context->streams[video->stream]->time_base,
                                  nanosecond);
}

/* CAPTURE_PICTURE with the next packet that holds something; CAPTURE_END; an error. A file that
 * was cut short ends like any other: whatever reads on where nothing is left is told so. */
static int read_packet(struct video *video, struct capture_fault *fault)
{
    int errors = 0;

    for (;;) {
        int code = video->av.av_read_frame(video->context, video->packet);

        if (code == AVERROR_EOF && !video->read_errno)
            return CAPTURE_END;
        if (code < 0 && (video->read_errno || ++errors == ERRORS_MAX))
            return video->at >= video->size && !video->read_errno ? CAPTURE_END
                                                                  : av_failed(video, code, fault);
        if (code < 0)
            continue;
        if (video->packet->stream_index == video->stream) {
            if (video->packet->size > 0 && video->packet->data)
                return CAPTURE_PICTURE;
            video->lost += !video->counted;
        }
        errors = 0;
        video->av.av_packet_unref(video->packet);
    }
}

static int start_packet(struct video *video, struct capture_fault *fault)
{
    int got = read_packet(video, fault);

    if (got != CAPTURE_PICTURE)
        return got;
    count_dropped(video, video->packet);
    video->cut_next = 0;
    video->cut_count = find_cuts(video->packet->data, (size_t)video->packet->size, video->cuts);
    if (video->cut_count > 1 && video->height >= 2 * video->cuts[0].height)
        return capture_fail(fault, CAPTURE_E_UNSUPPORTED,
                            "the recording is interlaced (two half pictures at a time), which is "
                            "not supported");
    return CAPTURE_PICTURE;
}

static struct lent *find_free(struct video *video, int *slot)
{
    for (*slot = 0; *slot < CAPTURE_LENT_MAX; ++*slot)
        if (!video->lent[*slot].taken)
            return &video->lent[*slot];
    return NULL;
}

static void fill_time(struct video *video, struct picture *out)
{
    bool doubtful = true;

    if (video->cut_next == 0)
        out->time_ns = capture_clock_next(&video->clock, stamp_of(video, video->packet), &doubtful);
    else
        out->time_ns = capture_clock_share(&video->clock, video->cut_count);
    out->arrived_ns = out->time_ns;
    out->time_doubtful = doubtful || (video->clock.interval_count > 0 &&
                                      capture_clock_interval(&video->clock) < FASTEST_NS);
}

/* The picture's bytes are the packet's, which is counted by reference. */
static int lend_cut(struct video *video, struct lent *lent, struct picture *out)
{
    const struct cut *cut = &video->cuts[video->cut_next];

    if (video->av.av_packet_ref(lent->packet, video->packet) < 0)
        return CAPTURE_E_MEMORY;
    lent->taken = true;
    out->format = PICTURE_MJPEG;
    out->width = cut->width > 0 ? cut->width : video->width;
    out->height = cut->height > 0 ? cut->height : video->height;
    out->bytes = lent->packet->data + cut->start;
    out->length = cut->length;
    out->damaged = cut->damaged || (video->packet->flags & AV_PKT_FLAG_CORRUPT) != 0;
    fill_time(video, out);
    out->lost = video->lost;
    out->sequence = video->sequence + video->lost;
    video->sequence = out->sequence + 1;
    video->lost = 0;
    if (++video->cut_next == video->cut_count)
        video->av.av_packet_unref(video->packet);
    return CAPTURE_OK;
}

static int video_next(void *context, int timeout_ms, struct picture *out,
                      struct capture_fault *fault)
{
    struct video *video = context;
    struct lent *lent;
    int got = CAPTURE_PICTURE;

    (void)timeout_ms;
    if (video->over)
        return CAPTURE_END;
    lent = find_free(video, &out->slot);
    if (!lent)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "too many pictures are held back");
    if (video->cut_next == video->cut_count)
        got = start_packet(video, fault);
    if (got != CAPTURE_PICTURE) {
        video->over = true;
        return got;
    }
    if (lend_cut(video, lent, out) != CAPTURE_OK)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for a picture");
    return CAPTURE_PICTURE;
}

static void video_release(void *context, const struct picture *picture)
{
    struct video *video = context;

    if (picture->slot < 0 || picture->slot >= CAPTURE_LENT_MAX || !video->lent[picture->slot].taken)
        return;
    video->av.av_packet_unref(video->lent[picture->slot].packet);
    video->lent[picture->slot].taken = false;
}

static void video_about(const void *context, struct source_about *out)
{
    const struct video *video = context;

    capture_file_about(video->path, out);
    out->format = PICTURE_MJPEG;
    out->width = video->width;
    out->height = video->height;
    out->interval_ns = capture_clock_interval(&video->clock);
}

static void video_destroy(void *context)
{
    struct video *video = context;

    if (video->packet)
        video->av.av_packet_free(&video->packet);
    for (int i = 0; i < CAPTURE_LENT_MAX; i++)
        if (video->lent[i].packet)
            video->av.av_packet_free(&video->lent[i].packet);
    if (video->context)
        video->av.avformat_close_input(&video->context);
    if (video->io) {
        video->av.av_freep(&video->io->buffer); /* may be another than ours by now */
        video->av.avio_context_free(&video->io);
    }
    if (video->fd >= 0)
        close(video->fd);
    free(video);
}

static const struct source_kind video_kind = {
    .next = video_next,
    .release = video_release,
    .about = video_about,
    .destroy = video_destroy,
};

int capture_video_open(const char *path, struct source **out, struct capture_fault *fault)
{
    struct video *video;
    size_t length = path ? strlen(path) : 0;
    int error;

    if (out)
        *out = NULL;
    if (!path || !out || length >= sizeof video->path)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no recording was named");
    video = calloc(1, sizeof *video);
    if (!video)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the recording");
    video->fd = -1;
    memcpy(video->path, path, length + 1);
    error = capture_file_open(path, &video->fd, &video->size, fault);
    if (!error)
        error = capture_av_load(&video->av, fault);
    if (!error)
        error = prepare(video, fault);
    if (error) {
        video_destroy(video);
        return error;
    }
    *out = capture_source_create(&video_kind, video);
    if (!*out)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the recording");
    return CAPTURE_OK;
}
