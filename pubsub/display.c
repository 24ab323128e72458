/* pubsub/display.c: what a display knows of a table. */
#include "pubsub/display_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS 1000000
/* Differences of the way a state took are not worth a step back on a running clock. */
#define JITTER_NS (300 * (int64_t)NS_PER_MS)
#define COUNT_FROM 3
/* Numbers of the formats are exact up to 2^53; a larger one means nothing, and sums must not run over. */
#define WHOLE_MOST ((int64_t)1 << 53)
#define NS_PER_S 1000000000

/* ---- looking into JSON ---- */

const char *pubsub_display_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

int64_t pubsub_display_whole(const json_t *object, const char *key)
{
    int64_t value = json_integer_value(json_object_get(object, key));

    return value > WHOLE_MOST ? WHOLE_MOST : value < -WHOLE_MOST ? -WHOLE_MOST : value;
}

bool pubsub_display_is(const json_t *object, const char *key, const char *word)
{
    return strcmp(pubsub_display_text(object, key), word) == 0;
}

bool pubsub_display_has(const json_t *list, int64_t number)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_is_integer(json_array_get(list, i)) &&
            json_integer_value(json_array_get(list, i)) == number)
            return true;
    return false;
}

/* ---- beginning and end ---- */

struct display *pubsub_display_create(const struct display_kit *kit)
{
    struct display *display = calloc(1, sizeof *display);

    if (display && kit)
        display->kit = *kit;
    return display;
}

static void keep(json_t **place, const json_t *value)
{
    union {
        const json_t *lent;
        json_t *counted;
    } counted = {.lent = value};

    json_incref(counted.counted);
    json_decref(*place);
    *place = counted.counted;
}

static void drop(json_t **place)
{
    json_decref(*place);
    *place = NULL;
}

/* Another match: nothing of before belongs to it. */
static void forget(struct display *display)
{
    drop(&display->state);
    drop(&display->health);
    drop(&display->replay);
    drop(&display->withdrawn);
    for (int i = 0; i < DISPLAY_SEATS; i++)
        drop(&display->seat[i]);
    while (display->decisions > 0)
        drop(&display->decision[--display->decisions]);
    memset(&display->clock, 0, sizeof display->clock);
    display->counted = 0;
}

void pubsub_display_destroy(struct display **display)
{
    if (!display || !*display)
        return;
    forget(*display);
    free(*display);
    *display = NULL;
}

/* ---- what is heard ---- */

int64_t pubsub_display_passed_ns(const struct display_clock *clock, int64_t now_ns)
{
    int64_t passed_ns = now_ns > clock->at_ns ? now_ns - clock->at_ns : 0;

    return passed_ns / 1000 * clock->speed_permille;
}

static int64_t clock_at(const struct display_clock *clock, int64_t now_ns)
{
    return clock->clock_ns + (clock->runs ? pubsub_display_passed_ns(clock, now_ns) : 0);
}

/* How fast a replay goes; a match that is played goes as it does. */
static int64_t speed_of(const json_t *replay)
{
    int64_t speed = pubsub_display_whole(replay, "speed_permille");

    if (!json_is_object(replay))
        return 1000;
    return json_is_true(json_object_get(replay, "paused")) || speed < 0 || speed > 1000000 ? 0
                                                                                           : speed;
}

static void clock_anchor(struct display_clock *clock, const json_t *body, int64_t now_ns)
{
    const json_t *clocks = json_object_get(body, "clocks"), *state = json_object_get(body, "state");
    const json_t *start = json_object_get(clocks, "start_t_ns");
    int64_t shown_ns = clock_at(clock, now_ns);
    bool ran = clock->known && clock->runs;

    clock->known = true;
    clock->at_ns = now_ns;
    clock->speed_permille = speed_of(json_object_get(body, "replay"));
    clock->t_ns = pubsub_display_whole(clocks, "t_ns");
    clock->clock_ns = pubsub_display_whole(clocks, "clock_ns");
    clock->runs = json_is_true(json_object_get(clocks, "clock_runs"));
    clock->counts = json_is_integer(start) && pubsub_display_is(state, "phase", "countdown") &&
                    !json_is_true(json_object_get(state, "paused"));
    clock->start_t_ns = pubsub_display_whole(clocks, "start_t_ns");
    if (ran && clock->runs && shown_ns > clock->clock_ns && shown_ns - clock->clock_ns < JITTER_NS)
        clock->clock_ns = shown_ns;
}

/* Below 0, 0, above 0: as their names stand to each other. */
static int64_t order(const json_t *one, const json_t *other)
{
    int64_t by_seq = pubsub_display_whole(one, "seq") - pubsub_display_whole(other, "seq");

    return by_seq ? by_seq
                  : pubsub_display_whole(one, "index") - pubsub_display_whole(other, "index");
}

static void decision_put(struct display *display, const json_t *decision)
{
    int at = display->decisions;

    while (at > 0 && order(display->decision[at - 1], decision) > 0)
        at--;
    if (at > 0 && order(display->decision[at - 1], decision) == 0) {
        keep(&display->decision[at - 1], decision);
        return;
    }
    if (display->decisions == DISPLAY_DECISIONS) {
        if (at == 0)
            return;
        drop(&display->decision[0]);
        memmove(display->decision, display->decision + 1,
                (size_t)(--display->decisions) * sizeof *display->decision);
        at--;
    }
    memmove(display->decision + at + 1, display->decision + at,
            (size_t)(display->decisions - at) * sizeof *display->decision);
    display->decision[at] = NULL;
    display->decisions++;
    keep(&display->decision[at], decision);
}

static void decision_void(struct display *display, const json_t *name)
{
    for (int i = 0; i < display->decisions; i++)
        if (order(display->decision[i], name) == 0) {
            keep(&display->withdrawn, display->decision[i]);
            drop(&display->decision[i]);
            memmove(display->decision + i, display->decision + i + 1,
                    (size_t)(--display->decisions - i) * sizeof *display->decision);
            return;
        }
}

static void decision_heard(struct display *display, const json_t *decision, bool late)
{
    enum screen_paint tone = pubsub_display_tone(decision);

    if (!json_is_object(decision))
        return;
    decision_put(display, decision);
    if (late)
        return;
    drop(&display->withdrawn);
    if (pubsub_display_is(decision, "decision", "verdict") && tone == PAINT_GOOD)
        display->cue = DISPLAY_CUE_RULING;
    else if (pubsub_display_is(decision, "decision", "verdict") ||
             pubsub_display_is(decision, "decision", "false_start") ||
             pubsub_display_is(decision, "decision", "illegal"))
        display->cue = DISPLAY_CUE_ERROR;
}

static void layout_heard(struct display *display, const json_t *layout)
{
    const json_t *seat = json_object_get(layout, "seat");
    int64_t number = pubsub_display_whole(seat, "seat");

    if (number >= 1 && number <= DISPLAY_SEATS)
        keep(&display->seat[number - 1], seat);
}

void pubsub_display_message(struct display *display, const struct message_head *head,
                            const json_t *body, bool late, int64_t now_ns)
{
    bool other =
        strcmp(display->table, head->table) != 0 || strcmp(display->match, head->match) != 0;

    if (other || head->epoch < display->epoch)
        forget(display);
    memcpy(display->table, head->table, sizeof display->table);
    memcpy(display->match, head->match, sizeof display->match);
    display->epoch = head->epoch;
    display->heard_ns = now_ns;
    keep(&display->replay, json_object_get(body, "replay"));
    if (head->kind == MESSAGE_STATE) {
        clock_anchor(&display->clock, body, now_ns);
        keep(&display->state, json_object_get(body, "state"));
    } else if (head->kind == MESSAGE_VERDICT) {
        decision_heard(display, json_object_get(body, "decision"), late);
    } else if (head->kind == MESSAGE_VOID) {
        decision_void(display, json_object_get(body, "decision"));
    } else if (head->kind == MESSAGE_LAYOUT) {
        layout_heard(display, json_object_get(body, "layout"));
    } else {
        keep(&display->health, json_object_get(body, "health"));
    }
}

void pubsub_display_link(struct display *display, enum display_link link, const char *text,
                         int64_t now_ns)
{
    if (display->link == DISPLAY_LINK_NONE && link != DISPLAY_LINK_WELL && display->heard_ns == 0)
        display->heard_ns = now_ns;
    display->link = link;
    snprintf(display->link_text, sizeof display->link_text, "%s", text ? text : "");
}

/* ---- what is asked ---- */

bool pubsub_display_runs(const struct display *display)
{
    return display->link != DISPLAY_LINK_WELL || display->clock.runs || display->clock.counts;
}

int pubsub_display_seat(const struct display *display, int place)
{
    const json_t *players = json_object_get(display->state, "players");

    return place < 0 ? 0
                     : (int)pubsub_display_whole(json_array_get(players, (size_t)place), "seat");
}

int64_t pubsub_display_epoch(const struct display *display)
{
    return display->epoch;
}

const json_t *pubsub_display_player(const struct display *display, int64_t seat)
{
    const json_t *players = json_object_get(display->state, "players");

    for (size_t i = 0; i < json_array_size(players); i++)
        if (pubsub_display_whole(json_array_get(players, i), "seat") == seat)
            return json_array_get(players, i);
    return NULL;
}

const json_t *pubsub_display_reading(const struct display *display, const json_t *player)
{
    int64_t seat = pubsub_display_whole(player, "seat");
    const json_t *heard = seat >= 1 && seat <= DISPLAY_SEATS ? display->seat[seat - 1] : NULL;

    return heard ? heard : json_object_get(player, "layout");
}

/* Does a decision say something by itself? Acts of people that fell on nothing are the desk's. */
static bool is_head(const json_t *decision)
{
    static const char *const heads[] = {"verdict", "tie",  "set_aside", "false_start",
                                        "illegal", "move", "round",     "refused",
                                        "end",     "win",  "penalty"};

    if (pubsub_display_is(decision, "decision", "refused") &&
        pubsub_display_whole(decision, "seat") == 0)
        return false;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (pubsub_display_is(decision, "decision", heads[i]))
            return true;
    return false;
}

/* Of what one claim brought out, the verdict. */
const json_t *pubsub_display_ruling(const struct display *display)
{
    const json_t *last = NULL;

    for (int i = display->decisions - 1; i >= 0 && !last; i--)
        if (is_head(display->decision[i]))
            last = display->decision[i];
    if (!last || pubsub_display_is(last, "decision", "end") ||
        pubsub_display_is(last, "decision", "tie"))
        return last;
    for (int i = display->decisions - 1; i >= 0; i--)
        if (pubsub_display_is(display->decision[i], "decision", "verdict") &&
            pubsub_display_whole(display->decision[i], "cause") ==
                pubsub_display_whole(last, "cause"))
            return display->decision[i];
    return last;
}

const char *pubsub_display_ruled_grid(const struct display *display, const json_t *ruling)
{
    const json_t *player, *settled;
    const char *grid =
        json_string_value(json_object_get(json_object_get(ruling, "layout"), "grid"));

    if (grid || !pubsub_display_is(ruling, "decision", "verdict"))
        return grid;
    player = pubsub_display_player(display, pubsub_display_whole(ruling, "seat"));
    settled = json_object_get(player, "layout");
    if (!json_equal(json_object_get(settled, "frame"), json_object_get(ruling, "frame")))
        return NULL;
    return json_string_value(json_object_get(settled, "grid"));
}

enum display_cue pubsub_display_cue(struct display *display, int64_t now_ns)
{
    enum display_cue cue = display->cue;
    const struct display_clock *clock = &display->clock;

    display->cue = DISPLAY_CUE_NONE;
    if (!clock->counts) {
        bool started = display->counted > 0 && pubsub_display_is(display->state, "phase", "play");
        display->counted = 0;
        return started ? DISPLAY_CUE_START : cue;
    }
    int64_t left_ns = clock->start_t_ns - clock->t_ns - pubsub_display_passed_ns(clock, now_ns);
    int digit = left_ns > 0 ? (int)((left_ns + NS_PER_S - 1) / NS_PER_S) : 0;
    if (digit < 1 || digit > COUNT_FROM || digit == display->counted)
        return cue;
    display->counted = digit;
    return DISPLAY_CUE_COUNT;
}
