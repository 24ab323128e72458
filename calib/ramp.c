#include "calib/ramp.h"

#include "calib/json.h"
#include "calib/mark.h"
#include "calib/tags.h"

#include <stdlib.h>
#include <string.h>

static int disc_read(const struct json_node *root, struct ramp *ramp)
{
    static const char *const known[] = {"diameter_mm", "thickness_mm", "seen", "each", NULL};
    struct json_node disc, seen, each;
    int error = calib_json_object(root, "disc", &disc);

    if (error) {
        return error;
    }
    calib_json_known(&disc, known);
    if ((error = calib_json_size_mm(&disc, "diameter_mm", &ramp->disc_diameter_mm)) ||
        (error = calib_json_size_mm(&disc, "thickness_mm", &ramp->disc_thickness_mm))) {
        return error;
    }
    if (calib_json_maybe(&disc, "each", &each) &&
        (error = calib_json_integer(&disc, "each", 1, RAMP_TRACKS_MAX * RAMP_ROWS_MAX,
                                    &ramp->each))) {
        return error;
    }
    if (!calib_json_maybe(&disc, "seen", &seen)) {
        return CALIB_OK; /* faces, as most editions */
    }
    const char *text = json_is_string(seen.value) ? json_string_value(seen.value) : "";
    if (strcmp(text, "face") != 0 && strcmp(text, "rim") != 0) {
        return calib_json_fault(&seen, CALIB_E_VALUE, "\"face\" or \"rim\" is wanted");
    }
    ramp->seen = strcmp(text, "rim") == 0 ? RAMP_SEEN_RIM : RAMP_SEEN_FACE;
    return CALIB_OK;
}

static int colour_read(const struct json_node *node, struct ramp_colour *colour)
{
    static const char *const known[] = {"name", "rgb", NULL};
    int error = calib_json_label(node, node->key, &colour->label);

    if (!error && !json_is_object(node->value)) {
        error = calib_json_fault(node, CALIB_E_VALUE, "an object in {} is wanted");
    }
    if (error) {
        return error;
    }
    calib_json_known(node, known);
    error = calib_json_text(node, "name", sizeof colour->name, colour->name);
    return error ? error : calib_json_colour(node, "rgb", &colour->rgb);
}

static int colours_read(const struct json_node *root, struct ramp *ramp)
{
    struct json_node colours;
    const char *key;
    json_t *value;
    int error = calib_json_object(root, "colours", &colours);

    if (error) {
        return error;
    }
    size_t count = json_object_size(colours.value);
    if (count < 1 || count > RAMP_COLOURS_MAX) {
        return calib_json_fault(&colours, count < 1 ? CALIB_E_VALUE : CALIB_E_SIZE,
                                "%zu colours, 1 to %d are possible", count, RAMP_COLOURS_MAX);
    }
    json_object_foreach(colours.value, key, value)
    {
        struct json_node node = {root->doc, &colours, key, 0, value};
        if ((error = colour_read(&node, &ramp->colour[ramp->colours]))) {
            return error;
        }
        ramp->colours++;
    }
    return CALIB_OK;
}

/* `count` places on the board along one axis, each further on in the direction of `sign`. */
static int places_read(const struct json_node *root, const char *key, int count, double most_mm,
                       int sign, double *place_mm)
{
    struct json_node node;
    int error = calib_json_numbers(root, key, (size_t)count, 0.0, most_mm, place_mm);

    for (int i = 1; i < count && !error; i++) {
        if (!(sign * (place_mm[i] - place_mm[i - 1]) > 0.0)) {
            (void)calib_json_maybe(root, key, &node);
            struct json_node item = calib_json_item(&node, (size_t)i);
            error = calib_json_fault(&item, CALIB_E_VALUE, "%g after %g: the places must %s",
                                     place_mm[i], place_mm[i - 1],
                                     sign > 0 ? N_("rise from track 1 on")
                                              : N_("fall from row 1, the bottom, on"));
        }
    }
    return error;
}

static int ramp_read(const struct json_node *root, struct ramp *ramp)
{
    static const char *const known[] = {"name",    "board_mm",   "tilt_deg", "tracks",
                                        "rows",    "track_x_mm", "row_y_mm", "disc",
                                        "colours", "tags",       NULL};
    int error = calib_json_format(root, "tableref-ramp/1");

    if (error) {
        return error;
    }
    calib_json_known(root, known);
    if ((error = calib_json_text(root, "name", sizeof ramp->name, ramp->name)) ||
        (error = calib_json_numbers(root, "board_mm", 2, 1.0, JSON_SIZE_MAX_MM, ramp->board_mm)) ||
        (error = calib_json_number(root, "tilt_deg", 0.0, 89.0, &ramp->tilt_deg)) ||
        (error = calib_json_integer(root, "tracks", 1, RAMP_TRACKS_MAX, &ramp->tracks)) ||
        (error = calib_json_integer(root, "rows", 1, RAMP_ROWS_MAX, &ramp->rows)) ||
        (error = places_read(root, "track_x_mm", ramp->tracks, ramp->board_mm[0], 1,
                             ramp->track_x_mm)) ||
        (error =
             places_read(root, "row_y_mm", ramp->rows, ramp->board_mm[1], -1, ramp->row_y_mm)) ||
        (error = disc_read(root, ramp)) || (error = colours_read(root, ramp))) {
        return error;
    }
    if (ramp->each == 0 && ramp->rows * ramp->tracks % ramp->colours == 0) {
        ramp->each = ramp->rows * ramp->tracks / ramp->colours;
    }
    ramp->tags = calib_tags_read(root, ramp->board_mm, ramp->tag);
    return ramp->tags < 0 ? ramp->tags : CALIB_OK;
}

int calib_ramp_parse(const char *json, size_t length, const char *name,
                     const struct calib_sink *sink, struct ramp **out, struct calib_fault *fault)
{
    struct json_doc doc;
    struct json_node root;
    struct ramp *ramp = NULL;
    int error;

    *out = NULL;
    if ((error = calib_json_open(&doc, json, length, name, sink, fault, &root))) {
        return error;
    }
    ramp = calloc(1, sizeof *ramp);
    error = ramp ? ramp_read(&root, ramp)
                 : calib_fault_set(fault, name, 0, CALIB_E_MEMORY, "out of memory");
    calib_json_close(&doc);
    if (error) {
        calib_ramp_destroy(&ramp);
        return error;
    }
    *out = ramp;
    return CALIB_OK;
}

void calib_ramp_destroy(struct ramp **ramp)
{
    if (ramp) {
        free(*ramp);
        *ramp = NULL;
    }
}
