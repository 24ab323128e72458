/* calib/print.h: the kit on sheets of paper: what goes on which page, where to cut, what the sheet
 * is called. Every sheet has a ruler and the words "print at 100 %".
 *
 * Paper has a margin that printers leave white. What is larger than a sheet is laid over several,
 * each with a strip that the next has too. All functions return CALIB_OK or a negative number:
 * CALIB_E_GEOMETRY when something cannot be laid on that paper, CALIB_E_VALUE for a tag that is not
 * in the family; what the press itself could not do shows in calib_press_finish. */
#ifndef CALIB_PRINT_H
#define CALIB_PRINT_H

#include "calib/paint.h"
#include "calib/press.h"

#define PRINT_MARGIN_MM 8.0
#define PRINT_FOOT_MM 11.0 /* of the ruler and the sheet's name, above the lower margin */
#define PRINT_OVERLAP_MM 10.0
#define PRINT_OVERLAP_MAX_MM 60.0
#define PRINT_CARD_GAP_MM 4.0
#define PRINT_CARD_BLEED_MM 1.5

struct paper {
    const char *name;  /* "a4"; NULL: a sheet as large as what is printed */
    double size_mm[2]; /* upright; it is laid across where that takes fewer sheets */
};

/* "a0".."a5", "letter", "legal", "tabloid", or "whole" for a sheet as large as what is printed.
 * False for another name. */
bool calib_paper_find(const char *name, struct paper *out);
/* The names there are, one after the other; NULL behind the last. */
const char *calib_paper_name(int index);

enum print_duplex {
    PRINT_DUPLEX_LONG = 0, /* the printer turns the sheet about its long edge */
    PRINT_DUPLEX_SHORT = 1,
    PRINT_DUPLEX_NONE = 2 /* no backs */
};

struct print_options {
    struct paper paper;
    double overlap_mm;
    enum print_duplex duplex; /* of cards */
    double card_mm;           /* side of a card; 0: as the style says */
};

int calib_print_mat(struct press *press, const struct mat *mat,
                    const struct print_options *options);
/* A mat's tags alone, to be cut out and glued to a table, and a plan of where. */
int calib_print_mat_tags(struct press *press, const struct mat *mat,
                         const struct print_options *options);
int calib_print_board(struct press *press, const struct board *board, const struct blockset *set,
                      const struct print_options *options);
int calib_print_ramp(struct press *press, const struct ramp *ramp,
                     const struct print_options *options);
/* Fronts and backs by turns, so that a printer of both sides joins them. */
int calib_print_cards(struct press *press, const struct deck *deck, const struct blockset *set,
                      const struct cardstyle *style, const struct print_options *options);
int calib_print_blocks(struct press *press, const struct blockset *set,
                       const struct print_options *options);

/* Ways to build a card, on one page as large as they take; `name` is the card's. */
int calib_print_solutions(struct press *press, const struct blockset *set, const char *name,
                          const struct grid *grid, const struct solution *solution, int solutions);

/* How cards lie on a sheet: for the tests that cut them out, and for whoever else does. */
struct print_array {
    double page_mm[2];   /* as it lies */
    int cols, rows;      /* of things on a sheet */
    double origin_mm[2]; /* the first one's top-left */
    double pitch_mm[2];
};

/* As many things of that size as fit, centred; `gap_mm` between them. CALIB_E_GEOMETRY when not
 * even one does. */
int calib_print_array(const struct paper *paper, const double size_mm[2], double gap_mm,
                      struct print_array *out);

#endif
