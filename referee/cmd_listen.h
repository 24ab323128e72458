/* referee/cmd_listen.h: where the scoreboard's pages are to be had. Program layer. */
#ifndef REFEREE_CMD_LISTEN_H
#define REFEREE_CMD_LISTEN_H

#include "referee/cmd_common.h"

/* Tries whether an address like 127.0.0.1:8080, [::1]:8080 or localhost:8080 can be listened at
 * now. False after saying why not. */
bool cmd_listen_check(const struct cmd_verb *verb, const char *address);

#endif
