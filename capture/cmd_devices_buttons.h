/* capture/cmd_devices_buttons.h: buttons, as `tableref devices` lists them. Program layer. */
#ifndef CAPTURE_CMD_DEVICES_BUTTONS_H
#define CAPTURE_CMD_DEVICES_BUTTONS_H

#include <stdbool.h>

/* Whether a path means a device of the input layer. */
bool cmd_devices_is_button(const char *path);

/* A line of JSON for one. False when it could not be printed. *unusable is set when it cannot be
 * used. */
bool cmd_devices_button(const char *node, bool *unusable);

/* One for each that is here and has a key; their count, or -1 after saying what is wrong. */
int cmd_devices_buttons(void);

#endif
