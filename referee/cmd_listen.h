/* referee/cmd_listen.h: where the scoreboard's pages are to be had. Program layer. */
#ifndef REFEREE_CMD_LISTEN_H
#define REFEREE_CMD_LISTEN_H

#include "referee/cmd_common.h"

#define CMD_LISTEN_MAX 128

/* Copies an address like 127.0.0.1:8080, [::1]:8080 or localhost:8080 after trying that it can be
 * listened at now. False after saying why not. */
bool cmd_listen_check(const struct cmd_verb *verb, const char *address, char out[CMD_LISTEN_MAX]);

/* The first free port from 8080 up on 127.0.0.1; false after saying that there is none: the match
 * goes on without pages. */
bool cmd_listen_default(char out[CMD_LISTEN_MAX]);

#endif
