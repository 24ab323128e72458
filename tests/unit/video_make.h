/* tests/unit/video_make.h: small recordings for the tests, written with libavformat. A failure in
 * making one ends the test program. */
#ifndef TESTS_VIDEO_MAKE_H
#define TESTS_VIDEO_MAKE_H

#include "capture/av.h"
#include "tests/unit/still_make.h"

/* A packet of a recording: bytes are copied. */
struct reel_packet {
    const uint8_t *bytes;
    size_t length;
    int64_t stamp; /* in the reel's ticks; REEL_NO_STAMP: none */
    int track;
};

#define REEL_NO_STAMP AV_NOPTS_VALUE

struct reel {
    const char *container; /* "matroska", "avi", "mp4", "mov", "nut", .. */
    const char *path;
    int codec;         /* enum AVCodecID; 0: MJPEG */
    int width, height; /* as the container says */
    int tick_num, tick_den;
    bool no_rate; /* the container says no rate */
    bool sound;   /* a second track, of PCM sound */
};

static inline void reel_check(bool fine, const char *what)
{
    if (!fine) {
        fprintf(stderr, "video_make: %s failed\n", what);
        abort();
    }
}

static inline void reel_add_video(const struct av *av, AVFormatContext *context,
                                  const struct reel *reel)
{
    AVStream *stream = av->avformat_new_stream(context, NULL);

    reel_check(stream != NULL, "avformat_new_stream");
    stream->codecpar->codec_type = AVMEDIA_TYPE_VIDEO;
    stream->codecpar->codec_id = reel->codec ? (enum AVCodecID)reel->codec : AV_CODEC_ID_MJPEG;
    stream->codecpar->width = reel->width;
    stream->codecpar->height = reel->height;
    stream->time_base = (AVRational){reel->tick_num, reel->tick_den};
    if (!reel->no_rate)
        stream->avg_frame_rate = (AVRational){reel->tick_den, reel->tick_num};
}

static inline void reel_add_sound(const struct av *av, AVFormatContext *context)
{
    AVStream *stream = av->avformat_new_stream(context, NULL);

    reel_check(stream != NULL, "avformat_new_stream");
    stream->codecpar->codec_type = AVMEDIA_TYPE_AUDIO;
    stream->codecpar->codec_id = AV_CODEC_ID_PCM_S16LE;
    stream->codecpar->sample_rate = 8000;
    stream->codecpar->block_align = 2;
    stream->codecpar->bits_per_coded_sample = 16;
    stream->codecpar->ch_layout = (AVChannelLayout)AV_CHANNEL_LAYOUT_MONO;
    stream->time_base = (AVRational){1, 8000};
}

static inline void reel_write_packet(const struct av *av, AVFormatContext *context,
                                     const struct reel *reel, const struct reel_packet *from)
{
    AVPacket *packet = av->av_packet_alloc();
    uint8_t *bytes = make_memory(from->length + AV_INPUT_BUFFER_PADDING_SIZE);
    AVRational tick = {reel->tick_num, reel->tick_den};

    reel_check(packet != NULL, "av_packet_alloc");
    memset(bytes, 0, from->length + AV_INPUT_BUFFER_PADDING_SIZE);
    if (from->length > 0)
        memcpy(bytes, from->bytes, from->length);
    packet->data = bytes;
    packet->size = (int)from->length;
    packet->stream_index = from->track;
    packet->flags = AV_PKT_FLAG_KEY;
    packet->pts = packet->dts = from->stamp;
    if (from->stamp != REEL_NO_STAMP && from->track < (int)context->nb_streams)
        packet->pts = packet->dts =
            av->av_rescale_q(from->stamp, tick, context->streams[from->track]->time_base);
    reel_check(av->av_write_frame(context, packet) >= 0, "av_write_frame");
    av->av_packet_free(&packet);
    free(bytes);
}

/* Writes the packets in their order to reel->path. */
static inline void reel_write(const struct reel *reel, const struct reel_packet *packets, int count)
{
    AVFormatContext *context = NULL;
    struct capture_fault fault = {""};
    struct av av;

    reel_check(capture_av_load(&av, &fault) == 0, fault.text);
    reel_check(av.avformat_alloc_output_context2(&context, NULL, reel->container, reel->path) >= 0,
               "avformat_alloc_output_context2");
    context->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL;
    reel_add_video(&av, context, reel);
    if (reel->sound)
        reel_add_sound(&av, context);
    reel_check(av.avio_open(&context->pb, reel->path, AVIO_FLAG_WRITE) >= 0, "avio_open");
    reel_check(av.avformat_write_header(context, NULL) >= 0, "avformat_write_header");
    for (int i = 0; i < count; i++)
        reel_write_packet(&av, context, reel, &packets[i]);
    reel_check(av.av_write_trailer(context) >= 0, "av_write_trailer");
    reel_check(av.avio_close(context->pb) >= 0, "avio_close");
    av.avformat_free_context(context);
}

#endif
