/* referee/cmd_pages.h: what the verbs with pages of their own share. Program layer. */
#ifndef REFEREE_CMD_PAGES_H
#define REFEREE_CMD_PAGES_H

#include "pubsub/access.h"

#include <limits.h>
#include <stdbool.h>

/* A folder for sockets when none was named: that name with the process's number, where the system
 * keeps such. A socket's path is short, so it does not lie in a match's folder. False when the path
 * is too long. */
bool cmd_pages_rundir(const char *name, char out[PATH_MAX]);

/* Says on stderr where the operator's page of that run is, with its key; nothing when that page is
 * not to be had without TLS. (The scoreboard says itself where its board is, but the key is ours to
 * tell.) False as long as the scoreboard has not come up. */
bool cmd_pages_tell(const char *rundir, const struct access_keys *keys);

#endif
