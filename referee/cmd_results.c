/* referee/cmd_results.c: the final table as lines for people. */
#include "referee/cmd_results.h"

#include "referee/cmd_text.h"
#include "referee/cmd_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 512
#define NS_PER_MS 1000000
#define COLUMNS_MAX 8
/* Between columns. */
#define GAP "  "

static void put(struct json_text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(struct json_text *out, const char *format, ...)
{
    char line[LINE_MAX_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    vision_json_raw(out, line);
}

/* A column: its heading, and the least that it is wide. */
struct column {
    const char *head;
    int width;
};

static void cell_text(const struct column *column, const char *text, struct json_text *out)
{
    put(out, GAP "%-*s", cmd_text_pad(text, column->width), text);
}

static void cell_number(const struct column *column, int number, struct json_text *out)
{
    put(out, GAP "%*d", column->width, number);
}

/* A column is as wide as its heading at least. */
static void columns_fit(struct column *column, int count)
{
    for (int i = 0; i < count; i++) {
        int width = cmd_text_width(column[i].head);
        column[i].width = width > column[i].width ? width : column[i].width;
    }
}

static int names_width(const struct match_state *state)
{
    int widest = 0;

    for (int p = 0; p < state->players; p++) {
        int width = cmd_text_width(state->player[p].name);
        widest = width > widest ? width : widest;
    }
    return widest;
}

enum { RANK, NAME, SEAT, POINTS, CARDS, LEVELS, CLAIMS, ERRORS, LOST, COLUMNS };

static void columns_head(const struct match_state *state, struct column column[COLUMNS])
{
    column[RANK] = (struct column){cmd_text("rank"), 4};
    column[NAME] = (struct column){cmd_text("name"), names_width(state)};
    column[SEAT] = (struct column){cmd_text("seat"), 4};
    column[POINTS] = (struct column){cmd_text("points"), 6};
    column[CARDS] = (struct column){cmd_text("cards"), 5};
    column[LEVELS] = (struct column){cmd_text("(level 5 4 3 2 1)"), 9};
    column[CLAIMS] = (struct column){cmd_text("claims"), 6};
    column[ERRORS] = (struct column){cmd_text("errors"), 6};
    column[LOST] = (struct column){cmd_text("lost"), 4};
    columns_fit(column, COLUMNS);
}

static void text_player(const struct column *column, const struct player *p, bool ramp,
                        struct json_text *out)
{
    char levels[64];

    if (p->rank > 0)
        put(out, "%*d", column[RANK].width, p->rank);
    else
        put(out, "%*s", column[RANK].width, "-");
    cell_text(&column[NAME], p->name, out);
    cell_number(&column[SEAT], p->seat, out);
    cell_number(&column[POINTS], (int)p->points, out);
    if (!ramp) {
        cell_number(&column[CARDS], p->cards, out);
        snprintf(levels, sizeof levels, "%d %d %d %d %d", p->by_level[5], p->by_level[4],
                 p->by_level[3], p->by_level[2], p->by_level[1]);
        put(out, GAP "%*s", column[LEVELS].width, levels);
        cell_number(&column[CLAIMS], p->claims, out);
        cell_number(&column[ERRORS], p->errors, out);
        cell_number(&column[LOST], p->lost, out);
        if (p->owes)
            put(out, GAP "%s", cmd_text("owes a card"));
    }
    put(out, "\n");
}

static void text_players(const struct match_state *state, struct json_text *out)
{
    int order[PLAYERS_MAX], count = referee_results_order(state, order);
    bool ramp = state->game == GAME_MAKE5;
    struct column column[COLUMNS];

    columns_head(state, column);
    put(out, "%*s", cmd_text_pad(column[RANK].head, column[RANK].width), column[RANK].head);
    cell_text(&column[NAME], column[NAME].head, out);
    for (int c = SEAT; c < (ramp ? CARDS : COLUMNS); c++)
        put(out, GAP "%*s", cmd_text_pad(column[c].head, column[c].width), column[c].head);
    put(out, "\n");
    for (int i = 0; i < count; i++)
        text_player(column, &state->player[order[i]], ramp, out);
}

static void put_holders(const struct match_state *state, const struct match_card *card,
                        struct json_text *out)
{
    bool any = false;

    for (int p = 0; p < state->players; p++)
        if (card->holders & (1u << p)) {
            vision_json_raw(out, any ? ", " : "");
            vision_json_raw(out, state->player[p].name);
            any = true;
        }
}

static void text_cards(const struct match_state *state, struct json_text *out)
{
    int order[MATCH_CARDS_MAX], count = referee_results_cards(state, order);

    for (int i = 0; i < count; i++) {
        const struct match_card *card = &state->card[order[i]];
        int64_t ms = card->took_ns / NS_PER_MS;
        put(out, "%5d" GAP, i + 1);
        put(out, cmd_text("level %d"), card->card.level);
        put(out, GAP "%-10s %lld%c%03lld s" GAP, card->card.id[0] ? card->card.id : "-",
            (long long)(ms / 1000), cmd_lang()->point, (long long)(ms % 1000));
        if (card->place == CARD_WON)
            put_holders(state, card, out);
        else
            vision_json_raw(out, cmd_text("set aside"));
        put(out, "\n");
    }
}

static void text_rounds(const struct match_state *state, struct json_text *out)
{
    for (int r = 0; r < referee_results_rounds(state); r++) {
        int points = state->ramp.points[r];
        put(out,
            cmd_text_n("round %d: %d point for %s", "round %d: %d points for %s",
                       (unsigned long)points),
            r + 1, points, state->player[state->ramp.makers[r]].name);
        put(out, "\n");
    }
}

static void results_text(const struct match_state *state, const char *match, const char *head,
                         struct json_text *out)
{
    put(out, "%s, %s", cmd_word_game(referee_game_name(state->game)),
        cmd_word_phase(referee_phase_name(state->phase)));
    if (match && match[0]) {
        vision_json_raw(out, ": ");
        vision_json_raw(out, match);
    }
    put(out, "\n");
    text_players(state, out);
    if (state->game == GAME_MAKE5)
        text_rounds(state, out);
    else
        text_cards(state, out);
    if (head) {
        put(out, cmd_text("record %s"), head);
        put(out, "\n");
    }
}

void cmd_results(const struct match_state *state, const char *match, const char *head,
                 enum results_format format, struct json_text *out)
{
    switch (format) {
    case RESULTS_TEXT:
        results_text(state, match, head, out);
        break;
    case RESULTS_CSV:
        referee_results_csv(state, out);
        break;
    case RESULTS_JSON:
        referee_results_json(state, match, head, out);
        break;
    }
}
