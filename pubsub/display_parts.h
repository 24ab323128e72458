/* pubsub/display_parts.h: what the files of the display share. For display*.c only. */
#ifndef PUBSUB_DISPLAY_PARTS_H
#define PUBSUB_DISPLAY_PARTS_H

#include "pubsub/display.h"

#define DISPLAY_TEXT_MAX 512

struct display_clock {
    bool known, runs, counts;
    int64_t at_ns; /* when the newest state came */
    int64_t t_ns, clock_ns, start_t_ns;
    int64_t speed_permille; /* of the match's time; other than 1000 in a replay */
};

struct display {
    struct display_kit kit;
    char table[MESSAGE_NAME_MAX], match[MESSAGE_NAME_MAX];
    int64_t epoch;
    json_t *state, *health;
    json_t *replay;                      /* the newest message's; NULL: a match that is played */
    json_t *seat[DISPLAY_SEATS];         /* layout messages' seats, by number - 1, with "settled" */
    json_t *decision[DISPLAY_DECISIONS]; /* in the order of their names */
    int decisions;
    json_t *withdrawn; /* the decision that was taken back last, until the next comes */
    struct display_clock clock;
    enum display_link link;
    char link_text[DISPLAY_TEXT_MAX];
    int64_t heard_ns;
    enum display_cue cue;
    int counted; /* the digit of the count that was told last */
};

/* A rectangle of the screen. */
struct box {
    int row, col, rows, cols;
};

/* ---- looking into JSON: what is not there is "", 0, false; numbers are of 2^53 at most ---- */

const char *pubsub_display_text(const json_t *object, const char *key);
int64_t pubsub_display_whole(const json_t *object, const char *key);
bool pubsub_display_is(const json_t *object, const char *key, const char *word);
/* Does a list of whole numbers hold it? */
bool pubsub_display_has(const json_t *list, int64_t number);

/* The match's time that has passed since the newest state. */
int64_t pubsub_display_passed_ns(const struct display_clock *clock, int64_t now_ns);

const json_t *pubsub_display_player(const struct display *display, int64_t seat);
/* What is known of a seat's layout: as the camera reads it, else what the referee settled on. */
const json_t *pubsub_display_reading(const struct display *display, const json_t *player);
/* The decision that is shown: the last that says something. NULL: none. */
const json_t *pubsub_display_ruling(const struct display *display);
/* The layout that it was made on, as a grid, where it is still known; else NULL. */
const char *pubsub_display_ruled_grid(const struct display *display, const json_t *ruling);

/* ---- display_grid.c: cards, layouts, ramps ---- */

/* Columns and rows of a cell. */
struct scale {
    int cols, rows;
};

/* The largest scale at which grids of `across` by `down` cells fit, the least if none does. */
struct scale pubsub_display_scale(int across, int down, int cols, int rows);

/* A grid ("x*#/x#*") from the box's corner on, at that scale, or a smaller one where that does not
 * fit; as letters where none does. `wrong` (may be NULL) lists [row, col]. */
void pubsub_display_grid(const struct display *display, struct screen *screen,
                         const struct box *box, struct scale scale, const char *grid,
                         const json_t *wrong);
/* A reading on the way, whose cells lie on no grid: each where the camera sees it, as its player
 * does. False: there is nothing to draw. */
bool pubsub_display_cells(const struct display *display, struct screen *screen,
                          const struct box *box, struct scale scale, const json_t *reading);
/* Columns and rows of a grid's cells. */
void pubsub_display_grid_size(const char *grid, int *across, int *down);
/* The ramp, its foot at the bottom, with points beside it. */
void pubsub_display_ramp(const struct display *display, struct screen *screen,
                         const struct box *box, const json_t *make5);
/* A figure in large digits, three columns and a space each, five rows high, from the corner on. */
void pubsub_display_digits(struct screen *screen, int row, int col, unsigned look, int64_t number);

/* ---- display_words.c: what is said, in the display's language ---- */

/* The message in that language. */
const char *pubsub_display_say(const struct display *display, const char *english);
/* What a word of the formats means there: why something was decided. */
const char *pubsub_display_because(const struct display *display, const char *word);
/* Fills "{name}: no match": pairs of a place's name and its text, ended by DISPLAY_END. */
#define DISPLAY_END ((const char *)NULL)
void pubsub_display_fill(char *out, size_t size, const char *format, ...) __attribute__((sentinel));
/* The one for a number with {n}: "1 card", "2 cards". */
void pubsub_display_count(const struct display *display, const char *one, const char *more,
                          int64_t n, char *out, size_t size);

/* Reasons, with "; " between. */
void pubsub_display_reasons(const struct display *display, const json_t *words, char *out,
                            size_t size);
const char *pubsub_display_game(const struct display *display);
const char *pubsub_display_phase(const struct display *display);
/* "1:15", with hours when there are any. */
void pubsub_display_time(int64_t ns, char *out, size_t size);
/* "Card 2 of 10". */
void pubsub_display_round(const struct display *display, char *out, size_t size);
/* How well the table is seen and kept; empty when all is well. */
void pubsub_display_health(const struct display *display, char *out, size_t size);
/* What is to be said of a player besides name and score: "Out for this card". */
void pubsub_display_marks(const struct display *display, const json_t *player, bool ascii,
                          char *out, size_t size);
/* What stands for a layout that cannot be drawn: "Covered". */
const char *pubsub_display_seat_state(const struct display *display, const json_t *reading);
/* What a pile's card is called, in so many columns. */
void pubsub_display_caption(const struct display *display, const json_t *pile, int cols, char *out,
                            size_t size);

/* ---- display_ruling.c: what was ruled ---- */

/* The line in large letters; and why, with what follows from it. */
void pubsub_display_head(const struct display *display, const json_t *decision, char *out,
                         size_t size);
void pubsub_display_why(const struct display *display, const json_t *decision, char *out,
                        size_t size);
/* Good, bad, unsure or plain; and the sign that says so without a colour. */
enum screen_paint pubsub_display_tone(const json_t *decision);
const char *pubsub_display_sign(enum screen_paint tone, bool ascii);

/* ---- display_final.c ---- */

void pubsub_display_final(const struct display *display, struct screen *screen,
                          const struct box *box);

#endif
