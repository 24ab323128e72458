/* Looking up what is built in. No file is opened here: see load.c. */
#include "calib/kit.h"

#include <string.h>

const struct kit_file *calib_kit_find(const char *path)
{
    for (size_t i = 0; i < calib_kit_count; i++) {
        if (strcmp(calib_kit_files[i].name, path) == 0) {
            return &calib_kit_files[i];
        }
    }
    return NULL;
}

bool calib_kit_is_path(const char *name)
{
    size_t length = strlen(name);

    return strchr(name, '/') != NULL || (length >= 5 && strcmp(name + length - 5, ".json") == 0);
}
