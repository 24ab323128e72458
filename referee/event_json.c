/* referee/event_json.c: events to and from lines of JSON. One table says of each kind which members
 * it has and who reads and writes them. */
#include "referee/event_json.h"

#include "referee/seat_json.h"
#include "referee/setup_json.h"
#include "referee/value_json.h"
#include "vision/layout_json.h"

#include <string.h>

enum { NUMBER_MAX = 99, SEAT_BIT_MAX = 8, HOUR_MS = 3600000, MEMBERS_MAX = 24 };

static const char *event_word(int place)
{
    return referee_event_name((enum event_kind)place);
}

static int start_read(const struct json_node *root, struct event *out)
{
    int64_t countdown_ms = -1;
    int error = referee_json_whole(root, "countdown_ms", 0, HOUR_MS, &countdown_ms);

    out->countdown_ms = (int32_t)countdown_ms;
    return error;
}

static void start_write(const struct event *event, struct json_text *out)
{
    if (event->countdown_ms < 0)
        vision_json_null(out, "countdown_ms");
    else
        vision_json_int(out, "countdown_ms", event->countdown_ms);
}

static int layout_read(const struct json_node *root, struct event *out)
{
    struct event_layout *layout = &out->layout;
    int64_t frame = 0;
    int error = referee_seat_read(root, &layout->seat);

    layout->first_t_ns = out->t_ns;
    error = error ? error : referee_json_time(root, "first_t", &layout->first_t_ns);
    layout->moved_t_ns = layout->first_t_ns;
    if (error || (error = referee_json_time(root, "moved_t", &layout->moved_t_ns)) ||
        (error = referee_json_whole(root, "frame", 0, JSON_EXACT_MAX, &frame)))
        return error;
    layout->frame = (uint64_t)frame;
    return referee_json_digest(root, "digest", layout->digest);
}

static void layout_write(const struct event *event, struct json_text *out)
{
    const struct event_layout *layout = &event->layout;
    vision_layout_seat_members(&layout->seat, out);
    vision_json_int(out, "first_t_ns", layout->first_t_ns);
    vision_json_int(out, "moved_t_ns", layout->moved_t_ns);
    vision_json_int(out, "frame", (int64_t)layout->frame);
    referee_write_text(out, "digest", layout->digest);
}

static int motion_read(const struct json_node *root, struct event *out)
{
    struct event_motion *motion = &out->motion;
    int seat = 0, error = calib_json_integer(root, "seat", 1, NUMBER_MAX, &seat);

    motion->seat = (int8_t)seat;
    motion->at_t_ns = out->t_ns;
    error = error ? error : referee_json_bool(root, "blocks", &motion->blocks);
    error = error ? error : referee_json_time(root, "at_t", &motion->at_t_ns);
    return error ? error : referee_json_span(root, "unseen", &motion->unseen_ns);
}

static void motion_write(const struct event *event, struct json_text *out)
{
    vision_json_int(out, "seat", event->motion.seat);
    vision_json_bool(out, "blocks", event->motion.blocks);
    vision_json_int(out, "at_t_ns", event->motion.at_t_ns);
    vision_json_int(out, "unseen_ns", event->motion.unseen_ns);
}

static int card_read(const struct json_node *root, struct event *out)
{
    int error = referee_slot_read(root, &out->card.card);

    out->card.first_t_ns = out->t_ns;
    return error ? error : referee_json_time(root, "first_t", &out->card.first_t_ns);
}

static void card_write(const struct event *event, struct json_text *out)
{
    vision_layout_card_members(&event->card.card, out);
    vision_json_int(out, "first_t_ns", event->card.first_t_ns);
}

static int claim_read(const struct json_node *root, struct event *out)
{
    struct event_claim *claim = &out->claim;
    int64_t attempt = 0;
    int seat = 0, error = calib_json_integer(root, "seat", 1, NUMBER_MAX, &seat);

    claim->seat = (int8_t)seat;
    claim->claimed_t_ns = out->t_ns;
    if (error || (error = referee_json_small(root, "slot", 0, NUMBER_MAX, &claim->slot)) ||
        (error = referee_json_whole(root, "attempt", 0, JSON_EXACT_MAX, &attempt)) ||
        (error = referee_json_time(root, "claimed_t", &claim->claimed_t_ns)) ||
        (error = referee_json_span(root, "error", &claim->error_ns)))
        return error;
    claim->attempt = (uint64_t)attempt;
    return referee_json_text(root, "source", sizeof claim->source, claim->source);
}

static void claim_write(const struct event *event, struct json_text *out)
{
    const struct event_claim *claim = &event->claim;
    vision_json_int(out, "seat", claim->seat);
    referee_write_whole(out, "slot", claim->slot);
    referee_write_whole(out, "attempt", (int64_t)claim->attempt);
    vision_json_int(out, "claimed_t_ns", claim->claimed_t_ns);
    vision_json_int(out, "error_ns", claim->error_ns);
    referee_write_text(out, "source", claim->source);
}

static int tick_read(const struct json_node *root, struct event *out)
{
    out->seen_t_ns = out->t_ns;
    return referee_json_time(root, "seen_t", &out->seen_t_ns);
}

static void tick_write(const struct event *event, struct json_text *out)
{
    vision_json_int(out, "seen_t_ns", event->seen_t_ns);
}

static int health_read(const struct json_node *root, struct event *out)
{
    return referee_json_reasons(root, "reasons", &out->health);
}

static void health_write(const struct event *event, struct json_text *out)
{
    vision_json_reasons(out, "reasons", event->health);
}

/* What every act of a person has. */
static int act_read(const struct json_node *root, struct event *out)
{
    int error = referee_json_text(root, "by", sizeof out->act.by, out->act.by);

    return error ? error : referee_json_text(root, "why", sizeof out->act.why, out->act.why);
}

static void act_write(const struct event *event, struct json_text *out)
{
    referee_write_text(out, "by", event->act.by);
    referee_write_text(out, "why", event->act.why);
}

/* give_up, award, penalise, set_aside: whose card, and which. A seat that must be named is asked
 * for by the kinds below. */
static int place_read(const struct json_node *root, struct event *out)
{
    int error = referee_json_small(root, "seat", 0, NUMBER_MAX, &out->act.seat);

    error = error ? error : referee_json_small(root, "slot", 0, NUMBER_MAX, &out->act.slot);
    return error ? error : act_read(root, out);
}

static int seated_read(const struct json_node *root, struct event *out)
{
    int seat = 0, error = calib_json_integer(root, "seat", 1, NUMBER_MAX, &seat);

    return error ? error : place_read(root, out);
}

static void place_write(const struct event *event, struct json_text *out)
{
    referee_write_whole(out, "seat", event->act.seat);
    referee_write_whole(out, "slot", event->act.slot);
    act_write(event, out);
}

/* The claim, layout or attempt that a person speaks of. */
static int cause_read(const struct json_node *root, struct event *out)
{
    struct json_node node;
    int64_t cause = 0;

    if (!calib_json_maybe(root, "cause", &node))
        return calib_json_fault(root, CALIB_E_VALUE, "\"cause\" is missing");
    int error = referee_json_whole(root, "cause", 1, JSON_EXACT_MAX, &cause);
    out->act.cause = (uint64_t)cause;
    return error;
}

static int confirm_read(const struct json_node *root, struct event *out)
{
    struct json_node node;
    int error = cause_read(root, out);

    if (!error && !referee_json_given(root, "agree", &node))
        error = calib_json_fault(root, CALIB_E_VALUE, "\"agree\" is missing");
    error = error ? error : referee_json_bool(root, "agree", &out->act.agree);
    return error ? error : act_read(root, out);
}

static void confirm_write(const struct event *event, struct json_text *out)
{
    vision_json_int(out, "cause", (int64_t)event->act.cause);
    vision_json_bool(out, "agree", event->act.agree);
    act_write(event, out);
}

static int decide_read(const struct json_node *root, struct event *out)
{
    int error = cause_read(root, out);

    error = error ? error : referee_json_seats(root, "seats", &out->act.seats);
    return error ? error : act_read(root, out);
}

static void decide_write(const struct event *event, struct json_text *out)
{
    vision_json_int(out, "cause", (int64_t)event->act.cause);
    referee_write_seats(out, "seats", event->act.seats);
    act_write(event, out);
}

static int set_card_read(const struct json_node *root, struct event *out)
{
    struct card *card = &out->act.card;
    int64_t level = 0;
    int error = referee_json_small(root, "slot", 0, NUMBER_MAX, &out->act.slot);

    if (error || (error = referee_json_text(root, "id", sizeof card->id, card->id)) ||
        (error = referee_json_whole(root, "level", 1, CARD_LEVELS, &level)) ||
        (error = referee_json_grid(root, "grid", &card->grid)))
        return error;
    card->level = (int)level;
    if (!card->id[0] && card->grid.rows == 0)
        return calib_json_fault(root, CALIB_E_VALUE, "neither \"id\" nor \"grid\"");
    return act_read(root, out);
}

static void set_card_write(const struct event *event, struct json_text *out)
{
    referee_write_whole(out, "slot", event->act.slot);
    referee_card_members(out, &event->act.card);
    act_write(event, out);
}

static int name_read(const struct json_node *root, struct event *out)
{
    struct json_node node;
    int seat = 0, error = calib_json_integer(root, "seat", 1, NUMBER_MAX, &seat);

    out->act.seat = (int8_t)seat;
    if (!error && !referee_json_given(root, "name", &node))
        error = calib_json_fault(root, CALIB_E_VALUE, "\"name\" is missing");
    error = error ? error : referee_json_name(root, "name", out->act.name);
    return error ? error : act_read(root, out);
}

static void name_write(const struct event *event, struct json_text *out)
{
    vision_json_int(out, "seat", event->act.seat);
    vision_json_string(out, "name", event->act.name);
    act_write(event, out);
}

/* The states in which `read --ramp` finds a ramp are a seat's but "empty". That it was not all read
 * is what counts; why, the reasons say. */
static int discs_state_read(const struct json_node *root, bool *complete)
{
    static const char *const others[] = {"incomplete", "occluded", "unreadable"};
    struct json_node node;

    if (!calib_json_maybe(root, "state", &node))
        return calib_json_fault(root, CALIB_E_VALUE, "\"state\" is missing");
    const char *word = json_is_string(node.value) ? json_string_value(node.value) : "";
    bool known = *complete = strcmp(word, "complete") == 0;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        known |= strcmp(word, others[i]) == 0;
    return known ? CALIB_OK
                 : calib_json_fault(&node, CALIB_E_VALUE,
                                    "\"%.40s\" is no state; one such is \"complete\"", word);
}

static int discs_read(const struct json_node *root, struct event *out)
{
    struct event_discs *discs = &out->discs;
    struct json_node node;
    int64_t frame = 0;
    int error = discs_state_read(root, &discs->complete);

    discs->first_t_ns = out->t_ns;
    memset(discs->disc, GRID_HOLE, sizeof discs->disc);
    if (!error && (discs->complete || referee_json_given(root, "rows_from_bottom", &node)))
        error = referee_json_rows(root, "rows_from_bottom", discs->disc);
    if (error || (error = referee_json_reasons(root, "reasons", &discs->reasons)) ||
        (error = referee_json_time(root, "first_t", &discs->first_t_ns)) ||
        (error = referee_json_whole(root, "frame", 0, JSON_EXACT_MAX, &frame)))
        return error;
    discs->frame = (uint64_t)frame;
    return CALIB_OK;
}

static void discs_write(const struct event *event, struct json_text *out)
{
    vision_json_string(out, "state", event->discs.complete ? "complete" : "incomplete");
    referee_write_rows(out, "rows_from_bottom", event->discs.disc);
    vision_json_reasons(out, "reasons", event->discs.reasons);
    vision_json_int(out, "first_t_ns", event->discs.first_t_ns);
    vision_json_int(out, "frame", (int64_t)event->discs.frame);
}

static const char *turn_word(int place)
{
    return place ? "maker" : "breaker";
}

static int set_discs_read(const struct json_node *root, struct event *out)
{
    static const struct word_list turns = {2, turn_word};
    struct event_discs *discs = &out->discs;
    int turn = 0, error = referee_json_rows(root, "rows_from_bottom", discs->disc);

    discs->complete = true;
    discs->first_t_ns = out->t_ns;
    error = error ? error : referee_json_word(root, "turn", &turns, &turn);
    discs->turn = (int8_t)turn;
    error = error ? error : referee_json_text(root, "by", sizeof discs->by, discs->by);
    return error ? error : referee_json_text(root, "why", sizeof discs->why, discs->why);
}

static void set_discs_write(const struct event *event, struct json_text *out)
{
    referee_write_rows(out, "rows_from_bottom", event->discs.disc);
    vision_json_string(out, "turn", turn_word(event->discs.turn != 0));
    referee_write_text(out, "by", event->discs.by);
    referee_write_text(out, "why", event->discs.why);
}

/* The set-up's reader gives its cards away and has another form: it is called by name. */
static void setup_write(const struct event *event, struct json_text *out)
{
    referee_setup_write(&event->setup, out);
}

struct kind_format {
    const char *member[MEMBERS_MAX]; /* besides v, seq, t_ns, t_ms, event */
    int (*read)(const struct json_node *root, struct event *out);
    void (*write)(const struct event *event, struct json_text *out);
};

#define ACT "by", "why"

static const struct kind_format formats[EVENT_KINDS] = {
    [EVENT_SETUP] = {{"game", "players", "options", "handicap", "slots", "deck", "digest", "seed",
                      "cards", "colours"},
                     NULL,
                     setup_write},
    [EVENT_START] = {{"countdown_ms"}, start_read, start_write},
    [EVENT_LAYOUT] = {{"seat", "state", "grid", "turned_deg", "confidence", "cells", "reasons",
                       "first_t_ns", "first_t_ms", "moved_t_ns", "moved_t_ms", "frame", "digest"},
                      layout_read,
                      layout_write},
    [EVENT_MOTION] = {{"seat", "blocks", "at_t_ns", "at_t_ms", "unseen_ns", "unseen_ms"},
                      motion_read,
                      motion_write},
    [EVENT_CARD] = {{"slot", "state", "id", "level", "grid", "turn", "confidence", "reasons",
                     "first_t_ns", "first_t_ms"},
                    card_read,
                    card_write},
    [EVENT_CLAIM] = {{"seat", "slot", "attempt", "claimed_t_ns", "claimed_t_ms", "error_ns",
                      "error_ms", "source"},
                     claim_read,
                     claim_write},
    [EVENT_TICK] = {{"seen_t_ns", "seen_t_ms"}, tick_read, tick_write},
    [EVENT_PAUSE] = {{ACT}, act_read, act_write},
    [EVENT_RESUME] = {{ACT}, act_read, act_write},
    [EVENT_HEALTH] = {{"reasons"}, health_read, health_write},
    [EVENT_GIVE_UP] = {{"seat", "slot", ACT}, place_read, place_write},
    [EVENT_CONFIRM] = {{"cause", "agree", ACT}, confirm_read, confirm_write},
    [EVENT_DECIDE] = {{"cause", "seats", ACT}, decide_read, decide_write},
    [EVENT_SET_CARD] = {{"slot", "id", "level", "grid", ACT}, set_card_read, set_card_write},
    [EVENT_AWARD] = {{"seat", "slot", ACT}, seated_read, place_write},
    [EVENT_PENALISE] = {{"seat", "slot", ACT}, seated_read, place_write},
    [EVENT_SET_ASIDE] = {{"seat", "slot", ACT}, place_read, place_write},
    [EVENT_ABANDON] = {{ACT}, act_read, act_write},
    [EVENT_NAME] = {{"seat", "name", ACT}, name_read, name_write},
    [EVENT_DISCS] = {{"state", "rows_from_bottom", "reasons", "first_t_ns", "first_t_ms", "frame"},
                     discs_read,
                     discs_write},
    [EVENT_PASS] = {{ACT}, act_read, act_write},
    [EVENT_SET_DISCS] = {{"rows_from_bottom", "turn", ACT}, set_discs_read, set_discs_write},
};

/* Version, number, time and kind. */
static int head_read(const struct json_node *root, uint64_t next_seq, struct event *out)
{
    static const struct word_list kinds = {EVENT_KINDS, event_word};
    struct json_node node;
    int64_t version = EVENTS_VERSION, seq = 0;
    int kind = 0, error;

    if ((error = referee_json_whole(root, "v", EVENTS_VERSION, EVENTS_VERSION, &version)) ||
        (error = referee_json_whole(root, "seq", 1, JSON_EXACT_MAX, &seq)) ||
        (error = referee_json_word(root, "event", &kinds, &kind)))
        return error;
    if (!referee_json_given(root, "t_ns", &node) && !referee_json_given(root, "t_ms", &node))
        return calib_json_fault(root, CALIB_E_VALUE, "neither \"t_ns\" nor \"t_ms\"");
    out->seq = seq ? (uint64_t)seq : next_seq;
    out->kind = (enum event_kind)kind;
    return referee_json_span(root, "t", &out->t_ns);
}

static int members_check(const struct json_node *root, const struct kind_format *format)
{
    static const char *const head[] = {"v", "seq", "t_ns", "t_ms", "event"};
    const char *known[MEMBERS_MAX + sizeof head / sizeof head[0] + 1] = {NULL};
    size_t count = 0;

    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        known[count++] = head[i];
    for (size_t i = 0; i < MEMBERS_MAX && format->member[i]; i++)
        known[count++] = format->member[i];
    return referee_json_only(root, known);
}

static int event_read(const struct json_node *root, uint64_t next_seq, struct event *out,
                      struct referee_cards **cards)
{
    int error = head_read(root, next_seq, out);

    if (error || (error = members_check(root, &formats[out->kind])))
        return error;
    if (out->kind == EVENT_SETUP)
        return referee_setup_read(root, &out->setup, cards);
    return formats[out->kind].read(root, out);
}

int referee_event_parse(const char *json, size_t length, uint64_t next_seq, struct event *out,
                        struct referee_cards **cards, struct calib_fault *fault)
{
    struct json_doc doc;
    struct json_node root;

    memset(out, 0, sizeof *out);
    *cards = NULL;
    int error = calib_json_open(&doc, json, length, "event", NULL, fault, &root);
    if (error)
        return error;
    error = event_read(&root, next_seq, out, cards);
    calib_json_close(&doc);
    if (error)
        memset(out, 0, sizeof *out);
    return error;
}

void referee_event_json(const struct event *event, struct json_text *out)
{
    if ((unsigned)event->kind >= EVENT_KINDS) {
        vision_json_null(out, NULL);
        return;
    }
    vision_json_open(out, NULL, '{');
    vision_json_int(out, "v", EVENTS_VERSION);
    vision_json_int(out, "seq", (int64_t)event->seq);
    vision_json_int(out, "t_ns", event->t_ns);
    vision_json_string(out, "event", referee_event_name(event->kind));
    formats[event->kind].write(event, out);
    vision_json_close(out, '}');
}
