/* referee/timeline.c: decisions as lines for people. */
#include "referee/timeline.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 768
#define NS_PER_MS 1000000

static void put(struct json_text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(struct json_text *out, const char *format, ...)
{
    char line[LINE_MAX_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    vision_json_raw(out, line);
}

static void put_name(const struct match_state *state, int seat, struct json_text *out)
{
    for (int p = 0; p < state->players; p++)
        if (state->player[p].seat == seat) {
            put(out, "  %s (seat %d)", state->player[p].name, seat);
            return;
        }
}

static void put_names(const struct match_state *state, const struct decision *decision,
                      struct json_text *out)
{
    if (decision->seat > 0)
        put_name(state, decision->seat, out);
    for (int seat = 1; decision->seat == 0 && seat <= MAT_SEATS_MAX; seat++)
        if (decision->seats & (1u << (seat - 1)))
            put_name(state, seat, out);
}

static void put_verdict(const struct decision *decision, struct json_text *out)
{
    char reasons[256];

    put(out, "  %s", referee_ruling_name(decision->verdict.ruling));
    if (decision->forced)
        put(out, " (a person's word; it was %s)", referee_ruling_name(decision->was));
    vision_reasons_text(decision->verdict.reasons, ", ", reasons, sizeof reasons);
    if (reasons[0])
        put(out, ": %s", reasons);
}

static void put_ms(const char *word, int64_t ns, struct json_text *out)
{
    int64_t ms = ns / NS_PER_MS;

    put(out, "  %s %lld.%03lld s", word, (long long)(ms / 1000), (long long)(ms % 1000));
}

static void put_win(const struct decision *decision, struct json_text *out)
{
    put_ms("after", decision->took_ns, out);
    if (decision->margin_ns < 0)
        return;
    put_ms("first by", decision->margin_ns, out);
    put_ms("(clocks' error", decision->error_ns, out);
    put(out, ")");
}

static void put_place(const int8_t place[2], const char *bag, struct json_text *out)
{
    if (place[0] > 0)
        put(out, "row %d, track %d", place[0], place[1]);
    else
        put(out, "%s", bag);
}

static void put_move(const struct decision *decision, struct json_text *out)
{
    if (decision->disc == 0)
        return;
    put(out, "  disc %c from ", decision->disc);
    put_place(decision->from, "the bag", out);
    put(out, " to ");
    put_place(decision->to, "the bag", out);
}

static void put_reasons(uint64_t set, struct json_text *out)
{
    char reasons[256];

    vision_reasons_text(set, ", ", reasons, sizeof reasons);
    put(out, "  %s", set ? reasons : "all is well");
}

void referee_timeline_words(const struct match_state *state, const struct decision *decision,
                            struct json_text *out)
{
    put(out, "%-11s", referee_decision_name(decision->kind));
    put_names(state, decision, out);
    if (decision->level > 0)
        put(out, "  card %s, level %d", decision->card[0] ? decision->card : "-", decision->level);
    if (decision->kind == DECISION_VERDICT || decision->kind == DECISION_ASKED)
        put_verdict(decision, out);
    if (decision->kind == DECISION_WIN)
        put_win(decision, out);
    if (decision->kind == DECISION_MOVE)
        put_move(decision, out);
    if (decision->kind == DECISION_HEALTH)
        put_reasons(decision->reasons, out);
    if (decision->kind == DECISION_PHASE)
        put(out, "  %s%s", referee_phase_name(decision->phase), decision->paused ? ", paused" : "");
    if (decision->kind == DECISION_ROUND)
        put(out, "  round %d, %d points", decision->round, decision->points);
    if (decision->why != WHY_NONE)
        put(out, "  %s", referee_why_name(decision->why));
}

void referee_timeline_decision(const struct match_state *state, const struct decision *decision,
                               struct json_text *out)
{
    int64_t ms = decision->t_ns / NS_PER_MS;

    put(out, "%6llu  %5lld.%03lld s  ", (unsigned long long)decision->cause,
        (long long)(ms / 1000), (long long)(ms % 1000));
    referee_timeline_words(state, decision, out);
    put(out, "\n");
}

static int decisions_put(void *context, const struct event *event,
                         const struct decisions *decisions, const struct match_state *after)
{
    (void)event;
    for (int i = 0; i < decisions->count; i++)
        referee_timeline_decision(after, &decisions->item[i], context);
    return 0;
}

void referee_timeline_text(const struct history *history, struct json_text *out)
{
    put(out, " cause         time  what\n");
    if (referee_history_replay(history, decisions_put, out) != REFEREE_OK)
        put(out, "out of memory: the rest is not shown\n");
}

void referee_timeline_act(enum journal_kind kind, const struct record_act *act,
                          struct json_text *out)
{
    put(out, "%s of event %llu", referee_journal_kind_name(kind), (unsigned long long)act->event);
    if (kind == JOURNAL_OVERRULE)
        put(out, " to %s", referee_ruling_name(act->ruling));
    if (act->by[0])
        put(out, " by %s", act->by);
    if (act->why[0])
        put(out, ": %s", act->why);
    put(out, "\n");
}
