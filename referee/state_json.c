/* referee/state_json.c: a match's state as JSON. Every count in it is bounded here, too: a state
 * may come from a journal of another program. */
#include "referee/state_json.h"

#include "referee/decision_json.h"
#include "referee/event_json.h"
#include "referee/make5.h"
#include "referee/setup_json.h"
#include "referee/value_json.h"

#include <string.h>

static int bounded(int count, int most)
{
    return count < 0 ? 0 : count < most ? count : most;
}

static int players_of(const struct match_state *state)
{
    return bounded(state->players, PLAYERS_MAX);
}

static int cards_of(const struct match_state *state)
{
    return bounded(state->cards, MATCH_CARDS_MAX);
}

static void write_seat_of(const struct match_state *state, const char *key, int player,
                          struct json_text *out)
{
    if (player >= 0 && player < players_of(state))
        vision_json_int(out, key, state->player[player].seat);
    else
        vision_json_null(out, key);
}

/* Bits by player as a list of seats. */
static void write_players_bits(const struct match_state *state, const char *key, uint8_t players,
                               struct json_text *out)
{
    vision_json_open(out, key, '[');
    for (int p = 0; p < players_of(state); p++)
        if (players & 1u << (unsigned)p)
            vision_json_int(out, NULL, state->player[p].seat);
    vision_json_close(out, ']');
}

/* A time that may be -1, or 0 where nothing was opened: none. */
static void write_time(const char *key, bool known, int64_t t_ns, struct json_text *out)
{
    if (known)
        vision_json_int(out, key, t_ns);
    else
        vision_json_null(out, key);
}

static void write_handicap(const struct handicap *handicap, struct json_text *out)
{
    if (handicap->min_level <= 1 && handicap->delay_ms == 0) {
        vision_json_null(out, "handicap");
        return;
    }
    vision_json_open(out, "handicap", '{');
    vision_json_int(out, "min_level", handicap->min_level);
    vision_json_int(out, "delay_ms", handicap->delay_ms);
    vision_json_close(out, '}');
}

/* What the referee sees in the seat: players may follow it before there is a verdict. */
static void write_view(const struct seat_view *view, struct json_text *out)
{
    if (!view->known) {
        vision_json_null(out, "layout");
        return;
    }
    vision_json_open(out, "layout", '{');
    vision_json_string(out, "state", vision_seat_state_name(view->layout.state));
    referee_write_grid(out, "grid", &view->layout.grid);
    vision_json_fixed(out, "confidence", view->layout.confidence, 3);
    vision_json_reasons(out, "reasons", view->layout.reasons);
    vision_json_bool(out, "still", view->still);
    vision_json_int(out, "first_t_ns", view->first_t_ns);
    referee_write_whole(out, "frame", (int64_t)view->frame);
    vision_json_close(out, '}');
}

static void write_player(const struct match_state *state, int index, struct json_text *out)
{
    const struct player *player = &state->player[index];

    vision_json_open(out, NULL, '{');
    vision_json_int(out, "seat", player->seat);
    vision_json_string(out, "name", player->name);
    referee_write_whole(out, "rank", player->rank);
    vision_json_int(out, "points", player->points);
    vision_json_int(out, "cards", player->cards);
    vision_json_open(out, "by_level", '[');
    for (int level = 1; level <= CARD_LEVELS; level++)
        vision_json_int(out, NULL, player->by_level[level]);
    vision_json_close(out, ']');
    vision_json_bool(out, "owes", player->owes);
    vision_json_bool(out, "barred", player->barred);
    vision_json_bool(out, "next_void", player->void_claim);
    vision_json_int(out, "claims", player->claims);
    vision_json_int(out, "errors", player->errors);
    vision_json_int(out, "lost", player->lost);
    vision_json_int(out, "false_starts", player->false_starts);
    write_time("finished_clock_ns", player->finished_clock_ns >= 0, player->finished_clock_ns, out);
    write_handicap(&state->rules.handicap[index], out);
    write_view(&state->view[index], out);
    vision_json_close(out, '}');
}

static void write_pile(const struct match_state *state, int index, struct json_text *out)
{
    const struct pile *pile = &state->pile[index];
    bool open = pile->top >= 0 && pile->top < cards_of(state);

    vision_json_open(out, NULL, '{');
    vision_json_int(out, "pile", index);
    referee_write_whole(out, "slot", pile->slot);
    write_seat_of(state, "owner", pile->owner, out);
    vision_json_int(out, "left", pile->left);
    referee_write_whole(out, "attempt", (int64_t)pile->attempt);
    if (open)
        referee_card_write(out, "card", &state->card[pile->top].card);
    else
        vision_json_null(out, "card");
    write_time("opened_t_ns", open, pile->opened_t_ns, out);
    write_time("opened_clock_ns", open, pile->opened_clock_ns, out);
    write_players_bits(state, "out", pile->out, out);
    write_players_bits(state, "gave_up", pile->gave_up, out);
    vision_json_close(out, '}');
}

static void write_won_card(const struct match_state *state, const struct match_card *card,
                           struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    referee_card_members(out, &card->card);
    vision_json_int(out, "pile", card->pile);
    referee_write_whole(out, "attempt", (int64_t)card->attempt);
    vision_json_int(out, "took_ns", card->took_ns);
    if (card->place == CARD_WON) {
        vision_json_int(out, "order", card->won_order);
        write_players_bits(state, "seats", card->holders, out);
    }
    vision_json_close(out, '}');
}

/* Won cards in the order in which they were won; those set aside in that of the deal. */
static void write_won(const struct match_state *state, struct json_text *out)
{
    int16_t place[MATCH_CARDS_MAX + 1] = {0}; /* by order: index + 1 */

    for (int c = 0; c < cards_of(state); c++) {
        int order = state->card[c].won_order;
        if (state->card[c].place == CARD_WON && order > 0 && order <= MATCH_CARDS_MAX)
            place[order] = (int16_t)(c + 1);
    }
    vision_json_open(out, "won", '[');
    for (int order = 1; order <= MATCH_CARDS_MAX; order++)
        if (place[order])
            write_won_card(state, &state->card[place[order] - 1], out);
    vision_json_close(out, ']');
}

static void write_set_aside(const struct match_state *state, struct json_text *out)
{
    vision_json_open(out, "set_aside", '[');
    for (int c = 0; c < cards_of(state); c++)
        if (state->card[c].place == CARD_SET_ASIDE)
            write_won_card(state, &state->card[c], out);
    vision_json_close(out, ']');
}

static const char *stage_name(int stage)
{
    static const char *const names[] = {
        [CLAIM_NONE] = "none",     [CLAIM_WAITING] = "waiting", [CLAIM_MATCHED] = "matched",
        [CLAIM_ASKING] = "asking", [CLAIM_TIED] = "tied",
    };
    return stage >= 0 && (size_t)stage < sizeof names / sizeof names[0] ? names[stage] : "none";
}

static void write_claim(const struct match_state *state, int player, struct json_text *out)
{
    const struct claim *claim = &state->claim[player];
    bool judged = claim->stage != CLAIM_WAITING;
    bool named = claim->pile >= 0 && claim->pile < bounded(state->piles, PILES_MAX);

    vision_json_open(out, NULL, '{');
    write_seat_of(state, "seat", player, out);
    vision_json_string(out, "stage", stage_name(claim->stage));
    vision_json_bool(out, "automatic", claim->automatic);
    vision_json_int(out, "cause", (int64_t)claim->seq);
    referee_write_whole(out, "slot", named ? state->pile[claim->pile].slot : 0);
    referee_write_whole(out, "attempt", (int64_t)claim->attempt);
    vision_json_int(out, "claimed_t_ns", claim->claimed_t_ns);
    vision_json_int(out, "order_t_ns", claim->order_t_ns);
    vision_json_int(out, "error_ns", claim->error_ns);
    referee_write_text(out, "card", judged ? claim->verdict.card : "");
    vision_json_string(out, "verdict", judged ? referee_ruling_name(claim->verdict.ruling) : NULL);
    vision_json_close(out, '}');
}

static void write_claims(const struct match_state *state, struct json_text *out)
{
    vision_json_open(out, "claims", '[');
    for (int p = 0; p < players_of(state); p++)
        if (state->claim[p].stage != CLAIM_NONE)
            write_claim(state, p, out);
    vision_json_close(out, ']');
}

/* The rows' points as they stand, from the bottom. */
static void write_row_points(const struct ramp_state *ramp, struct json_text *out)
{
    vision_json_open(out, "points_by_row", '[');
    for (int row = 0; row < RAMP_SIDE; row++) {
        struct make5_grid alone;
        memset(&alone, MAKE5_EMPTY, sizeof alone);
        memcpy(alone.disc[row], ramp->disc[row], sizeof alone.disc[row]);
        vision_json_int(out, NULL, referee_make5_points(&alone));
    }
    vision_json_close(out, ']');
}

static void write_rounds(const struct match_state *state, struct json_text *out)
{
    const struct ramp_state *ramp = &state->ramp;
    int finished = bounded(ramp->open ? ramp->round - 1 : ramp->round, MAKE5_ROUNDS_MAX);

    vision_json_open(out, "rounds", '[');
    for (int r = 0; r < finished; r++) {
        vision_json_open(out, NULL, '{');
        vision_json_int(out, "round", r + 1);
        write_seat_of(state, "maker", ramp->makers[r], out);
        vision_json_int(out, "points", ramp->points[r]);
        vision_json_close(out, '}');
    }
    vision_json_close(out, ']');
}

/* What is illegal, while it is. */
static void write_illegal(const struct ramp_state *ramp, struct json_text *out)
{
    if (!ramp->illegal) {
        vision_json_null(out, "illegal");
        return;
    }
    vision_json_open(out, "illegal", '{');
    vision_json_string(out, "why", referee_why_name((enum why)ramp->why));
    referee_write_rows(out, "seen", ramp->seen);
    vision_json_close(out, '}');
}

static void write_ramp(const struct match_state *state, struct json_text *out)
{
    const struct ramp_state *ramp = &state->ramp;
    struct make5_grid whole;

    memcpy(whole.disc, ramp->disc, sizeof whole.disc);
    vision_json_open(out, "make5", '{');
    vision_json_int(out, "round", ramp->round);
    vision_json_bool(out, "open", ramp->open);
    write_seat_of(state, "maker", ramp->round > 0 ? ramp->maker : -1, out);
    write_seat_of(state, "breaker", ramp->round > 0 ? 1 - ramp->maker : -1, out);
    vision_json_string(out, "turn", ramp->turn ? "maker" : "breaker");
    referee_write_rows(out, "rows_from_bottom", ramp->disc);
    vision_json_int(out, "discs", ramp->discs);
    if (ramp->last[0] < 0) {
        vision_json_null(out, "last");
    } else {
        vision_json_open(out, "last", '[');
        vision_json_int(out, NULL, ramp->last[0] + 1);
        vision_json_int(out, NULL, ramp->last[1] + 1);
        vision_json_close(out, ']');
    }
    write_row_points(ramp, out);
    vision_json_int(out, "points", referee_make5_points(&whole));
    write_rounds(state, out);
    vision_json_bool(out, "clearing", ramp->clearing);
    vision_json_bool(out, "covered", ramp->covered);
    write_illegal(ramp, out);
    referee_write_text(out, "colours", ramp->colours);
    vision_json_close(out, '}');
}

static bool is_finished(const struct match_state *state)
{
    return state->phase == PHASE_OVER || state->phase == PHASE_ABANDONED;
}

/* The deal follows from the seed: before the end it would tell what comes. */
static void write_seed(const struct match_state *state, struct json_text *out)
{
    if (is_finished(state))
        referee_write_big(out, "seed", state->seed);
    else
        vision_json_null(out, "seed");
}

static void write_head(const struct match_state *state, struct json_text *out)
{
    bool set_up = state->phase != PHASE_NONE;
    bool started = set_up && state->phase != PHASE_READY;

    vision_json_int(out, "v", EVENTS_VERSION);
    vision_json_int(out, "seq", (int64_t)state->seq);
    vision_json_int(out, "t_ns", state->t_ns);
    vision_json_int(out, "seen_t_ns", state->seen_t_ns);
    vision_json_int(out, "rules", RULES_VERSION);
    vision_json_string(out, "phase", referee_phase_name(state->phase));
    vision_json_string(out, "game", set_up ? referee_game_name(state->game) : NULL);
    referee_write_text(out, "deck", state->deck);
    referee_write_text(out, "digest", state->digest);
    write_seed(state, out);
    write_time("started_t_ns", started, state->started_t_ns, out);
    write_time("ended_t_ns", is_finished(state), state->ended_t_ns, out);
    vision_json_int(out, "clock_ns", referee_state_clock_ns(state));
    vision_json_bool(out, "clock_runs",
                     state->phase == PHASE_PLAY && state->stopped_since_t_ns < 0);
    vision_json_bool(out, "paused", state->paused);
    vision_json_reasons(out, "health", state->health);
}

/* Cards still to come, in all piles. */
static int cards_left(const struct match_state *state)
{
    int left = 0;
    for (int p = 0; p < bounded(state->piles, PILES_MAX); p++)
        left += state->pile[p].left;
    return left;
}

void referee_state_json(const struct match_state *state, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    write_head(state, out);
    vision_json_open(out, "players", '[');
    for (int p = 0; p < players_of(state); p++)
        write_player(state, p, out);
    vision_json_close(out, ']');
    vision_json_int(out, "dealt", state->dealt);
    vision_json_int(out, "left", cards_left(state));
    vision_json_open(out, "piles", '[');
    for (int p = 0; p < bounded(state->piles, PILES_MAX); p++)
        write_pile(state, p, out);
    vision_json_close(out, ']');
    write_won(state, out);
    write_set_aside(state, out);
    write_claims(state, out);
    if (state->phase != PHASE_NONE && state->game == GAME_MAKE5)
        write_ramp(state, out);
    else
        vision_json_null(out, "make5");
    referee_options_write(out, "options", &state->rules, true);
    vision_json_close(out, '}');
}
