/* calib/mat_plan.h: laying out a mat: seats along both long sides, card slots between them, tags at
 * the corners and beside the slots; and what camera that takes.
 *
 * A cell is as wide as a block. A seat is at least MAT_PLAN_SEAT_CELLS cells wide (a layout of four
 * with gaps, and loose blocks beside it) and MAT_PLAN_DEPTH_CELLS deep, as on the kit's smallest
 * mat. A tag is at least as wide as a cell: where a cell has 25 px, its modules then have three,
 * the least that are read well. Around the sheet there is a strip for the ruler. */
#ifndef CALIB_MAT_PLAN_H
#define CALIB_MAT_PLAN_H

#include "calib/mat.h"

#include <stddef.h>

#define MAT_PLAN_SEAT_CELLS 8.0
#define MAT_PLAN_DEPTH_CELLS 4.25
#define MAT_PLAN_CELL_PX 25.0
#define MAT_PLAN_VIEW_DEG 65.0 /* across, of a usual webcam */
#define MAT_PLAN_TAG_FIRST 40  /* the kit's own mats, ramps and boards have others */
#define MAT_PLAN_TAGS 6

struct mat_plan {
    const char *name;
    double size_mm[2]; /* of the sheet, as the middle of the table's long side sees it */
    int seats, slots;
    double block_mm; /* width of a block: a cell */
    double card_mm;
    int tag_first;
    double view_deg; /* of the camera's lens, across the picture */
};

#define MAT_CAMERAS_MAX 8

struct mat_camera {
    int width_px, height_px; /* of its pictures */
    double height_mm; /* of the lens above the mat's middle, so that the whole mat is in view */
    double cell_px;   /* of a cell, then */
};

/* A mat by the plan. CALIB_E_VALUE for numbers out of bounds, CALIB_E_GEOMETRY when it does not go
 * on the sheet: `fault` (may be NULL) says how large one would have to be, and what to change. */
int calib_mat_plan(const struct mat_plan *plan, struct mat *out, struct calib_fault *fault);

/* The usual resolutions that give a cell MAT_PLAN_CELL_PX or more, the smallest first. Returns how
 * many; 0 when none does: then out[0] is what would. */
int calib_mat_cameras(const struct mat *mat, double block_mm, double view_deg,
                      struct mat_camera out[MAT_CAMERAS_MAX]);

/* The mat as JSON that calib_mat_parse reads, with `note` (may be NULL) in it, and a closing 0 that
 * *length does not count; the caller frees it. NULL when there is no memory. */
char *calib_mat_text(const struct mat *mat, const char *note, size_t *length);

#endif
