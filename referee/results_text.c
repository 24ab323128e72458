/* referee/results_text.c: the final table as lines for people, and as CSV. */
#include "referee/results_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 512
#define NS_PER_MS 1000000

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

int referee_results_rounds(const struct match_state *state)
{
    int rounds = state->ramp.round - (state->ramp.open ? 1 : 0);

    return rounds < 0 ? 0 : rounds > MAKE5_ROUNDS_MAX ? MAKE5_ROUNDS_MAX : rounds;
}

/* Columns a name takes on a terminal: its characters, not its bytes. */
static int name_width(const char *name)
{
    int width = 0;

    for (; *name; name++)
        width += ((unsigned char)*name & 0xC0) != 0x80;
    return width;
}

static int names_width(const struct match_state *state)
{
    int widest = 4;

    for (int p = 0; p < state->players; p++) {
        int width = name_width(state->player[p].name);
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void put_name(struct json_text *out, const char *name, int width)
{
    vision_json_raw(out, name);
    for (int column = name_width(name); column < width; column++)
        vision_json_raw(out, " ");
}

static void put_seconds(struct json_text *out, int64_t ns)
{
    int64_t ms = ns / NS_PER_MS;

    put(out, "%lld.%03lld", (long long)(ms / 1000), (long long)(ms % 1000));
}

static void text_players(const struct match_state *state, struct json_text *out)
{
    int order[PLAYERS_MAX], count = referee_results_order(state, order);
    int width = names_width(state);
    bool ramp = state->game == GAME_MAKE5;

    put(out, "rank  ");
    put_name(out, "name", width);
    put(out, ramp ? "  seat  points\n"
                  : "  seat  points  cards  (level 5 4 3 2 1)  claims  errors  lost\n");
    for (int i = 0; i < count; i++) {
        const struct player *p = &state->player[order[i]];
        if (p->rank > 0)
            put(out, "%4d  ", p->rank);
        else
            put(out, "   -  ");
        put_name(out, p->name, width);
        put(out, "  %4d  %6d", p->seat, (int)p->points);
        if (!ramp)
            put(out, "  %5d  %7d %d %d %d %d   %6d  %6d  %4d%s", p->cards, p->by_level[5],
                p->by_level[4], p->by_level[3], p->by_level[2], p->by_level[1], p->claims,
                p->errors, p->lost, p->owes ? "  owes a card" : "");
        put(out, "\n");
    }
}

static void put_holders(const struct match_state *state, const struct match_card *card,
                        const char *between, struct json_text *out)
{
    bool any = false;

    for (int p = 0; p < state->players; p++)
        if (card->holders & (1u << p)) {
            put(out, "%s", any ? between : "");
            vision_json_raw(out, state->player[p].name);
            any = true;
        }
}

static void text_cards(const struct match_state *state, struct json_text *out)
{
    int order[MATCH_CARDS_MAX], count = referee_results_cards(state, order);

    for (int i = 0; i < count; i++) {
        const struct match_card *card = &state->card[order[i]];
        put(out, "%5d  level %d  %-10s ", i + 1, card->card.level,
            card->card.id[0] ? card->card.id : "-");
        put_seconds(out, card->took_ns);
        put(out, " s  ");
        if (card->place == CARD_WON)
            put_holders(state, card, ", ", out);
        else
            put(out, "set aside");
        put(out, "\n");
    }
}

static void text_rounds(const struct match_state *state, struct json_text *out)
{
    for (int r = 0; r < referee_results_rounds(state); r++) {
        put(out, "round %d: %d points for ", r + 1, state->ramp.points[r]);
        vision_json_raw(out, state->player[state->ramp.makers[r]].name);
        put(out, "\n");
    }
}

void referee_results_text(const struct match_state *state, const char *match, const char *head,
                          struct json_text *out)
{
    put(out, "%s, %s", referee_game_name(state->game), referee_phase_name(state->phase));
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
    if (head)
        put(out, "record %s\n", head);
}

/* A field in quotes, with quotes doubled. What begins like a formula is kept from being one. */
static void csv_field(struct json_text *out, const char *text)
{
    char byte[2] = "";

    vision_json_raw(out, text[0] && strchr("=+-@\t\r", text[0]) ? "\"'" : "\"");
    for (; *text; text++) {
        byte[0] = *text;
        vision_json_raw(out, *text == '"' ? "\"\"" : byte);
    }
    vision_json_raw(out, "\"");
}

static void csv_players(const struct match_state *state, struct json_text *out)
{
    int order[PLAYERS_MAX], count = referee_results_order(state, order);

    put(out,
        "rank,seat,name,points,cards,level1,level2,level3,level4,level5,claims,errors,lost\r\n");
    for (int i = 0; i < count; i++) {
        const struct player *p = &state->player[order[i]];
        put(out, "%d,%d,", p->rank, p->seat);
        csv_field(out, p->name);
        put(out, ",%d,%d,%d,%d,%d,%d,%d,%d,%d,%d\r\n", (int)p->points, p->cards, p->by_level[1],
            p->by_level[2], p->by_level[3], p->by_level[4], p->by_level[5], p->claims, p->errors,
            p->lost);
    }
}

static void csv_cards(const struct match_state *state, struct json_text *out)
{
    int order[MATCH_CARDS_MAX], count = referee_results_cards(state, order);

    put(out, "round,card,level,place,seats,seconds\r\n");
    for (int i = 0; i < count; i++) {
        const struct match_card *card = &state->card[order[i]];
        bool any = false;
        put(out, "%d,", i + 1);
        csv_field(out, card->card.id);
        put(out, ",%d,%s,\"", card->card.level, card->place == CARD_WON ? "won" : "set_aside");
        for (int p = 0; p < state->players; p++)
            if (card->holders & (1u << p)) {
                put(out, "%s%d", any ? " " : "", state->player[p].seat);
                any = true;
            }
        put(out, "\",");
        put_seconds(out, card->took_ns);
        put(out, "\r\n");
    }
}

static void csv_rounds(const struct match_state *state, struct json_text *out)
{
    put(out, "round,maker,points\r\n");
    for (int r = 0; r < referee_results_rounds(state); r++)
        put(out, "%d,%d,%d\r\n", r + 1, state->player[state->ramp.makers[r]].seat,
            state->ramp.points[r]);
}

void referee_results_csv(const struct match_state *state, struct json_text *out)
{
    csv_players(state, out);
    put(out, "\r\n");
    if (state->game == GAME_MAKE5)
        csv_rounds(state, out);
    else
        csv_cards(state, out);
}
