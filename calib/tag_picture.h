/* calib/tag_picture.h: what a tag looks like: black and white modules, as libapriltag gives them.
 */
#ifndef CALIB_TAG_PICTURE_H
#define CALIB_TAG_PICTURE_H

#include "calib/error.h"

#include <stdbool.h>

#define TAG_PICTURE_SIDE 10  /* modules, with the white edge of one on every side */
#define TAG_PICTURE_BORDER 8 /* modules across the black edge, which a tag's size_mm is */

struct tag_picture {
    bool white[TAG_PICTURE_SIDE][TAG_PICTURE_SIDE]; /* [row][col] of libapriltag's own picture */
};

/* The pictures of `count` tags of the family tag36h11. CALIB_E_VALUE for an id that it has not,
 * CALIB_E_MEMORY. */
int calib_tag_pictures(const int *ids, int count, struct tag_picture *out);

#endif
