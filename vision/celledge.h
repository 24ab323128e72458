/* vision/celledge.h: a cell seen through light mirrored on its surface, by its edges alone.
 *
 * What a glossy block mirrors, a lamp's halo or a window, adds light that changes smoothly over a
 * cell, and so does a shadow take it; symbols have edges. So only what differs from its close
 * surroundings counts: of the samples and of the template alike, each less the mean of the square
 * around it. A veil over all of a cell goes with the means; a lamp's image as large as a symbol's
 * parts stays unexplained. Nothing that is no cell has a symbol's edges: this proves more than a
 * surface fitted to the light, and works where a picture is too bright to tell light from white.
 * Shared inside the cell model. */
#ifndef VISION_CELLEDGE_H
#define VISION_CELLEDGE_H

#include <stdbool.h>

#define EDGE_SIDE 20 /* samples along a cell's edge: a multiple of 4, which are summed at once */
#define EDGE_SAMPLES (EDGE_SIDE * EDGE_SIDE)

/* Which of a cell's samples count. Template and cell take the same. */
struct edge_frame {
    float weight[EDGE_SAMPLES]; /* 1 where a sample counts, else 0 */
    float share[EDGE_SAMPLES];  /* one part of those that count in the square around; likewise 0 */
    float total;                /* how many count */
};

/* weight: 1 where a sample counts, else 0; NULL where all do. */
void vision_edge_frame(const float *weight, struct edge_frame *out);

/* A template's edges: of its coverage by field (without ink) and by ink. */
struct edge_template {
    float field[EDGE_SAMPLES], ink[EDGE_SAMPLES];
    float field_field, field_ink, ink_ink; /* sums of products */
    float field_mean, ink_mean;            /* of the coverages themselves */
};

/* white_ink: the ink is white, and nothing of it is needed. */
void vision_edge_template(const float field[EDGE_SAMPLES], const float ink[EDGE_SAMPLES],
                          const struct edge_frame *frame, bool white_ink,
                          struct edge_template *out);

/* A cell's edges in three channels. */
struct edge_cell {
    float channel[3][EDGE_SAMPLES];
    float mean[3], square[3]; /* of the channels themselves; sums of their edges' squares */
    float variance;           /* of all channels together */
};

void vision_edge_cell(const float *const channel[3], const struct edge_frame *frame,
                      struct edge_cell *out);

/* Solves for the steps from white to field and, unless the ink is white, from white to ink
 * (ink_share: its level as a share of white's). Levels go to white and level: where the ink is
 * white they hold what the cell mirrors, dark ink tells it from them. Returns the share of the
 * edges' variance left unexplained. */
float vision_edge_solve(const struct edge_cell *cell, const struct edge_template *t, bool white_ink,
                        const float ink_share[3], float white[3], float level[3]);

#endif
