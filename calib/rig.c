#include "calib/rig.h"

#include "calib/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PICTURE_MAX_PX 16384
#define FOCAL_MAX_PX 1e6
#define LENS_MAX 1e3 /* k3 of a wide lens runs to tens */
#define DISTANCE_MAX_MM 1e5
#define RATIO_MAX 4.0   /* a field shines no more than white does, but for glare */
#define WHITE_MIN 1e-4 /* below a level of 8 bits there is no colour to compare */
/* Red or blue against green: daylight against a bulb is 0.5 and more, clouds against sun 0.1. */
#define HUE_MOST 0.2
#define STOP 0.6931 /* the logarithm of two */
/* Rotations are written with 4 digits or more; beyond this the matrix is another thing. */
#define ROTATION_SLACK 2e-3

/* A matrix of three rows of three. */
static int matrix_read(const struct json_node *object, const char *key, double most, double m[9])
{
    struct json_node rows;
    int count = calib_json_array(object, key, 3, 3, &rows);

    for (size_t i = 0; i < 3 && count >= 0; i++) {
        struct json_node row = calib_json_item(&rows, i);
        int error = calib_json_numbers_of(&row, 3, -most, most, m + 3 * i);
        count = error ? error : count;
    }
    return count < 0 ? count : CALIB_OK;
}

static int camera_read(const struct json_node *object, struct camera *camera)
{
    struct json_node size, k;
    double m[9], px[2] = {0, 0};
    int error = calib_json_numbers(object, "size", 2, 1.0, PICTURE_MAX_PX, px);

    if (error) {
        return error;
    }
    (void)calib_json_maybe(object, "size", &size);
    if (px[0] != floor(px[0]) || px[1] != floor(px[1])) {
        return calib_json_fault(&size, CALIB_E_VALUE, "whole pixels are wanted");
    }
    if ((error = matrix_read(object, "K", FOCAL_MAX_PX, m))) {
        return error;
    }
    (void)calib_json_maybe(object, "K", &k);
    if (fabs(m[1]) > 1e-9 || fabs(m[3]) > 1e-9 || fabs(m[6]) > 1e-9 || fabs(m[7]) > 1e-9 ||
        fabs(m[8] - 1.0) > 1e-9) {
        return calib_json_fault(&k, CALIB_E_VALUE, "[[fx,0,cx],[0,fy,cy],[0,0,1]] is wanted");
    }
    if (!(m[0] >= 1.0 && m[4] >= 1.0)) {
        return calib_json_fault(&k, CALIB_E_VALUE, "fx %g and fy %g must be 1 px or more", m[0],
                                m[4]);
    }
    *camera = (struct camera){
        .width = (int)px[0], .height = (int)px[1], .fx = m[0], .fy = m[4], .cx = m[2], .cy = m[5]};
    return calib_json_numbers(object, "dist", 5, -LENS_MAX, LENS_MAX, camera->dist);
}

/* A rotation: rows of length 1, square to each other, and no mirror. */
static bool is_rotation(const double r[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            double dot =
                r[3 * i] * r[3 * j] + r[3 * i + 1] * r[3 * j + 1] + r[3 * i + 2] * r[3 * j + 2];
            if (!(fabs(dot - (i == j ? 1.0 : 0.0)) < ROTATION_SLACK)) {
                return false;
            }
        }
    }
    return r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
               r[2] * (r[3] * r[7] - r[4] * r[6]) >
           0.0;
}

/* Undoes the rounding of the written digits: one step of Newton's towards R R' = 1. */
static void rotation_square(double r[9])
{
    double gram[9], out[9];

    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double dot =
                r[3 * i] * r[3 * j] + r[3 * i + 1] * r[3 * j + 1] + r[3 * i + 2] * r[3 * j + 2];
            gram[3 * i + j] = (i == j ? 1.5 : 0.0) - 0.5 * dot;
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] =
                gram[3 * i] * r[j] + gram[3 * i + 1] * r[3 + j] + gram[3 * i + 2] * r[6 + j];
        }
    }
    memcpy(r, out, sizeof out);
}

static int pose_read(const struct json_node *object, struct rig *rig)
{
    struct json_node r, t;
    bool has_r = calib_json_maybe(object, "R", &r), has_t = calib_json_maybe(object, "t_mm", &t);
    int error;

    if (!has_r && !has_t) {
        return CALIB_OK;
    }
    if (has_r != has_t) {
        return calib_json_fault(has_r ? &r : &t, CALIB_E_VALUE, "\"%s\" is missing beside it",
                                has_r ? "t_mm" : "R");
    }
    if ((error = matrix_read(object, "R", 1.0 + ROTATION_SLACK, rig->pose.r)) ||
        (error = calib_json_numbers(object, "t_mm", 3, -DISTANCE_MAX_MM, DISTANCE_MAX_MM,
                                    rig->pose.t_mm))) {
        return error;
    }
    if (!is_rotation(rig->pose.r)) {
        return calib_json_fault(&r, CALIB_E_VALUE, "no rotation");
    }
    rotation_square(rig->pose.r);
    rig->has_pose = true;
    return CALIB_OK;
}

/* The camera of a fixture's truth: the same fields, one level down or on their own. */
static int rig_find(const struct json_node *root, struct json_node *object, bool *truth)
{
    struct json_node format;

    *object = *root;
    *truth = true;
    if (calib_json_maybe(root, "camera", object) && json_is_object(object->value)) {
        return CALIB_OK;
    }
    *object = *root;
    if (!calib_json_maybe(root, "format", &format)) {
        return CALIB_OK;
    }
    *truth = false;
    return calib_json_format(root, "tableref-rig/1");
}

static int symbol_read(const struct json_node *object, size_t index, struct rig_colours *out)
{
    struct json_node item;
    char label[2];
    int error = calib_json_item_object(object, index, &item);

    if (error || (error = calib_json_text(&item, "symbol", sizeof label, label))) {
        return error;
    }
    out->symbol[index].label = label[0];
    return calib_json_numbers(&item, "ratio", 3, 0.0, RATIO_MAX, out->symbol[index].ratio);
}

static int colours_read(const struct json_node *rig, struct rig_colours *out)
{
    static const char *const known[] = {"set", "made", "from", "white", "symbols", NULL};
    struct json_node object, symbols;
    int error, count;

    if (!calib_json_maybe(rig, "colours", &object)) {
        return CALIB_OK;
    }
    if ((error = calib_json_object(rig, "colours", &object))) {
        return error;
    }
    calib_json_known(&object, known);
    if ((error = calib_json_text(&object, "set", sizeof out->set, out->set)) ||
        (error = calib_json_text(&object, "made", sizeof out->made, out->made)) ||
        (error = calib_json_text(&object, "from", sizeof out->from, out->from)) ||
        (error = calib_json_numbers(&object, "white", 3, WHITE_MIN, 1.0, out->white))) {
        return error;
    }
    count = calib_json_array(&object, "symbols", 1, BLOCKSET_SYMBOLS_MAX, &symbols);
    for (int i = 0; i < count && !error; i++) {
        error = symbol_read(&symbols, (size_t)i, out);
    }
    out->symbols = count > 0 ? count : 0;
    out->known = !error && count > 0;
    return count < 0 ? count : error;
}

static int rig_read(const struct json_node *root, struct rig *rig)
{
    static const char *const known[] = {"size",   "K",    "dist",    "R",          "t_mm",
                                        "camera", "made", "colours", "references", NULL};
    struct json_node object, member;
    bool truth;
    int error = rig_find(root, &object, &truth);

    if (error) {
        return error;
    }
    calib_json_known(&object, known);
    if ((error = camera_read(&object, &rig->camera)) || (error = pose_read(&object, rig))) {
        return error;
    }
    if (!truth && calib_json_maybe(&object, "camera", &member) &&
        (error = calib_json_text_of(&member, sizeof rig->identity, rig->identity))) {
        return error;
    }
    if (calib_json_maybe(&object, "made", &member)) {
        error = calib_json_text_of(&member, sizeof rig->made, rig->made);
    }
    return error ? error : colours_read(&object, &rig->colours);
}

int calib_rig_parse(const char *json, size_t length, const char *name,
                    const struct calib_sink *sink, struct rig **out, struct calib_fault *fault)
{
    struct json_doc doc;
    struct json_node root;
    struct rig *rig = NULL;
    int error;

    *out = NULL;
    if ((error = calib_json_open(&doc, json, length, name, sink, fault, &root))) {
        return error;
    }
    rig = calloc(1, sizeof *rig);
    error = rig ? rig_read(&root, rig)
                : calib_fault_set(fault, name, 0, CALIB_E_MEMORY, "out of memory");
    calib_json_close(&doc);
    if (error) {
        calib_rig_destroy(&rig);
        return error;
    }
    snprintf(rig->name, sizeof rig->name, "%s", name ? name : "");
    *out = rig;
    return CALIB_OK;
}

double calib_rig_colours_apart(const struct rig_colours *colours, char pair[2])
{
    double least = 1.0;

    for (int i = 0; i < colours->symbols; i++) {
        for (int j = 0; j < i; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++) {
                double a = pow(colours->symbol[i].ratio[k], 1 / 2.2);
                double b = pow(colours->symbol[j].ratio[k], 1 / 2.2);
                sum += (a - b) * (a - b);
            }
            if (sqrt(sum) < least) {
                least = sqrt(sum);
                if (pair) {
                    pair[0] = colours->symbol[j].label;
                    pair[1] = colours->symbol[i].label;
                }
            }
        }
    }
    return least;
}

bool calib_rig_light_differs(const struct rig_colours *colours, const double white[3])
{
    double change[3];

    if (!colours->known) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        change[k] = log(fmax(white[k], WHITE_MIN) / fmax(colours->white[k], WHITE_MIN));
    }
    double hue = fmax(fabs(change[0] - change[1]), fabs(change[2] - change[1]));
    return hue > HUE_MOST || fabs(change[1]) > STOP;
}

void calib_rig_destroy(struct rig **rig)
{
    if (rig) {
        free(*rig);
        *rig = NULL;
    }
}
