/* vision/cmd_verify_score.c: one reading against its truth: verdicts, cells, cards. */
#include "vision/cmd_verify.h"

#include "referee/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slots are asked for when this much of them is in view; rounded corners hide nothing of a card. */
#define SLOT_VISIBLE_LEAST 0.95
#define REASONS_TEXT_MAX 128 /* for some eight; what is over is cut off */

void verify_result_free(struct verify_result *result)
{
    free(result->finding);
    result->finding = NULL;
    result->findings = result->capacity = 0;
}

void verify_note(struct verify_result *result, bool difference, const char *format, ...)
{
    va_list list;
    result->tally.differences += difference;
    if (result->findings == result->capacity) {
        int capacity = result->capacity * 2 + 8;
        struct verify_finding *grown =
            realloc(result->finding, (size_t)capacity * sizeof *result->finding);
        if (!grown) {
            result->failed = true;
            return;
        }
        result->finding = grown;
        result->capacity = capacity;
    }
    struct verify_finding *finding = &result->finding[result->findings++];
    finding->difference = difference;
    va_start(list, format);
    vsnprintf(finding->text, sizeof finding->text, format, list);
    va_end(list);
}

/* ---- cells ---- */

static int label_index(char label)
{
    return label > ' ' && label < 0x7f ? label - ' ' : 0;
}

static double cell_distance(const struct truth_cell *truth, const struct layout_cell *cell)
{
    return hypot(cell->center_px10[0] / 10.0 - truth->center_px[0],
                 cell->center_px10[1] / 10.0 - truth->center_px[1]);
}

/* Pairs each cell of the truth with the read cell nearest to it, nearest pairs first, within half
 * a cell. partner[t] is a read cell or -1. */
static void pair_cells(const struct truth_seat *truth, const struct layout_seat *seat,
                       int partner[LAYOUT_CELLS_MAX], bool taken[LAYOUT_CELLS_MAX])
{
    for (int t = 0; t < LAYOUT_CELLS_MAX; t++) {
        partner[t] = -1;
        taken[t] = false;
    }
    for (;;) {
        double nearest = INFINITY;
        int best_t = -1, best_c = -1;
        for (int t = 0; t < truth->cells; t++)
            for (int c = 0; partner[t] < 0 && c < seat->cells; c++) {
                double distance = cell_distance(&truth->cell[t], &seat->cell[c]);
                if (taken[c] || distance > truth->cell[t].side_px / 2 || distance >= nearest)
                    continue;
                nearest = distance;
                best_t = t;
                best_c = c;
            }
        if (best_t < 0)
            return;
        partner[best_t] = best_c;
        taken[best_c] = true;
    }
}

static void score_cell(const struct truth_seat *truth, const struct truth_cell *cell,
                       const struct layout_cell *read, struct verify_result *result)
{
    struct verify_tally *tally = &result->tally;
    bool wrong = read && read->symbol != cell->symbol;
    if (!vision_truth_in_view(cell))
        return;
    tally->confusion[label_index(cell->symbol)][read ? label_index(read->symbol) : 0]++;
    if (!read && truth->hand)
        tally->cells_under_hand++;
    else if (!read)
        tally->cells.unread++;
    else if (wrong)
        tally->cells.wrong++;
    else
        tally->cells.right++;
    bool sure = wrong && read->confidence > LAYOUT_SURE_PERMILLE;
    tally->cells_sure_wrong += sure;
    if (wrong)
        verify_note(result, sure, "seat %d: cell at %.0f,%.0f is %c, was read as %c with %d.%03d",
                    truth->seat, cell->center_px[0], cell->center_px[1], cell->symbol, read->symbol,
                    read->confidence / 1000, read->confidence % 1000);
    else if (!read && !truth->hand)
        verify_note(result, false, "seat %d: cell %c at %.0f,%.0f was not read", truth->seat,
                    cell->symbol, cell->center_px[0], cell->center_px[1]);
}

static void score_cells(const struct truth_seat *truth, const struct layout_seat *seat,
                        struct verify_result *result)
{
    int partner[LAYOUT_CELLS_MAX];
    bool taken[LAYOUT_CELLS_MAX];
    pair_cells(truth, seat, partner, taken);
    for (int t = 0; t < truth->cells; t++)
        score_cell(truth, &truth->cell[t], partner[t] < 0 ? NULL : &seat->cell[partner[t]], result);
    for (int c = 0; c < seat->cells; c++) {
        const struct layout_cell *cell = &seat->cell[c];
        if (taken[c] || cell->confidence <= LAYOUT_SURE_PERMILLE)
            continue;
        result->tally.cells_extra++;
        result->tally.confusion[0][label_index(cell->symbol)]++;
        verify_note(
            result, seat->state == SEAT_COMPLETE,
            "seat %d: a cell %c was read at %.0f,%.0f with %d.%03d, where the truth has none",
            truth->seat, cell->symbol, cell->center_px10[0] / 10.0, cell->center_px10[1] / 10.0,
            cell->confidence / 1000, cell->confidence % 1000);
    }
}

/* ---- verdicts ---- */

static bool is_allowed(const struct truth_allowed *allowed, enum ruling ruling)
{
    return ruling == RULING_MATCH      ? allowed->match
           : ruling == RULING_NO_MATCH ? allowed->no_match
                                       : true;
}

/* Judges the seat against one card; true when that was decided. */
static bool score_verdict(const struct truth_seat *truth, const struct truth_allowed *allowed,
                          const struct card *card, const struct layout_seat *seat,
                          struct verify_result *result)
{
    struct verdict verdict;
    char reasons[REASONS_TEXT_MAX];
    referee_judge(seat, card->id, &card->grid, ROTATION_ANY, &verdict);
    bool decided = verdict.ruling != RULING_CANNOT_TELL;
    bool right = is_allowed(allowed, verdict.ruling);
    vision_reasons_text(verdict.reasons, " ", reasons, sizeof reasons);
    if (!right) {
        result->tally.verdicts.wrong++;
        verify_note(result, true,
                    "seat %d: card %s: wrong verdict %s (%s); allowed:%s%s%s; seat was read as %s",
                    truth->seat, card->id, referee_ruling_name(verdict.ruling), reasons,
                    allowed->match ? " match" : "", allowed->no_match ? " no_match" : "",
                    allowed->cannot_tell ? " cannot_tell" : "",
                    vision_seat_state_name(seat->state));
    } else if (!decided) {
        result->tally.verdicts.unread++;
        if (vision_truth_full_view(truth))
            verify_note(result, false, "seat %d: card %s: in full view, but cannot_tell (%s); %s",
                        truth->seat, card->id, reasons, vision_seat_state_name(seat->state));
    } else {
        result->tally.verdicts.right++;
    }
    return decided;
}

static const struct layout_seat *find_seat(const struct layout *layout, int seat)
{
    for (int i = 0; i < layout->seats; i++)
        if (layout->seat[i].seat == seat)
            return &layout->seat[i];
    return NULL;
}

static void score_seat(const struct truth_seat *truth, const struct deck *deck,
                       const struct layout_seat *seat, struct verify_result *result)
{
    bool decided = truth->allowed_count > 0;
    for (int i = 0; i < truth->allowed_count; i++) {
        const struct card *card = calib_deck_find(deck, truth->allowed[i].card);
        if (!card) {
            verify_note(result, true, "seat %d: the deck has no card %s", truth->seat,
                        truth->allowed[i].card);
            decided = false;
        } else if (!score_verdict(truth, &truth->allowed[i], card, seat, result)) {
            decided = false;
        }
    }
    result->tally.decided += decided && vision_truth_full_view(truth);
    score_cells(truth, seat, result);
}

/* Every card that lies face up must have its verdicts, else less is verified than it seems. */
static void check_expectations(const struct truth *truth, struct verify_result *result)
{
    for (int s = 0; s < truth->seats; s++)
        for (int c = 0; c < truth->cards; c++) {
            bool found = !truth->card[c].face_up || !truth->card[c].id[0];
            for (int i = 0; i < truth->seat[s].allowed_count && !found; i++)
                found = strcmp(truth->seat[s].allowed[i].card, truth->card[c].id) == 0;
            if (!found)
                verify_note(result, true, "seat %d: the truth allows no verdict for card %s",
                            truth->seat[s].seat, truth->card[c].id);
        }
}

static void score_seats(const struct truth *truth, const struct deck *deck,
                        const struct layout *layout, struct verify_result *result)
{
    for (int s = 0; s < truth->seats; s++) {
        const struct layout_seat *seat = find_seat(layout, truth->seat[s].seat);
        if (seat)
            score_seat(&truth->seat[s], deck, seat, result);
        else
            verify_note(result, true, "seat %d: is in the truth, not in the reading",
                        truth->seat[s].seat);
    }
    for (int i = 0; i < layout->seats; i++) {
        bool known = false;
        for (int s = 0; s < truth->seats; s++)
            known |= truth->seat[s].seat == layout->seat[i].seat;
        if (!known)
            verify_note(result, true, "seat %d: was read as %s, the truth says nothing of it",
                        layout->seat[i].seat, vision_seat_state_name(layout->seat[i].state));
    }
}

/* ---- cards ---- */

static struct verify_count *count_of_slot(struct verify_tally *tally, const struct truth_card *card)
{
    return !card ? &tally->empty : card->face_up ? &tally->face_up : &tally->face_down;
}

static bool card_right(const struct truth_card *truth, const struct layout_card *card)
{
    if (!truth)
        return card->state == SLOT_EMPTY;
    if (!truth->face_up)
        return card->state == SLOT_FACE_DOWN;
    return card->state == SLOT_FACE_UP && strcmp(card->id, truth->id) == 0 &&
           card->level == truth->level;
}

static void score_card(const struct truth_card *truth, const struct layout_card *card,
                       struct verify_result *result)
{
    struct verify_count *count = count_of_slot(&result->tally, truth);
    const char *what = !truth            ? "empty"
                       : !truth->face_up ? "face_down"
                       : truth->id[0]    ? truth->id
                                         : "a card in no deck";
    if (truth && truth->visible < SLOT_VISIBLE_LEAST)
        return;
    if (card_right(truth, card)) {
        count->right++;
    } else if (card->state == SLOT_OCCLUDED || card->state == SLOT_UNREADABLE) {
        char reasons[REASONS_TEXT_MAX];
        count->unread++;
        vision_reasons_text(card->reasons, " ", reasons, sizeof reasons);
        verify_note(result, false, "slot %d: is %s, was not read: %s (%s)", card->slot, what,
                    vision_slot_state_name(card->state), reasons);
    } else {
        count->wrong++;
        verify_note(result, true, "slot %d: is %s, was read as %s %s level %d with %d.%03d",
                    card->slot, what, vision_slot_state_name(card->state), card->id, card->level,
                    card->confidence / 1000, card->confidence % 1000);
    }
}

static void score_cards(const struct truth *truth, const struct layout *layout,
                        struct verify_result *result)
{
    for (int c = 0; c < truth->cards; c++) {
        bool known = false;
        for (int i = 0; i < layout->slots; i++)
            known |= layout->card[i].slot == truth->card[c].slot;
        if (!known)
            verify_note(result, true, "slot %d: is in the truth, not in the reading",
                        truth->card[c].slot);
    }
    for (int i = 0; i < layout->slots; i++) {
        const struct truth_card *card = NULL;
        for (int c = 0; c < truth->cards && !card; c++)
            if (truth->card[c].slot == layout->card[i].slot)
                card = &truth->card[c];
        score_card(card, &layout->card[i], result);
    }
}

/* ---- the whole ---- */

/* A picture that could not be read: everything in view counts as not read. */
static void score_nothing(const struct truth *truth, struct verify_result *result)
{
    struct verify_tally *tally = &result->tally;
    for (int s = 0; s < truth->seats; s++) {
        const struct truth_seat *seat = &truth->seat[s];
        tally->verdicts.unread += seat->allowed_count;
        for (int c = 0; c < seat->cells; c++) {
            if (!vision_truth_in_view(&seat->cell[c]))
                continue;
            tally->confusion[label_index(seat->cell[c].symbol)][0]++;
            if (seat->hand)
                tally->cells_under_hand++;
            else
                tally->cells.unread++;
        }
    }
    for (int c = 0; c < truth->cards; c++)
        if (truth->card[c].visible >= SLOT_VISIBLE_LEAST)
            count_of_slot(tally, &truth->card[c])->unread++;
}

/* Is there anything in the picture that a fair reader finds? */
static bool something_in_view(const struct truth *truth)
{
    for (int s = 0; s < truth->seats; s++)
        if (vision_truth_full_view(&truth->seat[s]))
            return true;
    for (int c = 0; c < truth->cards; c++)
        if (truth->card[c].visible >= SLOT_VISIBLE_LEAST)
            return true;
    return false;
}

static bool nothing_read(const struct verify_tally *tally)
{
    return tally->verdicts.right + tally->verdicts.wrong + tally->cells.right + tally->cells.wrong +
               tally->face_up.right + tally->face_up.wrong + tally->face_down.right +
               tally->face_down.wrong ==
           0;
}

void verify_score(const struct truth *truth, const struct deck *deck, const struct layout *layout,
                  struct verify_result *result)
{
    struct verify_tally *tally = &result->tally;
    tally->pictures = 1;
    tally->seats = truth->seats;
    for (int s = 0; s < truth->seats; s++)
        tally->full += vision_truth_full_view(&truth->seat[s]);
    check_expectations(truth, result);
    if (layout) {
        score_seats(truth, deck, layout, result);
        score_cards(truth, layout, result);
    } else {
        score_nothing(truth, result);
    }
    if (nothing_read(tally)) {
        tally->unusable = 1;
        verify_note(result, something_in_view(truth), "nothing was read in this picture%s%s",
                    layout ? "" : ": ", layout ? "" : vision_reason_name(result->reason));
    }
}
