#include "calib/mat_plan.h"

#include "calib/json.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TAG_LAST 586
#define TAG_TURN_DEG 180.0     /* as on the kit's mats */
#define TAG_WHITE (10.0 / 8.0) /* a tag with its white edge, of its side */
#define TAG_LARGEST_CELLS 1.4  /* larger ones take room and give nothing */
#define INSET_MM 7.5           /* of a tag's white edge, from the sheet's: printers leave 5 white */
#define STRIP_MM 14.0          /* above and below the seats; the ruler lies in the lower one */
#define TAG_GAP_MM 6.0         /* between tags and seats */
#define SEAT_GAP_MM 12.0       /* between neighbours, so that no block lies in both seats */
#define ROW_GAP_MM 5.0         /* between seats and slots, at least */
#define ROW_GAP_MAX_MM 14.0
#define SLOT_ROOM_MM 8.0 /* a slot is so much wider than its card: cards are laid by hand */
#define SLOT_GAP_MIN_MM 4.0
#define SLOT_GAP_MAX_MM 12.0
#define STEP_MM 0.5      /* all places are multiples: easily measured */
#define VIEW_MARGIN 1.06 /* more than the sheet is in view: no camera hangs straight */

static double down_to_step(double mm)
{
    return floor(mm / STEP_MM + 1e-9) * STEP_MM;
}

/* What the sheet's sides are divided into. */
struct division {
    int top, bottom; /* seats along the far and the near side */
    double tag_mm, slot_mm;
    double edge_mm; /* from the sheet's left to the seats */
    double least_mm[2];
};

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void division_make(const struct mat_plan *plan, double tag_mm, struct division *out)
{
    double cell = plan->block_mm;

    out->top = plan->seats / 2;
    out->bottom = plan->seats - out->top;
    out->tag_mm = tag_mm;
    out->slot_mm = plan->card_mm + SLOT_ROOM_MM;
    out->edge_mm = INSET_MM + TAG_WHITE * tag_mm + TAG_GAP_MM;
    double seats = out->bottom * (MAT_PLAN_SEAT_CELLS * cell + SEAT_GAP_MM) - SEAT_GAP_MM;
    double slots = plan->slots * (out->slot_mm + SLOT_GAP_MIN_MM) - SLOT_GAP_MIN_MM;
    int rows = out->top > 0 ? 2 : 1;
    double middle = plan->slots > 0 ? out->slot_mm + rows * ROW_GAP_MM : (rows - 1) * SEAT_GAP_MM;
    double tags = 2.0 * INSET_MM + 3.0 * TAG_WHITE * tag_mm; /* three below one another */
    out->least_mm[0] = 2.0 * out->edge_mm + larger(seats, slots);
    out->least_mm[1] = larger(tags, 2.0 * STRIP_MM + rows * MAT_PLAN_DEPTH_CELLS * cell + middle);
}

static bool division_fits(const struct mat_plan *plan, const struct division *division)
{
    return division->least_mm[0] <= plan->size_mm[0] + 1e-9 &&
           division->least_mm[1] <= plan->size_mm[1] + 1e-9;
}

/* Tags as large as there is room for. */
static bool division_find(const struct mat_plan *plan, struct division *out)
{
    double least = ceil(plan->block_mm / STEP_MM - 1e-9) * STEP_MM;

    for (double tag = down_to_step(TAG_LARGEST_CELLS * plan->block_mm); tag > least;
         tag -= STEP_MM) {
        division_make(plan, tag, out);
        if (division_fits(plan, out)) {
            return true;
        }
    }
    division_make(plan, least, out);
    return division_fits(plan, out);
}

static void tags_lay(const struct mat_plan *plan, const struct division *division, struct mat *mat)
{
    double edge = INSET_MM + TAG_WHITE * division->tag_mm / 2.0;
    double right = plan->size_mm[0] - edge, low = plan->size_mm[1] - edge;
    const double place[MAT_PLAN_TAGS][2] = {{edge, edge},
                                            {right, edge},
                                            {right, low},
                                            {edge, low},
                                            {edge, plan->size_mm[1] / 2.0},
                                            {right, plan->size_mm[1] / 2.0}};

    mat->tags = MAT_PLAN_TAGS;
    for (int i = 0; i < MAT_PLAN_TAGS; i++) {
        mat->tag[i] = (struct mat_tag){plan->tag_first + i,
                                       TAG_FAMILY_36H11,
                                       {place[i][0], place[i][1]},
                                       division->tag_mm,
                                       TAG_TURN_DEG};
    }
}

/* `count` seats side by side; numbers go on from left to right when `rising`, else back: around the
 * table clockwise. */
static void seats_lay(const struct mat_plan *plan, const struct division *division, int count,
                      double top_mm, double depth_mm, bool far, struct mat *mat)
{
    double room = plan->size_mm[0] - 2.0 * division->edge_mm;
    double width = down_to_step((room - (count - 1) * SEAT_GAP_MM) / count);

    for (int i = 0; i < count; i++) {
        struct mat_seat *seat = &mat->seat[mat->seats++];
        int place = far ? i : count - 1 - i;
        *seat = (struct mat_seat){
            .seat = mat->seats,
            .rect_mm = {division->edge_mm + place * (width + SEAT_GAP_MM), top_mm, width, depth_mm},
            .up = {0.0, far ? 1.0 : -1.0}};
    }
}

static void slots_lay(const struct mat_plan *plan, const struct division *division, double top_mm,
                      struct mat *mat)
{
    double side = division->slot_mm, room = plan->size_mm[0] - 2.0 * division->edge_mm;
    double gap = plan->slots > 1 ? (room - plan->slots * side) / (plan->slots - 1) : 0.0;

    gap = down_to_step(gap < SLOT_GAP_MAX_MM ? gap : SLOT_GAP_MAX_MM);
    double left =
        down_to_step((plan->size_mm[0] - plan->slots * side - (plan->slots - 1) * gap) / 2.0);
    for (int i = 0; i < plan->slots; i++) {
        mat->slot[i] = (struct mat_slot){i + 1, {left + i * (side + gap), top_mm, side, side}};
    }
    mat->slots = plan->slots;
    /* the middle one, on the kit's mats of five the third */
    mat->quick_play_slot = plan->slots > 0 ? (plan->slots + 1) / 2 : 0;
}

static void rows_lay(const struct mat_plan *plan, const struct division *division, struct mat *mat)
{
    int rows = division->top > 0 ? 2 : 1;
    double height = plan->size_mm[1], spare = height - division->least_mm[1];
    /* Blocks at a seat's edge lean over a card in the picture: farther off where there is room. */
    double gap = down_to_step(fmin(ROW_GAP_MM + spare / 4.0, ROW_GAP_MAX_MM));
    double middle = plan->slots > 0 ? division->slot_mm + rows * gap : (rows - 1) * SEAT_GAP_MM;
    double depth = down_to_step((height - 2.0 * STRIP_MM - middle) / rows);
    double low = height - STRIP_MM - depth;

    if (division->top > 0) {
        seats_lay(plan, division, division->top, STRIP_MM, depth, true, mat);
    }
    seats_lay(plan, division, division->bottom, low, depth, false, mat);
    slots_lay(plan, division,
              division->top > 0 ? (height - division->slot_mm) / 2.0
                                : low - gap - division->slot_mm,
              mat);
}

static int plan_check(const struct mat_plan *plan, struct calib_fault *fault)
{
    if (plan->seats < 1 || plan->seats > MAT_SEATS_MAX || plan->slots < 0 ||
        plan->slots > MAT_SLOTS_MAX) {
        return calib_fault_set(fault, plan->name, 0, CALIB_E_VALUE,
                               "1 to %d seats and up to %d card slots are possible", MAT_SEATS_MAX,
                               MAT_SLOTS_MAX);
    }
    if (plan->tag_first < 0 || plan->tag_first > TAG_LAST - MAT_PLAN_TAGS + 1) {
        return calib_fault_set(fault, plan->name, 0, CALIB_E_VALUE,
                               "tags have ids from 0 to %d, and %d in a row are needed", TAG_LAST,
                               MAT_PLAN_TAGS);
    }
    if (!(plan->block_mm >= 5.0 && plan->block_mm <= 200.0) ||
        !(plan->card_mm >= 10.0 && plan->card_mm <= 400.0) ||
        !(plan->size_mm[0] >= 50.0 && plan->size_mm[0] <= JSON_SIZE_MAX_MM) ||
        !(plan->size_mm[1] >= 50.0 && plan->size_mm[1] <= JSON_SIZE_MAX_MM)) {
        return calib_fault_set(fault, plan->name, 0, CALIB_E_VALUE,
                               "blocks of 5 to 200 mm, cards of 10 to 400 mm and sheets of 50 to "
                               "%g mm are possible",
                               JSON_SIZE_MAX_MM);
    }
    return CALIB_OK;
}

int calib_mat_plan(const struct mat_plan *plan, struct mat *out, struct calib_fault *fault)
{
    struct division division;
    int error = plan_check(plan, fault);

    memset(out, 0, sizeof *out);
    if (error) {
        return error;
    }
    if (!division_find(plan, &division)) {
        return calib_fault_set(
            fault, plan->name, 0, CALIB_E_GEOMETRY,
            "seats for %d (blocks of %g mm) and slots for %d cards (of %g mm) need "
            "a sheet of %.0f x %.0f mm, this one has %g x %g: take a larger one, "
            "fewer seats or slots, or smaller blocks or cards",
            plan->seats, plan->block_mm, plan->slots, plan->card_mm, ceil(division.least_mm[0]),
            ceil(division.least_mm[1]), plan->size_mm[0], plan->size_mm[1]);
    }
    (void)snprintf(out->name, sizeof out->name, "%s", plan->name);
    memcpy(out->size_mm, plan->size_mm, sizeof out->size_mm);
    tags_lay(plan, &division, out);
    rows_lay(plan, &division, out);
    return CALIB_OK;
}

/* ---- the camera ---- */

/* How wide the view is at the mat, so that the whole sheet is in a picture of that shape. */
static double view_width(const struct mat *mat, double aspect)
{
    return VIEW_MARGIN * larger(mat->size_mm[0], mat->size_mm[1] * aspect);
}

static struct mat_camera camera_make(const struct mat *mat, double block_mm, double view_deg,
                                     int width_px, int height_px)
{
    double width = view_width(mat, (double)width_px / height_px);

    return (struct mat_camera){.width_px = width_px,
                               .height_px = height_px,
                               .height_mm = width / 2.0 / tan(view_deg * M_PI / 360.0),
                               .cell_px = width_px / width * block_mm};
}

int calib_mat_cameras(const struct mat *mat, double block_mm, double view_deg,
                      struct mat_camera out[MAT_CAMERAS_MAX])
{
    static const int usual[][2] = {{640, 480},   {1280, 720},  {1280, 960}, {1920, 1080},
                                   {2560, 1440}, {2592, 1944}, {3840, 2160}};
    int count = 0;

    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        out[count] = camera_make(mat, block_mm, view_deg, usual[i][0], usual[i][1]);
        count += out[count].cell_px >= MAT_PLAN_CELL_PX;
    }
    if (count == 0) {
        double width = view_width(mat, 16.0 / 9.0);
        int height_px = (int)ceil(MAT_PLAN_CELL_PX / block_mm * width * 9.0 / 16.0);
        out[0] = camera_make(mat, block_mm, view_deg, (height_px * 16 + 8) / 9, height_px);
    }
    return count;
}

/* ---- as text ---- */

/* Numbers of half millimetres, whole ones without a point. */
static json_t *number_json(double value)
{
    return fabs(value - rint(value)) < 1e-9 ? json_integer((json_int_t)rint(value))
                                            : json_real(value);
}

static json_t *numbers_json(const double *value, int count)
{
    json_t *array = json_array();

    for (int i = 0; i < count && array; i++) {
        if (json_array_append_new(array, number_json(value[i])) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

static bool places_json(const struct mat *mat, json_t *tags, json_t *seats, json_t *slots)
{
    bool well = true;

    for (int i = 0; i < mat->tags; i++) {
        const struct mat_tag *tag = &mat->tag[i];
        json_t *one = json_pack("{s:i, s:s, s:o, s:o, s:o}", "id", tag->id, "family", "tag36h11",
                                "center_mm", numbers_json(tag->center_mm, 2), "size_mm",
                                number_json(tag->size_mm), "turn_deg", number_json(tag->turn_deg));
        well = json_array_append_new(tags, one) == 0 && well;
    }
    for (int i = 0; i < mat->seats; i++) {
        const struct mat_seat *seat = &mat->seat[i];
        json_t *one = json_pack("{s:i, s:o, s:o}", "seat", seat->seat, "rect_mm",
                                numbers_json(seat->rect_mm, 4), "up", numbers_json(seat->up, 2));
        well = json_array_append_new(seats, one) == 0 && well;
    }
    for (int i = 0; i < mat->slots; i++) {
        json_t *one = json_pack("{s:i, s:o}", "slot", mat->slot[i].slot, "rect_mm",
                                numbers_json(mat->slot[i].rect_mm, 4));
        well = json_array_append_new(slots, one) == 0 && well;
    }
    return well;
}

char *calib_mat_text(const struct mat *mat, const char *note, size_t *length)
{
    json_t *tags = json_array(), *seats = json_array(), *slots = json_array();
    json_t *root =
        json_pack("{s:s, s:s, s:s*, s:o, s:o, s:o, s:o}", "format", "tableref-mat/1", "name",
                  mat->name, "note", note, "size_mm", numbers_json(mat->size_mm, 2), "tags", tags,
                  "seats", seats, "card_slots", slots);
    bool well = root && places_json(mat, tags, seats, slots);
    char *out = NULL;

    if (well && mat->slots > 0) {
        well =
            json_object_set_new(root, "quick_play_slot", json_integer(mat->quick_play_slot)) == 0;
    }
    if (well) {
        out = json_dumps(root, JSON_INDENT(1) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(7));
    }
    json_decref(root);
    *length = out ? strlen(out) : 0;
    return out;
}
