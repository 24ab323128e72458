#include "tests/draw/random.h"

#define GOLDEN UINT64_C(0x9E3779B97F4A7C15) /* 2^64 / golden ratio: steps that never cluster */

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

struct draw_random draw_random_seed(uint64_t seed, uint64_t topic)
{
    struct draw_random random = {mix(seed + GOLDEN) ^ mix(topic * GOLDEN + 1)};
    return random;
}

uint64_t draw_random_bits(struct draw_random *random)
{
    random->state += GOLDEN;
    return mix(random->state);
}

double draw_random_range(struct draw_random *random, double low, double high)
{
    double unit = (double)(draw_random_bits(random) >> 11) / 9007199254740992.0; /* 2^53 */
    return low + (high - low) * unit;
}

int draw_random_below(struct draw_random *random, int count)
{
    if (count < 1) {
        return 0;
    }
    return (int)((draw_random_bits(random) >> 32) * (uint64_t)count >> 32);
}

bool draw_random_chance(struct draw_random *random, double probability)
{
    return draw_random_range(random, 0.0, 1.0) < probability;
}

double draw_random_normal(struct draw_random *random)
{
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t bits = draw_random_bits(random);
        sum += (bits & 0x1FFFFF) + (bits >> 21 & 0x1FFFFF) + (bits >> 42 & 0x1FFFFF);
    }
    return (double)sum / 2097152.0 - 6.0; /* twelve numbers of 21 bits each */
}

int draw_random_pick(struct draw_random *random, const double *weight, int count)
{
    double total = 0.0;
    for (int i = 0; i < count; i++) {
        total += weight[i];
    }
    double at = draw_random_range(random, 0.0, total);
    for (int i = 0; i < count; i++) {
        if (at < weight[i]) {
            return i;
        }
        at -= weight[i];
    }
    return 0;
}

uint32_t draw_hash(uint32_t x, uint32_t y, uint32_t seed)
{
    uint32_t h = seed * 0x85EBCA6Bu + x * 0x9E3779B1u + y * 0xC2B2AE35u;
    h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
    h = (h ^ (h >> 12)) * 0x297A2D39u;
    return h ^ (h >> 15);
}
