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

/* Cells of the deck's card, turned, that the places do not allow; -1 when its outline does not
 * even lie on this lattice. A pattern is centred on its card. */
static int card_misses(const struct face_places *places, const enum clarity *clarity,
                       const struct blockset *set, const struct grid *grid)
{
    int down = places->rows - grid->rows, right = places->cols - grid->cols, misses = 0;
    if (down < 0 || right < 0 || down % 2 || right % 2)
        return -1;
    for (int i = 0; i < places->rows * places->cols; i++) {
        int r = i / places->cols - down / 2, c = i % places->cols - right / 2;
        bool inside = r >= 0 && c >= 0 && r < grid->rows && c < grid->cols;
        char label = inside ? grid->cell[r][c] : GRID_HOLE;
        misses += !place_allows(&places->place[i], clarity[i], set, label);
    }
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
            struct grid turned = calib_grid_turn(&deck->card[i].grid, q);
            if (card_misses(places, clarity, set, &turned) != 0)
                continue;
            if (only && only != &deck->card[i])
                return NULL;
            if (!only)
                *quarters = q;
            only = &deck->card[i];
        }
    return only;
}

/* Least margin of the places where the grid as read differs from a card of the deck that it
 * nearly is; infinite when there is no such card. */
static float near_miss_margin(const struct face_places *places, const enum clarity *clarity,
                              const struct blockset *set, const struct deck *deck)
{
    float least = INFINITY;
    for (int i = 0; i < deck->cards; i++)
        for (int q = 0; q < 4; q++) {
            struct grid turned = calib_grid_turn(&deck->card[i].grid, q);
            int misses = card_misses(places, clarity, set, &turned);
            if (misses < 1 || misses > NEAR_MISS_CELLS)
                continue;
            int down = (places->rows - turned.rows) / 2, right = (places->cols - turned.cols) / 2;
            for (int k = 0; k < places->rows * places->cols; k++) {
                int r = k / places->cols - down, c = k % places->cols - right;
                bool inside = r >= 0 && c >= 0 && r < turned.rows && c < turned.cols;
                char label = inside ? turned.cell[r][c] : GRID_HOLE;
                if (place_allows(&places->place[k], clarity[k], set, label))
                    continue;
                least = fminf(least, clarity[k] == CLEAR_SYMBOL ? places->place[k].margin : 0);
            }
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
