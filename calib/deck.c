#include "calib/deck.h"

#include "calib/json.h"

#include <stdlib.h>
#include <string.h>

static int grid_read(const struct json_node *card, struct grid *grid)
{
    char text[GRID_TEXT_MAX];
    struct json_node node;
    int error = calib_json_text(card, "grid", sizeof text, text);

    if (error) {
        return error;
    }
    (void)calib_json_maybe(card, "grid", &node);
    if (calib_grid_parse(text, strlen(text), grid) != CALIB_OK) {
        return calib_json_fault(&node, CALIB_E_VALUE,
                                "\"%.60s\" is no grid: rows of one length, at most %d, divided by "
                                "'/', '.' for a hole",
                                text, GRID_SIDE_MAX);
    }
    int rows = grid->rows, cols = grid->cols;
    calib_grid_trim(grid);
    if (grid->rows == 0) {
        return calib_json_fault(&node, CALIB_E_VALUE, "holes only");
    }
    if (grid->rows != rows || grid->cols != cols) {
        calib_json_warn(&node, "rows or columns of holes at the edge, left out");
    }
    return CALIB_OK;
}

static int card_read(const struct json_node *node, struct card *card)
{
    static const char *const known[] = {"id", "level", "grid", NULL};
    int error = calib_json_text(node, "id", sizeof card->id, card->id);

    calib_json_known(node, known);
    error = error ? error : calib_json_integer(node, "level", 1, CARD_LEVELS, &card->level);
    return error ? error : grid_read(node, &card->grid);
}

static int id_order(const void *a, const void *b)
{
    const struct card *const *p = a, *const *q = b;
    int order = strcmp((*p)->id, (*q)->id);

    return order != 0 ? order : (*p > *q) - (*p < *q);
}

/* Sorted, not compared each with each: a deck may have thousands. */
static int ids_check(const struct json_node *cards, const struct deck *deck)
{
    size_t count = (size_t)deck->cards;
    const struct card **sorted = malloc((count + 1) * sizeof *sorted);
    int error = CALIB_OK;

    if (!sorted) {
        return calib_json_fault(cards, CALIB_E_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = &deck->card[i];
    }
    qsort(sorted, count, sizeof *sorted, id_order);
    for (size_t i = 1; i < count && !error; i++) {
        if (strcmp(sorted[i - 1]->id, sorted[i]->id) == 0) {
            struct json_node node = calib_json_item(cards, (size_t)(sorted[i] - deck->card));
            error =
                calib_json_fault(&node, CALIB_E_VALUE, "a second card of id \"%s\"", sorted[i]->id);
        }
    }
    free(sorted);
    return error;
}

static int deck_read(const struct json_node *root, struct deck *deck)
{
    static const char *const known[] = {"name", "set", "cards", NULL};
    struct json_node cards, node;
    int count, error = calib_json_format(root, "tableref-deck/1");

    if (error) {
        return error;
    }
    calib_json_known(root, known);
    if ((error = calib_json_text(root, "name", sizeof deck->name, deck->name)) ||
        (error = calib_json_text(root, "set", sizeof deck->set, deck->set))) {
        return error;
    }
    if ((count = calib_json_array(root, "cards", 1, DECK_CARDS_MAX, &cards)) < 0) {
        return count;
    }
    if (!(deck->card = calloc((size_t)count, sizeof *deck->card))) {
        return calib_json_fault(&cards, CALIB_E_MEMORY, "out of memory");
    }
    for (int i = 0; i < count; i++) {
        if ((error = calib_json_item_object(&cards, (size_t)i, &node)) ||
            (error = card_read(&node, &deck->card[i]))) {
            return error;
        }
    }
    deck->cards = count;
    return ids_check(&cards, deck);
}

int calib_deck_parse(const char *json, size_t length, const char *name,
                     const struct calib_sink *sink, struct deck **out, struct calib_fault *fault)
{
    struct json_doc doc;
    struct json_node root;
    struct deck *deck = NULL;
    int error;

    *out = NULL;
    if ((error = calib_json_open(&doc, json, length, name, sink, fault, &root))) {
        return error;
    }
    deck = calloc(1, sizeof *deck);
    error = deck ? deck_read(&root, deck)
                 : calib_fault_set(fault, name, 0, CALIB_E_MEMORY, "out of memory");
    calib_json_close(&doc);
    if (error) {
        calib_deck_destroy(&deck);
        return error;
    }
    *out = deck;
    return CALIB_OK;
}

void calib_deck_destroy(struct deck **deck)
{
    if (deck && *deck) {
        free((*deck)->card);
        free(*deck);
        *deck = NULL;
    }
}

const struct card *calib_deck_find(const struct deck *deck, const char *id)
{
    for (int i = 0; i < deck->cards; i++) {
        if (strcmp(deck->card[i].id, id) == 0) {
            return &deck->card[i];
        }
    }
    return NULL;
}

const struct card *calib_deck_find_grid(const struct deck *deck, const struct grid *grid,
                                        int *quarters)
{
    struct grid goal = *grid;
    int cells;

    calib_grid_trim(&goal);
    cells = calib_grid_count(&goal);
    for (int i = 0; i < deck->cards && cells > 0; i++) {
        const struct card *card = &deck->card[i];
        if (calib_grid_count(&card->grid) != cells) {
            continue;
        }
        int turn = calib_grid_quarters(&card->grid, &goal);
        if (turn >= 0) {
            if (quarters) {
                *quarters = turn;
            }
            return card;
        }
    }
    return NULL;
}
