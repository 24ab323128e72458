/* tests/draw/scene.h: what lies on a table, how it is lit and what camera sees it.
 *
 * A scene is a plain value made by draw_scene_random from a seed and a range; a test may change
 * it before it is drawn (move a block, take the noise away, add a hand). Nothing here knows how
 * pictures are read. Places are millimetres in the mat frame, z into the table, so what stands
 * on the mat has negative z; turns are degrees clockwise as the mat is seen from above. Colours
 * of scenes are linear light, 0..1, with the camera's primaries. */
#ifndef DRAW_SCENE_H
#define DRAW_SCENE_H

#include "calib/blockset.h"
#include "calib/board.h"
#include "calib/camera.h"
#include "calib/deck.h"
#include "calib/mat.h"
#include "tests/draw/random.h"

#include <stdbool.h>
#include <stdint.h>

#define DRAW_BLOCKS_MAX 64
#define DRAW_PARTS_MAX 256
#define DRAW_LAMPS_MAX 5
#define DRAW_TRACKS_MAX 12
#define DRAW_CARD_MM 0.4 /* how high a card's face lies over the mat */

/* A raster of a printed sheet: sRGB, three bytes a pixel. */
struct draw_sheet {
    int width, height;
    const uint8_t *rgb;
};

/* What a scene is made from. All lent for as long as the scene is used. deck may be NULL; so may
 * sheet, which is what lies on the table in place of the mat as it would be printed. */
struct draw_kit {
    const struct mat *mat;
    const struct blockset *set;
    const struct deck *deck;
    const struct cardstyle *style;
    const struct board *board; /* a chessboard that is printed on the mat (board.h); mostly NULL */
    const struct draw_sheet *sheet;
};

/* What a seat was made to be. What it *is* stands in the truth, which looks only at the blocks. */
enum draw_kind {
    DRAW_MATCH,    /* a card of the table, well built */
    DRAW_NEAR,     /* a wrong layout that a tired judge would pass */
    DRAW_PARTIAL,  /* one or two blocks missing or lying apart */
    DRAW_SCATTER,  /* blocks thrown down */
    DRAW_STANDING, /* one or two blocks on end */
    DRAW_SLOPPY,   /* misaligned near and beyond the bounds of the rules */
    DRAW_EMPTY,
    DRAW_EXTRA, /* a block more than the set has */
    DRAW_KINDS
};

/* How a near miss differs. */
enum draw_change {
    DRAW_CHANGE_NONE,
    DRAW_CHANGE_FLIP,   /* a block turned end for end */
    DRAW_CHANGE_FACE,   /* another face of a block on top */
    DRAW_CHANGE_MIRROR, /* the whole in a mirror */
    DRAW_CHANGE_SHIFT,  /* a block moved by one cell */
    DRAW_CHANGE_SWAP    /* two blocks exchanged */
};

/* What is held over a seat or lies in it. */
enum draw_thing {
    DRAW_THING_NONE,
    DRAW_THING_HAND,
    DRAW_THING_CUP,
    DRAW_THING_PEN,
    DRAW_THING_PHONE,
    DRAW_THING_PAPER,
    DRAW_THING_TOY, /* a small brightly coloured box */
    DRAW_THING_DISC, /* of a ramp: none of the things that lie there by chance */
    DRAW_THINGS
};

struct draw_block {
    int seat;  /* index in the mat's seats */
    int block; /* index in the set */
    int face;  /* index of the face on top; of a standing block, the one turned to the seat's up */
    bool standing;       /* on end */
    double center_mm[2]; /* of the footprint */
    double turn_deg;     /* of the direction from the face's first symbol to its second */
    double gloss;        /* 0 matt .. 1 polished */
    double lean[2];      /* slope of its top along x and y: printing and sanding are never flat */
};

struct draw_card {
    int slot; /* index in the mat's slots */
    bool face_up;
    struct card card; /* id empty when it is not from the deck */
    double center_mm[2];
    double turn_deg; /* of its own up against the mat's */
    double size_mm;
};

enum draw_part_shape {
    DRAW_CAPSULE, /* from a to b with a radius */
    DRAW_BOX,     /* centre a, half sizes b, edges rounded by the radius, turned by turn_deg */
    DRAW_CYLINDER, /* upright; a: centre of its foot, b.z: its height */
    DRAW_WHEEL     /* lying, along x; a: its centre, b.x: half its width */
};

/* A piece of something that is no block. */
struct draw_part {
    enum draw_part_shape shape;
    enum draw_thing thing;
    int seat;
    double a[3], b[3];
    double radius_mm;
    double turn_deg;
    float colour[3];
    double mottle; /* share by which the colour varies from place to place */
    double gloss;
    double dome;   /* of a cylinder's lid, a wheel's rim: how far it curves towards its edge, radians */
    double motion_mm[2]; /* moved while the shutter was open */
};

struct draw_lamp {
    double place_mm[3];
    double radius_mm;
    float colour[3]; /* light on the mat's middle, of a white sheet that faces the lamp */
    bool near;       /* falls off with distance over the table; else as from far away */
};

enum draw_table_kind {
    DRAW_TABLE_PLAIN,
    DRAW_TABLE_WOOD,
    DRAW_TABLE_CLOTH,
    DRAW_TABLE_CHECK,
    DRAW_TABLE_STONE,
    DRAW_TABLES
};

struct draw_table {
    enum draw_table_kind kind;
    float colour[2][3];
    double size_mm; /* of its pattern */
    uint32_t seed;
};

struct draw_light {
    int lamps;
    struct draw_lamp lamp[DRAW_LAMPS_MAX];
    float ambient[3];
};

/* From light on the sensor to bytes. 0 switches an effect off. */
struct draw_optics {
    double white;      /* linear value of the mat's white at its middle: 0.2 dim, 1.0 burns */
    double balance[3]; /* gains of the camera's white balance */
    double vignette;   /* loss in the corners */
    double blur_px;    /* sigma of the lens */
    double defocus_px; /* radius of the disc of a lens out of focus */
    double shake_px, shake_deg;
    double aberration; /* red and blue are scaled by 1 +- this */
    double bloom;      /* share of the light spread over the surroundings */
    double veil;       /* share of the mean light laid over everything */
    double noise;      /* 1: a usual webcam in a lit room */
    double shoulder;   /* where the tone curve starts to bend; 1: hard clipping */
    double contrast, saturation, sharpen;
    int quality;            /* of JPEG, 1..100; 0: no compression */
    int cx_shift, cy_shift; /* chroma subsampling of JPEG, log2 */
    int samples;            /* rays a pixel at edges: 1, 4, 9 or 16 */
};

/* A ramp's board, in place of the mat's paper: tracks as grooves with walls, on wood or paint. */
struct draw_board {
    int tracks;
    double track_mm[DRAW_TRACKS_MAX]; /* x of their middles */
    double top_mm, bottom_mm;         /* of the grooves */
    double half_mm, floor_half_mm;    /* of a groove, and of its floor */
    float wood[3], wall[3], floor[3]; /* reflectance */
    double grain;                     /* share by which wood varies */
    uint32_t seed;
};

struct draw_scene {
    const struct draw_board *board; /* NULL: the mat is paper; lent */
    struct draw_kit kit;
    uint64_t seed;
    struct camera camera;
    struct pose pose;
    double mat_white[3]; /* linear reflectance of the paper */
    double block_white[3];
    double end_grey; /* of the blocks' ends */
    double bevel_mm;
    int blocks, cards, parts;
    struct draw_block block[DRAW_BLOCKS_MAX];
    struct draw_card card[MAT_SLOTS_MAX];
    struct draw_part part[DRAW_PARTS_MAX];
    struct draw_table table;
    struct draw_light light;
    struct draw_optics optics;
    enum draw_kind kind[MAT_SEATS_MAX]; /* what each seat was made to be */
    enum draw_change change[MAT_SEATS_MAX];
};

/* What scenes may be drawn from. A pair is the least and the largest value. */
struct draw_range {
    int width_px, height_px; /* 0: a picture that fits the mat */
    double cell_px[2];       /* side of a cell in the middle; cut to what the picture can hold */
    double tilt_deg[2], roll_deg[2], view_deg[2], k1[2];
    double kind[DRAW_KINDS];   /* weights */
    double hand;               /* probability of something foreign at a seat */
    double hand_over;          /* of these, over the layout (else beside it) */
    double thing[DRAW_THINGS]; /* weights */
    double from_deck;          /* probability that cards come from the deck, not from the blocks */
    double all_slots;          /* probability of a card in every slot (Total Madness) */
    int card_side_max;         /* cells */
    double any_angle;          /* probability of a layout turned by any angle, not nearly upright */
    double turn_deg[2];        /* else */
    double gap_mm[2];          /* between blocks */
    double jitter_mm[2], jitter_deg[2];    /* standard deviations */
    double sloppy_pitch[2], sloppy_deg[2]; /* a sloppy block's shift and turn */
    double kelvin[2];
    double balance_error[2]; /* of the camera's idea of the lamp, log2 of kelvin */
    double ambient[2];       /* share of the light that comes from everywhere */
    double glare;            /* probability of a lamp mirrored in the blocks */
    double gloss[2];
    double white[2], vignette[2], blur_px[2], defocus_px[2], shake_px[2], bloom[2], veil[2];
    double noise[2], sharpen[2], saturation[2], contrast[2];
    int quality[2];
    double half_chroma; /* probability of chroma halved both ways (else sideways only) */
    int samples;
};

/* A usual table and webcam; nothing that would make a person hesitate. */
struct draw_range draw_range_usual(void);
/* At the bounds of the product: tilt, lens, noise, lamps, glare, everything foreign. */
struct draw_range draw_range_hard(void);
/* No camera effects at all, a straight view, even light: for tests of geometry. */
struct draw_range draw_range_plain(void);

/* A mat of one seat, one slot and six tags, for pictures that are drawn by the thousand. */
void draw_mat_small(struct mat *mat);

/* A random scene; the same for the same kit, seed and range. Returns 0, or -1 when the kit is of
 * no use (a mat without seats, a set without blocks). */
int draw_scene_random(const struct draw_kit *kit, uint64_t seed, const struct draw_range *range,
                      struct draw_scene *scene);

/* Parts of draw_scene_random, for tests that build a scene of their own. */

/* Sets camera and pose. The whole mat is in view. */
void draw_scene_view(struct draw_scene *scene, const struct draw_range *range,
                     struct draw_random *random);
/* Sets table, light and optics. Needs the camera. */
void draw_scene_light(struct draw_scene *scene, const struct draw_range *range,
                      struct draw_random *random);
/* Sets the cards. */
void draw_scene_cards(struct draw_scene *scene, const struct draw_range *range,
                      struct draw_random *random);
/* Adds the blocks of a seat (an index), aimed at `card`'s grid. */
void draw_scene_seat(struct draw_scene *scene, const struct draw_range *range, int seat,
                     enum draw_kind kind, const struct grid *card, struct draw_random *random);
/* Adds a thing at a seat, over its layout or beside it. */
void draw_scene_thing(struct draw_scene *scene, int seat, enum draw_thing thing, bool over,
                      struct draw_random *random);

const char *draw_kind_name(enum draw_kind kind);
const char *draw_change_name(enum draw_change change); /* "" for none */

#endif
