/* pubsub/loop_terminal_ncurses.h: a screen of characters on a real terminal, by ncurses: the one
 * place that knows it. Program layer: a terminal is one, so is what stands here. */
#ifndef PUBSUB_LOOP_TERMINAL_NCURSES_H
#define PUBSUB_LOOP_TERMINAL_NCURSES_H

#include "pubsub/display.h"

/* Takes the terminal of standard input and output over. False after saying in one line why that is
 * not to be had. *ascii: it shows ASCII only, for its locale is not one of UTF-8. */
bool loop_ncurses_open(const struct display_kit *kit, bool *ascii);
/* Gives it back as it was. May be called at any time. */
void loop_ncurses_close(void);

/* How large it is now. */
void loop_ncurses_size(int *rows, int *cols);
/* Shows it; only what has changed is sent. With `anew` all of it is. */
void loop_ncurses_show(const struct screen *screen, bool anew);
void loop_ncurses_bell(void);

/* The next key that was pressed: a character; LOOP_KEY_NONE: none; LOOP_KEY_OTHER: one that is no
 * character; LOOP_KEY_SIZE: the terminal has another size; LOOP_KEY_END: it is gone. */
enum { LOOP_KEY_NONE = -1, LOOP_KEY_OTHER = -2, LOOP_KEY_SIZE = -3, LOOP_KEY_END = -4 };
int loop_ncurses_key(void);

#endif
