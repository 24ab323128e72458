/* capture/record_file.c: a Matroska file, written so that it may break off anywhere. */
#include "capture/record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/av.h"
#include "capture/fault.h"

/* Of one write: any usual picture with what stands around it, so that a file that breaks off does so
 * between two pictures. */
#define IO_BYTES (1024 * 1024)
#define CHAPTERS_MAX 1000     /* of one file: rounds of a match; more is an error somewhere */
/* A cluster is held in memory until it is whole. */
#define CLUSTER_MS "1000"

enum { TRACK_PICTURES, TRACK_TEXTS };

struct record_file {
    struct av av;
    AVFormatContext *context;
    AVPacket *packet;
    int fd;
    int write_errno; /* of the first write that failed; 0: none */
    int64_t size, at;
    int64_t last_ms; /* of the newest picture */
    bool begun;      /* the header is written, so the end can be */
};

static int failed(struct record_file *file, int code, struct capture_fault *fault)
{
    char text[AV_ERROR_MAX_STRING_SIZE] = "";

    if (file->write_errno)
        return capture_fail(fault, CAPTURE_E_OPEN, "cannot be written: %s",
                            strerror(file->write_errno));
    if (code == AVERROR(ENOMEM))
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the recording");
    file->av.av_strerror(code, text, sizeof text);
    return capture_fail(fault, CAPTURE_E_OPEN, "cannot be written: %s", text);
}

static int write_bytes(void *context, uint8_t *bytes, int count)
{
    struct record_file *file = context;
    int left = count;

    while (left > 0) {
        ssize_t put = pwrite(file->fd, bytes, (size_t)left, file->at);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            if (!file->write_errno)
                file->write_errno = put < 0 ? errno : ENOSPC;
            return AVERROR(file->write_errno);
        }
        file->at += put;
        bytes += put;
        left -= (int)put;
        if (file->at > file->size)
            file->size = file->at;
    }
    return count;
}

static int64_t seek_bytes(void *context, int64_t offset, int whence)
{
    struct record_file *file = context;
    int64_t to;

    whence &= ~AVSEEK_FORCE;
    if (whence == AVSEEK_SIZE)
        return file->size;
    int64_t from = whence == SEEK_CUR ? file->at : whence == SEEK_END ? file->size : 0;
    if (__builtin_add_overflow(from, offset, &to) || to < 0)
        return AVERROR(EINVAL);
    file->at = to;
    return to;
}

static AVStream *add_stream(struct record_file *file, enum AVMediaType type, enum AVCodecID codec)
{
    AVStream *stream = file->av.avformat_new_stream(file->context, NULL);

    if (stream) {
        stream->codecpar->codec_type = type;
        stream->codecpar->codec_id = codec;
        stream->time_base = (AVRational){1, 1000};
    }
    return stream;
}

static bool add_attachment(struct record_file *file, const struct recorder_attachment *from)
{
    AVStream *stream = add_stream(file, AVMEDIA_TYPE_ATTACHMENT, AV_CODEC_ID_NONE);

    if (!stream || from->length > INT32_MAX / 2)
        return false;
    stream->codecpar->extradata = file->av.av_mallocz(from->length + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!stream->codecpar->extradata)
        return false;
    memcpy(stream->codecpar->extradata, from->bytes, from->length);
    stream->codecpar->extradata_size = (int)from->length;
    return file->av.av_dict_set(&stream->metadata, "filename", from->name, 0) >= 0 &&
           file->av.av_dict_set(&stream->metadata, "mimetype", from->mime, 0) >= 0;
}

static bool add_tracks(struct record_file *file, const struct recorder_options *options)
{
    AVStream *pictures = add_stream(file, AVMEDIA_TYPE_VIDEO, AV_CODEC_ID_MJPEG);
    AVStream *texts = add_stream(file, AVMEDIA_TYPE_SUBTITLE, AV_CODEC_ID_SUBRIP);

    if (!pictures || !texts)
        return false;
    pictures->codecpar->width = options->width;
    pictures->codecpar->height = options->height;
    if (options->interval_ns > 0 && options->interval_ns < INT32_MAX)
        pictures->avg_frame_rate = (AVRational){1000000000, (int)options->interval_ns};
    if (file->av.av_dict_set(&texts->metadata, "language",
                             options->language ? options->language : "eng", 0) < 0 ||
        (options->title &&
         file->av.av_dict_set(&file->context->metadata, "title", options->title, 0) < 0))
        return false;
    for (int i = 0; i < options->attachments; i++)
        if (!add_attachment(file, &options->attachment[i]))
            return false;
    return true;
}

static bool attach_output(struct record_file *file)
{
    uint8_t *buffer = file->av.av_malloc(IO_BYTES);

    if (!buffer)
        return false;
    file->context->pb =
        file->av.avio_alloc_context(buffer, IO_BYTES, 1, file, NULL, write_bytes, seek_bytes);
    if (!file->context->pb)
        file->av.av_free(buffer);
    file->context->flags |= AVFMT_FLAG_CUSTOM_IO;
    return file->context->pb != NULL;
}

static int header_write(struct record_file *file, struct capture_fault *fault)
{
    AVDictionary *options = NULL;

    /* The index of frames has better sums than Matroska's own. */
    if (file->av.av_dict_set(&options, "cluster_time_limit", CLUSTER_MS, 0) < 0 ||
        file->av.av_dict_set(&options, "write_crc32", "0", 0) < 0) {
        file->av.av_dict_free(&options);
        return failed(file, AVERROR(ENOMEM), fault);
    }
    int code = file->av.avformat_write_header(file->context, &options);
    file->av.av_dict_free(&options);
    if (code < 0)
        return failed(file, code, fault);
    file->begun = true;
    file->av.avio_flush(file->context->pb);
    return file->write_errno ? failed(file, 0, fault) : CAPTURE_OK;
}

static int set_up(struct record_file *file, const char *path,
                  const struct recorder_options *options, struct capture_fault *fault)
{
    int error = capture_av_load(&file->av, fault);

    if (error != CAPTURE_OK)
        return error;
    file->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file->fd < 0)
        return capture_fail(fault, CAPTURE_E_OPEN, "%s: %s", path, strerror(errno));
    file->packet = file->av.av_packet_alloc();
    if (!file->packet ||
        file->av.avformat_alloc_output_context2(&file->context, NULL, "matroska", NULL) < 0 ||
        !add_tracks(file, options) || !attach_output(file))
        return failed(file, AVERROR(ENOMEM), fault);
    return header_write(file, fault);
}

int capture_record_file_open(const char *path, const struct recorder_options *options,
                             struct record_file **out, struct capture_fault *fault)
{
    struct record_file *file = calloc(1, sizeof *file);

    if (!file)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the recording");
    file->fd = -1;
    file->last_ms = -1;
    int error = set_up(file, path, options, fault);
    if (error == CAPTURE_OK)
        *out = file;
    else
        capture_record_file_close(&file, NULL);
    return error;
}

static int packet_write(struct record_file *file, int track, const uint8_t *bytes, size_t length,
                        int64_t t_ms, int64_t length_ms, struct capture_fault *fault)
{
    AVPacket *packet = file->packet;
    const AVStream *stream = file->context->streams[track];
    const AVRational ms = {1, 1000};

    if (length > INT32_MAX / 2)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "too large for a recording");
    file->av.av_packet_unref(packet);
    memcpy(&packet->data, &bytes, sizeof packet->data); /* the muxer only reads it */
    packet->size = (int)length;
    packet->stream_index = track;
    packet->flags = AV_PKT_FLAG_KEY;
    packet->pts = packet->dts = file->av.av_rescale_q(t_ms, ms, stream->time_base);
    packet->duration = file->av.av_rescale_q(length_ms, ms, stream->time_base);
    int code = file->av.av_write_frame(file->context, packet);
    return code < 0 || file->write_errno ? failed(file, code, fault) : CAPTURE_OK;
}

int capture_record_file_picture(struct record_file *file, const uint8_t *bytes, size_t length,
                                int64_t t_ms, struct capture_fault *fault)
{
    /* Two pictures within a millisecond, or a clock that ran backward: the index knows better. */
    if (t_ms <= file->last_ms)
        t_ms = file->last_ms + 1;
    file->last_ms = t_ms;
    int error = packet_write(file, TRACK_PICTURES, bytes, length, t_ms, 0, fault);
    if (error == CAPTURE_OK) {
        file->av.avio_flush(file->context->pb); /* the cluster before this one is whole */
        if (file->write_errno)
            error = failed(file, 0, fault);
    }
    return error;
}

int capture_record_file_text(struct record_file *file, int64_t t_ms, int64_t length_ms,
                             const char *text, struct capture_fault *fault)
{
    if (t_ms < file->last_ms)
        t_ms = file->last_ms; /* clusters run forward */
    if (t_ms < 0)
        t_ms = 0;
    return packet_write(file, TRACK_TEXTS, (const uint8_t *)text, strlen(text), t_ms, length_ms,
                        fault);
}

int capture_record_file_chapter(struct record_file *file, int64_t t_ms, const char *title)
{
    AVFormatContext *context = file->context;
    unsigned count = context->nb_chapters;

    if (count >= CHAPTERS_MAX)
        return CAPTURE_E_MEMORY;
    if (!context->chapters)
        context->chapters = file->av.av_mallocz(CHAPTERS_MAX * sizeof *context->chapters);
    AVChapter *chapter = file->av.av_mallocz(sizeof *chapter);
    if (!context->chapters || !chapter) {
        file->av.av_free(chapter);
        return CAPTURE_E_MEMORY;
    }
    chapter->id = (int64_t)count + 1;
    chapter->time_base = (AVRational){1, 1000};
    chapter->start = t_ms > 0 ? t_ms : 0;
    chapter->end = chapter->start;
    if (count > 0)
        context->chapters[count - 1]->end = chapter->start;
    context->chapters[context->nb_chapters++] = chapter;
    return file->av.av_dict_set(&chapter->metadata, "title", title, 0) < 0 ? CAPTURE_E_MEMORY
                                                                           : CAPTURE_OK;
}

int64_t capture_record_file_size(const struct record_file *file)
{
    return file->size;
}

int capture_record_file_sync(struct record_file *file, struct capture_fault *fault)
{
    file->av.avio_flush(file->context->pb);
    if (!file->write_errno && fdatasync(file->fd) != 0)
        file->write_errno = errno;
    return file->write_errno ? failed(file, 0, fault) : CAPTURE_OK;
}

/* The end of the file has its times, so a player can seek; without it, it plays all the same. */
static int end_write(struct record_file *file, struct capture_fault *fault)
{
    AVFormatContext *context = file->context;

    if (context->nb_chapters > 0) {
        AVChapter *last = context->chapters[context->nb_chapters - 1];
        last->end = file->last_ms > last->start ? file->last_ms : last->start + 1;
    }
    int code = file->av.av_write_trailer(context);
    return code < 0 || file->write_errno ? failed(file, code, fault)
                                         : capture_record_file_sync(file, fault);
}

int capture_record_file_close(struct record_file **file, struct capture_fault *fault)
{
    struct record_file *gone = file ? *file : NULL;
    int error = CAPTURE_OK;

    if (!gone)
        return CAPTURE_OK;
    if (gone->begun && !gone->write_errno)
        error = end_write(gone, fault);
    if (gone->context) {
        if (gone->context->pb) {
            gone->av.av_freep(&gone->context->pb->buffer);
            gone->av.avio_context_free(&gone->context->pb);
        }
        gone->av.avformat_free_context(gone->context);
    }
    if (gone->packet)
        gone->av.av_packet_free(&gone->packet);
    if (gone->fd >= 0 && close(gone->fd) != 0 && error == CAPTURE_OK)
        error = capture_fail(fault, CAPTURE_E_OPEN, "cannot be written: %s", strerror(errno));
    free(gone);
    *file = NULL;
    return error;
}
