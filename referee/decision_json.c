/* referee/decision_json.c: decisions as JSON. */
#include "referee/decision_json.h"

#include "referee/event_json.h"
#include "referee/setup_json.h"
#include "referee/value_json.h"
#include "vision/layout_json.h"

#include <string.h>

static int player_at(const struct match_state *state, int seat)
{
    for (int p = 0; state && p < state->players && p < PLAYERS_MAX; p++)
        if (seat > 0 && state->player[p].seat == seat)
            return p;
    return -1;
}

static void write_who(const struct match_state *after, const char *key, int seat,
                      struct json_text *out)
{
    int player = player_at(after, seat);
    referee_write_whole(out, key, seat);
    vision_json_string(out, "name", player < 0 ? NULL : after->player[player].name);
}

static void write_place(struct json_text *out, const char *key, const int8_t place[2])
{
    if (place[0] <= 0) {
        vision_json_null(out, key);
        return;
    }
    vision_json_open(out, key, '[');
    vision_json_int(out, NULL, place[0]);
    vision_json_int(out, NULL, place[1]);
    vision_json_close(out, ']');
}

static void write_card(const struct decision *d, struct json_text *out)
{
    referee_write_whole(out, "attempt", (int64_t)d->attempt);
    referee_write_whole(out, "slot", d->slot);
    referee_write_text(out, "card", d->card[0] ? d->card : d->verdict.card);
    referee_write_whole(out, "level", d->level);
}

static void write_phase(const struct decision *d, const struct match_state *after,
                        struct json_text *out)
{
    (void)after;
    vision_json_string(out, "phase", referee_phase_name(d->phase));
    vision_json_bool(out, "paused", d->paused);
}

static const struct grid *grid_in_play(const struct decision *d, const struct match_state *after)
{
    for (int p = 0; after && p < after->piles && p < PILES_MAX; p++) {
        const struct pile *pile = &after->pile[p];
        if (d->attempt && pile->attempt == d->attempt && pile->top >= 0 && pile->top < after->cards)
            return &after->card[pile->top].card.grid;
    }
    return NULL;
}

static void write_card_turned(const struct decision *d, const struct match_state *after,
                              struct json_text *out)
{
    const struct grid *grid = grid_in_play(d, after);
    write_card(d, out);
    if (grid)
        referee_write_grid(out, "grid", grid);
    else
        vision_json_null(out, "grid");
}

void referee_verdict_members(const struct verdict *verdict, struct json_text *out)
{
    vision_json_string(out, "verdict", referee_ruling_name(verdict->ruling));
    vision_json_reasons(out, "reasons", verdict->reasons);
    vision_json_open(out, "wrong_cells", '[');
    for (int i = 0; i < verdict->wrong_cells && i < LAYOUT_CELLS_MAX; i++) {
        vision_json_open(out, NULL, '[');
        vision_json_int(out, NULL, verdict->wrong[i][0]);
        vision_json_int(out, NULL, verdict->wrong[i][1]);
        vision_json_close(out, ']');
    }
    vision_json_close(out, ']');
    vision_json_int(out, "turn", verdict->turn_deg);
    vision_json_fixed(out, "confidence", verdict->confidence, 3);
}

/* The layout that was judged, while the seat still shows it: one that came later is no evidence. A
 * layout without a frame number cannot be told from another. */
static const struct seat_view *view_judged(const struct decision *d,
                                           const struct match_state *after)
{
    int player = player_at(after, d->seat);
    const struct seat_view *view = player < 0 ? NULL : &after->view[player];
    return view && view->known && d->frame && view->frame == d->frame &&
                   strcmp(view->digest, d->digest) == 0
               ? view
               : NULL;
}

static void write_evidence(const struct decision *d, const struct match_state *after,
                           struct json_text *out)
{
    const struct seat_view *view = view_judged(d, after);
    referee_write_whole(out, "frame", (int64_t)d->frame);
    referee_write_text(out, "digest", d->digest);
    if (view) {
        vision_json_int(out, "first_t_ns", view->first_t_ns);
        vision_json_open(out, "layout", '{');
        vision_layout_seat_members(&view->layout, out);
        vision_json_close(out, '}');
    } else {
        vision_json_null(out, "first_t_ns");
        vision_json_null(out, "layout");
    }
    vision_json_int(out, "rules", RULES_VERSION);
    if (after)
        referee_options_write(out, "options", &after->rules, false);
    else
        vision_json_null(out, "options");
}

static const char *policy_name(int policy)
{
    const struct rule_option *option = referee_option(OPTION_POLICY_MATCH);
    return policy >= POLICY_ACCEPT && policy <= POLICY_LOG && option && option->words
               ? option->words[policy]
               : NULL;
}

static void write_verdict(const struct decision *d, const struct match_state *after,
                          struct json_text *out)
{
    write_card(d, out);
    referee_verdict_members(&d->verdict, out);
    vision_json_bool(out, "forced", d->forced);
    vision_json_string(out, "was", d->forced ? referee_ruling_name(d->was) : NULL);
    vision_json_string(out, "policy", policy_name(d->policy));
    vision_json_int(out, "at_t_ns", d->at_t_ns);
    vision_json_string(out, "source", d->source[0] ? d->source : NULL);
    vision_json_int(out, "error_ns", d->claim_error_ns);
    write_evidence(d, after, out);
}

/* The verdict that was said in the same breath holds the evidence. */
static void write_asked(const struct decision *d, const struct match_state *after,
                        struct json_text *out)
{
    (void)after;
    write_card(d, out);
    referee_verdict_members(&d->verdict, out);
}

static uint8_t winners(const struct decision *d)
{
    return d->seats == 0 && d->seat >= 1 && d->seat <= 8 ? (uint8_t)(1u << (unsigned)(d->seat - 1))
                                                         : d->seats;
}

static void write_win(const struct decision *d, const struct match_state *after,
                      struct json_text *out)
{
    (void)after;
    write_card(d, out);
    referee_write_seats(out, "seats", winners(d));
    vision_json_int(out, "at_t_ns", d->at_t_ns);
    if (d->margin_ns < 0)
        vision_json_null(out, "margin_ns");
    else
        vision_json_int(out, "margin_ns", d->margin_ns);
    vision_json_int(out, "error_ns", d->error_ns);
    vision_json_int(out, "took_ns", d->took_ns);
}

static void write_card_alone(const struct decision *d, const struct match_state *after,
                             struct json_text *out)
{
    (void)after;
    write_card(d, out);
}

static void write_set_aside(const struct decision *d, const struct match_state *after,
                            struct json_text *out)
{
    (void)after;
    write_card(d, out);
    vision_json_int(out, "took_ns", d->took_ns);
}

static void write_tie(const struct decision *d, const struct match_state *after,
                      struct json_text *out)
{
    (void)after;
    write_card(d, out);
    referee_write_seats(out, "seats", d->seats);
    vision_json_int(out, "error_ns", d->error_ns);
}

static void write_refused(const struct decision *d, const struct match_state *after,
                          struct json_text *out)
{
    (void)after;
    referee_write_whole(out, "attempt", (int64_t)d->attempt);
    referee_write_whole(out, "slot", d->slot);
}

static void write_false_start(const struct decision *d, const struct match_state *after,
                              struct json_text *out)
{
    (void)after;
    vision_json_int(out, "at_t_ns", d->at_t_ns);
}

static void write_health(const struct decision *d, const struct match_state *after,
                         struct json_text *out)
{
    (void)after;
    vision_json_reasons(out, "reasons", d->reasons);
}

static void write_turn(const struct decision *d, struct json_text *out)
{
    vision_json_string(out, "turn", d->turn ? "maker" : "breaker");
}

static void write_move(const struct decision *d, const struct match_state *after,
                       struct json_text *out)
{
    (void)after;
    vision_json_int(out, "round", d->round);
    referee_write_label(out, "disc", d->disc);
    write_place(out, "from", d->from);
    write_place(out, "to", d->to);
    write_turn(d, out);
}

static void write_illegal(const struct decision *d, const struct match_state *after,
                          struct json_text *out)
{
    (void)after;
    vision_json_int(out, "round", d->round);
    referee_write_rows(out, "seen", d->seen);
    vision_json_reasons(out, "reasons", d->reasons);
    vision_json_open(out, "legal_tracks", '[');
    for (unsigned track = 0; track < RAMP_SIDE; track++)
        if (d->legal_tracks & 1u << track)
            vision_json_int(out, NULL, track + 1);
    vision_json_close(out, ']');
    write_turn(d, out);
}

static void write_round(const struct decision *d, const struct match_state *after,
                        struct json_text *out)
{
    (void)after;
    vision_json_int(out, "round", d->round);
    vision_json_int(out, "points", d->points);
}

static void write_end(const struct decision *d, const struct match_state *after,
                      struct json_text *out)
{
    referee_write_seats(out, "seats", winners(d));
    if (!after) {
        vision_json_null(out, "ranks");
        return;
    }
    vision_json_open(out, "ranks", '[');
    for (int p = 0; p < after->players && p < PLAYERS_MAX; p++) {
        const struct player *player = &after->player[p];
        vision_json_open(out, NULL, '{');
        vision_json_int(out, "seat", player->seat);
        vision_json_string(out, "name", player->name);
        referee_write_whole(out, "rank", player->rank);
        vision_json_int(out, "points", player->points);
        vision_json_int(out, "cards", player->cards);
        vision_json_close(out, '}');
    }
    vision_json_close(out, ']');
}

typedef void decision_write(const struct decision *d, const struct match_state *after,
                            struct json_text *out);

/* What a kind says beyond who and why. */
static decision_write *const writers[DECISION_KINDS] = {
    [DECISION_PHASE] = write_phase,
    [DECISION_CARD] = write_card_turned,
    [DECISION_VERDICT] = write_verdict,
    [DECISION_ASKED] = write_asked,
    [DECISION_WIN] = write_win,
    [DECISION_OUT] = write_card_alone,
    [DECISION_PENALTY] = write_card_alone,
    [DECISION_SET_ASIDE] = write_set_aside,
    [DECISION_TIE] = write_tie,
    [DECISION_REFUSED] = write_refused,
    [DECISION_FALSE_START] = write_false_start,
    [DECISION_HEALTH] = write_health,
    [DECISION_MOVE] = write_move,
    [DECISION_ILLEGAL] = write_illegal,
    [DECISION_ROUND] = write_round,
    [DECISION_END] = write_end,
};

void referee_decision_json(const struct decision *decision, const struct match_state *after,
                           struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_int(out, "v", EVENTS_VERSION);
    vision_json_int(out, "seq", (int64_t)decision->seq);
    vision_json_int(out, "index", decision->index);
    vision_json_int(out, "t_ns", decision->t_ns);
    vision_json_string(out, "decision", referee_decision_name(decision->kind));
    vision_json_string(out, "why", decision->why ? referee_why_name(decision->why) : NULL);
    referee_write_whole(out, "cause", (int64_t)decision->cause);
    write_who(after, "seat", decision->seat, out);
    if ((unsigned)decision->kind < DECISION_KINDS)
        writers[decision->kind](decision, after, out);
    vision_json_close(out, '}');
}
