/* pubsub/rundir.h: a run's own folder: its sockets, and a lock that says it is in use.
 *
 * libzmq deletes whatever lies at an ipc path that it binds, and a second bind takes the first
 * one's place without a word. So sockets lie only in a folder that is this user's alone (mode 0700)
 * and that this process holds by a lock on the file "lock" in it; an ordinary file with a socket's
 * name is never taken away. */
#ifndef PUBSUB_RUNDIR_H
#define PUBSUB_RUNDIR_H

#include "pubsub/error.h"

#include <stddef.h>

/* A path of an ipc socket is at most 107 bytes; with the name of a socket this is left. */
#define RUNDIR_PATH_MAX 88

struct rundir;

/* Makes the folder if it is not there, and locks it. PUBSUB_E_IN_USE: another run holds it (the
 * fault names its process); PUBSUB_E_ADDRESS: the path is too long, is no folder, or belongs to
 * others or can be written by them; PUBSUB_E_SYSTEM. Sockets that a dead run left are removed;
 * other files stay. The caller gives *out to pubsub_rundir_close, which removes our own sockets. */
int pubsub_rundir_open(const char *path, struct rundir **out, struct wire_fault *fault);
void pubsub_rundir_close(struct rundir **rundir);

/* Only checks that the folder is one that a run holds now, for those who connect to it. */
int pubsub_rundir_look(const char *path, struct wire_fault *fault);

/* The one run of this user's: a folder tableref-* that a run holds, under `runtime`
 * (XDG_RUNTIME_DIR, or NULL) and /tmp. PUBSUB_E_ADDRESS: there is none, or several, which the fault
 * names. */
int pubsub_rundir_find(const char *runtime, char *out, size_t size, struct wire_fault *fault);

/* "ipc://<folder>/<name>" for one of the run's sockets. PUBSUB_E_ADDRESS when it does not fit, or
 * when the path does not begin with a slash: it must mean the same from every process. */
int pubsub_rundir_address(const char *path, const char *name, char *out, size_t size);

#endif
