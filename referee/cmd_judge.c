/* referee/cmd_judge.c: `tableref judge`: what was built against a card, a JSON line a seat. */
#include "referee/cmd_common.h"
#include "referee/verdict.h"
#include "vision/annotate.h"
#include "vision/layout_json.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define REASONS_TEXT_MAX 128 /* for some eight; what is over is cut off */

enum { KEY_CARD = CMD_KEY_OWN, KEY_SLOT, KEY_SEAT };

static const struct cmd_option options[] = {
    CMD_SOURCE_OPTIONS,
    {"card", "ID", KEY_CARD, "the card of the deck to compare with"},
    {"slot", "N", KEY_SLOT, "the card that lies in this slot"},
    {"seat", "N", KEY_SEAT, "only this seat"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "judge",
    .arguments = "[--card ID | --slot N] IMAGE...",
    .about =
        "Reads each picture and compares every seat with a card: a line of JSON for each seat.\n"
        "With neither --card nor --slot it is the only card that lies face up, if every other\n"
        "slot can be read.\n"
        "NAME is a built-in's name or a path to a JSON file.",
    .options = options,
};

struct judge_options {
    struct cmd_source source;
    const char *card; /* NULL: none named */
    int slot, seat;   /* 0: none named */
};

/* The card to compare with, and how it was found. */
struct chosen {
    const char *from; /* "named", "slot", "only_face_up" */
    int slot;         /* 0 for a named card */
    const struct layout_card *hidden; /* a slot that could hold another card, lent, or NULL */
    char id[CARD_ID_MAX];
    struct grid grid; /* no rows: there is none, for these reasons */
    uint64_t reasons;
    int confidence; /* permille */
};

static const struct layout_card *find_slot(const struct layout *layout, int slot)
{
    for (int i = 0; i < layout->slots; i++)
        if (layout->card[i].slot == slot)
            return &layout->card[i];
    return NULL;
}

/* Takes the card in a slot, or says why it cannot be taken. */
static void choose_slot(const struct layout_card *card, struct chosen *out)
{
    out->slot = card->slot;
    out->confidence = card->confidence;
    memcpy(out->id, card->id, sizeof out->id);
    if (card->state == SLOT_EMPTY || card->state == SLOT_FACE_DOWN)
        out->reasons = REASON_BIT(REASON_NO_CARD);
    else if (card->state != SLOT_FACE_UP || card->confidence < JUDGE_CARD_MIN_PERMILLE ||
             card->grid.rows == 0)
        out->reasons = REASON_BIT(REASON_CARD_UNREADABLE) | card->reasons;
    else
        out->grid = card->grid;
}

/* The only card that lies face up. Where a slot cannot be read, another card may lie there, and
 * which of the two is meant nobody knows. */
static void choose_only(const struct layout *layout, struct chosen *out)
{
    const struct layout_card *up = NULL;
    int ups = 0;
    out->from = "only_face_up";
    for (int i = 0; i < layout->slots; i++) {
        const struct layout_card *card = &layout->card[i];
        ups += card->state == SLOT_FACE_UP;
        if (!out->hidden && (card->state == SLOT_OCCLUDED || card->state == SLOT_UNREADABLE))
            out->hidden = card;
        if (card->state == SLOT_FACE_UP)
            up = card;
    }
    if (ups > 1)
        out->reasons = REASON_BIT(REASON_SEVERAL_CARDS);
    else if (out->hidden)
        out->reasons = REASON_BIT(REASON_CARD_UNREADABLE) | out->hidden->reasons;
    else if (ups == 0)
        out->reasons = REASON_BIT(REASON_NO_CARD);
    else
        choose_slot(up, out);
}

static void choose_card(const struct judge_options *wanted, const struct cmd_session *session,
                        const struct layout *layout, struct chosen *out)
{
    memset(out, 0, sizeof *out);
    out->confidence = 1000;
    if (wanted->card) {
        const struct card *card = calib_deck_find(session->kit.deck, wanted->card);
        out->from = "named";
        memcpy(out->id, card->id, sizeof out->id);
        out->grid = card->grid;
    } else if (wanted->slot) {
        const struct layout_card *card = find_slot(layout, wanted->slot);
        out->from = "slot";
        out->slot = wanted->slot;
        if (card)
            choose_slot(card, out);
        else
            out->reasons = REASON_BIT(REASON_NO_CARD);
    } else {
        choose_only(layout, out);
    }
}

static void judge_seat(const struct layout_seat *seat, const struct chosen *chosen,
                       struct verdict *out)
{
    if (chosen->grid.rows == 0) {
        referee_judge_nothing(seat, chosen->reasons, out);
        memcpy(out->card, chosen->id, sizeof out->card);
        return;
    }
    referee_judge(seat, chosen->id, &chosen->grid, ROTATION_ANY, out);
    if (out->confidence > chosen->confidence)
        out->confidence = (int16_t)chosen->confidence;
}

static void write_verdict(const char *image, const struct verdict *verdict,
                          const struct chosen *chosen, struct json_text *json)
{
    vision_json_open(json, NULL, '{');
    vision_json_string(json, "image", image);
    vision_json_int(json, "seat", verdict->seat);
    vision_json_string(json, "card", verdict->card[0] ? verdict->card : NULL);
    vision_json_string(json, "verdict", referee_ruling_name(verdict->ruling));
    vision_json_reasons(json, "reasons", verdict->reasons);
    vision_json_open(json, "wrong_cells", '[');
    for (int i = 0; i < verdict->wrong_cells; i++) {
        vision_json_open(json, NULL, '[');
        vision_json_int(json, NULL, verdict->wrong[i][0]);
        vision_json_int(json, NULL, verdict->wrong[i][1]);
        vision_json_close(json, ']');
    }
    vision_json_close(json, ']');
    vision_json_int(json, "turn", verdict->turn_deg);
    vision_json_fixed(json, "confidence", verdict->confidence, 3);
    vision_json_string(json, "card_from", chosen->from);
    if (chosen->slot)
        vision_json_int(json, "slot", chosen->slot);
    else
        vision_json_null(json, "slot");
    vision_json_close(json, '}');
}

/* The verdict as it is written into the annotated picture. */
static void write_note(const struct verdict *verdict, struct annotate_note *note)
{
    static const enum annotate_mark marks[] = {[RULING_MATCH] = ANNOTATE_RIGHT,
                                               [RULING_NO_MATCH] = ANNOTATE_WRONG,
                                               [RULING_CANNOT_TELL] = ANNOTATE_DOUBT};
    static const char *const words[] = {[RULING_MATCH] = "MATCH",
                                        [RULING_NO_MATCH] = "NO MATCH",
                                        [RULING_CANNOT_TELL] = "CANNOT TELL"};
    memset(note, 0, sizeof *note);
    note->seat = verdict->seat;
    note->mark = marks[verdict->ruling];
    snprintf(note->line[note->lines++], ANNOTATE_TEXT_MAX, "%s %s", words[verdict->ruling],
             verdict->card[0] ? verdict->card : "(card not in the deck)");
    for (unsigned r = 0; r < REASON_COUNT && note->lines < ANNOTATE_LINES_MAX; r++)
        if (verdict->reasons & REASON_BIT(r))
            snprintf(note->line[note->lines++], ANNOTATE_TEXT_MAX, "%s",
                     vision_reason_name((enum reason)r));
    note->crossed = verdict->wrong_cells;
    memcpy(note->cross, verdict->wrong, sizeof note->cross);
}

static void tell_choice(const char *path, const struct chosen *chosen)
{
    if (strcmp(chosen->from, "only_face_up") != 0)
        return;
    if (chosen->reasons & REASON_BIT(REASON_SEVERAL_CARDS)) {
        cmd_error("%s: several cards lie face up; say which by --card or --slot", path);
    } else if (chosen->hidden) {
        char reasons[REASONS_TEXT_MAX];
        vision_reasons_text(chosen->hidden->reasons, ", ", reasons, sizeof reasons);
        cmd_error("%s: slot %d is %s (%s) and may hold another card; say which by --card or --slot",
                  path, chosen->hidden->slot, vision_slot_state_name(chosen->hidden->state),
                  reasons);
    } else if (chosen->grid.rows == 0) {
        cmd_error("%s: no card that lies face up can be read; name one by --card", path);
    } else {
        cmd_error("%s: compared with the only face-up card, %s in slot %d", path,
                  chosen->id[0] ? chosen->id : "not in the deck,", chosen->slot);
    }
}

/* Rules on every seat that was asked for; false when nothing more can be printed. */
static bool judge_picture(const struct judge_options *wanted, struct cmd_session *session,
                          int index, const struct cmd_picture *picture)
{
    struct annotate_note notes[MAT_SEATS_MAX];
    int note_count = 0;
    bool printed = true;
    struct chosen chosen;
    choose_card(wanted, session, &picture->layout, &chosen);
    tell_choice(picture->path, &chosen);
    for (int i = 0; i < picture->layout.seats && printed; i++) {
        struct verdict verdict;
        struct json_text json;
        if (wanted->seat && picture->layout.seat[i].seat != wanted->seat)
            continue;
        judge_seat(&picture->layout.seat[i], &chosen, &verdict);
        write_note(&verdict, &notes[note_count++]);
        vision_json_init(&json);
        write_verdict(picture->path, &verdict, &chosen, &json);
        printed = cmd_print(&json);
    }
    cmd_session_annotate(session, index, picture, notes, note_count);
    return printed;
}

static bool judge_image(const struct judge_options *wanted, struct cmd_session *session, int index)
{
    struct cmd_picture picture;
    const char *path = session->paths[index];
    bool printed;
    if (cmd_picture_read(session->reader, path, session->source.mirrored, &picture)) {
        printed = judge_picture(wanted, session, index, &picture);
    } else {
        struct json_text json;
        vision_json_init(&json);
        vision_refusal_json(path, picture.reason, &json);
        session->status = CMD_UNUSABLE;
        printed = cmd_print(&json);
    }
    if (!printed)
        session->status = CMD_UNUSABLE;
    cmd_picture_free(&picture);
    return printed;
}

/* What was named must be there: a card in the deck, a slot and a seat on the mat. */
static bool check_names(const struct judge_options *wanted, const struct cmd_kit *kit)
{
    bool slot = !wanted->slot, seat = !wanted->seat;
    for (int i = 0; i < kit->mat->slots; i++)
        slot |= kit->mat->slot[i].slot == wanted->slot;
    for (int i = 0; i < kit->mat->seats; i++)
        seat |= kit->mat->seat[i].seat == wanted->seat;
    if (wanted->card && !kit->deck)
        cmd_error("judge: --card %s: there is no deck to find it in; name one by --deck",
                  wanted->card);
    else if (wanted->card && !calib_deck_find(kit->deck, wanted->card))
        cmd_error("judge: --card %s: the deck %s has no such card", wanted->card, kit->deck->name);
    else if (!slot)
        cmd_error("judge: --slot %d: the mat %s has no such slot", wanted->slot, kit->mat->name);
    else if (!seat)
        cmd_error("judge: --seat %d: the mat %s has no such seat", wanted->seat, kit->mat->name);
    else
        return true;
    return false;
}

/* CMD_OPTION_END when all were taken, else _HELP or _WRONG (both said what there is to say). */
static int take_options(int argc, char **argv, struct judge_options *out, int *first)
{
    const char *value;
    int key;
    while ((key = cmd_options_next(&verb, argc, argv, first, &value)) > 0) {
        bool good = true;
        if (key == KEY_CARD)
            out->card = value;
        else if (key == KEY_SLOT)
            good = cmd_number(&verb, "slot", value, 1, INT8_MAX, &out->slot);
        else if (key == KEY_SEAT)
            good = cmd_number(&verb, "seat", value, 1, INT8_MAX, &out->seat);
        else
            cmd_source_take(&out->source, key, value);
        if (!good)
            return CMD_OPTION_WRONG;
    }
    if (key == CMD_OPTION_END && out->card && out->slot) {
        cmd_error("judge: --card and --slot name two cards; give one of them");
        return CMD_OPTION_WRONG;
    }
    if (key == CMD_OPTION_END && *first >= argc) {
        cmd_error("judge: a picture is needed; see tableref judge --help");
        return CMD_OPTION_WRONG;
    }
    return key;
}

int cmd_judge(int argc, char **argv)
{
    struct judge_options wanted = {.card = NULL};
    struct cmd_session session;
    int first = 0;
    int key = take_options(argc, argv, &wanted, &first);
    if (key != CMD_OPTION_END)
        return key == CMD_OPTION_HELP ? CMD_DONE : CMD_WRONG_USE;
    if (cmd_session_open(&wanted.source, argv + first, argc - first, &session)) {
        if (!check_names(&wanted, &session.kit))
            session.status = CMD_UNUSABLE;
        else
            for (int i = 0; i < session.count && judge_image(&wanted, &session, i); i++)
                ;
    }
    return cmd_session_close(&session);
}
