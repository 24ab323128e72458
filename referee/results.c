/* referee/results.c: the table in its order, and as JSON. */
#include "referee/results.h"


#include <string.h>

/* Is player a before player b? */
static bool player_before(const struct match_state *state, int a, int b)
{
    const struct player *one = &state->player[a], *other = &state->player[b];

    if (one->rank != other->rank)
        return one->rank < other->rank;
    if (one->points != other->points)
        return one->points > other->points;
    return one->seat < other->seat;
}

int referee_results_order(const struct match_state *state, int order[PLAYERS_MAX])
{
    int count = 0;

    for (int p = 0; p < state->players; p++) {
        int at = count++;
        for (; at > 0 && player_before(state, p, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = p;
    }
    return count;
}

int referee_results_cards(const struct match_state *state, int order[MATCH_CARDS_MAX])
{
    int count = 0;

    for (int c = 0; c < state->cards; c++) {
        if (state->card[c].place != CARD_WON && state->card[c].place != CARD_SET_ASIDE)
            continue;
        int at = count++;
        for (; at > 0 && state->card[c].attempt < state->card[order[at - 1]].attempt; at--)
            order[at] = order[at - 1];
        order[at] = c;
    }
    return count;
}

static void json_player(const struct player *player, enum game game, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    if (player->rank > 0)
        vision_json_int(out, "rank", player->rank);
    else
        vision_json_null(out, "rank");
    vision_json_int(out, "seat", player->seat);
    vision_json_string(out, "name", player->name);
    vision_json_int(out, "points", player->points);
    if (game != GAME_MAKE5) {
        vision_json_int(out, "cards", player->cards);
        vision_json_open(out, "by_level", '[');
        for (int level = 1; level <= CARD_LEVELS; level++)
            vision_json_int(out, NULL, player->by_level[level]);
        vision_json_close(out, ']');
        vision_json_int(out, "claims", player->claims);
        vision_json_int(out, "errors", player->errors);
        vision_json_int(out, "lost", player->lost);
        vision_json_bool(out, "owes", player->owes);
        vision_json_int(out, "false_starts", player->false_starts);
    }
    vision_json_close(out, '}');
}

static void json_card(const struct match_state *state, int number, const struct match_card *card,
                      struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_int(out, "round", number);
    vision_json_string(out, "card", card->card.id);
    vision_json_int(out, "level", card->card.level);
    vision_json_string(out, "place", card->place == CARD_WON ? "won" : "set_aside");
    vision_json_open(out, "seats", '[');
    for (int p = 0; p < state->players; p++)
        if (card->holders & (1u << p))
            vision_json_int(out, NULL, state->player[p].seat);
    vision_json_close(out, ']');
    vision_json_int(out, "took_ns", card->took_ns);
    vision_json_close(out, '}');
}

static void json_cards(const struct match_state *state, struct json_text *out)
{
    int order[MATCH_CARDS_MAX], count = referee_results_cards(state, order);

    vision_json_open(out, "cards", '[');
    for (int i = 0; i < count; i++)
        json_card(state, i + 1, &state->card[order[i]], out);
    vision_json_close(out, ']');
}

static void json_rounds(const struct match_state *state, struct json_text *out)
{
    int finished = referee_results_rounds(state);

    vision_json_open(out, "rounds", '[');
    for (int r = 0; r < finished; r++) {
        vision_json_open(out, NULL, '{');
        vision_json_int(out, "round", r + 1);
        vision_json_int(out, "maker", state->player[state->ramp.makers[r]].seat);
        vision_json_int(out, "points", state->ramp.points[r]);
        vision_json_close(out, '}');
    }
    vision_json_close(out, ']');
}

int referee_results_rounds(const struct match_state *state)
{
    int rounds = state->ramp.round - (state->ramp.open ? 1 : 0);

    return rounds < 0 ? 0 : rounds > MAKE5_ROUNDS_MAX ? MAKE5_ROUNDS_MAX : rounds;
}

void referee_results_json(const struct match_state *state, const char *match, const char *head,
                          struct json_text *out)
{
    int order[PLAYERS_MAX], count = referee_results_order(state, order);

    vision_json_open(out, NULL, '{');
    vision_json_int(out, "v", 1);
    vision_json_string(out, "match", match);
    vision_json_string(out, "head", head);
    vision_json_string(out, "game", referee_game_name(state->game));
    vision_json_string(out, "phase", referee_phase_name(state->phase));
    vision_json_open(out, "players", '[');
    for (int i = 0; i < count; i++)
        json_player(&state->player[order[i]], state->game, out);
    vision_json_close(out, ']');
    if (state->game == GAME_MAKE5)
        json_rounds(state, out);
    else
        json_cards(state, out);
    vision_json_close(out, '}');
}
