/* calib/mat.h: the printed sheet: tags, seats, card slots (format "tableref-mat/1").
 *
 * Mat frame, in millimetres: origin at the sheet's top-left, x right, y down, z into the table,
 * on the sheet's surface; a block's top lies at z = -height. */
#ifndef CALIB_MAT_H
#define CALIB_MAT_H

#include "calib/blockset.h"
#include "calib/error.h"

#define MAT_TAGS_MAX 32
#define MAT_SEATS_MAX 8
#define MAT_SLOTS_MAX 12
/* A seat six times as long as the longest row of a set's blocks: pictures of it grow with the
 * square of that. */
#define MAT_SEAT_WIDTHS_MAX 60

enum tag_family { TAG_FAMILY_36H11 = 0 };

struct mat_tag {
    int id;
    enum tag_family family;
    double center_mm[2];
    double size_mm;  /* side of the black square's outer edge */
    double turn_deg; /* clockwise, against libapriltag's own picture of the tag */
};

struct mat_seat {
    int seat;          /* its number, from 1 */
    double rect_mm[4]; /* x, y, width, height */
    double up[2];      /* unit vector in the mat frame, away from the player */
};

struct mat_slot {
    int slot;
    double rect_mm[4];
};

struct mat {
    char name[KIT_NAME_MAX];
    double size_mm[2];
    int tags, seats, slots;
    struct mat_tag tag[MAT_TAGS_MAX];
    struct mat_seat seat[MAT_SEATS_MAX];
    struct mat_slot slot[MAT_SLOTS_MAX];
    int quick_play_slot; /* where Quick-Play's card in play lies; 3 unless "quick_play_slot" says
                            other */
};

/* As calib_blockset_parse, _load and _destroy. */
int calib_mat_parse(const char *json, size_t length, const char *name,
                    const struct calib_sink *sink, struct mat **out, struct calib_fault *fault);
int calib_mat_load(const char *name, const struct calib_sink *sink, struct mat **out,
                   struct calib_fault *fault);
void calib_mat_destroy(struct mat **mat);

/* Do the seats' sizes go with the set's blocks? CALIB_E_VALUE with the first seat at fault named
 * (`fault` may be NULL; its file is the mat's name, its line 0). */
int calib_mat_check(const struct mat *mat, const struct blockset *set, struct calib_fault *fault);

/* Corners of a tag in the mat frame, in the order of its own picture turned by turn_deg: for a
 * tag of turn 180 (the kit's) they are top-left, top-right, bottom-right, bottom-left as the
 * sheet is seen. xy[i] = {x, y} in mm. In libapriltag's own picture they are bottom-right,
 * bottom-left, top-left, top-right; its detections count bottom-left, bottom-right, top-right,
 * top-left: so xy[0..3] are p[1], p[0], p[3], p[2] of a detection, whatever turn_deg is. */
void calib_mat_tag_corners(const struct mat_tag *tag, double xy[4][2]);

#endif
