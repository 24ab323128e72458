/* vision/loop_view.h: the camera's picture for people, on a socket of the eyes' own (see
 * pubsub/PROTOCOL.md). Program layer.
 *
 * A thread answers. The eyes only look whether somebody asked; then they leave a copy of the
 * picture that they hold, which takes a millisecond or two. */
#ifndef VISION_LOOP_VIEW_H
#define VISION_LOOP_VIEW_H

#include "capture/source.h"
#include "pubsub/wire.h"
#include "vision/watch.h"

struct view;

/* Begins to answer at that address. `mat` is lent for its life. NULL after saying why not: the eyes
 * see all the same. The caller gives it to loop_view_close. */
struct view *loop_view_open(struct wire *wire, const char *address, const struct mat *mat);
/* Ends the thread; before the wire is destroyed. NULL is allowed. */
void loop_view_close(struct view **view);

/* Is a picture wanted? */
bool loop_view_wanted(const struct view *view);
/* Here is one, with what is known of it. Everything is copied. */
void loop_view_give(struct view *view, const struct picture *picture, const struct watch *watch);

#endif
