/* vision/layout_json.c: a layout as JSON. Field names and number formats are relied on from
 * outside: confidences with three decimals, millimetres, pixels and degrees with one. */
#include "vision/layout_json.h"

static void write_pair10(struct json_text *out, const char *key, const int32_t xy10[2])
{
    vision_json_open(out, key, '[');
    vision_json_fixed(out, NULL, xy10[0], 1);
    vision_json_fixed(out, NULL, xy10[1], 1);
    vision_json_close(out, ']');
}

static void write_label(struct json_text *out, const char *key, char label)
{
    const char text[2] = {label, 0};
    vision_json_string(out, key, label ? text : NULL);
}

static void write_place(struct json_text *out, const char *key, int place)
{
    if (place < 0)
        vision_json_null(out, key);
    else
        vision_json_int(out, key, place);
}

static void write_grid(struct json_text *out, const struct grid *grid)
{
    char text[GRID_TEXT_MAX];
    bool any = grid->rows > 0 && calib_grid_format(grid, text) > 0;
    vision_json_string(out, "grid", any ? text : NULL);
}

static void write_cell(struct json_text *out, const struct layout_cell *cell)
{
    vision_json_open(out, NULL, '{');
    write_place(out, "row", cell->row);
    write_place(out, "col", cell->col);
    write_label(out, "symbol", cell->symbol);
    vision_json_fixed(out, "confidence", cell->confidence, 3);
    write_label(out, "second", cell->second);
    write_pair10(out, "center_px", cell->center_px10);
    write_pair10(out, "center_mm", cell->center_mm10);
    vision_json_close(out, '}');
}

void vision_layout_seat_members(const struct layout_seat *seat, struct json_text *out)
{
    vision_json_int(out, "seat", seat->seat);
    vision_json_string(out, "state", vision_seat_state_name(seat->state));
    write_grid(out, &seat->grid);
    vision_json_fixed(out, "turned_deg", seat->turned_deg10, 1);
    vision_json_fixed(out, "confidence", seat->confidence, 3);
    vision_json_open(out, "cells", '[');
    for (int c = 0; c < seat->cells && c < LAYOUT_CELLS_MAX; c++)
        write_cell(out, &seat->cell[c]);
    vision_json_close(out, ']');
    vision_json_reasons(out, "reasons", seat->reasons);
}

void vision_layout_card_members(const struct layout_card *card, struct json_text *out)
{
    vision_json_int(out, "slot", card->slot);
    vision_json_string(out, "state", vision_slot_state_name(card->state));
    vision_json_string(out, "id", card->id[0] ? card->id : NULL);
    write_place(out, "level", card->level > 0 ? card->level : -1);
    write_grid(out, &card->grid);
    vision_json_int(out, "turn", card->turn_deg);
    vision_json_fixed(out, "confidence", card->confidence, 3);
    vision_json_reasons(out, "reasons", card->reasons);
}

static void write_seat(struct json_text *out, const struct layout_seat *seat)
{
    vision_json_open(out, NULL, '{');
    vision_layout_seat_members(seat, out);
    vision_json_close(out, '}');
}

static void write_card(struct json_text *out, const struct layout_card *card)
{
    vision_json_open(out, NULL, '{');
    vision_layout_card_members(card, out);
    vision_json_close(out, '}');
}

void vision_layout_json(const struct layout *layout, const char *image, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_string(out, "image", image);
    vision_json_bool(out, "ok", true);
    vision_json_reasons(out, "warnings", layout->warnings);
    vision_json_string(out, "mat", layout->mat);
    vision_json_bool(out, "mirrored", layout->mirrored);
    vision_json_open(out, "seats", '[');
    for (int s = 0; s < layout->seats && s < MAT_SEATS_MAX; s++)
        write_seat(out, &layout->seat[s]);
    vision_json_close(out, ']');
    vision_json_open(out, "cards", '[');
    for (int s = 0; s < layout->slots && s < MAT_SLOTS_MAX; s++)
        write_card(out, &layout->card[s]);
    vision_json_close(out, ']');
    vision_json_close(out, '}');
}

void vision_refusal_json(const char *image, enum reason reason, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_string(out, "image", image);
    vision_json_bool(out, "ok", false);
    vision_json_string(out, "reason", vision_reason_name(reason));
    vision_json_close(out, '}');
}
