#include "calib/tag_picture.h"

#include <apriltag/apriltag.h>
#include <apriltag/tag36h11.h>

#include <stdlib.h>

static int picture_take(apriltag_family_t *family, int id, struct tag_picture *out)
{
    if (id < 0 || id >= (int)family->ncodes) {
        return CALIB_E_VALUE;
    }
    image_u8_t *image = apriltag_to_image(family, id);
    if (!image) {
        return CALIB_E_MEMORY;
    }
    bool well = image->width == TAG_PICTURE_SIDE && image->height == TAG_PICTURE_SIDE &&
                family->width_at_border == TAG_PICTURE_BORDER;
    for (int row = 0; row < TAG_PICTURE_SIDE && well; row++) {
        for (int col = 0; col < TAG_PICTURE_SIDE; col++) {
            out->white[row][col] = image->buf[row * image->stride + col] > 127;
        }
    }
    /* What image_u8_destroy does; that lies in a further library, which nothing else needs. */
    free(image->buf);
    free(image);
    return well ? CALIB_OK : CALIB_E_VALUE;
}

int calib_tag_pictures(const int *ids, int count, struct tag_picture *out)
{
    apriltag_family_t *family = tag36h11_create();
    int error = family ? CALIB_OK : CALIB_E_MEMORY;

    for (int i = 0; i < count && !error; i++) {
        error = picture_take(family, ids[i], &out[i]);
    }
    if (family) {
        tag36h11_destroy(family);
    }
    return error;
}
