/* calib/symbol.h: drawing a symbol: the one piece of code behind templates, printed cards and
 * blocks, and the drawer of the tests. */
#ifndef CALIB_SYMBOL_H
#define CALIB_SYMBOL_H

#include "calib/blockset.h"

#define SYMBOL_FIELD_CORNER_CELLS 0.05 /* radius of a field's corners, as printed */

/* Coverage of a cell drawn `side` px wide and high, row by row: `field[i]` is the share of the
 * pixel that the coloured field covers (its ink included), `ink[i]` the share that ink covers,
 * each 0..1; what is left is the white rim. The cell spans the whole raster: its corners are the
 * raster's corners. `rim` in cells. Field corners are rounded by SYMBOL_FIELD_CORNER_CELLS. Each
 * pixel is the mean of `samples` x `samples` points (1..8). */
void calib_symbol_draw(const struct symbol *symbol, double rim, int side, int samples, float *field,
                       float *ink);

/* The same for a point: coordinates in cells from the cell's centre, -0.5..0.5.
 * 0 = rim, 1 = field, 2 = ink. */
int calib_symbol_at(const struct symbol *symbol, double rim, double u, double v);

/* sRGB byte to linear light 0..1, and back (clipped). */
double calib_srgb_to_linear(unsigned char value);
unsigned char calib_linear_to_srgb(double value);

#endif
