/* pubsub/display_final.c: how it ended: the table with ranks, and the record's digest. */
#include "calib/mark.h"
#include "pubsub/display_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LEVELS 5
#define COLUMN_COLS 7
/* Below this the cards of each level have no room. */
#define LEVELS_COLS 72

struct final {
    const struct display *display;
    struct screen *screen;
    const struct box *box;
    int64_t levels; /* columns of levels */
    bool cards, errors;
    int right; /* where the columns begin */
};

static void column_put(const struct final *final, int row, int place, unsigned look,
                       const char *text)
{
    pubsub_screen_put_right(final->screen, row, final->right + (place + 1) * COLUMN_COLS,
                            COLUMN_COLS - 1, look, text);
}

static int columns(const struct final *final)
{
    return 1 + final->cards + (int) final->levels + final->errors;
}

static void heads_put(const struct final *final)
{
    const struct display *display = final->display;
    int row = final->box->row + 1, place = 0;
    char text[16];

    pubsub_screen_put(final->screen, row, final->box->col, 5, PAINT_QUIET,
                      pubsub_display_say(display, N_("Rank")));
    pubsub_screen_put(final->screen, row, final->box->col + 6, final->right - 7, PAINT_QUIET,
                      pubsub_display_say(display, N_("Player")));
    column_put(final, row, place++, PAINT_QUIET, pubsub_display_say(display, N_("Points")));
    if (final->cards)
        column_put(final, row, place++, PAINT_QUIET, pubsub_display_say(display, N_("Cards")));
    for (int level = LEVELS; level > LEVELS - final->levels; level--) {
        snprintf(text, sizeof text, "L%d", level);
        column_put(final, row, place++, PAINT_QUIET, text);
    }
    if (final->errors)
        column_put(final, row, place, PAINT_QUIET, pubsub_display_say(display, N_("Errors")));
}

static void number_put(const struct final *final, int row, int place, unsigned look, int64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRId64, value);
    column_put(final, row, place, look, text);
}

static bool shares(const struct display *display, const json_t *player)
{
    const json_t *players = json_object_get(display->state, "players");
    int same = 0;

    for (size_t i = 0; i < json_array_size(players); i++)
        same += json_equal(json_object_get(json_array_get(players, i), "rank"),
                           json_object_get(player, "rank"));
    return same > 1;
}

static void player_put(const struct final *final, int row, const json_t *player)
{
    const json_t *rank = json_object_get(player, "rank");
    const json_t *levels = json_object_get(player, "by_level");
    unsigned look = json_integer_value(rank) == 1 ? LOOK_BOLD : (unsigned)PAINT_PLAIN;
    char text[32] = "-";
    int place = 0;

    if (json_is_integer(rank))
        snprintf(text, sizeof text, "%" PRId64 "%s", (int64_t)json_integer_value(rank),
                 shares(final->display, player) ? " =" : "");
    pubsub_screen_put(final->screen, row, final->box->col, 5, look, text);
    pubsub_screen_put(final->screen, row, final->box->col + 6, final->right - 7, look,
                      pubsub_display_text(player, "name"));
    number_put(final, row, place++, look, pubsub_display_whole(player, "points"));
    if (final->cards)
        number_put(final, row, place++, look, pubsub_display_whole(player, "cards"));
    for (int level = LEVELS; level > LEVELS - final->levels; level--)
        number_put(final, row, place++, look,
                   json_integer_value(json_array_get(levels, (size_t)level - 1)));
    if (final->errors)
        number_put(final, row, place, look, pubsub_display_whole(player, "errors"));
}

/* Before or behind: by rank (none comes last), then points, then seat. */
static bool before(const json_t *one, const json_t *other)
{
    int64_t a = pubsub_display_whole(one, "rank"), b = pubsub_display_whole(other, "rank");

    a = a > 0 ? a : INT64_MAX;
    b = b > 0 ? b : INT64_MAX;
    if (a != b)
        return a < b;
    a = pubsub_display_whole(one, "points");
    b = pubsub_display_whole(other, "points");
    return a != b ? a > b : pubsub_display_whole(one, "seat") < pubsub_display_whole(other, "seat");
}

static int players_put(const struct final *final, int row)
{
    const json_t *players = json_object_get(final->display->state, "players");
    const json_t *order[DISPLAY_SEATS] = {NULL};
    int count = 0;

    for (size_t i = 0; i < json_array_size(players) && count < DISPLAY_SEATS; i++) {
        int at = count++;
        for (; at > 0 && before(json_array_get(players, i), order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = json_array_get(players, i);
    }
    for (int i = 0; i < count; i++)
        player_put(final, row++, order[i]);
    return row;
}

/* What each round of Make 5 brought its MAKER; the next row. */
static int rounds_put(const struct final *final, int row)
{
    const json_t *make5 = json_object_get(final->display->state, "make5");
    const json_t *rounds = json_object_get(make5, "rounds");
    const struct box *box = final->box;
    int col = box->col;

    for (size_t i = 0; i < json_array_size(rounds); i++) {
        const json_t *one = json_array_get(rounds, i);
        const json_t *maker =
            pubsub_display_player(final->display, pubsub_display_whole(one, "maker"));
        char number[24], text[DISPLAY_TEXT_MAX], words[DISPLAY_TEXT_MAX];
        snprintf(number, sizeof number, "%" PRId64, pubsub_display_whole(one, "round"));
        pubsub_display_fill(text, sizeof text,
                            pubsub_display_say(final->display, N_("Round {round}")), "round",
                            number, DISPLAY_END);
        snprintf(words, sizeof words, "%.100s: %.200s %" PRId64, text,
                 pubsub_display_text(maker, "name"), pubsub_display_whole(one, "points"));
        int width = pubsub_screen_width(final->screen, words);
        if (col > box->col && col + width > box->col + box->cols) {
            col = box->col;
            row++;
        }
        col += pubsub_screen_put(final->screen, row, col, box->cols, PAINT_PLAIN, words) + 3;
    }
    return col > box->col ? row + 1 : row;
}

/* In groups, so that it can be compared by eye; over as many rows as it takes. */
static void digest_put(const struct final *final, int row)
{
    const char *digest = pubsub_display_text(final->display->health, "record");
    const struct box *box = final->box;
    int col = box->col;

    if (digest[0] == 0)
        return;
    col += pubsub_screen_put(final->screen, row, col, box->cols, PAINT_QUIET,
                             pubsub_display_say(final->display, N_("Record")));
    col += pubsub_screen_put(final->screen, row, col, box->cols, PAINT_QUIET, ": ");
    for (int begin = col; *digest; digest += strnlen(digest, 8)) {
        char group[9];
        snprintf(group, sizeof group, "%.8s", digest);
        if (col + 8 > box->col + box->cols) {
            col = begin;
            row++;
        }
        pubsub_screen_put(final->screen, row, col, 8, PAINT_PLAIN, group);
        col += 9;
    }
}

void pubsub_display_final(const struct display *display, struct screen *screen,
                          const struct box *box)
{
    const json_t *state = display->state, *options = json_object_get(state, "options");
    bool make5 = pubsub_display_is(state, "game", "make5");
    bool over = pubsub_display_is(state, "phase", "over");
    struct final final = {.display = display,
                          .screen = screen,
                          .box = box,
                          .levels = make5 || box->cols < LEVELS_COLS ? 0 : LEVELS,
                          .cards = !make5,
                          .errors = pubsub_display_is(options, "claims", "called")};
    char time[32], text[DISPLAY_TEXT_MAX];

    final.right = box->col + box->cols - columns(&final) * COLUMN_COLS;
    pubsub_screen_put(screen, box->row, box->col, box->cols, LOOK_BOLD,
                      over ? pubsub_display_say(display, N_("Final table"))
                           : pubsub_display_phase(display));
    heads_put(&final);
    int row = players_put(&final, box->row + 2) + (box->rows > 10);
    row = rounds_put(&final, row);
    pubsub_display_time(pubsub_display_whole(state, "clock_ns"), time, sizeof time);
    pubsub_display_fill(text, sizeof text, pubsub_display_say(display, N_("Match clock: {time}")),
                        "time", time, DISPLAY_END);
    pubsub_screen_put(screen, row++, box->col, box->cols, PAINT_QUIET, text);
    digest_put(&final, row);
}
