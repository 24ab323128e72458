/* referee/cmd_replay_moment.c: moments of a match, as people name them. */
#include "referee/cmd_replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S ((int64_t)1000000000)
#define SECONDS_MOST 1000000 /* eleven days */

/* "75", "1:15.5", "1:02:03". */
static bool time_parse(const char *text, int64_t *t_ns)
{
    int64_t seconds = 0;
    char *end;

    for (int part = 0; part < 3; part++) {
        if (text[0] < '0' || text[0] > '9')
            return false;
        errno = 0;
        long number = strtol(text, &end, 10);
        if (errno || number > SECONDS_MOST || (part > 0 && number >= 60))
            return false;
        seconds = seconds * 60 + number;
        if (*end != ':')
            break;
        text = end + 1;
    }
    *t_ns = seconds * NS_PER_S;
    if (*end == '.') {
        int64_t place = NS_PER_S / 10;
        for (end++; *end >= '0' && *end <= '9'; end++, place /= 10)
            *t_ns += (*end - '0') * place;
    }
    return *end == 0;
}

/* The so many-th thing of a kind. */
struct wanted {
    enum { CARD, ROUND, RULING } kind;
    uint64_t number, seen;
    int64_t t_ns;
};

static bool is_wanted(const struct wanted *wanted, const struct decision *decision)
{
    switch (wanted->kind) {
    case CARD:
        return decision->kind == DECISION_CARD && decision->why != WHY_ALL_OUT;
    case ROUND:
        return decision->kind == DECISION_ROUND && decision->why == WHY_ROUND_OPENED;
    default:
        return decision->kind == DECISION_VERDICT;
    }
}

static int wanted_look(void *context, const struct event *event, const struct decisions *decisions,
                       const struct match_state *after)
{
    struct wanted *wanted = context;

    (void)after;
    for (int i = 0; i < decisions->count; i++)
        if (is_wanted(wanted, &decisions->item[i]) && ++wanted->seen == wanted->number)
            wanted->t_ns = event->t_ns;
    return 0;
}

static bool number_find(const char *text, const struct record *record, int64_t *t_ns)
{
    static const char *const words[] = {[CARD] = "card:", [ROUND] = "round:", [RULING] = "ruling:"};
    const struct history *history = referee_record_history(record);
    const char *colon = strchr(text, ':');
    struct event event;
    char *end = NULL;

    errno = 0;
    unsigned long long number =
        colon && colon[1] >= '1' && colon[1] <= '9' ? strtoull(colon + 1, &end, 10) : 0;
    if (number == 0 || errno || *end)
        return false;
    if (strncmp(text, "event:", 6) == 0) {
        if (!referee_history_event(history, number, &event))
            return false;
        *t_ns = event.t_ns;
        return true;
    }
    for (int k = CARD; k <= RULING; k++)
        if (strncmp(text, words[k], strlen(words[k])) == 0) {
            struct wanted wanted = {.kind = k, .number = number};
            referee_history_replay(history, wanted_look, &wanted);
            *t_ns = wanted.t_ns;
            return wanted.seen >= number;
        }
    return false;
}

bool cmd_replay_moment(const char *option, const char *text, const struct record *record,
                       int64_t *t_ns)
{
    if (time_parse(text, t_ns) || number_find(text, record, t_ns))
        return true;
    cmd_error("replay: --%s %s: a time like 75 or 1:15, or card:N, round:N, ruling:N or event:N of "
              "what is on record is needed",
              option, text);
    return false;
}
