/* capture/memory.c: pictures from memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/fault.h"
#include "capture/picture_parts.h"
#include "capture/source.h"

struct entry {
    struct picture picture;
    uint8_t
        *bytes; /* of exactly the picture's length, so that a sanitizer sees what reads beyond */
};

struct memory {
    struct entry *entries;
    int count, next;
};

static void memory_destroy(void *context)
{
    struct memory *memory = context;

    for (int i = 0; memory->entries && i < memory->count; i++)
        free(memory->entries[i].bytes);
    free(memory->entries);
    free(memory);
}

static int memory_next(void *context, int timeout_ms, struct picture *out,
                       struct capture_fault *fault)
{
    struct memory *memory = context;

    (void)timeout_ms;
    (void)fault;
    if (memory->next == memory->count)
        return CAPTURE_END;
    *out = memory->entries[memory->next++].picture;
    return CAPTURE_PICTURE;
}

static void memory_about(const void *context, struct source_about *out)
{
    const struct memory *memory = context;

    snprintf(out->name, sizeof out->name, "pictures from memory");
    snprintf(out->place, sizeof out->place, "memory");
    if (memory->count == 0)
        return;
    out->format = memory->entries[0].picture.format;
    out->width = memory->entries[0].picture.width;
    out->height = memory->entries[0].picture.height;
    if (memory->count > 1)
        out->interval_ns = memory->entries[1].picture.time_ns - memory->entries[0].picture.time_ns;
}

static const struct source_kind memory_kind = {
    .next = memory_next,
    .about = memory_about,
    .destroy = memory_destroy,
};

/* Raw pictures lie tightly: no bytes between rows, NV12's chroma right after its luma. */
static int entry_fill(struct entry *entry, const struct memory_picture *from, int place)
{
    entry->bytes = malloc(from->length > 0 ? from->length : 1);
    if (!entry->bytes)
        return CAPTURE_E_MEMORY;
    if (from->length > 0)
        memcpy(entry->bytes, from->bytes, from->length);
    entry->picture = (struct picture){
        .format = from->format,
        .width = from->width,
        .height = from->height,
        .bytes = entry->bytes,
        .length = from->length,
        .stride = capture_raw_row_bytes(from->format, from->width),
        .sequence = (uint64_t)place,
        .time_ns = from->time_ns,
        .arrived_ns = from->time_ns,
        .damaged = from->damaged,
    };
    return CAPTURE_OK;
}

int capture_memory_open(const struct memory_picture *pictures, int count, struct source **out,
                        struct capture_fault *fault)
{
    struct memory *memory;

    if (!out || count < 0 || (!pictures && count > 0))
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no pictures were given");
    *out = NULL;
    memory = calloc(1, sizeof *memory);
    if (!memory)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the pictures");
    memory->entries = calloc(count > 0 ? (size_t)count : 1, sizeof *memory->entries);
    if (!memory->entries)
        goto no_memory;
    for (; memory->count < count; memory->count++) {
        struct entry *entry = &memory->entries[memory->count];

        if (entry_fill(entry, &pictures[memory->count], memory->count) != CAPTURE_OK)
            goto no_memory;
        entry->picture.time_doubtful =
            memory->count > 0 && entry->picture.time_ns <= entry[-1].picture.time_ns;
    }
    *out = capture_source_create(&memory_kind, memory);
    if (!*out)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the source");
    return CAPTURE_OK;
no_memory:
    memory_destroy(memory);
    return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the pictures");
}
