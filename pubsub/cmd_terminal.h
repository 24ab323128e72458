/* pubsub/cmd_terminal.h: `tableref scoreboard --terminal`. Program layer. */
#ifndef PUBSUB_CMD_TERMINAL_H
#define PUBSUB_CMD_TERMINAL_H

#include "pubsub/cmd_connect.h"
#include "referee/cmd_common.h"

enum { CMD_KEY_TERMINAL = CMD_KEY_OWN, CMD_KEY_CONNECT, CMD_KEY_QUIET, CMD_KEY_ACCESS };

struct cmd_terminal {
    bool wanted, quiet;
    struct cmd_connect to;
    const char *claim_keys, *access; /* NULL: none */
    const char *keys;                /* this display's key; NULL: none */
    struct cmd_source source;
};

/* Takes one of those options; others are passed over. */
void cmd_terminal_take(struct cmd_terminal *terminal, int key, const char *value);

/* The display, until it is ended; an exit status. What is wrong was said. */
int cmd_terminal_show(const struct cmd_verb *verb, struct cmd_terminal *terminal);

#endif
