/* calib/print_sheet.h: what the two files behind calib/print.h share: sheets, and pictures on them.
 */
#ifndef CALIB_PRINT_SHEET_H
#define CALIB_PRINT_SHEET_H

#include "calib/print.h"

struct sheet_name {
    const char *what; /* "mat a1-four" */
    const char *hint; /* a line of advice, or NULL */
    int number, of;   /* from 1 */
};

/* The ruler and the sheet's name along its lower edge. */
void calib_sheet_foot(cairo_t *page, const double page_mm[2], const struct sheet_name *name);

struct sheet_picture {
    const char *name;
    double size_mm[2];
    bool ruled; /* has a ruler of its own and goes to the edge of its sheet */
    int (*paint)(cairo_t *page, const void *what);
    const void *what;
};

/* A picture on a sheet of its own size, or on as many of the paper as it takes. */
int calib_sheet_print(struct press *press, const struct sheet_picture *picture,
                      const struct print_options *options);

/* The top-left of a thing of an array, row by row from 0. */
void calib_array_place(const struct print_array *array, int index, double place_mm[2]);

#endif
