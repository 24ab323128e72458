/* pubsub/loop_terminal.c: the board in a terminal. */
#include "pubsub/loop_terminal.h"

#include "pubsub/loop_buttons.h"
#include "pubsub/loop_terminal_ncurses.h"
#include "referee/cmd_common.h"
#include "referee/cmd_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S 1000000000
#define NS_PER_MS 1000000
/* While a clock runs its digits change on time; else only what is heard changes anything. */
#define TICK_MS 100
#define IDLE_MS 500
/* For how long what became of a key stands at the foot. */
#define TOLD_S 4
#define REDRAW_KEY 12 /* control-L, as everywhere */

/* What became of a key. */
struct told {
    char text[256];
    enum screen_paint paint;
    int64_t until_ns;
};

struct terminal {
    const struct terminal_service *asked;
    const volatile bool *stop;
    struct wire *wire;
    struct follow *follow;
    struct display *display;
    struct screen *screen;
    struct claims *claims;
    struct told told;
    char fault[256]; /* said when the terminal is as it was */
    bool ascii, quiet, ending, anew;
    int status;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static void fail(struct terminal *terminal, const char *text)
{
    snprintf(terminal->fault, sizeof terminal->fault, "%s", text);
    terminal->status = CMD_UNUSABLE;
    terminal->ending = true;
}

/* ---- what is heard ---- */

static void message_take(void *context, const struct message_head *head, const json_t *body,
                         bool late)
{
    struct terminal *terminal = context;

    pubsub_display_message(terminal->display, head, body, late, now_ns());
}

static void note_take(void *context, enum follow_note note, const char *text)
{
    static const enum display_link links[] = {
        [FOLLOW_JOINED] = DISPLAY_LINK_WELL, [FOLLOW_GAP] = DISPLAY_LINK_WELL,
        [FOLLOW_STALE] = DISPLAY_LINK_STALE, [FOLLOW_BACK] = DISPLAY_LINK_WELL,
        [FOLLOW_TWO] = DISPLAY_LINK_TWO,     [FOLLOW_KEY] = DISPLAY_LINK_KEY,
    };
    struct terminal *terminal = context;

    /* A gap is healed before anybody could read of it. */
    if (note != FOLLOW_GAP)
        pubsub_display_link(terminal->display, links[note], text, now_ns());
}

/* ---- what is shown ---- */

static bool screen_fit(struct terminal *terminal)
{
    int rows, cols;

    loop_ncurses_size(&rows, &cols);
    rows = rows < 1 ? 1 : rows > SCREEN_ROWS_MAX ? SCREEN_ROWS_MAX : rows;
    cols = cols < 1 ? 1 : cols > SCREEN_COLS_MAX ? SCREEN_COLS_MAX : cols;
    if (terminal->screen && terminal->screen->rows == rows && terminal->screen->cols == cols)
        return true;
    pubsub_screen_destroy(&terminal->screen);
    terminal->screen = pubsub_screen_create(rows, cols, terminal->ascii);
    terminal->anew = true;
    if (!terminal->screen)
        fail(terminal, "out of memory");
    return terminal->screen != NULL;
}

static void show(struct terminal *terminal)
{
    bool told = now_ns() < terminal->told.until_ns;
    struct display_foot foot = {.paint = told ? terminal->told.paint : PAINT_QUIET};

    if (!screen_fit(terminal))
        return;
    foot.text =
        cmd_text(terminal->quiet ? N_("q: quit   m: bell on") : N_("q: quit   m: bell off"));
    if (told)
        foot.text = terminal->told.text;
    pubsub_display_draw(terminal->display, &foot, now_ns(), terminal->screen);
    loop_ncurses_show(terminal->screen, terminal->anew);
    terminal->anew = false;
    if (pubsub_display_cue(terminal->display, now_ns()) != DISPLAY_CUE_NONE && !terminal->quiet)
        loop_ncurses_bell();
}

/* ---- keys ---- */

static void say(struct terminal *terminal, enum screen_paint paint, const char *text)
{
    terminal->told =
        (struct told){.paint = paint, .until_ns = now_ns() + TOLD_S * (int64_t)NS_PER_S};
    snprintf(terminal->told.text, sizeof terminal->told.text, "%s", text);
}

/* True: the key was one that claims. */
static bool claim_take(struct terminal *terminal, int key, int64_t at_ns)
{
    const char *keys = terminal->asked->claim_keys;
    const char *found = keys && key > 0 && key < 0x7F ? strchr(keys, key) : NULL;
    int seat = found ? pubsub_display_seat(terminal->display, (int)(found - keys)) : 0;
    const struct claims_press press = {
        .seat = seat, .at_ns = at_ns, .error_ns = loop_buttons_key_error_ns(), .by = "keyboard"};

    if (seat)
        loop_claims_press(terminal->claims, &press);
    return found;
}

/* What became of claims. */
static void claims_told(struct terminal *terminal)
{
    struct claims_told told;
    char text[256];

    while (terminal->claims && loop_claims_told(terminal->claims, &told)) {
        if (told.well)
            snprintf(text, sizeof text, cmd_text("Seat %d: claimed, to %d ms"), told.seat,
                     (int)(told.error_ns / NS_PER_MS));
        else
            snprintf(text, sizeof text, cmd_text("Seat %d: the claim does not count: %s"),
                     told.seat, told.text);
        say(terminal, told.well ? PAINT_GOOD : PAINT_UNSURE, text);
    }
}

static void keys_take(struct terminal *terminal)
{
    int64_t at_ns = now_ns();
    int key;

    while ((key = loop_ncurses_key()) != LOOP_KEY_NONE) {
        if (claim_take(terminal, key, at_ns))
            continue;
        if (key == LOOP_KEY_END || key == 'q' || key == 'Q') {
            terminal->ending = true;
            return;
        }
        if (key == 'm' || key == 'M')
            terminal->quiet = !terminal->quiet;
        else if (key == REDRAW_KEY || key == LOOP_KEY_SIZE)
            terminal->anew = true;
    }
}

/* ---- the process ---- */

static bool follow_begin(struct terminal *terminal)
{
    const struct follow_sink sink = {message_take, note_take, terminal};
    struct follow_options options = terminal->asked->follow;
    struct wire_fault fault = {.text = ""};

    options.kinds = (1u << MESSAGE_KINDS) - 1;
    terminal->display = pubsub_display_create(&terminal->asked->kit);
    terminal->wire = pubsub_wire_create();
    if (!terminal->display || !terminal->wire) {
        fail(terminal, "out of memory");
        return false;
    }
    if (pubsub_follow_open(terminal->wire, &options, &sink, &terminal->follow, &fault) == PUBSUB_OK)
        return true;
    fail(terminal, fault.text);
    return false;
}

static void turn(struct terminal *terminal)
{
    const int input = STDIN_FILENO;
    int wait_ms = pubsub_display_runs(terminal->display) ? TICK_MS : IDLE_MS;

    if (pubsub_follow_turn(terminal->follow, &input, 1, wait_ms) < 0)
        fail(terminal, N_("the wire failed"));
    keys_take(terminal);
    claims_told(terminal);
    if (!terminal->ending)
        show(terminal);
}

int loop_terminal_run(const struct terminal_service *asked, const volatile bool *stop)
{
    struct terminal terminal = {
        .asked = asked, .stop = stop, .quiet = asked->quiet, .status = CMD_DONE};

    if (!follow_begin(&terminal) ||
        (asked->claim_keys && !loop_claims_open(&asked->claims, &terminal.claims)) ||
        !loop_ncurses_open(&asked->kit, &terminal.ascii)) {
        terminal.status = CMD_UNUSABLE;
    } else {
        show(&terminal);
        while (!terminal.ending && !*stop)
            turn(&terminal);
    }
    loop_ncurses_close();
    if (terminal.fault[0])
        cmd_error("scoreboard: %s", terminal.fault);
    loop_claims_close(&terminal.claims);
    pubsub_follow_close(&terminal.follow);
    pubsub_wire_destroy(&terminal.wire);
    pubsub_screen_destroy(&terminal.screen);
    pubsub_display_destroy(&terminal.display);
    return terminal.status;
}
