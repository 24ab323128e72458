/* capture/button_parts.h: what the files of buttons share. For button*.c only. */
#ifndef CAPTURE_BUTTON_PARTS_H
#define CAPTURE_BUTTON_PARTS_H

#include "capture/button.h"

/* Takes the device for a moment: 0, or a negative errno. Fills keys, and the name where it can. */
int capture_button_try(const struct button_calls *calls, const char *node,
                       struct button_entry *out);
/* Fills why and explained. */
void capture_button_explain(const char *node, int error, struct button_entry *out);

#endif
