/* referee/cmd_pages.c: what the verbs with pages of their own share. */
#include "referee/cmd_pages.h"

#include "pubsub/loop_scoreboard.h"
#include "referee/cmd_common.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool cmd_pages_rundir(const char *name, char out[PATH_MAX])
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    int length = snprintf(out, PATH_MAX, "%s/%s%ld",
                          runtime && runtime[0] == '/' ? runtime : "/tmp", name, (long)getpid());

    return length > 0 && length < PATH_MAX;
}

bool cmd_pages_tell(const char *rundir, const struct access_keys *keys)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, "%s/" SCOREBOARD_FILE, rundir) >= (int)sizeof path)
        return false;
    json_t *place = json_load_file(path, 0, NULL);
    if (!place)
        return false;
    const char *page = json_string_value(json_object_get(place, "operator"));
    if (page)
        cmd_error("operator's page at %s#%s", page, keys->operator_key);
    json_decref(place);
    return true;
}
