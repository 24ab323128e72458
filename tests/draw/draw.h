/* tests/draw/draw.h: pictures of tables with their truth, drawn by the thousand.
 *
 *     struct drawer *drawer = draw_create(&kit);
 *     struct draw_scene *scene = ...;                      (large: not on a small stack)
 *     draw_scene_random(&kit, seed, &range, scene);
 *     struct draw_picture picture;
 *     if (draw_picture(drawer, scene, &picture) == 0) { ... picture.frame, picture.truth ... }
 *     draw_picture_free(&picture);
 *
 * The drawer shares no code with the reader: it uses calib/ (the kit's data, the symbols'
 * outlines, the lens model) and libapriltag's pictures of its tags, and writes a struct frame.
 * The same scene gives the same bytes. A drawer is not changed by drawing: threads may share it. */
#ifndef DRAW_DRAW_H
#define DRAW_DRAW_H

#include "capture/frame.h"
#include "tests/draw/scene.h"
#include "tests/draw/truth.h"

#include <stddef.h>
#include <stdint.h>

struct drawer;

/* Draws what pictures share (mat, symbols). The kit's parts are lent for the drawer's life. NULL
 * when there is no memory, or the mat has a tag that is not in its family. */
struct drawer *draw_create(const struct draw_kit *kit);
void draw_destroy(struct drawer **drawer);

struct draw_picture {
    struct frame *frame; /* after compression, as a camera would give it */
    uint8_t *rgb;        /* before it: width x height x 3 */
    uint8_t *jpeg;       /* NULL when optics.quality is 0 */
    size_t jpeg_length;
    struct draw_truth *truth;
};

/* Draws a scene, made from the drawer's kit. 0, or -1 when there is no memory or the scene is of
 * no use (no size); then *out holds nothing. The caller gives *out to draw_picture_free. */
int draw_picture(const struct drawer *drawer, const struct draw_scene *scene,
                 struct draw_picture *out);

/* Frees what it holds and clears it. */
void draw_picture_free(struct draw_picture *picture);

#endif
