/* vision/seat_tops.h: which of the cells seen are the tops of blocks, and on what grid they lie;
 * shared inside the seat reader. */
#ifndef VISION_SEAT_TOPS_H
#define VISION_SEAT_TOPS_H

#include "vision/seat_sight.h"

/* Cells of a block and a half more than a layout has: more than that is not looked at. */
#define TOPS_MAX (INVENTORY_CELLS_MAX + 4)

struct tops {
    int count;
    int cell[TOPS_MAX];             /* index in the sight */
    struct body_top body[TOPS_MAX];
    struct lattice lattice;         /* over the tops, in mm */
    bool fits_all;                  /* every top has a place when all are fitted together */
    double all_off;                 /* then: the largest distance from a place, pitches */
};

/* Chooses tops: the best explained first; what another top's body must hide or what stands too
 * close to be a block of its own is a side face. */
void vision_tops_choose(const struct seat_reader *reader, const struct palette *palette,
                        struct seat_sight *sight, struct tops *tops);

/* Looks once more, with the grid's help, for cells missing next to those on the grid. */
void vision_tops_complete(const struct seat_reader *reader, const struct palette *palette,
                          struct seat_sight *sight, struct tops *tops);

enum seek_find { SEEK_NOTHING, SEEK_PERHAPS, SEEK_TOP };

/* Looks around a place where something unexplained lies. What is a top on its own evidence is
 * taken in; less than that is SEEK_PERHAPS: there may be a cell that can't be read. */
enum seek_find vision_tops_seek(const struct seat_reader *reader, const struct palette *palette,
                                struct seat_sight *sight, struct tops *tops,
                                const double at_mm[2]);

/* The same a block's width around a place where a cell may have drowned in mirrored light, wherever
 * there is print that no top explains: of a block, light that leaves nothing of one cell leaves the
 * other. */
enum seek_find vision_tops_seek_beside(const struct seat_reader *reader,
                                       const struct palette *palette, struct seat_sight *sight,
                                       struct tops *tops, const double at_mm[2]);

/* Fits tops that are badly explained once more, from places and turns around theirs. */
void vision_tops_polish(const struct seat_reader *reader, const struct palette *palette,
                        struct seat_sight *sight, struct tops *tops);

/* Fits the grid anew. */
void vision_tops_fit(const struct seat_reader *reader, const struct seat_sight *sight,
                     struct tops *tops);

/* beside[i]: bits of the tops that may be the other cell of i's block. */
void vision_tops_beside(const struct seat_reader *reader, const struct tops *tops,
                        uint32_t beside[TOPS_MAX]);

/* Centre of a top in the frame of another one, in block widths. */
void vision_top_offset(const struct body_top *from, const struct body_top *to, double offset[2]);

#endif
