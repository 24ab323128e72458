/* capture/picture_arena.h: memory of one libjpeg handle that decodes picture after picture.
 *
 * libjpeg gives back to the system what a picture took, and takes it anew for the next. Put under a
 * handle, an arena is what it takes from instead: it is only ever emptied, and grows to what the
 * largest picture needed. It also holds what libjpeg would keep from picture to picture (tables):
 * a picture that lacks its tables must never be decoded with those of the one before. */
#ifndef CAPTURE_PICTURE_ARENA_H
#define CAPTURE_PICTURE_ARENA_H

#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* the newest first */
    size_t newest, used;        /* bytes of the newest, and those taken of it */
    size_t total;               /* bytes of all */
};

/* Puts the arena under a handle that was just created. The handle's client_data must be the arena,
 * or a struct that starts with it. The arena outlives the handle. */
void capture_arena_attach(struct arena *arena, struct jpeg_decompress_struct *libjpeg);

/* Empties it; what was taken is void, and the handle's tables are forgotten. The handle is at rest:
 * new, finished or aborted. */
void capture_arena_reset(struct arena *arena, struct jpeg_decompress_struct *libjpeg);

void capture_arena_free(struct arena *arena);

#endif
