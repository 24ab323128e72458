/* vision/ramp_json.c: see ramp_json.h. */
#include "vision/ramp_json.h"

static void write_label(struct json_text *out, const char *key, char label)
{
    const char text[2] = {label, 0};
    vision_json_string(out, key, label ? text : NULL);
}

static void write_disc(struct json_text *out, const struct ramp_disc *disc)
{
    vision_json_open(out, NULL, '{');
    vision_json_int(out, "row", disc->row + 1);
    vision_json_int(out, "track", disc->track + 1);
    write_label(out, "colour", disc->colour);
    vision_json_fixed(out, "confidence", disc->confidence, 3);
    write_label(out, "second", disc->second);
    vision_json_open(out, "center_px", '[');
    vision_json_fixed(out, NULL, disc->center_px10[0], 1);
    vision_json_fixed(out, NULL, disc->center_px10[1], 1);
    vision_json_close(out, ']');
    vision_json_close(out, '}');
}

void vision_ramp_members(const struct ramp_layout *layout, struct json_text *out)
{
    vision_json_string(out, "state", vision_ramp_state_name(layout->state));
    vision_json_fixed(out, "confidence", layout->confidence, 3);
    vision_json_string(out, "seen", layout->seen == RAMP_SEEN_RIM ? "rim" : "face");
    vision_json_open(out, "rows_from_bottom", '[');
    for (int r = 0; r < layout->rows && r < RAMP_ROWS_MAX; r++) {
        char row[RAMP_TRACKS_MAX + 1] = {0};
        for (int t = 0; t < layout->tracks && t < RAMP_TRACKS_MAX; t++)
            row[t] = layout->place[r][t];
        vision_json_string(out, NULL, row);
    }
    vision_json_close(out, ']');
    vision_json_open(out, "discs", '[');
    for (int i = 0; i < layout->discs && i < RAMP_DISCS_MAX; i++)
        write_disc(out, &layout->disc[i]);
    vision_json_close(out, ']');
    vision_json_reasons(out, "reasons", layout->reasons);
}

void vision_ramp_json(const struct ramp_layout *layout, const char *image, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_string(out, "image", image);
    vision_json_bool(out, "ok", true);
    vision_json_string(out, "ramp", layout->ramp);
    vision_json_bool(out, "mirrored", layout->mirrored);
    vision_ramp_members(layout, out);
    vision_json_close(out, '}');
}
