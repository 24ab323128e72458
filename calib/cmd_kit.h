/* calib/cmd_kit.h: the parts of `tableref kit`. Program layer: no library includes this. */
#ifndef CALIB_CMD_KIT_H
#define CALIB_CMD_KIT_H

#include "calib/press.h"
#include "referee/cmd_common.h"

#include <stdbool.h>

/* Each has its word as argv[0], and returns an exit status. */
int cmd_kit_print(int argc, char **argv);
int cmd_kit_mat(int argc, char **argv);

/* Their options, for the help of the whole. */
extern const struct cmd_verb cmd_kit_print_verb, cmd_kit_mat_verb;

/* The kind of file that a path's ending means; says so and returns false for another. */
bool cmd_press_format(const struct cmd_verb *verb, const char *path, enum press_format *format);

/* A file whole, its place said in a line of JSON unless `say` is false. */
bool cmd_file_write(const char *path, const void *bytes, size_t length, bool say);

/* Writes the press's files: PATH, or when there are several PATH with -1, -2.. before its ending; a
 * line of JSON for each. False after saying what is wrong. */
bool cmd_press_write(struct press *press, const char *path);

#endif
