#include "calib/mat.h"

#include "calib/json.h"
#include "calib/mark.h"
#include "calib/tags.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 99 /* seats and slots are called out by people */
#define QUICK_PLAY_SLOT 3
#define SIDE_LEAST_MM 5.0    /* no block and no card is smaller */
#define SEAT_SIDE_MAX_MM 2000.0 /* wider than a player's arms: a slip of units */
#define SLOT_SIDE_MAX_MM 500.0  /* no card is a quarter of that */
#define OVERLAP_MAX_MM 1.0   /* seats or slots may share an edge, drawn by hand */
#define UP_MAX 1e6           /* so that a squared length stays far from the largest double */
#define UP_LEAST_LENGTH 1e-6 /* shorter than this is a slip, not a direction */

static int rect_read(const struct json_node *node, double side_max_mm, double rect_mm[4])
{
    struct json_node member;
    int error =
        calib_json_numbers(node, "rect_mm", 4, -JSON_SIZE_MAX_MM, JSON_SIZE_MAX_MM, rect_mm);

    if (!error && !(rect_mm[2] >= SIDE_LEAST_MM && rect_mm[3] >= SIDE_LEAST_MM)) {
        (void)calib_json_maybe(node, "rect_mm", &member);
        error = calib_json_fault(&member, CALIB_E_VALUE,
                                 "x, y, width, height: width and height must be %g mm or more",
                                 SIDE_LEAST_MM);
    }
    if (!error && !(rect_mm[2] <= side_max_mm && rect_mm[3] <= side_max_mm)) {
        (void)calib_json_maybe(node, "rect_mm", &member);
        error = calib_json_fault(&member, CALIB_E_VALUE,
                                 "x, y, width, height: width and height must be %g mm or less",
                                 side_max_mm);
    }
    return error;
}

static bool rects_overlap(const double a[4], const double b[4])
{
    return fmin(a[0] + a[2], b[0] + b[2]) - fmax(a[0], b[0]) > OVERLAP_MAX_MM &&
           fmin(a[1] + a[3], b[1] + b[3]) - fmax(a[1], b[1]) > OVERLAP_MAX_MM;
}

/* What lies beside the sheet is read less well, and is a slip more likely than a wish. */
static void outside_warn(const struct json_node *node, const struct mat *mat,
                         const double rect_mm[4])
{
    const double sheet[4] = {0.0, 0.0, mat->size_mm[0], mat->size_mm[1]};

    if (rect_mm[0] < -OVERLAP_MAX_MM || rect_mm[1] < -OVERLAP_MAX_MM ||
        rect_mm[0] + rect_mm[2] > sheet[2] + OVERLAP_MAX_MM ||
        rect_mm[1] + rect_mm[3] > sheet[3] + OVERLAP_MAX_MM) {
        calib_json_warn(node, "rect_mm lies %s the sheet of %g x %g mm",
                        rects_overlap(rect_mm, sheet) ? N_("partly beside") : N_("wholly beside"),
                        sheet[2], sheet[3]);
    }
}

/* Any direction will do, of any length but none. */
static int up_read(const struct json_node *node, double up[2])
{
    struct json_node member;
    int error = calib_json_numbers(node, "up", 2, -UP_MAX, UP_MAX, up);
    double length = error ? 0.0 : hypot(up[0], up[1]);

    if (!error && length < UP_LEAST_LENGTH) {
        (void)calib_json_maybe(node, "up", &member);
        return calib_json_fault(&member, CALIB_E_VALUE, "[0, 0] is no direction");
    }
    if (!error) {
        up[0] /= length;
        up[1] /= length;
    }
    return error;
}

static int seats_read(const struct json_node *root, struct mat *mat)
{
    static const char *const known[] = {"seat", "rect_mm", "up", NULL};
    struct json_node seats, node;
    int error, count = calib_json_array(root, "seats", 1, MAT_SEATS_MAX, &seats);

    for (int i = 0; i < count; i++) {
        struct mat_seat *seat = &mat->seat[i];
        if ((error = calib_json_item_object(&seats, (size_t)i, &node)) ||
            (error = calib_json_integer(&node, "seat", 1, NUMBER_MAX, &seat->seat)) ||
            (error = rect_read(&node, SEAT_SIDE_MAX_MM, seat->rect_mm)) ||
            (error = up_read(&node, seat->up))) {
            return error;
        }
        calib_json_known(&node, known);
        outside_warn(&node, mat, seat->rect_mm);
        for (int j = 0; j < i; j++) {
            if (mat->seat[j].seat == seat->seat) {
                return calib_json_fault(&node, CALIB_E_VALUE, "a second seat of number %d",
                                        seat->seat);
            }
            if (rects_overlap(mat->seat[j].rect_mm, seat->rect_mm)) {
                return calib_json_fault(&node, CALIB_E_VALUE,
                                        "overlaps seat %d: what lies there would count for both",
                                        mat->seat[j].seat);
            }
        }
        mat->seats++;
    }
    return count < 0 ? count : CALIB_OK;
}

static int slots_read(const struct json_node *root, struct mat *mat)
{
    static const char *const known[] = {"slot", "rect_mm", NULL};
    struct json_node slots, node;
    int error, count = 0;

    if (calib_json_maybe(root, "card_slots", &slots)) {
        count = calib_json_array(root, "card_slots", 0, MAT_SLOTS_MAX, &slots);
    }
    for (int i = 0; i < count; i++) {
        struct mat_slot *slot = &mat->slot[i];
        if ((error = calib_json_item_object(&slots, (size_t)i, &node)) ||
            (error = calib_json_integer(&node, "slot", 1, NUMBER_MAX, &slot->slot)) ||
            (error = rect_read(&node, SLOT_SIDE_MAX_MM, slot->rect_mm))) {
            return error;
        }
        calib_json_known(&node, known);
        outside_warn(&node, mat, slot->rect_mm);
        for (int j = 0; j < i; j++) {
            if (mat->slot[j].slot == slot->slot) {
                return calib_json_fault(&node, CALIB_E_VALUE, "a second slot of number %d",
                                        slot->slot);
            }
            if (rects_overlap(mat->slot[j].rect_mm, slot->rect_mm)) {
                return calib_json_fault(&node, CALIB_E_VALUE,
                                        "overlaps slot %d: what lies there would count for both",
                                        mat->slot[j].slot);
            }
        }
        mat->slots++;
    }
    return count < 0 ? count : CALIB_OK;
}

static int quick_play_read(const struct json_node *root, struct mat *mat)
{
    struct json_node member;
    int error;

    mat->quick_play_slot = QUICK_PLAY_SLOT;
    if (!calib_json_maybe(root, "quick_play_slot", &member)) {
        return CALIB_OK;
    }
    error = calib_json_integer(root, "quick_play_slot", 1, NUMBER_MAX, &mat->quick_play_slot);
    for (int i = 0; i < mat->slots && !error; i++) {
        if (mat->slot[i].slot == mat->quick_play_slot) {
            return CALIB_OK;
        }
    }
    return error ? error
                 : calib_json_fault(&member, CALIB_E_VALUE, "%d is no slot of this mat",
                                    mat->quick_play_slot);
}

static int mat_read(const struct json_node *root, struct mat *mat)
{
    static const char *const known[] = {"name",       "size_mm",         "tags", "seats",
                                        "card_slots", "quick_play_slot", NULL};
    int error = calib_json_format(root, "tableref-mat/1");

    if (error) {
        return error;
    }
    calib_json_known(root, known);
    /* under a millimetre is no sheet: a slip of units */
    if ((error = calib_json_text(root, "name", sizeof mat->name, mat->name)) ||
        (error = calib_json_numbers(root, "size_mm", 2, 1.0, JSON_SIZE_MAX_MM, mat->size_mm))) {
        return error;
    }
    mat->tags = calib_tags_read(root, mat->size_mm, mat->tag);
    if (mat->tags < 0) {
        return mat->tags;
    }
    if ((error = seats_read(root, mat)) || (error = slots_read(root, mat))) {
        return error;
    }
    return quick_play_read(root, mat);
}

int calib_mat_parse(const char *json, size_t length, const char *name,
                    const struct calib_sink *sink, struct mat **out, struct calib_fault *fault)
{
    struct json_doc doc;
    struct json_node root;
    struct mat *mat = NULL;
    int error;

    *out = NULL;
    if ((error = calib_json_open(&doc, json, length, name, sink, fault, &root))) {
        return error;
    }
    mat = calloc(1, sizeof *mat);
    error = mat ? mat_read(&root, mat)
                : calib_fault_set(fault, name, 0, CALIB_E_MEMORY, "out of memory");
    calib_json_close(&doc);
    if (error) {
        calib_mat_destroy(&mat);
        return error;
    }
    *out = mat;
    return CALIB_OK;
}

int calib_mat_check(const struct mat *mat, const struct blockset *set, struct calib_fault *fault)
{
    for (int i = 0; i < mat->seats; i++) {
        const double *r = mat->seat[i].rect_mm;
        double side = fmax(r[2], r[3]);
        if (side > MAT_SEAT_WIDTHS_MAX * set->width_mm) {
            return calib_fault_set(
                fault, mat->name, 0, CALIB_E_VALUE,
                "seat %d: rect_mm is %g mm long, more than %d widths of the blocks of %s (width_mm "
                "%g)",
                mat->seat[i].seat, side, MAT_SEAT_WIDTHS_MAX, set->name, set->width_mm);
        }
    }
    return CALIB_OK;
}

void calib_mat_destroy(struct mat **mat)
{
    if (mat) {
        free(*mat);
        *mat = NULL;
    }
}

void calib_mat_tag_corners(const struct mat_tag *tag, double xy[4][2])
{
    /* half sizes from the centre, in the order of a tag that is not turned: bottom-right,
     * bottom-left, top-left, top-right of libapriltag's own picture */
    static const double own[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    double angle = tag->turn_deg * M_PI / 180.0;
    double c = cos(angle), s = sin(angle), half = tag->size_mm / 2.0;

    for (int i = 0; i < 4; i++) { /* y points down: this turns clockwise as the sheet is seen */
        xy[i][0] = tag->center_mm[0] + half * (c * own[i][0] - s * own[i][1]);
        xy[i][1] = tag->center_mm[1] + half * (s * own[i][0] + c * own[i][1]);
    }
}
