/* Messages of any form, as a display hears and draws them: lines of JSON, each behind a letter for
 * its kind (v, o, s, l, h). Nothing that comes gets to a terminal as a control character. */
#include "pubsub/display.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char letters[] = "voslh";

static void line_take(struct display *display, const char *line, size_t length, int64_t now_ns)
{
    struct message_head head = {.table = "4", .match = "final", .epoch = 1};
    const char *kind = length > 0 ? memchr(letters, line[0], sizeof letters - 1) : NULL;
    json_t *body = kind ? json_loadb(line + 1, length - 1, 0, NULL) : NULL;

    if (!body)
        return;
    head.kind = (enum message_kind)(kind - letters);
    pubsub_display_message(display, &head, body, false, now_ns);
    json_decref(body);
}

static void draw(const struct display *display, int rows, int cols, bool ascii)
{
    const struct display_foot foot = {.text = "q: quit", .paint = PAINT_QUIET};
    struct screen *screen = pubsub_screen_create(rows, cols, ascii);

    if (!screen)
        return;
    pubsub_display_draw(display, &foot, 9000000000, screen);
    for (int i = 0; i < rows * cols; i++)
        for (const wchar_t *c = screen->cell[i].text; *c; c++)
            if (*c < 0x20 || (*c >= 0x7F && *c < 0xA0))
                abort();
    pubsub_screen_destroy(&screen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct blockset *set;
    static struct mat *mat;
    static struct ramp *ramp;

    if (!set) {
        setlocale(LC_CTYPE, "C.UTF-8");
        if (calib_blockset_load("match-madness", NULL, &set, NULL) != 0 ||
            calib_mat_load("a1-four", NULL, &mat, NULL) != 0 ||
            calib_ramp_load("make5", NULL, &ramp, NULL) != 0)
            abort();
    }
    const struct display_kit kit = {.set = set, .mat = mat, .ramp = ramp};
    struct display *display = pubsub_display_create(&kit);
    const char *line = (const char *)data, *end = line + size;
    int64_t now_ns = 1000000000;

    pubsub_display_link(display, DISPLAY_LINK_WELL, NULL, now_ns);
    while (line < end) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t length = newline ? (size_t)(newline - line) : (size_t)(end - line);
        line_take(display, line, length, now_ns);
        (void)pubsub_display_cue(display, now_ns += 700000000);
        line += length + 1;
    }
    draw(display, 12, 40, false);
    draw(display, 24, 80, true);
    /* Large screens draw symbols in their shapes: one in some, for they take their time. */
    if (size % 8 == 0)
        draw(display, 60, 200, false);
    pubsub_display_destroy(&display);
    return 0;
}
