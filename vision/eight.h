/* vision/eight.h: eight whole numbers at once, with GCC's vectors; private to the sampling. */
#ifndef VISION_EIGHT_H
#define VISION_EIGHT_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef int16_t eight __attribute__((vector_size(16)));
typedef uint16_t eight_unsigned __attribute__((vector_size(16)));
typedef uint8_t eight_bytes __attribute__((vector_size(8)));

/* The upper half of the products, rounded down. The vectors' own language has no word for it,
 * though most machines do it in one instruction. */
static inline eight eight_multiply_high(eight a, eight b)
{
#ifdef __SSE2__
    return (eight)_mm_mulhi_epi16((__m128i)a, (__m128i)b);
#else
    eight product = {0};
    for (int i = 0; i < 8; i++)
        product[i] = (int16_t)((int32_t)a[i] * b[i] >> 16);
    return product;
#endif
}

#endif
