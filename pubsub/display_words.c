/* pubsub/display_words.c: what a display says of a match, in words. Messages are those of the pages
 * (pubsub/web), so that both have one translation. */
#include "calib/mark.h"
#include "pubsub/display_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_S 1000000000

/* ---- messages ---- */

const char *pubsub_display_say(const struct display *display, const char *english)
{
    return display->kit.words.say ? display->kit.words.say(english, NULL, -1) : english;
}

const char *pubsub_display_because(const struct display *display, const char *word)
{
    return display->kit.words.why ? display->kit.words.why(word) : word;
}

static const char *reason(const struct display *display, const char *word)
{
    return display->kit.words.reason ? display->kit.words.reason(word) : word;
}

static size_t append(char *out, size_t size, size_t at, const char *text, size_t length)
{
    if (at + 1 >= size)
        return at;
    if (length > size - at - 1)
        length = size - at - 1;
    memcpy(out + at, text, length);
    out[at + length] = 0;
    return at + length;
}

/* The text for the place "{name}" at `at`; NULL: none is given. */
static const char *place_find(const char *at, size_t length, va_list given)
{
    const char *name, *text = NULL;

    while (!text && (name = va_arg(given, const char *))) {
        const char *value = va_arg(given, const char *);
        if (strlen(name) == length && memcmp(name, at, length) == 0)
            text = value ? value : "";
    }
    return text;
}

void pubsub_display_fill(char *out, size_t size, const char *format, ...)
{
    va_list given;
    size_t at = 0;

    out[0] = 0;
    while (*format) {
        size_t plain = strcspn(format, "{"), name = 0;
        at = append(out, size, at, format, plain);
        format += plain;
        if (*format == 0)
            break;
        name = strcspn(format + 1, "}");
        va_start(given, format);
        const char *text = place_find(format + 1, name, given);
        va_end(given);
        at = text ? append(out, size, at, text, strlen(text)) : append(out, size, at, "?", 1);
        format += name + 1 + (format[name + 1] == '}');
    }
}

void pubsub_display_count(const struct display *display, const char *one, const char *more,
                          int64_t n, char *out, size_t size)
{
    const char *said = display->kit.words.say ? display->kit.words.say(one, more, n)
                       : n == 1               ? one
                                              : more;
    char number[24];

    snprintf(number, sizeof number, "%" PRId64, n);
    pubsub_display_fill(out, size, said, "n", number, DISPLAY_END);
}

/* Puts a text behind another one, with what stands between. */
static void join(char *out, size_t size, const char *between, const char *text)
{
    size_t length = strlen(out);

    if (text[0] == 0)
        return;
    if (length > 0)
        length = append(out, size, length, between, strlen(between));
    append(out, size, length, text, strlen(text));
}

void pubsub_display_reasons(const struct display *display, const json_t *words, char *out,
                            size_t size)
{
    out[0] = 0;
    for (size_t i = 0; i < json_array_size(words); i++) {
        const char *word = json_string_value(json_array_get(words, i));
        if (word)
            join(out, size, "; ", reason(display, word));
    }
}

/* ---- the head ---- */

const char *pubsub_display_game(const struct display *display)
{
    if (pubsub_display_is(display->state, "game", "quick-play"))
        return pubsub_display_say(display, N_("Quick-Play Game"));
    if (pubsub_display_is(display->state, "game", "total-madness"))
        return pubsub_display_say(display, N_("Total Madness Game"));
    return pubsub_display_is(display->state, "game", "make5")
               ? pubsub_display_say(display, N_("Make 5"))
               : "tableref";
}

const char *pubsub_display_phase(const struct display *display)
{
    const json_t *state = display->state;
    const char *text = N_("In play");

    if (!state || pubsub_display_is(state, "phase", "none"))
        text = N_("No match yet");
    else if (pubsub_display_is(state, "phase", "ready"))
        text = N_("Ready");
    else if (pubsub_display_is(state, "phase", "over"))
        text = N_("Match over");
    else if (pubsub_display_is(state, "phase", "abandoned"))
        text = N_("Match abandoned");
    else if (json_is_true(json_object_get(state, "paused")))
        text = N_("Paused");
    else if (pubsub_display_is(state, "phase", "countdown"))
        text = N_("Get ready");
    else if (json_array_size(json_object_get(state, "health")) > 0)
        text = N_("Rulings frozen");
    return pubsub_display_say(display, text);
}

void pubsub_display_time(int64_t ns, char *out, size_t size)
{
    int64_t all = ns > 0 ? ns / NS_PER_S : 0;

    if (all >= 3600)
        snprintf(out, size, "%" PRId64 ":%02d:%02d", all / 3600, (int)(all / 60 % 60),
                 (int)(all % 60));
    else
        snprintf(out, size, "%d:%02d", (int)(all / 60), (int)(all % 60));
}

static void numbers_fill(char *out, size_t size, const char *format, const char *one, int64_t n,
                         const char *other, int64_t m)
{
    char first[24], second[24];

    snprintf(first, sizeof first, "%" PRId64, n);
    snprintf(second, sizeof second, "%" PRId64, m);
    pubsub_display_fill(out, size, format, one, first, other, second, DISPLAY_END);
}

/* How many cards there are still to be won. */
static int64_t cards_left(const json_t *state)
{
    const json_t *piles = json_object_get(state, "piles");
    int64_t left = pubsub_display_whole(state, "left");

    for (size_t i = 0; i < json_array_size(piles); i++)
        left += json_is_object(json_object_get(json_array_get(piles, i), "card"));
    return left;
}

void pubsub_display_round(const struct display *display, char *out, size_t size)
{
    const json_t *state = display->state, *make5 = json_object_get(state, "make5");
    const json_t *options = json_object_get(state, "options");
    int64_t rounds = pubsub_display_whole(options, "rounds");
    int64_t dealt = pubsub_display_whole(state, "dealt"),
            left = pubsub_display_whole(state, "left");

    out[0] = 0;
    if (json_is_object(make5))
        numbers_fill(out, size, pubsub_display_say(display, N_("Round {round} of {rounds}")),
                     "round", pubsub_display_whole(make5, "round"), "rounds", rounds ? rounds : 6);
    else if (pubsub_display_is(options, "own_stacks", "yes") ||
             pubsub_display_is(state, "game", "total-madness"))
        numbers_fill(out, size, pubsub_display_say(display, N_("{n} cards left")), "n",
                     cards_left(state), "", 0);
    else if (dealt > left)
        numbers_fill(out, size, pubsub_display_say(display, N_("Card {n} of {all}")), "n",
                     dealt - left, "all", dealt);
}

void pubsub_display_health(const struct display *display, char *out, size_t size)
{
    const json_t *seen = json_object_get(display->health, "reasons");
    const json_t *lost = json_object_get(display->health, "recorder");
    const json_t *frozen = json_object_get(display->state, "health");
    char text[DISPLAY_TEXT_MAX];

    pubsub_display_reasons(display, json_array_size(frozen) > 0 ? frozen : seen, out, size);
    if (!json_is_string(lost))
        return;
    pubsub_display_fill(text, sizeof text,
                        pubsub_display_say(display, N_("The recording has a gap: {what}")), "what",
                        json_string_value(lost), DISPLAY_END);
    join(out, size, "; ", text);
}

/* ---- players ---- */

struct marks {
    const struct display *display;
    char *out;
    size_t size;
};

static void mark(const struct marks *marks, const char *sign, const char *english)
{
    char text[DISPLAY_TEXT_MAX];

    snprintf(text, sizeof text, "%s%s", sign, pubsub_display_say(marks->display, english));
    join(marks->out, marks->size, ", ", text);
}

static const char *stage(const json_t *claim)
{
    if (pubsub_display_is(claim, "stage", "asking"))
        return N_("Waits for the desk");
    if (pubsub_display_is(claim, "stage", "tied"))
        return N_("Tie: waits for the desk");
    return pubsub_display_is(claim, "stage", "matched") ? N_("Matched: was anyone earlier?")
                                                        : N_("Being checked …");
}

static void claim_mark(const struct marks *marks, int64_t seat)
{
    const json_t *claims = json_object_get(marks->display->state, "claims");

    for (size_t i = 0; i < json_array_size(claims); i++)
        if (pubsub_display_whole(json_array_get(claims, i), "seat") == seat)
            mark(marks, "", stage(json_array_get(claims, i)));
}

/* Is the seat in that list of any pile? */
static bool in_piles(const json_t *state, const char *list, int64_t seat)
{
    const json_t *piles = json_object_get(state, "piles");

    for (size_t i = 0; i < json_array_size(piles); i++)
        if (pubsub_display_has(json_object_get(json_array_get(piles, i), list), seat))
            return true;
    return false;
}

static void level_mark(const struct marks *marks, int64_t level)
{
    char text[DISPLAY_TEXT_MAX];

    numbers_fill(text, sizeof text, pubsub_display_say(marks->display, N_("From level {level}")),
                 "level", level, "", 0);
    join(marks->out, marks->size, ", ", text);
}

static void role_mark(const struct marks *marks, int64_t seat, bool ascii)
{
    const json_t *make5 = json_object_get(marks->display->state, "make5");
    bool maker = pubsub_display_whole(make5, "maker") == seat;
    bool turn = maker == pubsub_display_is(make5, "turn", "maker");

    if (json_is_object(make5))
        mark(marks, !turn ? "" : ascii ? "> " : "▶ ", maker ? N_("Maker") : N_("Breaker"));
}

void pubsub_display_marks(const struct display *display, const json_t *player, bool ascii,
                          char *out, size_t size)
{
    const struct marks marks = {display, out, size};
    int64_t seat = pubsub_display_whole(player, "seat");
    int64_t level = pubsub_display_whole(json_object_get(player, "handicap"), "min_level");
    const char *cross = ascii ? "X " : "✗ ";

    out[0] = 0;
    claim_mark(&marks, seat);
    if (in_piles(display->state, "out", seat))
        mark(&marks, cross, N_("Out for this card"));
    if (in_piles(display->state, "gave_up", seat))
        mark(&marks, "", N_("Gives up"));
    if (json_is_true(json_object_get(player, "owes")))
        mark(&marks, ascii ? "v " : "▼ ", N_("Owes a card"));
    if (json_is_true(json_object_get(player, "barred")))
        mark(&marks, cross, N_("Barred from the first card"));
    if (json_is_true(json_object_get(player, "next_void")))
        mark(&marks, "", N_("Next claim does not count"));
    if (level > 1)
        level_mark(&marks, level);
    role_mark(&marks, seat, ascii);
    if (json_is_integer(json_object_get(player, "finished_clock_ns"))) {
        char time[32];
        pubsub_display_time(pubsub_display_whole(player, "finished_clock_ns"), time, sizeof time);
        join(out, size, ", ", time);
    }
}

const char *pubsub_display_seat_state(const struct display *display, const json_t *reading)
{
    if (pubsub_display_is(reading, "state", "empty"))
        return pubsub_display_say(display, N_("No blocks"));
    if (pubsub_display_is(reading, "state", "occluded"))
        return pubsub_display_say(display, N_("Covered"));
    if (pubsub_display_is(reading, "state", "unreadable"))
        return pubsub_display_say(display, N_("Cannot be read"));
    return pubsub_display_is(reading, "state", "incomplete")
               ? pubsub_display_say(display, N_("Building"))
               : "";
}

void pubsub_display_caption(const struct display *display, const json_t *pile, int cols, char *out,
                            size_t size)
{
    const json_t *card = json_object_get(pile, "card");
    const json_t *owner = pubsub_display_player(display, pubsub_display_whole(pile, "owner"));
    int64_t level = pubsub_display_whole(card, "level");
    char text[DISPLAY_TEXT_MAX];

    out[0] = 0;
    if (json_is_object(card)) {
        numbers_fill(text, sizeof text, pubsub_display_say(display, N_("Level {level}")), "level",
                     level, "", 0);
        /* Bytes are at least as many as columns. */
        if ((int)strlen(text) > cols)
            snprintf(text, sizeof text, "L%" PRId64, level);
        join(out, size, "", text);
    }
    if (owner)
        join(out, size, ", ", pubsub_display_text(owner, "name"));
}
