/* pubsub/cmd_watch_text.h: a table's messages as lines for people. Program layer. */
#ifndef PUBSUB_CMD_WATCH_TEXT_H
#define PUBSUB_CMD_WATCH_TEXT_H

#include "pubsub/message.h"
#include "vision/json_text.h"

/* A line without its newline; empty when there is nothing to say of it, as of a layout on the way.
 */
void cmd_watch_text(const struct message_head *head, const json_t *body, struct json_text *out);

#endif
