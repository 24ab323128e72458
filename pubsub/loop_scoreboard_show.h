/* pubsub/loop_scoreboard_show.h: the thread that draws rulings and photo finishes for the pages,
 * from the record that is being kept. Program layer.
 *
 * Everybody may ask, so it is bounded: one thread, of low priority, that rests after each picture
 * for as long as it took, and keeps the last few. */
#ifndef PUBSUB_LOOP_SCOREBOARD_SHOW_H
#define PUBSUB_LOOP_SCOREBOARD_SHOW_H

#include "pubsub/web_desk.h"

struct showing;

/* Begins to work at the desk, which is lent. `folder` is the match's. NULL after saying why not. */
struct showing *loop_scoreboard_show(const char *folder, struct web_desk *desk);
/* Ends the thread, once what it draws is drawn: before the server stops. NULL is allowed. */
void loop_scoreboard_show_end(struct showing **showing);

#endif
