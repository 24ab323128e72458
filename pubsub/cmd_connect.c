/* pubsub/cmd_connect.c: which table a display means. */
#include "pubsub/cmd_connect.h"

#include "pubsub/message.h"
#include "pubsub/rundir.h"
#include "referee/cmd_common.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool given(const char *text)
{
    return text && text[0];
}

bool cmd_connect_fits(const char *verb, const struct cmd_connect *connect)
{
    if (given(connect->rundir) && connect->connect)
        cmd_error("%s: --rundir and --connect: one of them is enough", verb);
    else if (connect->table && !pubsub_message_table_fits(connect->table))
        cmd_error("%s: --table %s: 1 to 32 letters, digits, - and _ are needed", verb,
                  connect->table);
    else if (connect->connect && !strchr(connect->connect, ','))
        cmd_error("%s: --connect %s: two addresses with a comma between are needed", verb,
                  connect->connect);
    else
        return true;
    return false;
}

static bool addresses_split(const char *verb, struct cmd_connect *connect)
{
    const char *comma = strchr(connect->connect, ',');
    int publish = snprintf(connect->publish, sizeof connect->publish, "%.*s",
                           (int)(comma - connect->connect), connect->connect);
    int requests = snprintf(connect->requests, sizeof connect->requests, "%s", comma + 1);

    if (publish < (int)sizeof connect->publish && requests < (int)sizeof connect->requests)
        return true;
    cmd_error("%s: --connect: too long an address", verb);
    return false;
}

bool cmd_connect_find(const char *verb, struct cmd_connect *connect)
{
    struct wire_fault fault = {.text = ""};
    char found[RUNDIR_PATH_MAX + 1], path[PATH_MAX];
    const char *rundir = connect->rundir;

    if (connect->connect)
        return addresses_split(verb, connect);
    if (!given(rundir)) {
        if (pubsub_rundir_find(getenv("XDG_RUNTIME_DIR"), found, sizeof found, &fault) != 0) {
            cmd_error("%s: %s", verb, fault.text);
            return false;
        }
        rundir = found;
    }
    if (!realpath(rundir, path)) {
        cmd_error("%s: --rundir %s: %s", verb, rundir, strerror(errno));
        return false;
    }
    if (pubsub_rundir_look(path, &fault) != 0) {
        cmd_error("%s: %s", verb, fault.text);
        return false;
    }
    if (pubsub_rundir_address(path, "publish", connect->publish, sizeof connect->publish) == 0 &&
        pubsub_rundir_address(path, "requests", connect->requests, sizeof connect->requests) == 0 &&
        snprintf(connect->folder, sizeof connect->folder, "%s", path) < (int)sizeof connect->folder)
        return true;
    cmd_error("%s: --rundir %s: too long a path", verb, rundir);
    return false;
}
