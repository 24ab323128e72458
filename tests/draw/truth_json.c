/* The truth as a text beside its picture. */
#include "tests/draw/truth.h"

#include <jansson.h>

/* Numbers of a picture need no more digits than this; whole texts stay readable. */
#define DIGITS 9

static json_t *numbers(const double *value, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(array, json_real(value[i]));
    }
    return array;
}

static json_t *points(const double (*value)[2], int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(array, numbers(value[i], 2));
    }
    return array;
}

static json_t *matrix(const double value[9])
{
    json_t *array = json_array();
    for (int i = 0; i < 3; i++) {
        json_array_append_new(array, numbers(value + 3 * i, 3));
    }
    return array;
}

static json_t *grid_text(const struct grid *grid)
{
    char text[GRID_TEXT_MAX];
    if (grid->rows == 0) {
        return json_null();
    }
    calib_grid_format(grid, text);
    return json_string(text);
}

static json_t *camera_text(const struct draw_truth *truth)
{
    const struct camera *c = &truth->camera;
    const double k[9] = {c->fx, 0, c->cx, 0, c->fy, c->cy, 0, 0, 1};
    json_t *size = json_array(), *object = json_object();
    json_array_append_new(size, json_integer(c->width));
    json_array_append_new(size, json_integer(c->height));
    json_object_set_new(object, "size", size);
    json_object_set_new(object, "K", matrix(k));
    json_object_set_new(object, "dist", numbers(c->dist, 5));
    json_object_set_new(object, "R", matrix(truth->pose.r));
    json_object_set_new(object, "t_mm", numbers(truth->pose.t_mm, 3));
    return object;
}

static json_t *cell_text(const struct draw_truth_cell *cell)
{
    const char symbol[2] = {cell->symbol, 0};
    json_t *object = json_object();
    json_object_set_new(object, "symbol", json_string(symbol));
    json_object_set_new(object, "block", json_integer(cell->block));
    json_object_set_new(object, "center_mm", numbers(cell->center_mm, 2));
    json_object_set_new(object, "center_px", numbers(cell->center_px, 2));
    json_object_set_new(object, "corners_px", points(cell->corner_px, 4));
    json_object_set_new(object, "visible", json_real(cell->visible));
    json_object_set_new(object, "bleached", json_real(cell->bleached));
    json_object_set_new(object, "offset", numbers(cell->offset, 2));
    json_object_set_new(object, "block_turn_deg", json_real(cell->turn_deg));
    return object;
}

static json_t *rulings_text(unsigned allowed)
{
    json_t *array = json_array();
    if (allowed & DRAW_RULE_MATCH) {
        json_array_append_new(array, json_string("match"));
    }
    if (allowed & DRAW_RULE_NO_MATCH) {
        json_array_append_new(array, json_string("no_match"));
    }
    if (allowed & DRAW_RULE_CANNOT_TELL) {
        json_array_append_new(array, json_string("cannot_tell"));
    }
    return array;
}

static json_t *seat_lists(const struct draw_truth *truth, const struct draw_truth_seat *seat,
                          json_t *object)
{
    json_t *cells = json_array(), *ends = json_array(), *allowed = json_object();
    for (int i = 0; i < seat->cells; i++) {
        json_array_append_new(cells, cell_text(&seat->cell[i]));
    }
    for (int i = 0; i < seat->ends; i++) {
        json_t *end = json_object();
        json_object_set_new(end, "number", json_integer(seat->end[i].block));
        json_object_set_new(end, "corners_px",
                            points((const double(*)[2])seat->end[i].corner_px, 4));
        json_array_append_new(ends, end);
    }
    for (int i = 0; i < truth->cards; i++) {
        if (truth->card[i].face_up && truth->card[i].card.id[0] != 0) {
            json_object_set_new(allowed, truth->card[i].card.id, rulings_text(seat->allowed[i]));
        }
    }
    json_object_set_new(object, "cells", cells);
    json_object_set_new(object, "standing", ends);
    json_object_set_new(object, "allowed", allowed);
    return object;
}

static json_t *seat_text(const struct draw_truth *truth, const struct draw_truth_seat *seat)
{
    json_t *object = json_object();
    json_object_set_new(object, "seat", json_integer(seat->seat));
    json_object_set_new(object, "scene", json_string(draw_kind_name(seat->kind)));
    json_object_set_new(object, "change",
                        seat->change == DRAW_CHANGE_NONE
                            ? json_null()
                            : json_string(draw_change_name(seat->change)));
    json_object_set_new(object, "hand", json_boolean(seat->foreign));
    json_object_set_new(object, "grid", grid_text(&seat->grid));
    json_object_set_new(object, "turned_deg", json_real(seat->turned_deg));
    json_object_set_new(object, "off_pitch", json_real(seat->off_pitch));
    json_object_set_new(object, "off_deg", json_real(seat->off_deg));
    json_object_set_new(object, "apart", json_real(seat->apart));
    json_object_set_new(object, "least_visible", json_real(seat->least_visible));
    json_object_set_new(object, "most_bleached", json_real(seat->most_bleached));
    return seat_lists(truth, seat, object);
}

static json_t *card_text(const struct draw_truth_card *card)
{
    json_t *object = json_object();
    bool named = card->face_up && card->card.id[0] != 0;
    json_object_set_new(object, "slot", json_integer(card->slot));
    json_object_set_new(object, "card", named ? json_string(card->card.id) : json_null());
    json_object_set_new(object, "level",
                        card->face_up ? json_integer(card->card.level) : json_null());
    json_object_set_new(object, "grid", card->face_up ? grid_text(&card->card.grid) : json_null());
    json_object_set_new(object, "visible", json_real(card->visible));
    json_object_set_new(object, "corners_px", points((const double(*)[2])card->corner_px, 4));
    return object;
}

static json_t *truth_text(const struct draw_scene *scene, const struct draw_truth *truth,
                          const char *image)
{
    json_t *root = json_object(), *tags = json_array(), *cards = json_array(),
           *seats = json_array();
    int face_up = 0;
    for (int i = 0; i < truth->tags; i++) {
        json_t *tag = json_object();
        json_object_set_new(tag, "id", json_integer(truth->tag[i].id));
        json_object_set_new(tag, "corners_px",
                            points((const double(*)[2])truth->tag[i].corner_px, 4));
        json_array_append_new(tags, tag);
    }
    for (int i = 0; i < truth->cards; i++) {
        json_array_append_new(cards, card_text(&truth->card[i]));
        face_up += truth->card[i].face_up;
    }
    for (int i = 0; i < truth->seats; i++) {
        json_array_append_new(seats, seat_text(truth, &truth->seat[i]));
    }
    json_object_set_new(root, "format", json_string("tableref-truth/1"));
    json_object_set_new(root, "image", json_string(image));
    json_object_set_new(root, "mat", json_string(scene->kit.mat->name));
    json_object_set_new(root, "set", json_string(scene->kit.set->name));
    json_object_set_new(root, "deck",
                        scene->kit.deck != NULL ? json_string(scene->kit.deck->name) : json_null());
    json_object_set_new(root, "kind", json_string(face_up > 1 ? "total" : "quick"));
    json_object_set_new(root, "camera", camera_text(truth));
    json_object_set_new(root, "tags", tags);
    json_object_set_new(root, "cards", cards);
    json_object_set_new(root, "seats", seats);
    return root;
}

int draw_truth_write_json(const struct draw_scene *scene, const struct draw_truth *truth,
                          const char *image, FILE *out)
{
    json_t *root = truth_text(scene, truth, image);
    int result = json_dumpf(root, out, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
    json_decref(root);
    return result == 0 && fputc('\n', out) != EOF ? 0 : -1;
}
