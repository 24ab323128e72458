/* calib/blockset.h: a set of blocks: its symbols, colours, sizes and faces
 * (format "tableref-set/1"). */
#ifndef CALIB_BLOCKSET_H
#define CALIB_BLOCKSET_H

#include "calib/error.h"
#include "calib/shape.h"

#include <stddef.h>
#include <stdint.h>

#define BLOCKSET_SYMBOLS_MAX 12
#define BLOCKSET_BLOCKS_MAX 8
#define BLOCKSET_FACES_MAX 4
#define KIT_NAME_MAX 64
/* A wider white edge of a cell leaves less field than a symbol can be read on. */
#define RIM_MAX_CELLS 0.25

struct rgb8 {
    uint8_t r, g, b; /* sRGB */
};

struct symbol {
    char label;              /* the one printable character that stands for it in grids */
    char name[KIT_NAME_MAX]; /* for people */
    struct rgb8 field, ink;
    struct shape shape;
};

struct block {
    int number;                       /* pips on its ends */
    int faces;                        /* 1..4 */
    char face[BLOCKSET_FACES_MAX][2]; /* labels, in order around the block */
};

struct blockset {
    char name[KIT_NAME_MAX];
    double rim;                            /* white edge of a cell, in cells, on every side */
    double length_mm, width_mm, height_mm; /* length is twice the width: two cells */
    int symbols;
    struct symbol symbol[BLOCKSET_SYMBOLS_MAX];
    int blocks;
    struct block block[BLOCKSET_BLOCKS_MAX];
};

/* A set from JSON of `length` bytes. `name` is how the text is called in faults. Shapes that are
 * names are looked up in the built-in shapes. The caller owns *out and gives it to
 * calib_blockset_destroy. Errors: CALIB_E_SYNTAX, _VALUE, _SIZE, _MEMORY with `fault` filled. */
int calib_blockset_parse(const char *json, size_t length, const char *name,
                         const struct calib_sink *sink, struct blockset **out,
                         struct calib_fault *fault);

/* The same of a built-in's name, or of a path to a JSON file (anything with '/' or ending in
 * ".json"). Besides: CALIB_E_OPEN, CALIB_E_UNKNOWN. */
int calib_blockset_load(const char *name, const struct calib_sink *sink, struct blockset **out,
                        struct calib_fault *fault);

/* Frees and sets *set to NULL; NULL and pointer to NULL are allowed. */
void calib_blockset_destroy(struct blockset **set);

/* Index of the symbol with that label, or -1. */
int calib_blockset_find(const struct blockset *set, char label);

/* Cells of a whole layout: two for each block. */
int calib_blockset_cells(const struct blockset *set);

#endif
