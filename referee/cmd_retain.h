/* referee/cmd_retain.h: how long recordings are kept, and which matches lie there unfinished:
 * looked at when a table starts. Program layer. */
#ifndef REFEREE_CMD_RETAIN_H
#define REFEREE_CMD_RETAIN_H

#include <stdbool.h>
#include <stdint.h>

struct retain_wish {
    int days;   /* finished matches that were written last before that; 0: no matter how old */
    int gib;    /* all matches together, oldest first; 0: no matter how large */
    bool whole; /* of those the whole match goes, not only its video */
};

/* Looks at the matches beside `record`, the folder of a match that is about to begin, and not at
 * that one. Of the finished ones that are not marked as kept, what the wish says is removed, and
 * said on stderr; what cannot be removed is said and left: it stops no match. Returns lines to be
 * said of unfinished ones, each with what to do, which the caller frees; NULL for none. */
char *cmd_retain(const char *record, const struct retain_wish *wish);

#endif
