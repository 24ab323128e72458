/* capture/picture_arena.c: memory that a libjpeg handle keeps between pictures. */
#include "capture/picture_arena.h"

#include <stdint.h>
#include <stdlib.h>

#include <jerror.h>

#define CHUNK_BYTES ((size_t)256 * 1024) /* a 1080p picture of one scan takes less */
/* A row of MCUs and the tables take under 10 MB in the widest picture that the gate passes. */
#define TOTAL_MAX_BYTES ((size_t)64 * 1024 * 1024)
/* libjpeg-turbo's vector code loads and stores whole registers, at multiples of their size and
 * beyond a row's last sample: two of its largest (AVX2, 32 bytes) cover it. */
#define ALIGN_BYTES ((size_t)64)

struct arena_chunk {
    struct arena_chunk *next;
    uint8_t *data;
};

static size_t aligned(size_t size)
{
    return (size + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
}

static struct arena_chunk *chunk_create(size_t size)
{
    struct arena_chunk *chunk = malloc(sizeof *chunk);

    if (!chunk)
        return NULL;
    chunk->next = NULL;
    chunk->data = aligned_alloc(ALIGN_BYTES, size);
    if (!chunk->data) {
        free(chunk);
        return NULL;
    }
    return chunk;
}

/* What is left of the newest chunk so far is given up until the next reset. */
static int arena_grow(struct arena *arena, size_t size)
{
    size_t bytes = size > CHUNK_BYTES ? size : CHUNK_BYTES;
    struct arena_chunk *chunk;

    if (bytes > TOTAL_MAX_BYTES - arena->total)
        return -1;
    chunk = chunk_create(bytes);
    if (!chunk)
        return -1;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->newest = bytes;
    arena->used = 0;
    arena->total += bytes;
    return 0;
}

/* libjpeg expects no return from a failure. */
static void *arena_take(j_common_ptr libjpeg, size_t size)
{
    struct arena *arena = libjpeg->client_data;
    uint8_t *taken;

    if (size > TOTAL_MAX_BYTES)
        ERREXIT1(libjpeg, JERR_OUT_OF_MEMORY, 0);
    size = aligned(size);
    if (arena->newest - arena->used < size && arena_grow(arena, size) != 0)
        ERREXIT1(libjpeg, JERR_OUT_OF_MEMORY, 1);
    taken = arena->chunks->data + arena->used;
    arena->used += size;
    return taken;
}

static void *take_object(j_common_ptr libjpeg, int pool, size_t size)
{
    (void)pool;
    return arena_take(libjpeg, size);
}

static void *take_rows(j_common_ptr libjpeg, size_t row_bytes, size_t rows)
{
    uint8_t **list, *bytes;
    size_t size;

    row_bytes = aligned(row_bytes);
    if (__builtin_mul_overflow(row_bytes, rows, &size) || rows > TOTAL_MAX_BYTES / sizeof *list)
        ERREXIT1(libjpeg, JERR_OUT_OF_MEMORY, 2);
    list = arena_take(libjpeg, rows * sizeof *list);
    bytes = arena_take(libjpeg, size);
    for (size_t i = 0; i < rows; i++)
        list[i] = bytes + i * row_bytes;
    return list;
}

static JSAMPARRAY take_samples(j_common_ptr libjpeg, int pool, JDIMENSION across, JDIMENSION rows)
{
    (void)pool;
    return take_rows(libjpeg, (size_t)across * sizeof(JSAMPLE), rows);
}

static JBLOCKARRAY take_blocks(j_common_ptr libjpeg, int pool, JDIMENSION across, JDIMENSION rows)
{
    (void)pool;
    return take_rows(libjpeg, (size_t)across * sizeof(JBLOCK), rows);
}

/* The functions for whole pictures of coefficients (several scans) stay libjpeg's own, as does
 * giving them back; they take from the system, not from here. */
void capture_arena_attach(struct arena *arena, struct jpeg_decompress_struct *libjpeg)
{
    *arena = (struct arena){.chunks = NULL};
    libjpeg->mem->alloc_small = take_object;
    libjpeg->mem->alloc_large = take_object;
    libjpeg->mem->alloc_sarray = take_samples;
    libjpeg->mem->alloc_barray = take_blocks;
}

static void chunks_free(struct arena *arena)
{
    for (struct arena_chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk->data);
        free(chunk);
    }
    arena->chunks = NULL;
    arena->newest = arena->used = arena->total = 0;
}

void capture_arena_reset(struct arena *arena, struct jpeg_decompress_struct *libjpeg)
{
    size_t total = arena->total;

    for (int i = 0; i < NUM_QUANT_TBLS; i++)
        libjpeg->quant_tbl_ptrs[i] = NULL;
    for (int i = 0; i < NUM_HUFF_TBLS; i++)
        libjpeg->dc_huff_tbl_ptrs[i] = libjpeg->ac_huff_tbl_ptrs[i] = NULL;
    if (arena->chunks && arena->chunks->next) {
        chunks_free(arena);
        (void)arena_grow(arena, total); /* without it, the picture will ask again */
    }
    arena->used = 0;
}

void capture_arena_free(struct arena *arena)
{
    chunks_free(arena);
}
