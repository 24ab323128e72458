/* A deck against the set it is played with. */
#include "calib/deck.h"
#include "calib/deck_proof.h"

#include "calib/json.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    char text[GRID_TEXT_MAX]; /* of the grid in the turn whose text sorts first */
    int card;
};

static void entry_make(const struct card *card, int index, struct entry *entry)
{
    struct grid upright = calib_grid_upright(&card->grid);

    calib_grid_format(&upright, entry->text);
    entry->card = index;
}

static int entry_order(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    int order = strcmp(p->text, q->text);

    return order != 0 ? order : (p->card > q->card) - (p->card < q->card);
}

/* same_as[i]: the first card of card i's grid in some turn; i itself where there is none before. */
static int doubles_find(const struct deck *deck, int *same_as)
{
    size_t count = (size_t)deck->cards, first = 0;
    struct entry *entry = malloc((count + 1) * sizeof *entry);

    if (!entry) {
        return CALIB_E_MEMORY;
    }
    for (int i = 0; i < deck->cards; i++) {
        entry_make(&deck->card[i], i, &entry[i]);
    }
    qsort(entry, count, sizeof *entry, entry_order);
    for (size_t i = 0; i < count; i++) {
        first = strcmp(entry[first].text, entry[i].text) == 0 ? first : i;
        same_as[entry[i].card] = entry[first].card;
    }
    free(entry);
    return CALIB_OK;
}

static int twice_check(const struct deck *deck, struct calib_fault *fault)
{
    int *same_as = malloc(((size_t)deck->cards + 1) * sizeof *same_as);
    int error = CALIB_OK;

    if (!same_as || doubles_find(deck, same_as) != CALIB_OK) {
        free(same_as);
        return calib_fault_set(fault, deck->name, 0, CALIB_E_MEMORY, "out of memory");
    }
    for (int i = 0; i < deck->cards && !error; i++) {
        if (same_as[i] != i) {
            error = calib_fault_set(fault, deck->name, 0, CALIB_E_VALUE,
                                    "card %s has the grid of card %s, but for a turn",
                                    deck->card[i].id, deck->card[same_as[i]].id);
        }
    }
    free(same_as);
    return error;
}

/* The first label of the grid that is no symbol of the set, or 0. */
static char strange_label(const struct grid *grid, const struct blockset *set)
{
    for (int row = 0; row < grid->rows; row++) {
        for (int col = 0; col < grid->cols; col++) {
            char label = grid->cell[row][col];
            if (label != GRID_HOLE && calib_blockset_find(set, label) < 0) {
                return label;
            }
        }
    }
    return 0;
}

static int card_check(const struct deck *deck, const struct card *card, const struct blockset *set,
                      struct calib_fault *fault)
{
    char strange = strange_label(&card->grid, set);
    int cells = calib_grid_count(&card->grid), wanted = calib_blockset_cells(set);

    if (strange) {
        return calib_fault_set(fault, deck->name, 0, CALIB_E_VALUE,
                               "card %s: \"%c\" is no symbol of set %s", card->id, strange,
                               set->name);
    }
    if (cells != wanted) {
        return calib_fault_set(fault, deck->name, 0, CALIB_E_VALUE,
                               "card %s has %d cells, a layout of set %s has %d", card->id, cells,
                               set->name, wanted);
    }
    return CALIB_OK;
}

int calib_deck_check(const struct deck *deck, const struct blockset *set, struct calib_fault *fault)
{
    for (int i = 0; i < deck->cards; i++) {
        int error = card_check(deck, &deck->card[i], set, fault);
        if (error) {
            return error;
        }
    }
    return twice_check(deck, fault);
}

static enum card_fault fault_of(const struct card *card, const struct blockset *set,
                                const struct difficulty *difficulty)
{
    if (strange_label(&card->grid, set)) {
        return CARD_STRANGE_SYMBOL;
    }
    if (calib_grid_count(&card->grid) != calib_blockset_cells(set)) {
        return CARD_CELLS;
    }
    return difficulty->solutions == 0 ? CARD_IMPOSSIBLE : CARD_SOUND;
}

int calib_deck_prove(const struct deck *deck, const struct blockset *set, struct card_proof *proof)
{
    struct alikes alikes;
    int *same_as = malloc(((size_t)deck->cards + 1) * sizeof *same_as);
    int faults = 0;

    if (!same_as || doubles_find(deck, same_as) != CALIB_OK) {
        free(same_as);
        return CALIB_E_MEMORY;
    }
    calib_alikes_find(set, &alikes);
    for (int i = 0; i < deck->cards; i++) {
        const struct card *card = &deck->card[i];
        calib_difficulty(set, &alikes, &card->grid, &proof[i].difficulty);
        proof[i].same_as = same_as[i];
        proof[i].fault = fault_of(card, set, &proof[i].difficulty);
        if (proof[i].fault == CARD_SOUND && same_as[i] != i) {
            proof[i].fault = CARD_DOUBLED;
        }
        faults += proof[i].fault != CARD_SOUND;
    }
    free(same_as);
    return faults;
}

const char *calib_card_fault_name(enum card_fault fault)
{
    static const char *const name[] = {[CARD_SOUND] = "sound",
                                       [CARD_STRANGE_SYMBOL] = "strange_symbol",
                                       [CARD_CELLS] = "cells",
                                       [CARD_IMPOSSIBLE] = "impossible",
                                       [CARD_DOUBLED] = "doubled"};

    return name[fault];
}
