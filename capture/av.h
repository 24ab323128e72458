/* capture/av.h: libavformat, loaded when the first recording is opened or written.
 *
 * It brings some ninety libraries along (every codec that Debian knows), which cost each start of
 * the program a tenth of a second and 25 MB; most of what the program does never meets a recording.
 * So it is not linked but loaded, and called through this table. The only header of ours that
 * includes libav's. */
#ifndef CAPTURE_AV_H
#define CAPTURE_AV_H

#include <libavcodec/avcodec.h>
#include <libavcodec/packet.h>
#include <libavformat/avformat.h>
#include <libavformat/avio.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/mem.h>

#include "capture/error.h"

/* Each by its own name and type. */
#define CAPTURE_AV_FORMAT_CALLS(CALL)                                                              \
    CALL(av_find_input_format)                                                                     \
    CALL(av_guess_format)                                                                          \
    CALL(av_interleaved_write_frame)                                                               \
    CALL(av_probe_input_format3)                                                                   \
    CALL(av_read_frame)                                                                            \
    CALL(av_write_frame)                                                                           \
    CALL(av_write_trailer)                                                                         \
    CALL(avformat_alloc_context)                                                                   \
    CALL(avformat_alloc_output_context2)                                                           \
    CALL(avformat_close_input)                                                                     \
    CALL(avformat_free_context)                                                                    \
    CALL(avformat_new_stream)                                                                      \
    CALL(avformat_open_input)                                                                      \
    CALL(avformat_write_header)                                                                    \
    CALL(avio_alloc_context)                                                                       \
    CALL(avio_close)                                                                               \
    CALL(avio_context_free)                                                                        \
    CALL(avio_flush)                                                                               \
    CALL(avio_open)
#define CAPTURE_AV_CODEC_CALLS(CALL)                                                               \
    CALL(av_packet_alloc)                                                                          \
    CALL(av_packet_free)                                                                           \
    CALL(av_packet_move_ref)                                                                       \
    CALL(av_packet_ref)                                                                            \
    CALL(av_packet_unref)                                                                          \
    CALL(avcodec_get_name)
#define CAPTURE_AV_UTIL_CALLS(CALL)                                                                \
    CALL(av_dict_free)                                                                             \
    CALL(av_dict_set)                                                                              \
    CALL(av_free)                                                                                  \
    CALL(av_freep)                                                                                 \
    CALL(av_log_set_level)                                                                         \
    CALL(av_malloc)                                                                                \
    CALL(av_mallocz)                                                                               \
    CALL(av_max_alloc)                                                                             \
    CALL(av_rescale_q)                                                                             \
    CALL(av_strerror)

#define CAPTURE_AV_MEMBER(name) __typeof__(name) *(name);
struct av {
    CAPTURE_AV_FORMAT_CALLS(CAPTURE_AV_MEMBER)
    CAPTURE_AV_CODEC_CALLS(CAPTURE_AV_MEMBER)
    CAPTURE_AV_UTIL_CALLS(CAPTURE_AV_MEMBER)
};

/* Fills the table. What is loaded stays until the process ends. libav's own messages are turned
 * off, as libraries do not print, and no single block of its memory may be beyond what a recording
 * of ours needs. */
int capture_av_load(struct av *av, struct capture_fault *fault);

#endif
