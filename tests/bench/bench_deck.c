/* bench_deck: what making a deck takes: 60 cards, and 10,000; and what proving it does. Prints,
 * judges nothing; arguments are ignored. CPU time of this process, the best of ROUNDS. The goals
 * are in seconds, so the seconds are told; beside them, as figures that do not hang on the machine,
 * how many cards a second's worth of solving is. */
#include "calib/deck_make.h"
#include "calib/deck_proof.h"
#include "calib/solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 3
#define GOAL_60_S 2.0
#define GOAL_10000_S 60.0

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Seconds of making such a deck; the last one made goes to *out. */
static double seconds_of_making(const struct blockset *set, int each, struct deck **out)
{
    const struct deck_plan plan = {
        .name = "bench", .each = each, .side = DECK_SIDE_USUAL, .seed = 1};
    struct deck_bounds bounds;
    double best = 1e9;

    for (int round = 0; round < ROUNDS; round++) {
        calib_deck_destroy(out);
        double start = cpu_seconds();
        if (calib_deck_make(set, &plan, out, &bounds, NULL) != 0) {
            return -1.0;
        }
        double took = cpu_seconds() - start;
        best = took < best ? took : best;
    }
    return best;
}

static double seconds_of_solving(const struct blockset *set, const struct deck *deck)
{
    double start = cpu_seconds();
    int ways = 0;

    for (int i = 0; i < deck->cards; i++) {
        ways += calib_solve_count(set, &deck->card[i].grid, 1000);
    }
    double took = cpu_seconds() - start;
    return ways >= deck->cards ? took : -1.0;
}

static double seconds_of_proving(const struct blockset *set, const struct deck *deck)
{
    struct card_proof *proof = malloc((size_t)deck->cards * sizeof *proof);
    double start = cpu_seconds();
    int faults = proof ? calib_deck_prove(deck, set, proof) : -1;
    double took = cpu_seconds() - start;

    free(proof);
    return faults == 0 ? took : -1.0;
}

int main(void)
{
    struct blockset *set = NULL;
    struct deck *deck = NULL;

    if (calib_blockset_load("match-madness", NULL, &set, NULL) != 0) {
        fprintf(stderr, "bench_deck: no set\n");
        return 1;
    }
    double small = seconds_of_making(set, 12, &deck);
    double large = seconds_of_making(set, 2000, &deck);
    if (small < 0.0 || large < 0.0) {
        fprintf(stderr, "bench_deck: no deck could be made\n");
        return 1;
    }
    double solving = seconds_of_solving(set, deck), proving = seconds_of_proving(set, deck);
    printf("deck: 60 cards %.3f s (goal %.0f), 10000 cards %.2f s (goal %.0f)\n", small, GOAL_60_S,
           large, GOAL_10000_S);
    printf("deck: making 10000 is %.1f times solving each once (%.3f s), proving them %.1f times\n",
           large / solving, solving, proving / solving);
    calib_deck_destroy(&deck);
    calib_blockset_destroy(&set);
    return 0;
}
