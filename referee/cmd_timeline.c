/* referee/cmd_timeline.c: decisions as lines for people. */
#include "referee/cmd_timeline.h"

#include "referee/cmd_text.h"
#include "referee/cmd_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 768
#define NS_PER_MS 1000000
#define SECONDS_BYTES 32
#define PLACE_BYTES 64
#define REASONS_BYTES 512

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
            vision_json_raw(out, "  ");
            put(out, cmd_text("%s (seat %d)"), state->player[p].name, seat);
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
    char reasons[REASONS_BYTES];

    put(out, "  %s", cmd_word_ruling(referee_ruling_name(decision->verdict.ruling)));
    if (decision->forced) {
        vision_json_raw(out, " (");
        put(out, cmd_text("a person overruled; it was: %s"),
            cmd_word_ruling(referee_ruling_name(decision->was)));
        vision_json_raw(out, ")");
    }
    cmd_words_reasons(decision->verdict.reasons, "; ", reasons, sizeof reasons);
    if (reasons[0])
        put(out, ": %s", reasons);
    if (decision->source[0]) {
        vision_json_raw(out, "  ");
        put(out, cmd_text("claimed by %s, to %lld ms"), decision->source,
            (long long)(decision->claim_error_ns / NS_PER_MS));
    }
}

/* Seconds with thousandths, as the language writes them. */
static const char *seconds(int64_t ns, char text[SECONDS_BYTES])
{
    int64_t ms = ns / NS_PER_MS;

    snprintf(text, SECONDS_BYTES, "%lld%c%03lld", (long long)(ms / 1000), cmd_lang()->point,
             (long long)(ms % 1000));
    return text;
}

static void put_win(const struct decision *decision, struct json_text *out)
{
    char time[SECONDS_BYTES], error[SECONDS_BYTES];

    vision_json_raw(out, "  ");
    put(out, cmd_text("after %s s"), seconds(decision->took_ns, time));
    if (decision->margin_ns < 0)
        return;
    vision_json_raw(out, "  ");
    put(out, cmd_text("first by %s s (clocks' error %s s)"), seconds(decision->margin_ns, time),
        seconds(decision->error_ns, error));
}

static const char *place(const int8_t at[2], char text[PLACE_BYTES])
{
    if (at[0] <= 0)
        return cmd_text("the bag");
    snprintf(text, PLACE_BYTES, cmd_text("row %d, track %d"), at[0], at[1]);
    return text;
}

static void put_move(const struct decision *decision, struct json_text *out)
{
    char from[PLACE_BYTES], to[PLACE_BYTES];

    if (decision->disc == 0)
        return;
    vision_json_raw(out, "  ");
    put(out, cmd_text("disc %c: %s -> %s"), decision->disc, place(decision->from, from),
        place(decision->to, to));
}

static void put_reasons(uint64_t set, struct json_text *out)
{
    char reasons[REASONS_BYTES];

    cmd_words_reasons(set, "; ", reasons, sizeof reasons);
    put(out, "  %s", set ? reasons : cmd_text("all is well"));
}

static void put_phase(const struct decision *decision, struct json_text *out)
{
    put(out, "  %s", cmd_word_phase(referee_phase_name(decision->phase)));
    if (decision->paused)
        put(out, ", %s", cmd_text("paused"));
}

static void put_card(const struct decision *decision, struct json_text *out)
{
    vision_json_raw(out, "  ");
    put(out, cmd_text("card %s, level %d"), decision->card[0] ? decision->card : "-",
        decision->level);
}

static void put_round(const struct decision *decision, struct json_text *out)
{
    vision_json_raw(out, "  ");
    put(out,
        cmd_text_n("round %d, %d point", "round %d, %d points", (unsigned long)decision->points),
        decision->round, decision->points);
}

/* The kinds of decision stand in a column, as wide as the longest. */
static int kinds_width(void)
{
    int widest = 0;

    for (int kind = 0; kind < DECISION_KINDS; kind++) {
        int width =
            cmd_text_width(cmd_word_decision(referee_decision_name((enum decision_kind)kind)));
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void put_kind(enum decision_kind kind, struct json_text *out)
{
    const char *text = cmd_word_decision(referee_decision_name(kind));

    put(out, "%-*s", cmd_text_pad(text, kinds_width()), text);
}

void cmd_timeline_words(const struct match_state *state, const struct decision *decision,
                        struct json_text *out)
{
    put_kind(decision->kind, out);
    put_names(state, decision, out);
    if (decision->level > 0)
        put_card(decision, out);
    if (decision->kind == DECISION_VERDICT || decision->kind == DECISION_ASKED)
        put_verdict(decision, out);
    if (decision->kind == DECISION_WIN)
        put_win(decision, out);
    if (decision->kind == DECISION_MOVE)
        put_move(decision, out);
    if (decision->kind == DECISION_HEALTH)
        put_reasons(decision->reasons, out);
    if (decision->kind == DECISION_PHASE)
        put_phase(decision, out);
    if (decision->kind == DECISION_ROUND)
        put_round(decision, out);
    if (decision->why != WHY_NONE)
        put(out, "  %s", cmd_word_why(referee_why_name(decision->why)));
}

void cmd_timeline_decision(const struct match_state *state, const struct decision *decision,
                           struct json_text *out)
{
    char time[SECONDS_BYTES];

    put(out, "%6llu  %9s s  ", (unsigned long long)decision->cause, seconds(decision->t_ns, time));
    cmd_timeline_words(state, decision, out);
    put(out, "\n");
}

static int decisions_put(void *context, const struct event *event,
                         const struct decisions *decisions, const struct match_state *after)
{
    (void)event;
    for (int i = 0; i < decisions->count; i++)
        cmd_timeline_decision(after, &decisions->item[i], context);
    return 0;
}

void cmd_timeline_text(const struct history *history, struct json_text *out)
{
    const char *cause = cmd_text("cause"), *time = cmd_text("time");

    put(out, "%*s  %*s  %s\n", cmd_text_pad(cause, 6), cause, cmd_text_pad(time, 11), time,
        cmd_text("what"));
    if (referee_history_replay(history, decisions_put, out) != REFEREE_OK)
        put(out, "%s\n", cmd_text("out of memory: the rest is not shown"));
}

void cmd_timeline_act(enum journal_kind kind, const struct record_act *act, struct json_text *out)
{
    unsigned long long event = act->event;

    if (kind == JOURNAL_OVERRULE)
        put(out, cmd_text("event %llu was overruled: %s"), event,
            cmd_word_ruling(referee_ruling_name(act->ruling)));
    else
        put(out,
            kind == JOURNAL_UNDO ? cmd_text("event %llu was taken back")
                                 : cmd_text("event %llu was put back"),
            event);
    if (act->by[0])
        put(out, " (%s)", act->by);
    if (act->why[0])
        put(out, ": %s", act->why);
    put(out, "\n");
}
