/* How cards look: the parser of "tableref-cardstyle/1". */
#include "calib/deck.h"
#include "calib/json.h"

#include <stdlib.h>
#include <string.h>

#define PANEL_MIX_USUAL 0.28 /* as printed so far */

static int levels_read(const struct json_node *root, struct cardstyle *style)
{
    static const char *const known[] = {"border", NULL};
    static const char *const levels[] = {"1", "2", "3", "4", "5", NULL};
    struct json_node all, level;
    int error = calib_json_object(root, "levels", &all);

    if (error) {
        return error;
    }
    calib_json_known(&all, levels);
    for (int i = 1; i <= CARD_LEVELS; i++) {
        if ((error = calib_json_object(&all, levels[i - 1], &level)) ||
            (error = calib_json_colour(&level, "border", &style->border[i]))) {
            return error;
        }
        calib_json_known(&level, known);
    }
    return CALIB_OK;
}

static int ticks_read(const struct json_node *root, struct cardstyle *style)
{
    static const char *const known[] = {"width_mm", "pitch_mm", "inset_mm", "colour", NULL};
    struct json_node ticks;
    int error = calib_json_object(root, "ticks", &ticks);

    if (error) {
        return error;
    }
    calib_json_known(&ticks, known);
    if ((error = calib_json_size_mm(&ticks, "width_mm", &style->tick_width_mm)) ||
        (error = calib_json_size_mm(&ticks, "pitch_mm", &style->tick_pitch_mm)) ||
        (error =
             calib_json_number(&ticks, "inset_mm", 0.0, style->border_mm, &style->tick_inset_mm))) {
        return error;
    }
    return calib_json_colour(&ticks, "colour", &style->tick);
}

/* The panel is a share of the border's colour in white: a number, or words with "28 parts of
 * colour in 100" among them. */
static int panel_read(const struct json_node *root, struct cardstyle *style)
{
    struct json_node panel;

    style->panel_mix = PANEL_MIX_USUAL;
    if (!calib_json_maybe(root, "panel", &panel)) {
        return CALIB_OK;
    }
    if (json_is_number(panel.value)) {
        return calib_json_number(root, "panel", 0.0, 1.0, &style->panel_mix);
    }
    if (!json_is_string(panel.value)) {
        return calib_json_fault(&panel, CALIB_E_VALUE, "a number 0 to 1 or a text is wanted");
    }
    const char *text = json_string_value(panel.value);
    const char *parts = strstr(text, " parts of colour in 100");
    const char *digits = parts;
    while (digits && digits > text && digits[-1] >= '0' && digits[-1] <= '9') {
        digits--;
    }
    if (!parts || digits == parts || parts - digits > 3) {
        calib_json_warn(&panel, "no \"N parts of colour in 100\" in it; 28 taken");
        return CALIB_OK;
    }
    int mix = 0;
    for (; digits < parts; digits++) {
        mix = 10 * mix + (*digits - '0');
    }
    if (mix > 100) {
        return calib_json_fault(&panel, CALIB_E_VALUE, "%d parts of 100", mix);
    }
    style->panel_mix = mix / 100.0;
    return CALIB_OK;
}

static int back_read(const struct json_node *root, struct cardstyle *style)
{
    static const char *const known[] = {"field", NULL};
    struct json_node back;
    int error = calib_json_object(root, "back", &back);

    if (error) {
        return error;
    }
    calib_json_known(&back, known);
    return calib_json_colour(&back, "field", &style->back);
}

static int style_read(const struct json_node *root, struct cardstyle *style)
{
    static const char *const known[] = {"name",    "size_mm", "border_mm", "corner_mm",
                                        "cell_mm", "rim",     "ticks",     "levels",
                                        "panel",   "back",    NULL};
    int error = calib_json_format(root, "tableref-cardstyle/1");

    if (error) {
        return error;
    }
    calib_json_known(root, known);
    if ((error = calib_json_text(root, "name", sizeof style->name, style->name)) ||
        (error = calib_json_size_mm(root, "size_mm", &style->size_mm)) ||
        (error =
             calib_json_number(root, "border_mm", 0.0, style->size_mm / 2, &style->border_mm)) ||
        (error =
             calib_json_number(root, "corner_mm", 0.0, style->size_mm / 2, &style->corner_mm)) ||
        (error = calib_json_size_mm(root, "cell_mm", &style->cell_mm)) ||
        (error = calib_json_number(root, "rim", 0.0, RIM_MAX_CELLS, &style->rim))) {
        return error;
    }
    if (style->cell_mm > style->size_mm) {
        return calib_json_fault(root, CALIB_E_VALUE, "cell_mm %g is larger than the card, %g",
                                style->cell_mm, style->size_mm);
    }
    if ((error = ticks_read(root, style)) || (error = levels_read(root, style)) ||
        (error = panel_read(root, style))) {
        return error;
    }
    return back_read(root, style);
}

int calib_cardstyle_parse(const char *json, size_t length, const char *name,
                          const struct calib_sink *sink, struct cardstyle **out,
                          struct calib_fault *fault)
{
    struct json_doc doc;
    struct json_node root;
    struct cardstyle *style = NULL;
    int error;

    *out = NULL;
    if ((error = calib_json_open(&doc, json, length, name, sink, fault, &root))) {
        return error;
    }
    style = calloc(1, sizeof *style);
    error = style ? style_read(&root, style)
                  : calib_fault_set(fault, name, 0, CALIB_E_MEMORY, "out of memory");
    calib_json_close(&doc);
    if (error) {
        calib_cardstyle_destroy(&style);
        return error;
    }
    *out = style;
    return CALIB_OK;
}

void calib_cardstyle_destroy(struct cardstyle **style)
{
    if (style) {
        free(*style);
        *style = NULL;
    }
}
