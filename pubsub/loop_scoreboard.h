/* pubsub/loop_scoreboard.h: the scoreboard as a process: follows a run's messages and serves its
 * pages. Program layer.
 *
 * Four threads beside the web server's own: this one follows; one asks the referee what the pages
 * ask, one asks the eyes for pictures, one draws rulings, so that none holds up what is shown. Each owns its
 * socket. */
#ifndef PUBSUB_LOOP_SCOREBOARD_H
#define PUBSUB_LOOP_SCOREBOARD_H

#include "pubsub/web_news.h"
#include "pubsub/web_server.h"

/* Where the pages are, in the run's folder while they are served: {"process":..,"board":..,
 * "operator":..}; the operator's is null when no key may be sent there. The first scoreboard of a
 * run writes it. */
#define SCOREBOARD_FILE "scoreboard.json"

struct scoreboard_service {
    const char *rundir;
    const char *record; /* the match's folder, for pictures of rulings; NULL: none is known */
    struct web_options web; /* without hub, desks, build, source and calls, which are made here */
    const struct web_kit_part *kit;
    size_t kit_parts;
    /* The languages' codes and catalogues (pubsub_lang_json; NULL: not to be had); the one that the
     * program speaks, and whether pages shall, too, that are asked for none. */
    const char *const *langs;
    const char *const *catalogues;
    size_t lang_count;
    const char *lang;
    bool lang_given;
};

/* Runs until *stop becomes true. An exit status; what goes wrong is said on stderr, once. */
int loop_scoreboard_run(const struct scoreboard_service *asked, const volatile bool *stop);

#endif
