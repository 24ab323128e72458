/* vision/lattice.h: one square grid through the centres of cells. Pure geometry.
 *
 * As the rules of alignment have it: origin and angle are free, the pitch lies between 1.0 and 1.25
 * block widths and is the same both ways; what counts is how far each centre lies from its place
 * along both axes, in pitches, and how far each cell is turned against the grid. */
#ifndef VISION_LATTICE_H
#define VISION_LATTICE_H

#define LATTICE_POINTS_MAX 48

struct lattice_point {
    double x, y;     /* any unit, the same as width */
    double turn_rad; /* of the cell, by quarter turns undetermined */
    double weight;   /* above 0: how much its place is to be trusted */
};

struct lattice {
    double origin[2]; /* of row 0, column 0 */
    double turn_rad;  /* of the columns' axis, -pi/4 .. pi/4 */
    double pitch;
    int count;                                            /* points on it */
    int on[LATTICE_POINTS_MAX];                           /* 1 when the point has a place */
    int row[LATTICE_POINTS_MAX], col[LATTICE_POINTS_MAX]; /* from 0 */
    double off[LATTICE_POINTS_MAX]; /* larger of both axes' distances from the place, pitches */
    double turn_off_rad[LATTICE_POINTS_MAX];
    int rows, cols;
};

/* The grid that takes in the most points, each next to another by a side or a corner and within
 * `reach` pitches of its place; of equal ones the one with the least sum of squares. pitch_max in
 * widths. Returns the number of points on it (0 when there are none). */
int vision_lattice_fit(const struct lattice_point *point, int points, double width,
                       double pitch_max, double reach, struct lattice *out);

/* The least, over grids through all points at once, of the largest distance of a point from its
 * place (pitches), starting from a grid that takes in some of them: every other point is given
 * a place next to where it lies. Approximate from above; at least 1 when two points share a place.
 */
double vision_lattice_stretch(const struct lattice_point *point, int points, double width,
                              double pitch_max, const struct lattice *start);

/* Centre of a place of the grid, in the unit of the points. */
void vision_lattice_at(const struct lattice *lattice, int row, int col, double xy[2]);

#endif
