/* vision/cellglare.h: a cell seen through light mirrored on its surface.
 *
 * What a glossy block mirrors, a lamp's halo or a window, adds light that changes smoothly over a
 * cell, while symbols have edges. So each channel is explained as white * (rim and ink) + field *
 * (field) + a surface of second degree, and the surface takes the glare. Shared inside the cell
 * model. */
#ifndef VISION_CELLGLARE_H
#define VISION_CELLGLARE_H

/* u, v, uu, uv, vv, 1. Where ink is white the constant lies in white and field together; over dark
 * ink an even veil shows by it alone. */
#define GLARE_BASIS 6
#define GLARE_SIDE 20 /* samples along a cell's edge: a multiple of 4, which are summed at once */
#define GLARE_SAMPLES (GLARE_SIDE * GLARE_SIDE)

/* Sums over a cell's samples that no template changes. */
struct glare_sums {
    const float *weight;                     /* GLARE_SAMPLES; lent */
    const float *channel[3];                 /* lent */
    float basis[GLARE_BASIS][GLARE_SAMPLES]; /* times the weight */
    float total;                             /* of the weights */
    float basis_one[GLARE_BASIS], basis_basis[GLARE_BASIS][GLARE_BASIS];
    float one[3], square[3], basis_channel[3][GLARE_BASIS];
    float variance; /* of all channels together about their means */
    float rough;    /* what of it a surface alone leaves: only
                       that can show a symbol */
};

void vision_glare_prepare(const float *weight, const float *const channel[3],
                          struct glare_sums *sums);

/* Solves one template: coverage by field (without ink) and by ink, and the ink's level as a share
 * of white's in each channel. Levels of white (a mean over the cell, with what it mirrors) and of
 * field go to white and level. Returns the share of the cell's variance left unexplained. */
float vision_glare_solve(const struct glare_sums *sums, const float *field, const float *ink,
                         const float ink_share[3], float white[3], float level[3]);

#endif
