/* referee/score.c: what the players hold, what it is worth, who came where. Pure. */
#include "referee/match.h"

/* The sheet of Total Madness: levels 1 and 2 one point, level 3 two, levels 4 and 5 three. */
static const int8_t worth[CARD_LEVELS + 1] = {0, 1, 1, 2, 3, 3};

static void score_cards(struct match_state *state, int p)
{
    struct player *player = &state->player[p];
    player->cards = 0;
    player->points = 0;
    for (int level = 0; level <= CARD_LEVELS; level++)
        player->by_level[level] = 0;
    for (int i = 0; i < state->cards; i++) {
        const struct match_card *card = &state->card[i];
        if (card->place != CARD_WON || !(card->holders >> p & 1))
            continue;
        player->cards++;
        player->by_level[card->card.level]++;
        player->points += state->game == GAME_TOTAL_MADNESS ? worth[card->card.level] : 1;
    }
}

/* A round that is not over yet has no points. */
static void score_rounds(struct match_state *state, int p)
{
    int32_t points = 0;
    for (int i = 0; i < MAKE5_ROUNDS_MAX; i++)
        if (state->ramp.makers[i] == p)
            points += state->ramp.points[i];
    state->player[p].points = points;
}

void referee_score(struct match_state *state)
{
    for (int p = 0; p < state->players; p++) {
        if (state->game == GAME_MAKE5)
            score_rounds(state, p);
        else
            score_cards(state, p);
    }
}

/* With own stacks: who was through with their pile first; -1 is never. */
static bool finished_before(const struct player *a, const struct player *b)
{
    if (a->finished_clock_ns < 0)
        return false;
    return b->finished_clock_ns < 0 || a->finished_clock_ns < b->finished_clock_ns;
}

/* Is `a` placed before `b`? Most points; with own stacks who finished first; most cards of level 5,
 * then 4 and so on. */
static bool placed_before(const struct match_state *state, const struct player *a,
                          const struct player *b)
{
    if (a->points != b->points)
        return a->points > b->points;
    if (state->rules.value[OPTION_OWN_STACKS] && a->finished_clock_ns != b->finished_clock_ns)
        return finished_before(a, b);
    for (int level = CARD_LEVELS; level >= 1; level--)
        if (a->by_level[level] != b->by_level[level])
            return a->by_level[level] > b->by_level[level];
    return false;
}

void referee_rank(struct match_state *state)
{
    for (int p = 0; p < state->players; p++) {
        int8_t rank = 1;
        for (int other = 0; other < state->players; other++)
            if (placed_before(state, &state->player[other], &state->player[p]))
                rank++;
        state->player[p].rank = rank;
    }
}
