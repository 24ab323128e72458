/* calib/rig.h: what calibration found of a camera (format "tableref-rig/1"). */
#ifndef CALIB_RIG_H
#define CALIB_RIG_H

#include "calib/blockset.h"
#include "calib/camera.h"
#include "calib/error.h"

/* How the set's colours look to this camera in the light in which they were taken. */
struct rig_colours {
    bool known;
    char set[KIT_NAME_MAX], made[32];
    char from[16];   /* "card", "blocks" */
    double white[3]; /* paper, linear light as the camera gives it, 0..1 */
    int symbols;
    struct {
        char label;
        double ratio[3]; /* of its field to the white near it, linear */
    } symbol[BLOCKSET_SYMBOLS_MAX];
};

struct rig {
    char name[256]; /* the file it came from */
    struct camera camera;
    bool has_pose;
    struct pose pose;   /* a starting point only: the tags in the picture decide */
    char identity[256]; /* "camera": its name and place as calib_rig_identity makes them; or empty */
    char made[32];      /* date, or empty */
    struct rig_colours colours;
};

/* The least distance between two symbols' fields, as a display would show them (gamma 1/2.2), white
 * being 1; their labels in pair[] (may be NULL). 1 for fewer than two symbols. */
double calib_rig_colours_apart(const struct rig_colours *colours, char pair[2]);

/* Below this two symbols are told apart by their shapes alone: the usual error of a cell's colour is
 * a third of it. */
#define RIG_COLOURS_APART 0.06

/* Is white another than when the colours were taken? `white` as struct rig_colours has it. The lamp's
 * colour counts, whatever the exposure; and brightness by more than a stop. False when no colours are
 * known. */
bool calib_rig_light_differs(const struct rig_colours *colours, const double white[3]);

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
