/* vision/truth.c: parser of what is known of a picture. */
#include "vision/truth.h"

#include "calib/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pictures are far smaller; a place beyond this is a broken file. */
#define PLACE_MAX_PX 1e6

/* Where everything can be read: shares given with the pictures. Rounded edges hide 2 to 5 % of
 * every face, and burnt-out pixels up to a third leave a symbol's shape. */
#define VISIBLE_LEAST 0.85
#define BLEACHED_MOST 0.35

bool vision_truth_in_view(const struct truth_cell *cell)
{
    return cell->visible >= VISIBLE_LEAST && cell->bleached < BLEACHED_MOST;
}

bool vision_truth_full_view(const struct truth_seat *seat)
{
    return seat->least_visible >= VISIBLE_LEAST && seat->most_bleached < BLEACHED_MOST &&
           !seat->hand && strcmp(seat->scene, "sloppy") != 0;
}

static int parse_bool(const struct json_node *object, const char *key, bool *out)
{
    struct json_node member;
    if (!calib_json_maybe(object, key, &member))
        return calib_json_fault(object, CALIB_E_VALUE, "\"%s\" is missing", key);
    if (!json_is_boolean(member.value))
        return calib_json_fault(&member, CALIB_E_VALUE, "true or false is needed");
    *out = json_is_true(member.value);
    return 0;
}

/* A text, or null for the empty text. */
static int parse_text_or_null(const struct json_node *object, const char *key, size_t size,
                              char *out)
{
    struct json_node member;
    out[0] = 0;
    if (calib_json_maybe(object, key, &member) && json_is_null(member.value))
        return 0;
    return calib_json_text(object, key, size, out);
}

static int parse_grid_or_null(const struct json_node *object, struct grid *out)
{
    char text[GRID_TEXT_MAX];
    int error = parse_text_or_null(object, "grid", sizeof text, text);
    calib_grid_clear(out, 0, 0);
    if (error || !text[0])
        return error;
    if (calib_grid_parse(text, strlen(text), out) != 0)
        return calib_json_fault(object, CALIB_E_VALUE, "\"grid\" is no grid");
    return 0;
}

/* Mean side of the cell on the picture. */
static int parse_side(const struct json_node *object, double *side_px)
{
    struct json_node corners, item;
    double xy[4][2];
    int error = calib_json_array(object, "corners_px", 4, 4, &corners);
    for (size_t i = 0; i < 4 && error >= 0; i++) {
        item = calib_json_item(&corners, i);
        error = calib_json_numbers_of(&item, 2, -PLACE_MAX_PX, PLACE_MAX_PX, xy[i]);
    }
    if (error < 0)
        return error;
    *side_px = 0;
    for (size_t i = 0; i < 4; i++)
        *side_px += hypot(xy[i][0] - xy[(i + 1) % 4][0], xy[i][1] - xy[(i + 1) % 4][1]) / 4;
    return 0;
}

static int parse_cell(const struct json_node *object, struct truth_cell *out)
{
    char symbol[2];
    int error = calib_json_text(object, "symbol", sizeof symbol, symbol);
    if (!error && (symbol[0] < 0x21 || symbol[0] > 0x7e))
        error = calib_json_fault(object, CALIB_E_VALUE, "\"symbol\" is no printable character");
    if (!error)
        error =
            calib_json_numbers(object, "center_px", 2, -PLACE_MAX_PX, PLACE_MAX_PX, out->center_px);
    if (!error)
        error = parse_side(object, &out->side_px);
    if (!error)
        error = calib_json_number(object, "visible", 0, 1, &out->visible);
    if (!error)
        error = calib_json_number(object, "bleached", 0, 1, &out->bleached);
    out->symbol = error ? 0 : symbol[0];
    return error;
}

static int parse_cells(const struct json_node *object, struct truth_seat *out)
{
    struct json_node list, item;
    int count = calib_json_array(object, "cells", 0, LAYOUT_CELLS_MAX, &list);
    if (count < 0)
        return count;
    for (int i = 0; i < count; i++) {
        int error = calib_json_item_object(&list, (size_t)i, &item);
        if (!error)
            error = parse_cell(&item, &out->cell[i]);
        if (error)
            return error;
    }
    out->cells = count;
    return 0;
}

static int parse_rulings(const struct json_node *list, struct truth_allowed *out)
{
    size_t count = json_array_size(list->value);
    for (size_t i = 0; i < count; i++) {
        struct json_node item = calib_json_item(list, i);
        char word[TRUTH_WORD_MAX];
        int error = calib_json_text_of(&item, sizeof word, word);
        if (error)
            return error;
        if (strcmp(word, "match") == 0)
            out->match = true;
        else if (strcmp(word, "no_match") == 0)
            out->no_match = true;
        else if (strcmp(word, "cannot_tell") == 0)
            out->cannot_tell = true;
        else
            return calib_json_fault(&item, CALIB_E_VALUE, "\"%s\" is no verdict", word);
    }
    return 0;
}

static int parse_allowed(const struct json_node *object, struct truth_seat *out)
{
    struct json_node allowed, list;
    const char *key;
    json_t *value;
    int error = calib_json_object(object, "allowed", &allowed);
    if (error)
        return error;
    json_object_foreach(allowed.value, key, value)
    {
        struct truth_allowed *entry = &out->allowed[out->allowed_count];
        size_t length = strlen(key);
        if (out->allowed_count == MAT_SLOTS_MAX || length >= sizeof entry->card)
            return calib_json_fault(&allowed, CALIB_E_SIZE, "too many cards, or too long an id");
        error = calib_json_array(&allowed, key, 1, 3, &list);
        if (error >= 0)
            error = parse_rulings(&list, entry);
        if (error < 0)
            return error;
        memcpy(entry->card, key, length + 1);
        out->allowed_count++;
    }
    return 0;
}

static int parse_seat(const struct json_node *object, struct truth_seat *out)
{
    int error = calib_json_integer(object, "seat", 1, INT8_MAX, &out->seat);
    if (!error)
        error = calib_json_text(object, "scene", sizeof out->scene, out->scene);
    if (!error)
        error = parse_bool(object, "hand", &out->hand);
    if (!error)
        error = parse_grid_or_null(object, &out->grid);
    if (!error)
        error = calib_json_number(object, "turned_deg", -360, 360, &out->turned_deg);
    if (!error)
        error = calib_json_number(object, "least_visible", 0, 1, &out->least_visible);
    if (!error)
        error = calib_json_number(object, "most_bleached", 0, 1, &out->most_bleached);
    if (!error)
        error = parse_cells(object, out);
    if (!error)
        error = parse_allowed(object, out);
    return error;
}

static int parse_card(const struct json_node *object, struct truth_card *out)
{
    struct json_node card;
    int error = calib_json_integer(object, "slot", 1, INT8_MAX, &out->slot);
    if (!error)
        error = parse_text_or_null(object, "card", sizeof out->id, out->id);
    if (!error)
        error = calib_json_number(object, "visible", 0, 1, &out->visible);
    if (error)
        return error;
    out->face_up = calib_json_maybe(object, "card", &card) && !json_is_null(card.value);
    if (!out->face_up)
        return 0;
    return calib_json_integer(object, "level", 1, CARD_LEVELS, &out->level);
}

static int parse_seats(const struct json_node *root, struct truth *out)
{
    struct json_node list, item;
    int count = calib_json_array(root, "seats", 0, MAT_SEATS_MAX, &list);
    for (int i = 0; i < count; i++) {
        int error = calib_json_item_object(&list, (size_t)i, &item);
        if (!error)
            error = parse_seat(&item, &out->seat[i]);
        for (int k = 0; k < i && !error; k++)
            if (out->seat[k].seat == out->seat[i].seat)
                error = calib_json_fault(&item, CALIB_E_VALUE, "seat %d stands here twice",
                                         out->seat[i].seat);
        if (error)
            return error;
    }
    out->seats = count < 0 ? 0 : count;
    return count < 0 ? count : 0;
}

static int parse_cards(const struct json_node *root, struct truth *out)
{
    struct json_node list, item;
    int count = calib_json_array(root, "cards", 0, MAT_SLOTS_MAX, &list);
    for (int i = 0; i < count; i++) {
        int error = calib_json_item_object(&list, (size_t)i, &item);
        if (!error)
            error = parse_card(&item, &out->card[i]);
        for (int k = 0; k < i && !error; k++)
            if (out->card[k].slot == out->card[i].slot)
                error = calib_json_fault(&item, CALIB_E_VALUE, "slot %d stands here twice",
                                         out->card[i].slot);
        if (error)
            return error;
    }
    out->cards = count < 0 ? 0 : count;
    return count < 0 ? count : 0;
}

/* The camera of a truth is a rig without its format. */
static int parse_camera(const struct json_node *root, const char *name, struct rig **out,
                        struct calib_fault *fault)
{
    struct json_node camera;
    int error = calib_json_object(root, "camera", &camera);
    if (error)
        return error;
    char *text = json_dumps(camera.value, JSON_COMPACT);
    if (!text)
        return calib_json_fault(&camera, CALIB_E_MEMORY, "out of memory");
    struct calib_fault inner = {.line = 0};
    error = calib_rig_parse(text, strlen(text), name, NULL, out, &inner);
    free(text);
    if (error && fault) /* the line within the dumped text would say nothing */
        return calib_json_fault(&camera, error, "%s", inner.text);
    return error;
}

static int parse_root(const struct json_node *root, const char *name, struct truth *out,
                      struct calib_fault *fault)
{
    struct json_node ramp;
    int error = calib_json_format(root, "tableref-truth/1");
    if (error)
        return error;
    out->ramp = calib_json_maybe(root, "ramp", &ramp);
    if (out->ramp)
        return 0;
    error = calib_json_text(root, "mat", sizeof out->mat, out->mat);
    if (!error)
        error = calib_json_text(root, "set", sizeof out->set, out->set);
    if (!error)
        error = calib_json_text(root, "deck", sizeof out->deck, out->deck);
    if (!error)
        error = parse_camera(root, name, &out->rig, fault);
    if (!error)
        error = parse_seats(root, out);
    if (!error)
        error = parse_cards(root, out);
    return error;
}

int vision_truth_parse(const char *json, size_t length, const char *name, struct truth **out,
                       struct calib_fault *fault)
{
    struct json_doc doc;
    struct json_node root;
    *out = NULL;
    int error = calib_json_open(&doc, json, length, name, NULL, fault, &root);
    if (error)
        return error;
    struct truth *truth = calloc(1, sizeof *truth);
    error = truth ? parse_root(&root, name, truth, fault)
                  : calib_fault_set(fault, name, 0, CALIB_E_MEMORY, "out of memory");
    calib_json_close(&doc);
    if (error)
        vision_truth_destroy(&truth);
    *out = truth;
    return error;
}

void vision_truth_destroy(struct truth **truth)
{
    if (!truth || !*truth)
        return;
    calib_rig_destroy(&(*truth)->rig);
    free(*truth);
    *truth = NULL;
}
