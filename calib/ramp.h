/* calib/ramp.h: the inclined board of Make 5: tracks, rows, disc colours, tags
 * (format "tableref-ramp/1").
 *
 * Board frame, in millimetres: origin at the board's top-left as seen from its foot, x right,
 * y down along the board towards the foot, z into the board. Row 1 is the bottom row, track 1 the
 * leftmost: both arrays below are in that order. */
#ifndef CALIB_RAMP_H
#define CALIB_RAMP_H

#include "calib/blockset.h"
#include "calib/error.h"
#include "calib/mat.h"

#define RAMP_TRACKS_MAX 12
#define RAMP_ROWS_MAX 12
#define RAMP_COLOURS_MAX 12

/* What of a disc is seen from above: its flat face, or the rim of a disc on edge in a groove. */
enum ramp_seen { RAMP_SEEN_FACE = 0, RAMP_SEEN_RIM = 1 };

struct ramp_colour {
    char label; /* stands for the colour in rows: 'r' */
    char name[KIT_NAME_MAX];
    struct rgb8 rgb;
};

struct ramp {
    char name[KIT_NAME_MAX];
    double board_mm[2];
    double tilt_deg; /* of the board against the table */
    int tracks, rows;
    double track_x_mm[RAMP_TRACKS_MAX]; /* track 1 first; rising */
    double row_y_mm[RAMP_ROWS_MAX];     /* row 1 first; falling */
    double disc_diameter_mm, disc_thickness_mm;
    enum ramp_seen seen; /* what is expected; where the other is seen, that is read */
    int each;            /* discs of each colour; 0 when that is not known. Unless "each" of "disc"
                            says it: places by colours, when that leaves no rest */
    int colours;
    struct ramp_colour colour[RAMP_COLOURS_MAX];
    int tags;
    struct mat_tag tag[MAT_TAGS_MAX]; /* in the board frame */
};

/* As calib_blockset_parse, _load and _destroy. */
int calib_ramp_parse(const char *json, size_t length, const char *name,
                     const struct calib_sink *sink, struct ramp **out, struct calib_fault *fault);
int calib_ramp_load(const char *name, const struct calib_sink *sink, struct ramp **out,
                    struct calib_fault *fault);
void calib_ramp_destroy(struct ramp **ramp);

#endif
