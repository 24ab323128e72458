/* bench_step: what a step of the engine costs, by game. Prints, judges nothing; arguments are
 * ignored.
 *
 * Random matches of the property tests (layouts, claims, motions, ticks, acts, faults) are made
 * first, then stepped over with nothing else going on. CPU time of this process, the best of
 * ROUNDS. A figure of a shared machine proves little, so each is given as the ratio to copying a
 * state, too, measured in the same run. */
#include "tests/stat/match_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EVENTS 160 /* of a match, about what the property tests play */
#define MATCHES 40 /* of each game */
#define ROUNDS 7
#define COPIES 20000
#define GOAL 1e6 /* events a second on one core */

struct match {
    struct match_maker maker; /* holds the deck that the set-up lends */
    struct event event[EVENTS];
};

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void match_make(struct match *match, uint64_t seed, struct match_state *state,
                       struct decisions *said)
{
    maker_begin(&match->maker, seed);
    referee_state_clear(state);
    for (int i = 0; i < EVENTS; i++) {
        maker_event(&match->maker, state, &match->event[i]);
        referee_step(state, &match->event[i], said);
        maker_hear(&match->maker, said);
    }
}

/* So many matches of that game, from the first seeds that give one. */
static void matches_make(struct match *match, enum game game, struct match_state *state,
                         struct decisions *said)
{
    uint64_t seed = 0;

    for (int i = 0; i < MATCHES; i++)
        do
            match_make(&match[i], ++seed, state, said);
        while (state->game != game || state->phase == PHASE_NONE);
}

static double seconds_of_steps(const struct match *match, struct match_state *state,
                               struct decisions *said)
{
    double best = 1e9;

    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_seconds();
        for (int m = 0; m < MATCHES; m++) {
            referee_state_clear(state);
            for (int i = 0; i < EVENTS; i++)
                referee_step(state, &match[m].event[i], said);
        }
        double took = cpu_seconds() - start;
        best = took < best ? took : best;
    }
    return best / ((double)MATCHES * EVENTS);
}

static double seconds_of_copy(struct match_state *from, struct match_state *to)
{
    double best = 1e9;

    for (int round = 0; round < ROUNDS; round++) {
        double start = cpu_seconds();
        for (int i = 0; i < COPIES; i++) {
            memcpy(to, from, sizeof *to);
            /* The copy is looked at, or no compiler would make it. */
            __asm__ volatile("" : : "r"(to) : "memory");
        }
        double took = cpu_seconds() - start;
        best = took < best ? took : best;
    }
    return best / COPIES;
}

int main(void)
{
    struct match_state *state = calloc(2, sizeof *state);
    struct decisions *said = calloc(1, sizeof *said);
    struct match *match = calloc(MATCHES, sizeof *match);

    if (!state || !said || !match) {
        fprintf(stderr, "bench_step: out of memory\n");
        return 1;
    }
    double copy = seconds_of_copy(&state[0], &state[1]);
    printf("a state has %zu bytes (fewer than 65536); copying one takes %.2f us = 1.00\n",
           sizeof *state, copy * 1e6);
    for (int game = 0; game < GAME_COUNT; game++) {
        matches_make(match, (enum game)game, state, said);
        double step = seconds_of_steps(match, state, said);
        printf("  %-13s %9.0f events a second, a step %.2f us = %.2f copies; %.2f of the goal of "
               "%.0f\n",
               referee_game_name((enum game)game), 1 / step, step * 1e6, step / copy,
               1 / step / GOAL, GOAL);
    }
    free(match);
    free(said);
    free(state);
    return 0;
}
