/* pubsub/screen.h: a screen of character cells in memory: what a terminal is to show. No I/O.
 *
 * Texts come from anywhere, a player's name from a stranger: no control character, no escape
 * sequence and nothing that turns the direction of writing gets into a cell. What is not to be
 * shown is replaced by one visible sign each, so that two names never look alike for it.
 *
 * Widths are those of the C library (wcwidth), which are ncurses' too; LC_CTYPE must be one of
 * UTF-8 when anything is put. Terminals draw joined emoji, their variants and their skin tones each
 * at a width of its own, so the joiners and the variants are left out: the parts are shown, and no
 * line is out of step. Right-to-left writing stays in its own order, as terminals that know it
 * expect; a mark behind it keeps what follows in its column. */
#ifndef PUBSUB_SCREEN_H
#define PUBSUB_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define SCREEN_ROWS_MAX 300
#define SCREEN_COLS_MAX 600
/* A character with marks on it, and its 0: what ncurses takes into one cell. */
#define SCREEN_CELL_MAX 6
/* More marks than any language stacks up would be drawn over the lines above. */
#define SCREEN_MARKS_MAX 3

/* How a cell looks, beside its character. No look says what a character does not say. */
enum screen_paint {
    PAINT_PLAIN,
    PAINT_GOOD,
    PAINT_BAD,
    PAINT_UNSURE,
    PAINT_QUIET,
    PAINT_SYMBOL = 8, /* and on: a set's symbols, ink on field */
    PAINT_DISC = 20,  /* and on: a ramp's colours */
    PAINTS = 26
};

#define LOOK_BOLD 0x100u
#define LOOK_REVERSE 0x200u
/* A look: one of enum screen_paint, and these bits. */

struct screen_cell {
    wchar_t text[SCREEN_CELL_MAX]; /* closed by a 0; empty: the right half of the cell before */
    unsigned look;
};

struct screen {
    int rows, cols;
    bool ascii; /* only what every terminal has: all else is shown as ? */
    struct screen_cell *cell;
};

/* Blank. NULL without memory, or when the size is none (1 to .._MAX). */
struct screen *pubsub_screen_create(int rows, int cols, bool ascii);
void pubsub_screen_destroy(struct screen **screen);

/* Puts a text from that place on, over at most `most` columns: what does not fit is cut between
 * characters, with a sign that it was. The columns that were used. Places outside are passed over.
 */
int pubsub_screen_put(struct screen *screen, int row, int col, int most, unsigned look,
                      const char *text);
/* The same so that its last column is `end` - 1. */
int pubsub_screen_put_right(struct screen *screen, int row, int end, int most, unsigned look,
                            const char *text);

/* Fills places of a row with one character of one column. */
void pubsub_screen_fill(struct screen *screen, int row, int col, int cols, unsigned look,
                        wchar_t character);

/* How many columns a text takes. */
int pubsub_screen_width(const struct screen *screen, const char *text);

/* A row as text in UTF-8 without the blanks at its end, closed by a 0; cut where `size` ends. */
void pubsub_screen_line(const struct screen *screen, int row, char *out, size_t size);

#endif
