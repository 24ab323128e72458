/* capture/picture_stored.c: a picture in the form in which it is kept. */
#include "capture/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "capture/fault.h"
#include "capture/jpeg.h"
#include "capture/jpeg_encode.h"
#include "capture/picture.h"

static int room_make(uint8_t **out, size_t *capacity, size_t needed, struct capture_fault *fault)
{
    if (*capacity >= needed)
        return CAPTURE_OK;
    uint8_t *grown = realloc(*out, needed);
    if (!grown)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory to keep a picture");
    *out = grown;
    *capacity = needed;
    return CAPTURE_OK;
}

static int jpeg_stored(const struct picture *picture, uint8_t **out, size_t *capacity,
                       size_t *length, struct capture_fault *fault)
{
    struct jpeg_info info;
    int error = capture_jpeg_inspect(picture->bytes, picture->length, &info, fault);

    if (error == CAPTURE_OK)
        error = room_make(out, capacity, info.end + CAPTURE_JPEG_TABLES_BYTES, fault);
    if (error == CAPTURE_OK)
        error = capture_jpeg_with_tables(picture->bytes, &info, *out, *capacity, length);
    return error;
}

static int raw_stored(struct decoder *decoder, const struct picture *picture, uint8_t **out,
                      size_t *capacity, size_t *length, struct capture_fault *fault)
{
    const struct frame *frame;
    uint8_t *bytes = NULL;
    int error = capture_decoder_decode(decoder, picture, 1, true, &frame, fault);

    if (error == CAPTURE_OK)
        error = capture_jpeg_encode(frame, CAPTURE_JPEG_KEPT_QUALITY, &bytes, length, fault);
    if (error == CAPTURE_OK)
        error = room_make(out, capacity, *length, fault);
    if (error == CAPTURE_OK)
        memcpy(*out, bytes, *length);
    free(bytes);
    return error;
}

int capture_picture_stored(struct decoder *decoder, const struct picture *picture, uint8_t **out,
                           size_t *capacity, size_t *length, struct capture_fault *fault)
{
    if (picture->damaged || picture->length == 0)
        return capture_fail(fault, CAPTURE_E_DAMAGED, "the picture came damaged");
    if (picture->format == PICTURE_MJPEG)
        return jpeg_stored(picture, out, capacity, length, fault);
    if (picture->format == PICTURE_STILL || !decoder)
        return capture_fail(fault, CAPTURE_E_UNSUPPORTED, "files of pictures are not recorded");
    return raw_stored(decoder, picture, out, capacity, length, fault);
}
