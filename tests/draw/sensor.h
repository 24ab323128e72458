/* tests/draw/sensor.h: from light on the sensor to bytes: lens, noise, tone, compression. */
#ifndef DRAW_SENSOR_H
#define DRAW_SENSOR_H

#include "capture/frame.h"
#include "tests/draw/scene.h"

#include <stddef.h>
#include <stdint.h>

/* Turns linear light (changed on the way) into width x height x 3 bytes of sRGB. 0, or -1 when
 * there is no memory. */
int draw_sense(const struct draw_scene *scene, float *light, uint8_t *rgb);

/* Compresses as optics.quality and the shifts say. The caller frees *jpeg. 0 or -1. */
int draw_jpeg_encode(const struct draw_optics *optics, const uint8_t *rgb, int width, int height,
                     uint8_t **jpeg, size_t *length);

/* The planes of such a picture, chroma at its own resolution, as a camera's frame arrives. The
 * caller owns the frame; NULL when something fails. */
struct frame *draw_jpeg_frame(const uint8_t *jpeg, size_t length);

#endif
