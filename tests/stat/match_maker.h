/* tests/stat/match_maker.h: random matches: a set-up with any options, and then events that
 * players, cameras, operators and faults bring, legal and not. The same seed makes the same events
 * from the same states, whatever machine it is. */
#ifndef MATCH_MAKER_H
#define MATCH_MAKER_H

#include "referee/step.h"

#define MAKER_CARDS 70

struct match_maker {
    uint64_t dice;
    int64_t t_ns;
    uint64_t seq;
    struct card card[MAKER_CARDS]; /* the deck that set-ups lend */
    uint64_t cause[64];            /* of decisions so far, for what refers to them */
    int causes;
};

void maker_begin(struct match_maker *maker, uint64_t seed);

/* The next event, given what the engine knows; most fit the game, some do not. */
void maker_event(struct match_maker *maker, const struct match_state *state, struct event *out);

/* Takes note of what was said. */
void maker_hear(struct match_maker *maker, const struct decisions *decisions);

/* A whole number in 0 .. below - 1. */
int maker_dice(struct match_maker *maker, int below);

/* A complete layout of that grid, each cell as sure as said. */
void maker_layout(const struct grid *grid, int seat, int permille, struct layout_seat *out);

#endif
