/* calib/lens.h: from points of a flat board seen in several pictures to the camera's lens, and what
 * there is to say against it.
 *
 * A lens that fits its pictures well can still be wrong where they show nothing: all of them seen
 * straight from ahead leave the focal length open, empty corners of the picture leave open how much
 * the lens bends there. So the result says where points were, how the boards lay, how sure each
 * number is, and in words what to do about it. Nothing here looks at pictures. */
#ifndef CALIB_LENS_H
#define CALIB_LENS_H

#include "calib/camera.h"
#include "calib/cv.h"
#include "calib/error.h"

#include <stddef.h>

#define LENS_VIEWS_MAX 200
#define LENS_POINTS_MAX 1024 /* of one view */
#define LENS_NAME_MAX 256
#define LENS_VIEWS_LEAST 3 /* fewer determine no lens that is worth its name */
/* The picture is cut into so many fields to say where points were. */
#define LENS_FIELD_COLS 8
#define LENS_FIELD_ROWS 6

enum lens_warning {
    LENS_FEW_PICTURES = 0,
    LENS_ALL_FRONTAL,
    LENS_CORNERS_EMPTY,
    LENS_AREA_EMPTY,
    LENS_PICTURE_DROPPED,
    LENS_K3_HELD,
    LENS_SIMPLE,
    LENS_FOCAL_OPEN,
    LENS_RESIDUAL_LARGE,
    LENS_CENTRE_FAR,
    LENS_ASPECT_ODD,
    LENS_WARNINGS
};
#define LENS_WARNING_BIT(warning) (1u << (warning))

/* How much of the lens was fitted: what the pictures do not determine is held. */
enum lens_model {
    LENS_FULL,  /* fx fy cx cy k1 k2 p1 p2 k3 */
    LENS_NO_K3, /* k3 is 0 */
    LENS_PLAIN  /* square pixels, the centre in the middle, k1 alone */
};

struct lens_view {
    char name[LENS_NAME_MAX];
    int points;
    bool used;       /* false: it was dropped */
    double rms_px;   /* of a dropped one: when it was dropped */
    double tilt_deg; /* between the board's normal and the optical axis */
    double distance_mm;
    struct pose pose; /* of the camera against the board */
};

struct lens_result {
    struct camera camera;
    enum lens_model model;
    double sigma[CALIB_CV_LENS]; /* standard errors; of what was held 0 */
    double focal_sigma;          /* the larger one of fx and fy, as a share of it; infinite when
                                  * nearly all views are frontal: then it says nothing */
    double rms_px;
    int views, used;
    struct lens_view view[LENS_VIEWS_MAX];
    int field[LENS_FIELD_ROWS][LENS_FIELD_COLS]; /* points of used views in each field */
    double covered;                              /* share of the fields that hold any */
    bool corner_seen[4]; /* top-left, top-right, bottom-right, bottom-left of the picture */
    double tilt_least_deg, tilt_most_deg;
    unsigned warnings; /* LENS_WARNING_BIT()s */
};

/* Pictures of one size are gathered here. NULL for no memory or a size that is none. The caller
 * gives it to calib_lens_destroy. */
struct lens *calib_lens_create(int width, int height);
void calib_lens_destroy(struct lens **lens);

/* Adds what one picture shows: point_mm[i] of the board at pixel[i]; all is copied. Returns its
 * index, or CALIB_E_SIZE (too many views or points), CALIB_E_GEOMETRY (fewer than four points, or
 * none that span a plane), CALIB_E_MEMORY. */
int calib_lens_add(struct lens *lens, const char *name, const double (*point_mm)[2],
                   const double (*pixel)[2], int points);
int calib_lens_views(const struct lens *lens);

/* Would a picture of the board like this say something that those before did not: a field that is
 * still empty, or the board turned by some degrees or moved by a good part of its size? For live
 * use, where a board that is held still gives the same picture again and again. */
bool calib_lens_new(const struct lens *lens, const double (*pixel)[2], int points);

/* Counts points into fields: what calib_lens_solve does for its result. */
void calib_lens_cover(const struct lens *lens, struct lens_result *out);

/* The lens of what was added. A picture that fits far worse than the others is left out (at most a
 * quarter of them) and named. CALIB_E_GEOMETRY when there are fewer than LENS_VIEWS_LEAST views, or
 * they determine no lens; CALIB_E_MEMORY. */
int calib_lens_solve(const struct lens *lens, struct lens_result *out);

/* A short word ("few_pictures") and a sentence that says what to do; never NULL. */
const char *calib_lens_warning_word(enum lens_warning warning);
const char *calib_lens_warning_text(enum lens_warning warning);
/* "full", "no_k3", "plain". */
const char *calib_lens_model_word(enum lens_model model);

#endif
