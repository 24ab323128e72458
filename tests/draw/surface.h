/* tests/draw/surface.h: what things look like close by: reflectance at a place of a surface.
 *
 * Colours are linear reflectance. Where a surface carries print, the size of a pixel on it is
 * given too, and the answer is the mean over about that much. */
#ifndef DRAW_SURFACE_H
#define DRAW_SURFACE_H

#include "tests/draw/scene.h"

/* The print of a kit, drawn once: the mat with its tags, the faces of every symbol. */
struct draw_surface;

/* NULL when there is no memory, or a tag of the mat is not in its family. */
struct draw_surface *draw_surface_create(const struct draw_kit *kit);
void draw_surface_destroy(struct draw_surface **surface);

/* The mat at (x, y) mm, which lies on it. */
void draw_surface_mat(const struct draw_surface *surface, const struct draw_scene *scene, double x,
                      double y, double px_mm, float out[3]);

/* A cell of a block: u and v in cells from its middle; `cell_px`: pixels to its side. */
void draw_surface_cell(const struct draw_surface *surface, int symbol, double u, double v,
                       double cell_px, const double white[3], float out[3]);

/* The end of a block with so many pips; u and v in sides from its middle. */
void draw_surface_end(const struct draw_scene *scene, int pips, double u, double v, float out[3]);

/* A card at (x, y) mm from its middle, in its own frame. Returns which of its parts it is, a
 * number that changes where the print has an edge. */
int draw_surface_card(const struct draw_surface *surface, const struct draw_scene *scene,
                      const struct draw_card *card, double x, double y, double px_mm, float out[3]);

/* The table at (x, y) mm. */
void draw_surface_table(const struct draw_table *table, double x, double y, float out[3]);

/* 0..1, smooth over `size_mm`. */
double draw_noise(double x, double y, double size_mm, uint32_t seed);

#endif
