/* referee/cmd_config.h: a verb's options from a file. Program layer.
 *
 * The file is one JSON object with "format": "tableref-table/1"; its other keys are the verb's long
 * options. Texts and numbers are an option's value, true stands for an option without one (false:
 * as if it were not there), an array for a list with commas, an object for an option that may be
 * given several times as NAME=VALUE:
 *   {"format":"tableref-table/1","camera":"/dev/video0","players":["Ada","Bo"],
 *    "claims":"called","option":{"tie":"share"}} */
#ifndef REFEREE_CMD_CONFIG_H
#define REFEREE_CMD_CONFIG_H

#include "referee/cmd_common.h"

#define CMD_CONFIG_OPTIONS_MAX 256

/* The file's options as arguments ("run", "--camera=/dev/video0", ..), and the line of the file that
 * each stands on. */
struct cmd_config {
    char *argument[CMD_CONFIG_OPTIONS_MAX + 1]; /* owned; NULL behind the last one */
    int line[CMD_CONFIG_OPTIONS_MAX];
    int count;
};

/* False after saying what is wrong, with file and line. The caller gives *out to cmd_config_free in
 * any case. */
bool cmd_config_read(const struct cmd_verb *verb, const char *path, struct cmd_config *out);
/* The same from bytes; prints nothing. A negative calib_error with `fault` filled. */
int cmd_config_parse(const struct cmd_verb *verb, const char *bytes, size_t length,
                     const char *name, struct cmd_config *out, struct calib_fault *fault);
void cmd_config_free(struct cmd_config *config);

#endif
