/* tests/draw/random.h: the drawer's own stream of random numbers.
 *
 * Whole-number arithmetic only, so a seed gives the same numbers on every machine. A stream is
 * a plain value: streams of different topics (layout, light, noise) are seeded apart, so that a
 * change in one leaves the others as they were. */
#ifndef DRAW_RANDOM_H
#define DRAW_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct draw_random {
    uint64_t state;
};

/* The stream of that seed and topic. */
struct draw_random draw_random_seed(uint64_t seed, uint64_t topic);

uint64_t draw_random_bits(struct draw_random *random);

/* low <= result < high; low when they are equal. */
double draw_random_range(struct draw_random *random, double low, double high);

/* 0 <= result < count; 0 for a count under 1. */
int draw_random_below(struct draw_random *random, int count);

bool draw_random_chance(struct draw_random *random, double probability);

/* Mean 0, standard deviation 1, never beyond 6: the sum of twelve uniform numbers. */
double draw_random_normal(struct draw_random *random);

/* An index with a probability in proportion to its weight; 0 when all weights are 0. */
int draw_random_pick(struct draw_random *random, const double *weight, int count);

/* A hash of whole numbers, for textures: the same place looks the same at every call. */
uint32_t draw_hash(uint32_t x, uint32_t y, uint32_t seed);

#endif
