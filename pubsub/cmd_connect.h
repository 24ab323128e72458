/* pubsub/cmd_connect.h: which table a display means: a run of this machine, or addresses. Program
 * layer. */
#ifndef PUBSUB_CMD_CONNECT_H
#define PUBSUB_CMD_CONNECT_H

#include <stdbool.h>

struct cmd_connect {
    const char *rundir;  /* NULL or "": the only run under way */
    const char *connect; /* "PUB,REQ" instead; NULL: none */
    const char *table;   /* NULL: whichever is heard there */
    char publish[256], requests[256];
    char folder[256]; /* the run's folder; "" with `connect` */
};

/* Whether what was given goes together; false after saying what is wrong: a wrong use. */
bool cmd_connect_fits(const char *verb, const struct cmd_connect *connect);

/* Finds the addresses. False after saying what is wrong. */
bool cmd_connect_find(const char *verb, struct cmd_connect *connect);

#endif
