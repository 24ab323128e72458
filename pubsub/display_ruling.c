/* pubsub/display_ruling.c: what was ruled, in words. Messages are those of the pages. */
#include "calib/mark.h"
#include "pubsub/display_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_MS 1000000

enum screen_paint pubsub_display_tone(const json_t *decision)
{
    static const struct {
        const char *decision;
        enum screen_paint paint;
    } tones[] = {
        {"win", PAINT_GOOD},       {"out", PAINT_BAD},         {"penalty", PAINT_BAD},
        {"illegal", PAINT_BAD},    {"false_start", PAINT_BAD}, {"tie", PAINT_UNSURE},
        {"refused", PAINT_UNSURE}, {"health", PAINT_UNSURE},   {"round", PAINT_GOOD},
        {"end", PAINT_GOOD},
    };

    if (pubsub_display_is(decision, "decision", "verdict") ||
        pubsub_display_is(decision, "decision", "asked"))
        return pubsub_display_is(decision, "verdict", "match")      ? PAINT_GOOD
               : pubsub_display_is(decision, "verdict", "no_match") ? PAINT_BAD
                                                                    : PAINT_UNSURE;
    for (size_t i = 0; i < sizeof tones / sizeof tones[0]; i++)
        if (pubsub_display_is(decision, "decision", tones[i].decision))
            return tones[i].paint;
    return PAINT_PLAIN;
}

const char *pubsub_display_sign(enum screen_paint tone, bool ascii)
{
    if (tone == PAINT_GOOD)
        return ascii ? "+" : "✓";
    if (tone == PAINT_BAD)
        return ascii ? "X" : "✗";
    return tone == PAINT_UNSURE ? "?" : "-";
}

/* ---- the head ---- */

static void names_join(const struct display *display, const json_t *seats, char *out, size_t size)
{
    size_t at = 0;

    out[0] = 0;
    for (size_t i = 0; i < json_array_size(seats) && at < size; i++) {
        const json_t *player =
            pubsub_display_player(display, json_integer_value(json_array_get(seats, i)));
        int more = snprintf(out + at, size - at, "%s%s", i ? ", " : "",
                            pubsub_display_text(player, "name"));
        at += more > 0 ? (size_t)more : 0;
    }
}

static const char *verdict_head(const json_t *decision)
{
    if (pubsub_display_is(decision, "verdict", "match"))
        return N_("{name}: it’s a match!");
    return pubsub_display_is(decision, "verdict", "no_match") ? N_("{name}: no match")
                                                              : N_("{name}: cannot tell");
}

static const char *move_head(const json_t *decision)
{
    bool named = pubsub_display_text(decision, "name")[0] != 0;

    if (pubsub_display_is(decision, "why", "pass"))
        return named ? N_("{name} passes") : N_("Passed");
    if (!json_is_array(json_object_get(decision, "to")) ||
        !json_is_string(json_object_get(decision, "disc")))
        return N_("The ramp was set by a person");
    return pubsub_display_is(decision, "why", "drop")
               ? N_("{name} drops {colour} into track {track}")
               : N_("{name} moves {colour} to track {track}");
}

static const char *end_head(const json_t *decision)
{
    size_t winners = json_array_size(json_object_get(decision, "seats"));

    if (winners == 0)
        return N_("The match is over");
    return winners > 1 ? N_("Shared win: {names}") : N_("{name} wins the match");
}

/* The message for a decision, with its places. */
static const char *head_message(const json_t *decision)
{
    static const struct {
        const char *decision, *message;
    } heads[] = {
        {"out", N_("{name} is out for this card")}, {"penalty", N_("{name} pays for an error")},
        {"set_aside", N_("The card is set aside")}, {"tie", N_("Tie: {names}")},
        {"false_start", N_("{name}: false start")}, {"illegal", N_("That is no legal move")},
        {"refused", N_("{name}: not counted")},
    };
    const char *kind = pubsub_display_text(decision, "decision");

    if (strcmp(kind, "verdict") == 0)
        return verdict_head(decision);
    if (strcmp(kind, "win") == 0)
        return json_array_size(json_object_get(decision, "seats")) > 1
                   ? N_("The card is shared: {names}")
                   : N_("{name} wins the card");
    if (strcmp(kind, "move") == 0)
        return move_head(decision);
    if (strcmp(kind, "round") == 0)
        return pubsub_display_is(decision, "why", "round_opened") ? N_("Round {round} begins")
                                                                  : N_("Round {round} is over");
    if (strcmp(kind, "end") == 0)
        return end_head(decision);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (strcmp(kind, heads[i].decision) == 0)
            return heads[i].message;
    return kind;
}

/* A disc's colour, by the ramp's names. */
static const char *colour_of(const struct display *display, const json_t *decision)
{
    const char *disc = pubsub_display_text(decision, "disc");
    const struct ramp *ramp = display->kit.ramp;

    for (int i = 0; ramp && i < ramp->colours; i++)
        if (ramp->colour[i].label == disc[0])
            return pubsub_display_say(display, ramp->colour[i].name);
    return disc;
}

void pubsub_display_head(const struct display *display, const json_t *decision, char *out,
                         size_t size)
{
    char names[DISPLAY_TEXT_MAX], round[24], track[24];
    const char *name = pubsub_display_text(decision, "name");

    names_join(display, json_object_get(decision, "seats"), names, sizeof names);
    snprintf(round, sizeof round, "%" PRId64, pubsub_display_whole(decision, "round"));
    snprintf(track, sizeof track, "%" PRId64,
             (int64_t)json_integer_value(json_array_get(json_object_get(decision, "to"), 1)));
    pubsub_display_fill(out, size, pubsub_display_say(display, head_message(decision)), "name",
                        name[0] ? name : names, "names", names, "round", round, "colour",
                        colour_of(display, decision), "track", track, DISPLAY_END);
}

/* ---- why ---- */

/* A line that is put together from parts. */
struct line {
    char *out;
    size_t size;
};

static void part_put(const struct line *line, const char *text)
{
    size_t length = strlen(line->out);

    if (text[0])
        snprintf(line->out + length, line->size - length, "%s%s", length ? " · " : "", text);
}

static void seconds_put(const struct display *display, const struct line *line, const char *english,
                        int64_t ns)
{
    int64_t ms = ns > 0 ? ns / NS_PER_MS : 0;
    char time[32], text[DISPLAY_TEXT_MAX];

    snprintf(time, sizeof time, "%" PRId64 ".%03d s", ms / 1000, (int)(ms % 1000));
    pubsub_display_fill(text, sizeof text, pubsub_display_say(display, english), "time", time,
                        DISPLAY_END);
    part_put(line, text);
}

static void because_put(const struct display *display, const struct line *line,
                        const json_t *decision)
{
    const char *word = pubsub_display_text(decision, "why");

    if (word[0])
        part_put(line, pubsub_display_because(display, word));
}

static void reasons_put(const struct display *display, const struct line *line,
                        const json_t *decision)
{
    char text[DISPLAY_TEXT_MAX];

    pubsub_display_reasons(display, json_object_get(decision, "reasons"), text, sizeof text);
    part_put(line, text);
}

static void win_put(const struct display *display, const struct line *line, const json_t *decision)
{
    const json_t *margin = json_object_get(decision, "margin_ns");

    seconds_put(display, line, N_("after {time}"), pubsub_display_whole(decision, "took_ns"));
    if (json_is_integer(margin))
        seconds_put(display, line, N_("first by {time}"), json_integer_value(margin));
}

static const char *ruling_word(const char *ruling)
{
    if (strcmp(ruling, "match") == 0)
        return N_("Match");
    return strcmp(ruling, "no_match") == 0 ? N_("No match") : N_("Cannot tell");
}

/* How a layout lies against its card, whose word it was, and whether it counts. */
static void verdict_put(const struct display *display, const struct line *line,
                        const json_t *decision)
{
    int64_t turn = pubsub_display_whole(decision, "turn");
    char text[DISPLAY_TEXT_MAX], degrees[24];

    reasons_put(display, line, decision);
    snprintf(degrees, sizeof degrees, "%" PRId64, turn);
    if (turn) {
        pubsub_display_fill(text, sizeof text,
                            pubsub_display_say(display, N_("turned by {degrees}°")), "degrees",
                            degrees, DISPLAY_END);
        part_put(line, text);
    }
    if (json_is_true(json_object_get(decision, "forced"))) {
        const char *was = ruling_word(pubsub_display_text(decision, "was"));
        pubsub_display_fill(text, sizeof text,
                            pubsub_display_say(display, N_("a person overruled; it was: {ruling}")),
                            "ruling", pubsub_display_say(display, was), DISPLAY_END);
        part_put(line, text);
    }
    if (pubsub_display_is(decision, "policy", "log"))
        part_put(line, pubsub_display_say(display, N_("only said, without effect")));
}

static void tie_put(const struct display *display, const struct line *line, const json_t *decision)
{
    char text[DISPLAY_TEXT_MAX], ms[24];

    snprintf(ms, sizeof ms, "%" PRId64, pubsub_display_whole(decision, "error_ns") / NS_PER_MS);
    pubsub_display_fill(text, sizeof text,
                        pubsub_display_say(display, N_("within {ms} ms, too close to tell")), "ms",
                        ms, DISPLAY_END);
    part_put(line, text);
}

static void tracks_put(const struct display *display, const struct line *line,
                       const json_t *decision)
{
    const json_t *tracks = json_object_get(decision, "legal_tracks");
    char list[64] = "", text[DISPLAY_TEXT_MAX];

    for (size_t i = 0; i < json_array_size(tracks); i++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%" PRId64, i ? ", " : "",
                 (int64_t)json_integer_value(json_array_get(tracks, i)));
    }
    if (list[0] == 0)
        return;
    pubsub_display_fill(text, sizeof text,
                        pubsub_display_say(display, N_("legal tracks: {tracks}")), "tracks", list,
                        DISPLAY_END);
    part_put(line, text);
}

/* What else the same claim brought out for its player, or for all. */
static void follows_put(const struct display *display, const struct line *line,
                        const json_t *verdict)
{
    for (int i = 0; i < display->decisions; i++) {
        const json_t *other = display->decision[i];
        int64_t seat = pubsub_display_whole(other, "seat");
        if (pubsub_display_whole(other, "cause") != pubsub_display_whole(verdict, "cause") ||
            (seat != 0 && seat != pubsub_display_whole(verdict, "seat")))
            continue;
        if (pubsub_display_is(other, "decision", "win")) {
            part_put(line, pubsub_display_say(display, N_("wins the card")));
            win_put(display, line, other);
        } else if (pubsub_display_is(other, "decision", "out")) {
            part_put(line, pubsub_display_say(display, N_("out for this card")));
        } else if (pubsub_display_is(other, "decision", "penalty")) {
            because_put(display, line, other);
        } else if (pubsub_display_is(other, "decision", "asked")) {
            part_put(line, pubsub_display_say(display, N_("waits for the desk")));
        } else if (pubsub_display_is(other, "decision", "tie")) {
            part_put(line, pubsub_display_say(display, N_("tie")));
        }
    }
}

void pubsub_display_why(const struct display *display, const json_t *decision, char *out,
                        size_t size)
{
    const struct line line = {out, size};
    const char *kind = pubsub_display_text(decision, "decision");
    char text[DISPLAY_TEXT_MAX];

    out[0] = 0;
    if (strcmp(kind, "verdict") == 0) {
        verdict_put(display, &line, decision);
        follows_put(display, &line, decision);
    } else if (strcmp(kind, "win") == 0) {
        win_put(display, &line, decision);
    } else if (strcmp(kind, "tie") == 0) {
        tie_put(display, &line, decision);
    } else if (strcmp(kind, "false_start") == 0) {
        part_put(&line,
                 pubsub_display_say(display, N_("blocks were moved before the start signal")));
    } else if (strcmp(kind, "round") == 0) {
        pubsub_display_count(display, "{n} point", "{n} points",
                             pubsub_display_whole(decision, "points"), text, sizeof text);
        if (!pubsub_display_is(decision, "why", "round_opened"))
            part_put(&line, text);
    } else if (strcmp(kind, "end") != 0) {
        because_put(display, &line, decision);
        reasons_put(display, &line, decision);
        tracks_put(display, &line, decision);
    }
}
