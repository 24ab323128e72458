/* vision/four.h: four samples at once, with GCC's vectors; private to vision. */
#ifndef VISION_FOUR_H
#define VISION_FOUR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_whole __attribute__((vector_size(16)));

static inline four four_load(const float *from)
{
    four value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void four_store(float *to, four value)
{
    memcpy(to, &value, sizeof value);
}

static inline float four_sum(four value)
{
    return value[0] + value[1] + (value[2] + value[3]);
}

/* Four places in a patch: the px left of and above each, and how far beyond it the place lies. */
struct four_places {
    four_whole at;
    four fx, fy;
};

static inline struct four_places four_places_of(int width, four x, four y)
{
    four left = __builtin_convertvector(__builtin_convertvector(x, four_whole), four);
    four top = __builtin_convertvector(__builtin_convertvector(y, four_whole), four);
    /* a patch has few enough px for floats to count them */
    return (struct four_places){__builtin_convertvector(top * (float)width + left, four_whole),
                                x - left, y - top};
}

/* Two and two neighbouring values. */
static inline four four_pairs(const float *a, const float *b)
{
    typedef float two __attribute__((vector_size(8)));
    two first, second;
    memcpy(&first, a, sizeof first);
    memcpy(&second, b, sizeof second);
    return __builtin_shufflevector(first, second, 0, 1, 2, 3);
}

/* Is any lane of a comparison true? */
static inline bool four_any(four_whole mask)
{
    uint64_t half[2];
    memcpy(half, &mask, sizeof half);
    return (half[0] | half[1]) != 0;
}

/* Where a comparison is true the first, else the second. */
static inline four four_where(four_whole mask, four yes, four no)
{
    return (four)(((four_whole)yes & mask) | ((four_whole)no & ~mask));
}

/* The lesser of each two; the vectors' own language has no word for it. */
static inline four four_least(four a, four b)
{
#ifdef __SSE2__
    return (four)_mm_min_ps((__m128)a, (__m128)b);
#else
    for (int i = 0; i < 4; i++)
        a[i] = a[i] < b[i] ? a[i] : b[i];
    return a;
#endif
}

/* Four px of three channels each, channel by channel. */
static inline void four_channels(const float *px, four *red, four *green, four *blue)
{
    four a = four_load(px), b = four_load(px + 4), c = four_load(px + 8);
    four late = __builtin_shufflevector(b, c, 2, 3, 5, 6);  /* r2 g2 r3 g3 */
    four early = __builtin_shufflevector(a, b, 1, 2, 4, 5); /* g0 b0 g1 b1 */
    *red = __builtin_shufflevector(a, late, 0, 3, 4, 6);
    *green = __builtin_shufflevector(early, late, 0, 2, 5, 7);
    *blue = __builtin_shufflevector(early, c, 1, 3, 4, 7);
}

#endif
