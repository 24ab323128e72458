/* A deck against the set it is played with. */
#include "calib/deck.h"

#include "calib/json.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    char text[GRID_TEXT_MAX]; /* of the grid in the turn whose text sorts first */
    int card;
};

static void entry_make(const struct card *card, int index, struct entry *entry)
{
    char text[GRID_TEXT_MAX];
    struct grid grid = card->grid;

    calib_grid_trim(&grid);
    calib_grid_format(&grid, entry->text);
    for (int turn = 1; turn < 4; turn++) {
        grid = calib_grid_turn(&grid, 1);
        calib_grid_format(&grid, text);
        if (strcmp(text, entry->text) < 0) {
            memcpy(entry->text, text, sizeof text);
        }
    }
    entry->card = index;
}

static int entry_order(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    int order = strcmp(p->text, q->text);

    return order != 0 ? order : (p->card > q->card) - (p->card < q->card);
}

static int twice_check(const struct deck *deck, struct calib_fault *fault)
{
    size_t count = (size_t)deck->cards, first = count;
    struct entry *entry = malloc((count + 1) * sizeof *entry);
    int again = deck->cards;

    if (!entry) {
        return calib_fault_set(fault, deck->name, 0, CALIB_E_MEMORY, "out of memory");
    }
    for (int i = 0; i < deck->cards; i++) {
        entry_make(&deck->card[i], i, &entry[i]);
    }
    qsort(entry, count, sizeof *entry, entry_order);
    for (size_t i = 1; i < count; i++) { /* the first in the deck that repeats an earlier one */
        if (strcmp(entry[i - 1].text, entry[i].text) == 0 && entry[i].card < again) {
            again = entry[i].card;
            first = i - 1;
        }
    }
    int error = CALIB_OK;
    if (first < count) {
        error = calib_fault_set(fault, deck->name, 0, CALIB_E_VALUE,
                                "card %s has the grid of card %s, but for a turn",
                                deck->card[again].id, deck->card[entry[first].card].id);
    }
    free(entry);
    return error;
}

static int card_check(const struct deck *deck, const struct card *card, const struct blockset *set,
                      struct calib_fault *fault)
{
    for (int row = 0; row < card->grid.rows; row++) {
        for (int col = 0; col < card->grid.cols; col++) {
            char label = card->grid.cell[row][col];
            if (label != GRID_HOLE && calib_blockset_find(set, label) < 0) {
                return calib_fault_set(fault, deck->name, 0, CALIB_E_VALUE,
                                       "card %s: \"%c\" is no symbol of set %s", card->id, label,
                                       set->name);
            }
        }
    }
    int cells = calib_grid_count(&card->grid), wanted = calib_blockset_cells(set);
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
