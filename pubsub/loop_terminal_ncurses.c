/* pubsub/loop_terminal_ncurses.c: a screen of characters on a real terminal. */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include "pubsub/loop_terminal_ncurses.h"

#include "referee/cmd_common.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

/* A key that begins like an escape sequence is known as itself after this. */
#define ESCAPE_MS 25
#define RESTORE_MAX 256

/* What a failing program needs to give the terminal back: nothing of it may be looked up then. */
static struct {
    bool taken;
    struct termios before;
    char words[RESTORE_MAX];
    size_t length;
} restore;

static SCREEN *terminal;
static struct screen_cell *shown; /* what stands on it */
static int shown_rows, shown_cols;

/* ---- giving it back ---- */

static void restore_add(const char *name)
{
    char word[32];

    snprintf(word, sizeof word, "%s", name);
    const char *text = tigetstr(word);
    if (!text)
        return;
    size_t length = strlen(text);
    if (restore.length + length > sizeof restore.words)
        return;
    memcpy(restore.words + restore.length, text, length);
    restore.length += length;
}

/* Only calls that a handler may make. */
static void failed(int number)
{
    if (restore.taken) {
        ssize_t written = write(STDOUT_FILENO, restore.words, restore.length);
        (void)written;
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &restore.before);
    }
    (void)raise(number); /* SA_RESETHAND: now it ends us */
}

static void failures_catch(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGHUP};
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = failed;
    action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaction(numbers[i], &action, NULL);
}

void loop_ncurses_close(void)
{
    if (!terminal)
        return;
    endwin();
    delscreen(terminal);
    terminal = NULL;
    restore.taken = false;
    free(shown);
    shown = NULL;
    shown_rows = shown_cols = 0;
}

/* ---- taking it over ---- */

/* Of a locale that is not of UTF-8 only its ASCII is used; widths are still asked of one that is.
 */
static void locale_begin(bool *ascii)
{
    setlocale(LC_CTYPE, "");
    *ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    if (*ascii)
        setlocale(LC_CTYPE, "C.UTF-8");
}

/* What a terminal must be able to do is to write at a place. */
static bool terminal_fits(void)
{
    const char *name = getenv("TERM");
    char place[] = "cup";
    int found = 0;

    if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)) {
        cmd_error("scoreboard: --terminal needs a terminal; tableref watch --text prints lines");
        return false;
    }
    if (!name || !name[0] || setupterm(NULL, STDOUT_FILENO, &found) != OK || found != 1) {
        cmd_error("scoreboard: TERM=%s: no terminal that is known here; set TERM, or use tableref "
                  "watch --text",
                  name ? name : "");
        return false;
    }
    const char *move = tigetstr(place);
    if (!move) {
        cmd_error("scoreboard: TERM=%s: this terminal cannot write at a place; tableref watch "
                  "--text prints lines",
                  name);
        return false;
    }
    return true;
}

/* The nearest of the terminal's colours: of 256 those of the cube, of 8 by their bits. */
static short colour_near(struct rgb8 colour)
{
    int r = colour.r, g = colour.g, b = colour.b;

    if (COLORS >= 256)
        return (short)(16 + 36 * ((r * 5 + 127) / 255) + 6 * ((g * 5 + 127) / 255) +
                       (b * 5 + 127) / 255);
    return (short)((r > 127) + 2 * (g > 127) + 4 * (b > 127));
}

static void colours_begin(const struct display_kit *kit)
{
    if (!has_colors() || start_color() != OK || COLORS < 8)
        return;
    use_default_colors();
    init_pair(PAINT_GOOD, COLOR_GREEN, -1);
    init_pair(PAINT_BAD, COLOR_RED, -1);
    init_pair(PAINT_UNSURE, COLOR_YELLOW, -1);
    for (int i = 0; kit->set && i < kit->set->symbols; i++)
        init_pair((short)(PAINT_SYMBOL + i), colour_near(kit->set->symbol[i].ink),
                  colour_near(kit->set->symbol[i].field));
    for (int i = 0; kit->ramp && i < kit->ramp->colours && i < PAINTS - PAINT_DISC; i++) {
        struct rgb8 disc = kit->ramp->colour[i].rgb;
        bool light = disc.r + disc.g + disc.b > 3 * 127;
        init_pair((short)(PAINT_DISC + i), light ? COLOR_BLACK : COLOR_WHITE, colour_near(disc));
    }
}

bool loop_ncurses_open(const struct display_kit *kit, bool *ascii)
{
    locale_begin(ascii);
    if (!terminal_fits())
        return false;
    if (tcgetattr(STDIN_FILENO, &restore.before) != 0) {
        cmd_error("scoreboard: the terminal: %s", strerror(errno));
        return false;
    }
    restore_add("sgr0");
    restore_add("cnorm");
    restore_add("rmcup");
    terminal = newterm(NULL, stdout, stdin);
    if (!terminal) {
        cmd_error("scoreboard: TERM=%s: this terminal cannot be used", getenv("TERM"));
        return false;
    }
    restore.taken = true;
    failures_catch();
    cbreak();
    noecho();
    nonl();
    nodelay(stdscr, TRUE);
    keypad(stdscr, TRUE);
    set_escdelay(ESCAPE_MS);
    curs_set(0);
    colours_begin(kit);
    return true;
}

/* ---- showing ---- */

void loop_ncurses_size(int *rows, int *cols)
{
    getmaxyx(stdscr, *rows, *cols);
}

static void cell_show(int row, int col, const struct screen_cell *cell)
{
    attr_t attributes = A_NORMAL;
    unsigned paint = cell->look & 0xFF;
    cchar_t character;

    if (cell->text[0] == 0)
        return;
    if (cell->look & LOOK_BOLD)
        attributes |= A_BOLD;
    if (cell->look & LOOK_REVERSE)
        attributes |= A_REVERSE;
    short pair = COLORS >= 8 && paint != PAINT_PLAIN && paint != PAINT_QUIET ? (short)paint : 0;
    if (setcchar(&character, cell->text, attributes, pair, NULL) == OK)
        mvadd_wch(row, col, &character);
}

/* The same size as what was shown before; else nothing of it is known. */
static bool shown_fit(const struct screen *screen)
{
    size_t cells = (size_t)screen->rows * (size_t)screen->cols;

    if (shown && shown_rows == screen->rows && shown_cols == screen->cols)
        return true;
    free(shown);
    shown = calloc(cells, sizeof *shown);
    shown_rows = screen->rows;
    shown_cols = screen->cols;
    return false;
}

void loop_ncurses_show(const struct screen *screen, bool anew)
{
    bool known = shown_fit(screen) && !anew;
    int rows, cols;

    getmaxyx(stdscr, rows, cols);
    if (anew)
        clear();
    for (int row = 0; row < screen->rows && row < rows; row++) {
        size_t at = (size_t)row * (size_t)screen->cols;
        size_t bytes = (size_t)screen->cols * sizeof *shown;
        if (known && shown && memcmp(shown + at, screen->cell + at, bytes) == 0)
            continue;
        for (int col = 0; col < screen->cols && col < cols; col++)
            cell_show(row, col, &screen->cell[at + (size_t)col]);
        if (shown)
            memcpy(shown + at, screen->cell + at, bytes);
    }
    refresh();
}

void loop_ncurses_bell(void)
{
    beep();
}

int loop_ncurses_key(void)
{
    struct termios now;
    wint_t character;
    int what = get_wch(&character);

    if (what == ERR)
        return tcgetattr(STDIN_FILENO, &now) == 0 ? LOOP_KEY_NONE : LOOP_KEY_END;
    if (what == KEY_CODE_YES)
        return character == KEY_RESIZE ? LOOP_KEY_SIZE : LOOP_KEY_OTHER;
    return character <= 0x10FFFF ? (int)character : LOOP_KEY_OTHER;
}
