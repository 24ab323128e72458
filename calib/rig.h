/* calib/rig.h: what calibration found of a camera (format "tableref-rig/1"). */
#ifndef CALIB_RIG_H
#define CALIB_RIG_H

#include "calib/blockset.h"
#include "calib/camera.h"
#include "calib/error.h"

struct rig {
    char name[256]; /* the file it came from */
    struct camera camera;
    bool has_pose;
    struct pose pose;   /* a starting point only: the tags in the picture decide */
    char identity[256]; /* "camera": its name and place as calib_rig_identity makes them; or empty */
    char made[32];      /* date, or empty */
};

/* As calib_blockset_parse. The truth of a fixture ("camera": {...}) has the same fields but
 * "format": both are read. */
int calib_rig_parse(const char *json, size_t length, const char *name,
                    const struct calib_sink *sink, struct rig **out, struct calib_fault *fault);
/* The same of a file: a rig is never built in. Besides: CALIB_E_OPEN. */
int calib_rig_load(const char *path, const struct calib_sink *sink, struct rig **out,
                   struct calib_fault *fault);
/* The text of a rig, which calib_rig_parse reads; its name is no part of it. The caller frees *text
 * with free(). CALIB_E_MEMORY, also for an identity or a date that is no UTF-8. */
int calib_rig_write(const struct rig *rig, char **text);
/* As calib_blockset_destroy. */
void calib_rig_destroy(struct rig **rig);

#endif
