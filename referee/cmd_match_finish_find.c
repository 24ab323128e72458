/* referee/cmd_match_finish_find.c: photo finishes in a journal. */
#include "referee/cmd_match_finish.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A card that somebody had, and since when it lay there. */
struct ending {
    struct decision decision; /* win or tie */
    struct grid grid;
    int64_t opened_t_ns;
    enum rotation rotation;
    int64_t interval_ns;
    uint8_t winners; /* bits (seat - 1) */
};

struct gathering {
    struct ending *item;
    size_t count, room;
    bool failed;
    int64_t opened_t_ns[PILES_MAX];
    uint64_t opened[PILES_MAX]; /* attempts */
};

static void card_note(struct gathering *gathering, const struct decision *decision)
{
    size_t pile = decision->attempt % 8 % PILES_MAX;

    gathering->opened[pile] = decision->attempt;
    gathering->opened_t_ns[pile] = decision->t_ns;
}

static void ending_add(struct gathering *gathering, const struct decision *decision,
                       const struct match_state *state)
{
    size_t pile = decision->attempt % 8 % PILES_MAX;
    uint8_t winners = decision->kind == DECISION_WIN ? decision->seats : 0;

    if (decision->kind == DECISION_WIN && decision->seat > 0)
        winners |= (uint8_t)(1u << (decision->seat - 1));
    /* A shared card, or a tie that was decided: one finish. */
    for (size_t i = 0; i < gathering->count; i++)
        if (gathering->item[i].decision.attempt == decision->attempt) {
            gathering->item[i].winners |= winners;
            return;
        }
    if (gathering->count == gathering->room) {
        size_t room = gathering->room > 0 ? 2 * gathering->room : 16;
        struct ending *grown = realloc(gathering->item, room * sizeof *grown);
        gathering->failed = gathering->failed || !grown;
        if (!grown)
            return;
        gathering->item = grown;
        gathering->room = room;
    }
    struct ending *ending = &gathering->item[gathering->count++];
    memset(ending, 0, sizeof *ending);
    ending->decision = *decision;
    ending->winners = winners;
    ending->rotation =
        state->rules.value[OPTION_ROTATION] == ROTATE_SEAT ? ROTATION_SEAT : ROTATION_ANY;
    ending->interval_ns = (int64_t)state->rules.value[OPTION_FRAME_INTERVAL] * 1000;
    ending->opened_t_ns = gathering->opened[pile] == decision->attempt
                              ? gathering->opened_t_ns[pile]
                              : decision->at_t_ns;
    for (int i = 0; i < state->cards; i++)
        if (state->card[i].attempt == decision->attempt)
            ending->grid = state->card[i].card.grid;
}

static int decisions_gather(void *context, const struct event *event,
                            const struct decisions *decisions, const struct match_state *after)
{
    struct gathering *gathering = context;

    (void)event;
    for (int i = 0; i < decisions->count; i++) {
        const struct decision *decision = &decisions->item[i];
        if (decision->kind == DECISION_CARD && decision->attempt > 0)
            card_note(gathering, decision);
        if ((decision->kind == DECISION_WIN || decision->kind == DECISION_TIE) &&
            decision->attempt > 0 && gathering->count < FINISHES_MAX)
            ending_add(gathering, decision, after);
    }
    return gathering->failed ? REFEREE_E_MEMORY : 0;
}

/* ---- who arrived ---- */

/* A layout of a picture that was kept, that is the card's. */
static bool layout_right(const struct ending *ending, const struct event_layout *layout)
{
    if (layout->seat.state != SEAT_COMPLETE || layout->digest[0] == 0)
        return false;
    int turn = calib_grid_quarters(&ending->grid, &layout->seat.grid);
    return turn == 0 || (turn > 0 && ending->rotation == ROTATION_ANY);
}

static int64_t apart(int64_t one, int64_t other)
{
    return one > other ? one - other : other - one;
}

/* Of a seat's right layouts the one that came nearest to `near_t_ns`. */
static void layout_take(struct finish *finish, const struct event_layout *layout, int64_t near_t_ns)
{
    struct finish_arrival *arrival = NULL;

    for (int i = 0; i < finish->arrivals; i++)
        if (finish->arrival[i].seat == layout->seat.seat)
            arrival = &finish->arrival[i];
    if (arrival &&
        apart(arrival->layout.first_t_ns, near_t_ns) <= apart(layout->first_t_ns, near_t_ns))
        return;
    if (!arrival && finish->arrivals == PLAYERS_MAX)
        return;
    if (!arrival)
        arrival = &finish->arrival[finish->arrivals++];
    arrival->seat = layout->seat.seat;
    arrival->layout = *layout;
    arrival->claimed_t_ns = -1;
}

static void claim_take(struct finish *finish, const struct event_claim *claim,
                       const struct ending *ending)
{
    for (int i = 0; i < finish->arrivals; i++)
        if (finish->arrival[i].seat == claim->seat && claim->claimed_t_ns >= ending->opened_t_ns &&
            apart(claim->claimed_t_ns, ending->decision.at_t_ns) <=
                FINISH_INTERVALS * ending->interval_ns)
            finish->arrival[i].claimed_t_ns = claim->claimed_t_ns;
}

static int arrival_order(const void *one, const void *other)
{
    const struct finish_arrival *a = one, *b = other;
    int64_t x = a->layout.first_t_ns, y = b->layout.first_t_ns;

    return x != y ? (x > y) - (x < y) : (a->seat > b->seat) - (a->seat < b->seat);
}

/* Those that are not near the winner's, by layout or by claim, were just later. */
static void arrivals_cut(struct finish *finish, const struct ending *ending, int64_t near_t_ns)
{
    int64_t most = FINISH_INTERVALS * ending->interval_ns;
    int kept = 0;

    for (int i = 0; i < finish->arrivals; i++) {
        struct finish_arrival *arrival = &finish->arrival[i];
        bool near =
            apart(arrival->layout.first_t_ns, near_t_ns) <= most || arrival->claimed_t_ns >= 0;
        arrival->won = ending->winners & (1u << (arrival->seat - 1));
        if (near && kept != i)
            finish->arrival[kept] = *arrival;
        kept += near;
    }
    finish->arrivals = kept;
    qsort(finish->arrival, (size_t)kept, sizeof finish->arrival[0], arrival_order);
}

static void names_take(struct finish *finish, const struct match_state *state)
{
    for (int i = 0; i < finish->arrivals; i++)
        for (int p = 0; p < state->players; p++)
            if (state->player[p].seat == finish->arrival[i].seat)
                memcpy(finish->arrival[i].name, state->player[p].name,
                       sizeof finish->arrival[i].name);
}

/* When the card was had: the winner's layout, or, of a tie, when it was claimed or seen. */
static int64_t near_find(const struct history *history, const struct ending *ending)
{
    int64_t near_t_ns =
        ending->decision.at_t_ns > 0 ? ending->decision.at_t_ns : ending->decision.t_ns;
    struct event event;

    for (uint64_t seq = ending->decision.seq; seq > 0; seq--) {
        if (!referee_history_event(history, seq, &event))
            continue;
        if (event.t_ns < ending->opened_t_ns)
            break;
        if (event.kind == EVENT_LAYOUT && layout_right(ending, &event.layout) &&
            (ending->winners == 0 || (ending->winners & (1u << (event.layout.seat.seat - 1)))))
            return event.layout.first_t_ns;
    }
    return near_t_ns;
}

/* Events beyond the win count, too: who was second arrives after it. */
static void arrivals_find(const struct record *record, const struct ending *ending,
                          struct finish *out)
{
    const struct history *history = referee_record_history(record);
    int64_t near_t_ns = near_find(history, ending), until_t_ns;
    uint64_t last = referee_history_last(history);
    struct event event;

    memset(out, 0, sizeof *out);
    out->event = ending->decision.cause;
    out->level = ending->decision.level;
    out->interval_ns = ending->interval_ns;
    memcpy(out->card, ending->decision.card, sizeof out->card);
    /* A layout is told when it has settled, a second later at most. */
    until_t_ns = ending->decision.t_ns + FINISH_INTERVALS * ending->interval_ns + 1000000000;
    for (int claims = 0; claims < 2; claims++)
        /* An attempt is named after the event that opened it. */
        for (uint64_t seq = ending->decision.attempt / 8; seq <= last; seq++) {
            if (!referee_history_event(history, seq, &event) || event.t_ns < ending->opened_t_ns)
                continue;
            if (event.t_ns > until_t_ns)
                break;
            if (!claims && event.kind == EVENT_LAYOUT && layout_right(ending, &event.layout))
                layout_take(out, &event.layout, near_t_ns);
            if (claims && event.kind == EVENT_CLAIM)
                claim_take(out, &event.claim, ending);
        }
    arrivals_cut(out, ending, near_t_ns);
    names_take(out, referee_record_state(record));
}

bool cmd_finish_find(const struct record *record, struct finish **out, size_t *count)
{
    struct gathering gathering = {.item = NULL};
    bool well =
        referee_history_replay(referee_record_history(record), decisions_gather, &gathering) >= 0 &&
        !gathering.failed;

    *count = 0;
    *out = well ? calloc(gathering.count + 1, sizeof **out) : NULL;
    well = well && *out;
    for (size_t i = 0; well && i < gathering.count; i++) {
        arrivals_find(record, &gathering.item[i], &(*out)[*count]);
        *count += (*out)[*count].arrivals >= 2;
    }
    free(gathering.item);
    return well;
}

void cmd_finish_json(const struct finish *finish, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_int(out, "event", (int64_t)finish->event);
    vision_json_string(out, "card", finish->card[0] ? finish->card : NULL);
    vision_json_int(out, "level", finish->level);
    vision_json_int(out, "interval_ns", finish->interval_ns);
    vision_json_open(out, "seats", '[');
    for (int i = 0; i < finish->arrivals; i++) {
        const struct finish_arrival *arrival = &finish->arrival[i];
        vision_json_open(out, NULL, '{');
        vision_json_int(out, "seat", arrival->seat);
        vision_json_string(out, "player", arrival->name);
        vision_json_int(out, "frame", (int64_t)arrival->layout.frame);
        vision_json_int(out, "captured_t_ns", arrival->layout.first_t_ns);
        if (arrival->claimed_t_ns >= 0)
            vision_json_int(out, "claimed_t_ns", arrival->claimed_t_ns);
        else
            vision_json_null(out, "claimed_t_ns");
        vision_json_bool(out, "won", arrival->won);
        vision_json_close(out, '}');
    }
    vision_json_close(out, ']');
}
