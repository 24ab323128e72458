/* referee/cmd_match.h: the words of `tableref match` that have files of their own. Program layer.
 */
#ifndef REFEREE_CMD_MATCH_H
#define REFEREE_CMD_MATCH_H

#include "referee/cmd_common.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

struct cmd_match_word {
    const struct cmd_verb *verb;       /* its name is "match WORD" */
    int (*run)(int argc, char **argv); /* argv[0] is the word */
};

extern const struct cmd_match_word cmd_match_evidence, cmd_match_finish, cmd_match_list, cmd_match_close,
    cmd_match_delete, cmd_match_keep, cmd_match_import;

/* The number of an event, above 0. False after saying what is wrong. */
bool cmd_match_event(const struct cmd_verb *verb, const char *text, uint64_t *out);

/* A text of a person's that goes on record: one line of UTF-8, cut nowhere, so refused when it does
 * not fit. False after saying what is wrong. */
bool cmd_match_text(const struct cmd_verb *verb, const char *option, const char *text, char *out,
                    size_t size);

/* A match's folder, which may be named by its journal. False after saying what is wrong. */
bool cmd_match_folder(const char *match, char out[PATH_MAX]);

#endif
