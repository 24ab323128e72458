/* vision/cmd_verify_keep.h: files of outcomes: what --resume keeps and goes on from, and what
 * --merge puts together. A line for each thing, as in cmd_verify_run.h, in the order in which they
 * were done; a later line of the same thing takes the place of an earlier one. A last line that
 * breaks off counts as not there. Program layer. */
#ifndef VISION_CMD_VERIFY_KEEP_H
#define VISION_CMD_VERIFY_KEEP_H

#include "vision/cmd_verify_run.h"

/* Lines by path. */
struct verify_kept {
    struct verify_kept_line {
        char *path, *line;
        char digest[DIGEST_TEXT_MAX];
        int place; /* among all lines: the last one of a path counts */
    } * line;
    int count, capacity;
    int64_t sound; /* of the file that was read last: bytes of its whole lines */
};

/* Adds a file's lines. False after saying what is wrong; a file that is not there is empty when it
 * `may` be. verify_kept_free in any case. */
bool verify_kept_read(const char *path, bool may, struct verify_kept *kept);
void verify_kept_free(struct verify_kept *kept);

/* Sorts, and leaves one line of each path. */
void verify_kept_settle(struct verify_kept *kept);
/* NULL for none. After it was settled. */
const struct verify_kept_line *verify_kept_find(const struct verify_kept *kept, const char *path);

#endif
