/* referee/loop_keys.h: the file of a run's keys, keys.json in its folder. Program layer. */
#ifndef REFEREE_LOOP_KEYS_H
#define REFEREE_LOOP_KEYS_H

#include "pubsub/access.h"
#include "referee/event.h"

/* Draws new keys for the players of a set-up and writes them, in place of an older file: a run
 * begins. False after saying what is wrong. */
bool loop_keys_make(const char *rundir, const struct event_setup *setup, struct access_keys *out);

/* The keys of a run that is under way; makes them when there are none. False after saying what is
 * wrong: a file that others can read, or that holds something else. */
bool loop_keys_load(const char *rundir, const struct event_setup *setup, struct access_keys *out);

/* The run is over: they open nothing any more. */
void loop_keys_remove(const char *rundir);

#endif
