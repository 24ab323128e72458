/* calib/cmd_deck_summary.c: what a deck is like: levels, and a histogram of the points. */
#include "calib/cmd_deck.h"

#include <stdio.h>
#include <string.h>

#define BAR_MAX 50 /* marks of the longest bar */

static void level_add(struct deck_summary *out, int level, const struct difficulty *d)
{
    int cards = out->level[level].cards++;

    if (cards == 0 || d->points < out->level[level].least) {
        out->level[level].least = d->points;
    }
    if (cards == 0 || d->points > out->level[level].most) {
        out->level[level].most = d->points;
    }
    out->level[level].points += d->points;
    out->level[level].tilings += d->tilings;
    out->level[level].solutions += d->solutions;
    out->level[level].misleading += d->misleading;
    out->level[level].alike += d->alike;
    out->level[level].neighbours += d->neighbours;
}

static void bins_fill(const struct deck *deck, const struct card_proof *proof,
                      struct deck_summary *out)
{
    int least = proof[0].difficulty.points, most = least;

    for (int i = 1; i < deck->cards; i++) {
        int points = proof[i].difficulty.points;
        least = points < least ? points : least;
        most = points > most ? points : most;
    }
    out->bin_width = (most - least) / DECK_BINS_MAX + 1;
    out->bin_from = least;
    out->bins = (most - least) / out->bin_width + 1;
    for (int i = 0; i < deck->cards; i++) {
        out->bin[(proof[i].difficulty.points - least) / out->bin_width][deck->card[i].level]++;
    }
}

void cmd_deck_summarise(const struct deck *deck, const struct card_proof *proof,
                        struct deck_summary *out)
{
    double before = -1.0;

    memset(out, 0, sizeof *out);
    out->cards = deck->cards;
    out->rising = true;
    for (int i = 0; i < deck->cards; i++) {
        out->faults += proof[i].fault != CARD_SOUND;
        level_add(out, deck->card[i].level, &proof[i].difficulty);
    }
    for (int level = 1; level <= CARD_LEVELS; level++) {
        if (out->level[level].cards > 0) {
            double mean = (double)out->level[level].points / out->level[level].cards;
            out->rising = out->rising && mean > before;
            before = mean;
        }
    }
    bins_fill(deck, proof, out);
}

static void mean_json(struct json_text *json, const char *key, long sum, int cards)
{
    vision_json_fixed(json, key, (sum * 10 + cards / 2) / cards, 1);
}

static void level_json(struct json_text *json, const struct deck_summary *summary, int level)
{
    int cards = summary->level[level].cards;

    vision_json_open(json, NULL, '{');
    vision_json_int(json, "level", level);
    vision_json_int(json, "cards", cards);
    vision_json_open(json, "points", '[');
    vision_json_int(json, NULL, summary->level[level].least);
    vision_json_int(json, NULL, summary->level[level].most);
    vision_json_close(json, ']');
    mean_json(json, "points_mean", summary->level[level].points, cards);
    mean_json(json, "tilings_mean", summary->level[level].tilings, cards);
    mean_json(json, "solutions_mean", summary->level[level].solutions, cards);
    mean_json(json, "misleading_mean", summary->level[level].misleading, cards);
    mean_json(json, "alike_mean", summary->level[level].alike, cards);
    mean_json(json, "neighbours_mean", summary->level[level].neighbours, cards);
    vision_json_close(json, '}');
}

void cmd_deck_summary_json(struct json_text *json, const struct deck_summary *summary)
{
    vision_json_int(json, "cards", summary->cards);
    vision_json_int(json, "faults", summary->faults);
    vision_json_bool(json, "rising", summary->rising);
    vision_json_open(json, "levels", '[');
    for (int level = 1; level <= CARD_LEVELS; level++) {
        if (summary->level[level].cards > 0) {
            level_json(json, summary, level);
        }
    }
    vision_json_close(json, ']');
    vision_json_open(json, "histogram", '[');
    for (int i = 0; i < summary->bins; i++) {
        vision_json_open(json, NULL, '{');
        vision_json_int(json, "from", summary->bin_from + i * summary->bin_width);
        vision_json_int(json, "to", summary->bin_from + (i + 1) * summary->bin_width - 1);
        vision_json_open(json, "cards", '[');
        for (int level = 1; level <= CARD_LEVELS; level++) {
            vision_json_int(json, NULL, summary->bin[i][level]);
        }
        vision_json_close(json, ']');
        vision_json_close(json, '}');
    }
    vision_json_close(json, ']');
}

/* A bar of digits, each the level of so many cards; every card that there is shows. */
static void bar_print(const struct deck_summary *summary, int bin, int most)
{
    int all = 0;

    for (int level = 1; level <= CARD_LEVELS; level++) {
        int cards = summary->bin[bin][level];
        int marks = most > BAR_MAX ? (cards * BAR_MAX + most - 1) / most : cards;
        all += cards;
        for (int i = 0; i < marks; i++) {
            putchar('0' + level);
        }
    }
    printf(all > 0 ? " %d\n" : "\n", all);
}

static int bin_cards(const struct deck_summary *summary, int bin)
{
    int all = 0;

    for (int level = 1; level <= CARD_LEVELS; level++) {
        all += summary->bin[bin][level];
    }
    return all;
}

/* The columns have the places of the numbers below them; a longer word moves those behind it. */
static void heads_print(void)
{
    static const struct {
        const char *head;
        int width;
    } heads[] = {{N_("level"), 5},        {N_("cards"), 7},   {N_("points"), 9},
                 {N_("mean points"), 16}, {N_("tilings"), 9}, {N_("solutions"), 11},
                 {N_("misleading"), 12},  {N_("alike"), 7},   {N_("neighbours"), 12}};

    putchar('\n');
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        const char *head = cmd_text(heads[i].head);
        printf("%s%*s", i > 0 ? " " : "", cmd_text_pad(head, heads[i].width - (i > 0)), head);
    }
    putchar('\n');
}

void cmd_deck_summary_text(const struct deck *deck, const struct deck_summary *summary)
{
    int most = 1;

    printf(cmd_text("Deck %s for set %s: %d cards, %d with a fault%s\n"), deck->name, deck->set,
           summary->cards, summary->faults,
           summary->rising ? "" : cmd_text("; the levels' points do not rise"));
    heads_print();
    for (int level = 1; level <= CARD_LEVELS; level++) {
        double cards = summary->level[level].cards;
        if (summary->level[level].cards > 0) {
            printf("%5d  %5d  %3d-%-3d %15.1f  %7.1f  %9.1f  %10.1f  %5.1f  %10.1f\n", level,
                   summary->level[level].cards, summary->level[level].least,
                   summary->level[level].most, (double)summary->level[level].points / cards,
                   (double)summary->level[level].tilings / cards,
                   (double)summary->level[level].solutions / cards,
                   (double)summary->level[level].misleading / cards,
                   (double)summary->level[level].alike / cards,
                   (double)summary->level[level].neighbours / cards);
        }
    }
    for (int i = 0; i < summary->bins; i++) {
        int cards = bin_cards(summary, i);
        most = cards > most ? cards : most;
    }
    printf("\n%s\n", cmd_text("points   cards, each shown by its level"));
    for (int i = 0; i < summary->bins; i++) {
        printf("%3d-%-3d  ", summary->bin_from + i * summary->bin_width,
               summary->bin_from + (i + 1) * summary->bin_width - 1);
        bar_print(summary, i, most);
    }
}
