/* vision/card_match.c: see card_match.h. */
#include "vision/card_match.h"

#include <math.h>
#include <string.h>

/* Lead in log likelihood of a symbol that is read without doubt; and of one that makes a grid
 * which is a near miss of a card of the deck, where a slip is likelier than a foreign card. */
#define CLEAR_MARGIN 6.0f
#define NEAR_MISS_MARGIN 12.0f
#define NEAR_MISS_CELLS 2
/* Neither shape nor colour alone may speak against a clear symbol by more than this. */
#define AGAINST_MOST 4.0f
/* Its colour must be somewhat like the print's: four of the spreads that card_symbol.c allows. */
#define CLEAR_COLOUR (-8.0f)
/* The deck settles at most so many doubtful places. */
#define DOUBTFUL_MOST 2
/* In a doubtful place the deck's symbol must be the best guess, or as good. */
#define PLAUSIBLE 1.5f
/* A place whose best symbol explains less than this shows none, but may hide any. */
#define HIDDEN_EXPLAINED 0.4f
#define LEVEL_OFF_MOST 3.0f

enum clarity { CLEAR_HOLE, CLEAR_SYMBOL, DOUBTFUL_SYMBOL, HIDDEN };

static enum clarity place_clarity(const struct place *place, int symbols)
{
    const struct card_fit *fit = &place->fit;
    if (place->kind == PLACE_PANEL)
        return CLEAR_HOLE;
    if (place->kind != PLACE_SYMBOL)
        return fit->explained < HIDDEN_EXPLAINED ? HIDDEN : DOUBTFUL_SYMBOL;
    float shape = fit->shape[0], colour = fit->colour[0];
    for (int i = 1; i < symbols; i++) {
        shape = fmaxf(shape, fit->shape[i]);
        colour = fmaxf(colour, fit->colour[i]);
    }
    bool against = shape - fit->shape[fit->best] > AGAINST_MOST ||
                   colour - fit->colour[fit->best] > AGAINST_MOST;
    against = against || fit->colour[fit->best] < CLEAR_COLOUR;
    return place->margin >= CLEAR_MARGIN && !against ? CLEAR_SYMBOL : DOUBTFUL_SYMBOL;
}

/* Could a place that is read as `clarity` hold `label`? */
static bool place_allows(const struct place *place, enum clarity clarity,
                         const struct blockset *set, char label)
{
    if (clarity == HIDDEN)
        return true;
    if (clarity == CLEAR_HOLE)
        return label == GRID_HOLE;
    int symbol = calib_blockset_find(set, label);
    if (symbol < 0)
        return false;
    if (clarity == CLEAR_SYMBOL)
        return symbol == place->fit.best;
    return place->fit.score[place->fit.best] - place->fit.score[symbol] < PLAUSIBLE;
}

/* A card of the deck as it would lie on the lattice of places: turned, and centred on its card as
 * patterns are. Decks are large, so nothing is copied. */
struct lie {
    const struct grid *grid;
    int quarters, rows, cols, down, right;
};

/* False when the card's outline does not lie on this lattice. */
static bool lie_init(const struct face_places *places, const struct grid *grid, int quarters,
                     struct lie *lie)
{
    lie->grid = grid;
    lie->quarters = quarters;
    lie->rows = quarters % 2 ? grid->cols : grid->rows;
    lie->cols = quarters % 2 ? grid->rows : grid->cols;
    lie->down = places->rows - lie->rows;
    lie->right = places->cols - lie->cols;
    if (lie->down < 0 || lie->right < 0 || lie->down % 2 || lie->right % 2)
        return false;
    lie->down /= 2;
    lie->right /= 2;
    return true;
}

/* What the card has at a place of the lattice. */
static char lie_label(const struct lie *lie, int row, int col)
{
    const struct grid *grid = lie->grid;
    int r = row - lie->down, c = col - lie->right;
    if (r < 0 || c < 0 || r >= lie->rows || c >= lie->cols)
        return GRID_HOLE;
    switch (lie->quarters) {
    case 0:
        return grid->cell[r][c];
    case 1:
        return grid->cell[grid->rows - 1 - c][r];
    case 2:
        return grid->cell[grid->rows - 1 - r][grid->cols - 1 - c];
    default:
        return grid->cell[c][grid->cols - 1 - r];
    }
}

static bool lie_allowed(const struct face_places *places, const enum clarity *clarity,
                        const struct blockset *set, const struct lie *lie, int i)
{
    char label = lie_label(lie, i / places->cols, i % places->cols);
    return place_allows(&places->place[i], clarity[i], set, label);
}

/* How many places do not allow the card; stops counting beyond `most`. */
static int lie_misses(const struct face_places *places, const enum clarity *clarity,
                      const struct blockset *set, const struct lie *lie, int most)
{
    int misses = 0;
    for (int i = 0; i < places->rows * places->cols && misses <= most; i++)
        misses += !lie_allowed(places, clarity, set, lie, i);
    return misses;
}

/* The one card that the places allow; NULL when none or several do. */
static const struct card *deck_only(const struct face_places *places, const enum clarity *clarity,
                                    const struct blockset *set, const struct deck *deck,
                                    int *quarters)
{
    const struct card *only = NULL;
    for (int i = 0; i < deck->cards; i++)
        for (int q = 0; q < 4; q++) {
            struct lie lie;
            if (!lie_init(places, &deck->card[i].grid, q, &lie) ||
                lie_misses(places, clarity, set, &lie, 0) > 0)
                continue;
            if (only && only != &deck->card[i])
                return NULL;
            if (!only)
                *quarters = q;
            only = &deck->card[i];
        }
    return only;
}

/* Least margin of the symbols where the grid as read differs from a card of the deck that it
 * nearly is; infinite when there is no such card. Bare panel is never taken for a symbol, so a
 * hole that differs says that the card is another. */
static float near_miss_margin(const struct face_places *places, const enum clarity *clarity,
                              const struct blockset *set, const struct deck *deck)
{
    float least = INFINITY;
    for (int i = 0; i < deck->cards; i++)
        for (int q = 0; q < 4; q++) {
            struct lie lie;
            if (!lie_init(places, &deck->card[i].grid, q, &lie))
                continue;
            int misses = lie_misses(places, clarity, set, &lie, NEAR_MISS_CELLS);
            if (misses < 1 || misses > NEAR_MISS_CELLS)
                continue;
            for (int k = 0; k < places->rows * places->cols; k++)
                if (clarity[k] == CLEAR_SYMBOL && !lie_allowed(places, clarity, set, &lie, k))
                    least = fminf(least, places->place[k].margin);
        }
    return least;
}

static void grid_take(const struct face_places *places, const struct blockset *set,
                      struct grid *grid)
{
    calib_grid_clear(grid, places->rows, places->cols);
    for (int i = 0; i < places->rows * places->cols; i++)
        if (places->place[i].kind == PLACE_SYMBOL)
            grid->cell[i / places->cols][i % places->cols] =
                set->symbol[places->place[i].fit.best].label;
    calib_grid_trim(grid);
}

/* Permille that all the symbols are right. */
static int places_confidence(const struct face_places *places)
{
    double sure = 1;
    for (int i = 0; i < places->rows * places->cols; i++)
        if (places->place[i].kind == PLACE_SYMBOL)
            sure /= 1 + exp(-(double)places->place[i].margin);
    int permille = (int)(1000 * sure);
    return permille > 999 ? 999 : permille;
}

/* Does what was read of the level speak against that one? */
static bool level_allows(const struct level_reading *reading, int level)
{
    float best = -INFINITY;
    for (int i = 1; i <= CARD_LEVELS; i++)
        best = fmaxf(best, reading->score[i]);
    return reading->level ? reading->level == level : best - reading->score[level] < LEVEL_OFF_MOST;
}

bool vision_card_match(const struct face_places *places, const struct level_reading *level,
                       const struct blockset *set, const struct deck *deck, int cells,
                       struct card_match *out)
{
    enum clarity clarity[FACE_PLACES_MAX];
    int doubtful = 0, symbols = 0;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < places->rows * places->cols; i++) {
        clarity[i] = place_clarity(&places->place[i], set->symbols);
        doubtful += clarity[i] >= DOUBTFUL_SYMBOL;
        symbols += clarity[i] == CLEAR_SYMBOL;
    }
    if (deck && doubtful <= DOUBTFUL_MOST && symbols + doubtful >= cells) {
        out->card = deck_only(places, clarity, set, deck, &out->quarters);
        bool sure = doubtful ? level->level != 0 : true;
        if (out->card && sure && level_allows(level, out->card->level)) {
            out->grid = calib_grid_turn(&out->card->grid, out->quarters);
            out->confidence = doubtful ? 950 : places_confidence(places);
            return true;
        }
        if (out->card)
            return false; /* the pattern of one card, the level of another */
    }
    if (doubtful || symbols != cells)
        return false;
    if (deck && near_miss_margin(places, clarity, set, deck) < NEAR_MISS_MARGIN)
        return false;
    grid_take(places, set, &out->grid);
    out->confidence = places_confidence(places);
    return true;
}
