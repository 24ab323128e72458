/* calib/certificate.h: what was found when a table was looked over before a match, and whether it is
 * ready for one (format "tableref-certificate/1").
 *
 * Who looks (vision/survey.h, the verb) fills in what was measured; calib_certificate_rule decides
 * from that alone what is wrong. A plain value. */
#ifndef CALIB_CERTIFICATE_H
#define CALIB_CERTIFICATE_H

#include "calib/error.h"
#include "calib/mat.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CERTIFICATE_GLARES_MAX 16
#define CERTIFICATE_OLD_S (12 * 3600) /* lamps, daylight and tables are others the next day */

/* What may be wrong. The first ones stand in the way of a match, the others (from
 * CERTIFICATE_TAGS_HIDDEN on) are good to know. */
enum certificate_fault {
    CERTIFICATE_NO_MAT = 0,
    CERTIFICATE_MIRRORED,
    CERTIFICATE_SECOND_MAT,
    CERTIFICATE_BAD_POSE,
    CERTIFICATE_RIG_SIZE,
    CERTIFICATE_RIG_LENS,
    CERTIFICATE_OTHER_CAMERA,
    CERTIFICATE_COARSE,
    CERTIFICATE_OUT_OF_VIEW,
    CERTIFICATE_CELLS_SMALL,
    CERTIFICATE_TAGS_SMALL,
    CERTIFICATE_BLURRED,
    CERTIFICATE_DARK,
    CERTIFICATE_BURNT,
    CERTIFICATE_BANDING,
    CERTIFICATE_PRINT_SIZE,
    CERTIFICATE_TAG_SIZE,
    CERTIFICATE_RATE_LOW,
    CERTIFICATE_COLOURS_CLOSE,
    CERTIFICATE_TAGS_HIDDEN,
    CERTIFICATE_NO_RIG,
    CERTIFICATE_GLARE,
    CERTIFICATE_UNEVEN,
    CERTIFICATE_SIZE_UNKNOWN,
    CERTIFICATE_LOST,
    CERTIFICATE_LIGHT_CHANGED,
    CERTIFICATE_NO_COLOURS,
    CERTIFICATE_FAULTS
};
#define CERTIFICATE_BIT(fault) (UINT32_C(1) << (fault))

/* How the size of the print was found. One plane seen by one camera has no size: a sheet twice as
 * large, twice as far away, is the same picture. Something of known size must be there. */
enum certificate_size {
    CERTIFICATE_SIZE_NOT,    /* nothing of known size was seen */
    CERTIFICATE_SIZE_BLOCKS, /* by the blocks that lay in the seats */
    CERTIFICATE_SIZE_RULER   /* somebody measured the ruler that is printed on the sheet */
};

struct certificate_seat {
    int seat;
    bool in_view;
    double sigma_mm; /* standard error of places, on the plane of the blocks' tops */
    double cell_px;  /* side of a cell where it is smallest */
};

struct certificate {
    char made[32], camera[256], mat[KIT_NAME_MAX], set[KIT_NAME_MAX];
    int width, height;
    char rig_made[32]; /* the rig's date; "" without one */
    bool has_rig;
    int pictures, placed; /* looked at; in which the mat was found */
    uint32_t found;       /* CERTIFICATE_BIT()s that the eyes or the verb know by themselves */
    /* where the camera is */
    int tags_seen, tags;
    double rms_px, height_mm, tilt_deg;
    double module_px; /* of the smallest tag that was seen: an eighth of its side; 0: not known */
    int seats;
    struct certificate_seat seat[MAT_SEATS_MAX];
    /* the picture */
    double edge_px;                   /* how wide a sharp edge comes out, 10 to 90 per cent of it */
    double white_least, white_most;   /* the paper's level, 0..255, over the seats */
    double burnt_share;               /* of the paper: at the sensor's limit */
    double banded_share;              /* of the pictures: bands were found in them */
    int glares;
    double glare_mm[CERTIFICATE_GLARES_MAX][3]; /* where lamps are mirrored: x, y, width */
    double rate;  /* pictures a second; 0: not known (single pictures) */
    uint64_t lost; /* pictures that the camera gave and we did not get */
    /* the print */
    enum certificate_size size_by;
    double print_scale, print_sigma; /* the sheet's true size, of what it should be */
    double tag_scale;                /* the tags' size against their distances; 0: not known */
    /* by calib_certificate_rule */
    uint32_t faults;
    bool ready;
};

/* Sets `faults` and `ready` from what was measured. */
void calib_certificate_rule(struct certificate *certificate);

/* Does the fault stand in the way of a match? */
bool calib_certificate_blocks(enum certificate_fault fault);
/* A short word ("print_size") and a sentence that says what to do; never NULL. */
const char *calib_certificate_word(enum certificate_fault fault);
const char *calib_certificate_text(enum certificate_fault fault);

/* The text of a certificate: one JSON object in one line. The caller frees *text. CALIB_E_MEMORY,
 * also for a camera's name that is no UTF-8. */
int calib_certificate_write(const struct certificate *certificate, char **text);

/* Of such a text what a match must know: made, camera, size, mat, set, ready and the faults; the rest
 * stays 0. Words that are not known are passed over. Errors as calib_mat_parse. */
int calib_certificate_parse(const char *json, size_t length, const char *name,
                            struct certificate *out, struct calib_fault *fault);
/* The same of a file. Besides: CALIB_E_OPEN. */
int calib_certificate_load(const char *path, struct certificate *out, struct calib_fault *fault);

#endif
