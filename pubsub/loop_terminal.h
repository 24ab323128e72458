/* pubsub/loop_terminal.h: the board in a terminal: follows a table and shows it by ncurses. Program
 * layer.
 *
 * The terminal is left as it was on every way out: at the end, on a signal, and when the program
 * itself fails. Nothing that was heard gets to the terminal but through pubsub/screen.h. */
#ifndef PUBSUB_LOOP_TERMINAL_H
#define PUBSUB_LOOP_TERMINAL_H

#include "pubsub/display.h"
#include "pubsub/follow.h"
#include "pubsub/loop_claims.h"

struct terminal_service {
    struct follow_options follow; /* without kinds */
    struct display_kit kit;
    bool quiet; /* no bell at first */
    /* Keys that claim, for the first player, the second ..; NULL: none does. */
    const char *claim_keys;
    struct claims_options claims; /* with claim_keys */
};

/* Runs until *stop becomes true or a person says q. An exit status; what goes wrong is said on
 * stderr, once, when the terminal is as it was. */
int loop_terminal_run(const struct terminal_service *asked, const volatile bool *stop);

#endif
