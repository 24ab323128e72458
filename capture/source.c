/* capture/source.c: the calls in front of every kind of source. */
#include "capture/source.h"

#include <stdlib.h>
#include <string.h>

#include "capture/fault.h"
#include "capture/picture_parts.h"

struct source {
    const struct source_kind *kind;
    void *context;
};

const char *capture_picture_format_name(enum picture_format format)
{
    static const char *const names[PICTURE_FORMATS] = {
        [PICTURE_MJPEG] = "mjpeg", [PICTURE_YUYV] = "yuyv", [PICTURE_UYVY] = "uyvy",
        [PICTURE_NV12] = "nv12",   [PICTURE_GREY] = "grey", [PICTURE_STILL] = "still",
    };

    return (unsigned)format < PICTURE_FORMATS ? names[format] : "unknown";
}

struct source *capture_source_create(const struct source_kind *kind, void *context)
{
    struct source *source = malloc(sizeof *source);

    if (!source) {
        kind->destroy(context);
        return NULL;
    }
    source->kind = kind;
    source->context = context;
    return source;
}

void capture_source_destroy(struct source **source)
{
    if (!source || !*source)
        return;
    (*source)->kind->destroy((*source)->context);
    free(*source);
    *source = NULL;
}

int capture_source_next(struct source *source, int timeout_ms, struct picture *out,
                        struct capture_fault *fault)
{
    int got;

    if (fault)
        fault->text[0] = '\0';
    if (!source || !out)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no source or no place for its picture");
    memset(out, 0, sizeof *out);
    got = source->kind->next(source->context, timeout_ms, out, fault);
    if (got == CAPTURE_PICTURE && !capture_picture_is_whole(out))
        out->damaged = true;
    return got;
}

void capture_source_release(struct source *source, const struct picture *picture)
{
    if (source && picture && source->kind->release)
        source->kind->release(source->context, picture);
}

void capture_source_about(const struct source *source, struct source_about *out)
{
    if (!out)
        return;
    memset(out, 0, sizeof *out);
    if (source)
        source->kind->about(source->context, out);
}

int capture_source_poll_file(const struct source *source)
{
    if (!source || !source->kind->poll_file)
        return -1;
    return source->kind->poll_file(source->context);
}
