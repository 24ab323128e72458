/* referee/results_csv.c: the final table as CSV. */
#include "referee/results.h"

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

static void put_seconds(struct json_text *out, int64_t ns)
{
    int64_t ms = ns / NS_PER_MS;

    put(out, "%lld.%03lld", (long long)(ms / 1000), (long long)(ms % 1000));
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
