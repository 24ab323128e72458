/* referee/seat_json.c: layouts and cards from JSON. */
#include "referee/seat_json.h"

#include "referee/value_json.h"

#include <string.h>

enum { PERMILLE = 1000, NUMBER_MAX = 99 }; /* as calib's mats number seats and slots */

static const char *seat_word(int place)
{
    return vision_seat_state_name((enum seat_state)place);
}

static const char *slot_word(int place)
{
    return vision_slot_state_name((enum slot_state)place);
}

static int confidence_read(const struct json_node *object, int16_t *out)
{
    int64_t value = *out;
    int error = referee_json_fixed(object, "confidence", 3, 0, PERMILLE, &value);

    if (!error)
        *out = (int16_t)value;
    return error;
}

/* Two numbers with one decimal each. */
static int pair_read(const struct json_node *object, const char *key, int32_t out[2])
{
    struct json_node node;

    if (!referee_json_given(object, key, &node))
        return CALIB_OK;
    int count = calib_json_array(object, key, 2, 2, &node);
    int error = count < 0 ? count : CALIB_OK;
    for (int i = 0; i < count && !error; i++) {
        struct json_node item = calib_json_item(&node, (size_t)i);
        double value = json_is_number(item.value) ? json_number_value(item.value) * 10 : 1e12;
        if (!(value >= INT32_MIN && value <= INT32_MAX))
            return calib_json_fault(&item, CALIB_E_VALUE, "no number of a place");
        out[i] = (int32_t)(value < 0 ? value - 0.5 : value + 0.5);
    }
    return error;
}

static int cell_read(const struct json_node *list, int index, int16_t sure, struct layout_cell *out)
{
    static const char *const known[] = {"row",    "col",       "symbol",    "confidence",
                                        "second", "center_px", "center_mm", NULL};
    struct json_node item;
    int error = calib_json_item_object(list, (size_t)index, &item);

    out->row = out->col = -1;
    out->confidence = sure;
    if (error || (error = referee_json_only(&item, known)) ||
        (error = referee_json_small(&item, "row", 0, GRID_SIDE_MAX - 1, &out->row)) ||
        (error = referee_json_small(&item, "col", 0, GRID_SIDE_MAX - 1, &out->col)) ||
        (error = referee_json_label(&item, "symbol", &out->symbol)) ||
        (error = confidence_read(&item, &out->confidence)) ||
        (error = referee_json_label(&item, "second", &out->second)) ||
        (error = pair_read(&item, "center_px", out->center_px10)) ||
        (error = pair_read(&item, "center_mm", out->center_mm10)))
        return error;
    if ((out->row < 0) != (out->col < 0))
        return calib_json_fault(&item, CALIB_E_VALUE, "a row without a column, or the reverse");
    return CALIB_OK;
}

/* Member by member: events are compared as memory, and a copy may bring its own padding. */
static void cell_add(struct layout_seat *out, int row, int col)
{
    struct layout_cell *cell = &out->cell[out->cells++];

    cell->row = (int8_t)row;
    cell->col = (int8_t)col;
    cell->symbol = out->grid.cell[row][col];
    cell->confidence = out->confidence;
}

/* A hand-written layout tells its grid once: each cell is then as sure as the seat. */
static int cells_of_grid(const struct json_node *object, struct layout_seat *out)
{
    struct grid *grid = &out->grid;

    if (grid->rows > 0)
        calib_grid_trim(grid);
    if (calib_grid_count(grid) > LAYOUT_CELLS_MAX)
        return calib_json_fault(object, CALIB_E_SIZE, "a grid of more than %d cells",
                                LAYOUT_CELLS_MAX);
    for (int row = 0; row < grid->rows; row++)
        for (int col = 0; col < grid->cols; col++)
            if (grid->cell[row][col] != GRID_HOLE)
                cell_add(out, row, col);
    return CALIB_OK;
}

static int cells_read(const struct json_node *object, struct layout_seat *out)
{
    struct json_node list;

    if (!referee_json_given(object, "cells", &list))
        return cells_of_grid(object, out);
    int count = calib_json_array(object, "cells", 0, LAYOUT_CELLS_MAX, &list);
    int error = count < 0 ? count : CALIB_OK;
    for (int i = 0; i < count && !error; i++)
        error = cell_read(&list, i, out->confidence, &out->cell[i]);
    out->cells = error ? 0 : (int8_t)count;
    return error;
}

int referee_seat_read(const struct json_node *object, struct layout_seat *out)
{
    static const struct word_list states = {SEAT_UNREADABLE + 1, seat_word};
    int64_t turned_deg10 = 0;
    int seat = 0, state = 0, error;

    out->confidence = PERMILLE;
    if ((error = calib_json_integer(object, "seat", 1, NUMBER_MAX, &seat)) ||
        (error = referee_json_word(object, "state", &states, &state)) ||
        (error = referee_json_grid(object, "grid", &out->grid)) ||
        (error = referee_json_fixed(object, "turned_deg", 1, -449, 450, &turned_deg10)) ||
        (error = confidence_read(object, &out->confidence)))
        return error;
    out->seat = (int8_t)seat;
    out->state = (enum seat_state)state;
    out->turned_deg10 = (int16_t)turned_deg10;
    if (out->state == SEAT_COMPLETE && out->grid.rows == 0)
        return calib_json_fault(object, CALIB_E_VALUE, "a complete layout has a \"grid\"");
    error = cells_read(object, out);
    return error ? error : referee_json_reasons(object, "reasons", &out->reasons);
}

static int turn_read(const struct json_node *object, int16_t *out)
{
    struct json_node node;
    int64_t turn_deg = 0;
    int error = referee_json_whole(object, "turn", 0, 270, &turn_deg);

    if (!error && turn_deg % 90 != 0) {
        (void)calib_json_maybe(object, "turn", &node);
        error = calib_json_fault(&node, CALIB_E_VALUE, "0, 90, 180 or 270 is wanted");
    }
    *out = (int16_t)turn_deg;
    return error;
}

int referee_slot_read(const struct json_node *object, struct layout_card *out)
{
    static const struct word_list states = {SLOT_UNREADABLE + 1, slot_word};
    int slot = 0, state = 0, error;

    out->confidence = PERMILLE;
    if ((error = calib_json_integer(object, "slot", 1, NUMBER_MAX, &slot)) ||
        (error = referee_json_word(object, "state", &states, &state)) ||
        (error = referee_json_text(object, "id", sizeof out->id, out->id)) ||
        (error = referee_json_small(object, "level", 1, CARD_LEVELS, &out->level)) ||
        (error = referee_json_grid(object, "grid", &out->grid)) ||
        (error = turn_read(object, &out->turn_deg)) ||
        (error = confidence_read(object, &out->confidence)))
        return error;
    out->slot = (int8_t)slot;
    out->state = (enum slot_state)state;
    return referee_json_reasons(object, "reasons", &out->reasons);
}
