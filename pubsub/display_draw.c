/* pubsub/display_draw.c: the board as a whole: what goes where on a screen of that size.
 *
 * From the top: a head of one or two rows; cards to the left, players to the right; the last
 * ruling; the foot. Each player's layout stands beside the name where rows are high enough, else
 * all of them in a strip of their own, else as letters. */
#include "calib/mark.h"
#include "pubsub/display_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_MS 1000000
#define NS_PER_S 1000000000
/* A head of one row has room for everything from this on. */
#define WIDE_COLS 80
/* From so many rows on there is a line above the ruling, and the foot has a row. */
#define ROOMY_ROWS 16
/* From so many on the ruling has its pictures. */
#define PICTURES_ROWS 24
#define LARGE_ROWS 40
#define GRID_ROWS 4 /* layouts of four by four at the smallest scale */
#define GRID_COLS 8
/* A name and a score need at least this much. */
#define PLAYER_COLS 15
#define FIGURE_ROWS 5
#define FIGURE_COLS 4
#define COUNT_FROM 3

struct sheet {
    const struct display *display;
    struct screen *screen;
    int64_t now_ns;
};

/* ---- the head ---- */

static bool stale(const struct sheet *sheet)
{
    return sheet->display->link != DISPLAY_LINK_WELL && sheet->display->link != DISPLAY_LINK_TWO;
}

/* Nothing when the link is well; else since when it is not. What is known of why stands at the
 * foot.
 */
static void link_words(const struct sheet *sheet, char *out, size_t size)
{
    const struct display *display = sheet->display;
    int64_t age_ns = sheet->now_ns > display->heard_ns ? sheet->now_ns - display->heard_ns : 0;
    char seconds[32];

    out[0] = 0;
    if (!display->state && stale(sheet)) {
        snprintf(out, size, "%s", pubsub_display_say(display, N_("No signal yet")));
    } else if (stale(sheet)) {
        snprintf(seconds, sizeof seconds, "%" PRId64, age_ns / NS_PER_S);
        pubsub_display_fill(out, size, pubsub_display_say(display, N_("No signal · {seconds} s")),
                            "seconds", seconds, DISPLAY_END);
    }
}

/* What is wrong with the link or the picture stands before everything else. */
static int alarm_put(const struct sheet *sheet, int row, int end, int most)
{
    char text[DISPLAY_TEXT_MAX], words[DISPLAY_TEXT_MAX + 8];

    link_words(sheet, text, sizeof text);
    if (text[0] == 0)
        pubsub_display_health(sheet->display, text, sizeof text);
    if (text[0] == 0)
        return 0;
    snprintf(words, sizeof words, " ! %s ", text);
    return pubsub_screen_put_right(sheet->screen, row, end, most,
                                   PAINT_UNSURE | LOOK_REVERSE | LOOK_BOLD, words) +
           1;
}

static void title_words(const struct sheet *sheet, char *out, size_t size)
{
    const struct display *display = sheet->display;
    char table[DISPLAY_TEXT_MAX] = "";

    if (display->table[0])
        pubsub_display_fill(table, sizeof table, pubsub_display_say(display, N_("Table {table}")),
                            "table", display->table, DISPLAY_END);
    snprintf(out, size, "%s%s%s%s%s", pubsub_display_game(display), table[0] ? " · " : "", table,
             display->match[0] ? " · " : "", display->match);
}

static int64_t clock_ns(const struct sheet *sheet)
{
    const struct display_clock *clock = &sheet->display->clock;
    bool runs = clock->runs && !stale(sheet);

    return clock->clock_ns + (runs ? pubsub_display_passed_ns(clock, sheet->now_ns) : 0);
}

/* Round, phase and clock, right-bound; where they begin. */
static int times_put(const struct sheet *sheet, int row)
{
    const struct display *display = sheet->display;
    int end = sheet->screen->cols;
    char text[DISPLAY_TEXT_MAX];

    pubsub_display_time(clock_ns(sheet), text, sizeof text);
    end -= pubsub_screen_put_right(sheet->screen, row, end, end / 3, LOOK_BOLD, text) + 1;
    pubsub_display_round(display, text, sizeof text);
    if (text[0])
        end -= pubsub_screen_put_right(sheet->screen, row, end, end / 2, PAINT_PLAIN, text) + 1;
    return end;
}

/* The phase. A replay says so before anything else: nobody may take it for a match that is played.
 */
static void phase_words(const struct display *display, char *out, size_t size)
{
    const json_t *replay = display->replay;
    int64_t speed = pubsub_display_whole(replay, "speed_permille");
    char how[32] = "";

    if (json_is_true(json_object_get(replay, N_("paused"))))
        snprintf(how, sizeof how, " · %s", pubsub_display_say(display, N_("paused")));
    else if (speed > 0 && speed != 1000)
        snprintf(how, sizeof how, " · %" PRId64 ".%02d x", speed / 1000, (int)(speed % 1000 / 10));
    if (json_is_object(replay))
        snprintf(out, size, " %s%s ",
                 pubsub_display_say(display, json_is_true(json_object_get(replay, "what_if"))
                                                 ? N_("Replay, not as it was played")
                                                 : N_("Replay")),
                 how);
    else
        snprintf(out, size, " %s ", pubsub_display_phase(display));
}

/* The row behind the head. */
static int head_put(const struct sheet *sheet)
{
    struct screen *screen = sheet->screen;
    bool wide = screen->cols >= WIDE_COLS;
    char text[DISPLAY_TEXT_MAX], phase[DISPLAY_TEXT_MAX];
    int end = wide ? times_put(sheet, 0) : screen->cols;

    phase_words(sheet->display, phase, sizeof phase);
    title_words(sheet, text, sizeof text);
    if (wide)
        end -= pubsub_screen_put_right(screen, 0, end, end / 2, LOOK_REVERSE, phase) + 1;
    if (wide)
        end -= alarm_put(sheet, 0, end, end * 2 / 3);
    pubsub_screen_put(screen, 0, 0, end, LOOK_BOLD, text);
    if (wide)
        return 1;
    end = times_put(sheet, 1);
    int used = pubsub_screen_put(screen, 1, 0, end, LOOK_REVERSE, phase) + 1;
    if (end - used > 6)
        alarm_put(sheet, 1, end, end - used);
    return 2;
}

/* ---- cards ---- */

/* While the count runs, and before it, cards that the program deals are not shown. */
static bool hidden(const struct display *display)
{
    const json_t *options = json_object_get(display->state, "options");

    return pubsub_display_is(options, "cards", "virtual") &&
           (pubsub_display_is(display->state, "phase", "ready") ||
            pubsub_display_is(display->state, "phase", "countdown"));
}

static int piles_count(const struct display *display)
{
    return (int)json_array_size(json_object_get(display->state, "piles"));
}

static void card_put(const struct sheet *sheet, const struct box *box, struct scale scale,
                     const json_t *pile, bool caption)
{
    const struct display *display = sheet->display;
    const json_t *card = json_object_get(pile, "card");
    bool none = !json_is_object(card) || hidden(display);
    int across, down;
    struct box own = *box;
    char text[DISPLAY_TEXT_MAX];

    pubsub_display_caption(display, pile, box->cols, text, sizeof text);
    if (none)
        snprintf(
            text, sizeof text, "%s",
            pubsub_display_say(display, hidden(display) || pubsub_display_whole(pile, "left") > 0
                                            ? N_("to come")
                                            : N_("no card")));
    if (caption || none)
        pubsub_screen_put(sheet->screen, box->row, box->col, box->cols, PAINT_QUIET, text);
    if (none)
        return;
    const char *grid = pubsub_display_text(card, "grid");
    pubsub_display_grid_size(grid, &across, &down);
    own.row += caption + (down < 4 ? (4 - down) * scale.rows / 2 : 0);
    own.rows -= own.row - box->row;
    pubsub_display_grid(display, sheet->screen, &own, scale, grid, NULL);
}

/* The columns that the cards take. */
static int cards_put(const struct sheet *sheet, const struct box *box)
{
    const json_t *piles = json_object_get(sheet->display->state, "piles");
    int count = piles_count(sheet->display);
    int most = box->cols - PLAYER_COLS, third = box->cols * 3 / 5;
    bool caption = box->rows > GRID_ROWS;

    if (count < 1)
        return 0;
    if (most > third && third > count * (GRID_ROWS + 1))
        most = third;
    struct scale scale =
        pubsub_display_scale(4, 4, most / count - 1, box->rows - (caption ? 1 : 0));
    struct box card = {box->row, box->col, box->rows, 4 * scale.cols};
    for (int i = 0; i < count; i++) {
        card_put(sheet, &card, scale, json_array_get(piles, (size_t)i), caption);
        card.col += card.cols + 1;
    }
    return count * (card.cols + 1) + 1;
}

/* ---- players ---- */

/* Where layouts stand. */
enum place { BESIDE, STRIP, LETTERS, NOWHERE };

/* A layout as far as it is known, drawn or in words. */
static void reading_put(const struct sheet *sheet, const struct box *box, struct scale scale,
                        const json_t *player)
{
    const struct display *display = sheet->display;
    const json_t *reading = pubsub_display_reading(display, player);
    const json_t *ruling = display->withdrawn ? NULL : pubsub_display_ruling(display);
    const char *grid = json_string_value(json_object_get(reading, "grid"));
    const json_t *wrong = NULL;

    if (!grid && pubsub_display_cells(display, sheet->screen, box, scale, reading))
        return;
    if (!grid) {
        const char *words = pubsub_display_seat_state(display, reading);
        pubsub_screen_put(sheet->screen, box->row, box->col, box->cols, PAINT_QUIET,
                          words[0] ? words : "-");
        return;
    }
    /* What was ruled on lies there still: the wrong cells are shown in their places. */
    const char *ruled = ruling ? pubsub_display_ruled_grid(display, ruling) : NULL;
    if (ruled && strcmp(ruled, grid) == 0 &&
        pubsub_display_whole(ruling, "seat") == pubsub_display_whole(player, "seat"))
        wrong = json_object_get(ruling, "wrong_cells");
    pubsub_display_grid(display, sheet->screen, box, scale, grid, wrong);
}

/* Name, marks and score: one row, or two where there are two. */
static void player_put(const struct sheet *sheet, const struct box *box, const json_t *player)
{
    const struct display *display = sheet->display;
    bool cards = pubsub_display_is(display->state, "game", "quick-play");
    int64_t score = pubsub_display_whole(player, cards ? "cards" : "points");
    char seat[16], text[DISPLAY_TEXT_MAX], marks[DISPLAY_TEXT_MAX];
    int end = box->col + box->cols, col = box->col;

    snprintf(seat, sizeof seat, "%" PRId64 " ", pubsub_display_whole(player, "seat"));
    snprintf(text, sizeof text, "%" PRId64, score);
    pubsub_display_marks(display, player, sheet->screen->ascii, marks, sizeof marks);
    col += pubsub_screen_put(sheet->screen, box->row, col, box->cols, LOOK_REVERSE, seat) + 1;
    if (box->rows >= FIGURE_ROWS + 1 && box->cols >= PLAYER_COLS + 4 * FIGURE_COLS) {
        end -= FIGURE_COLS * (int)strlen(text);
        pubsub_display_digits(sheet->screen, box->row, end, LOOK_BOLD, score);
    } else {
        end -= pubsub_screen_put_right(sheet->screen, box->row, end, 4, LOOK_BOLD, text);
    }
    end--;
    if (box->rows > 1) {
        pubsub_screen_put(sheet->screen, box->row, col, end - col, LOOK_BOLD,
                          pubsub_display_text(player, "name"));
        pubsub_screen_put(sheet->screen, box->row + 1, col, end - col, PAINT_PLAIN, marks);
        return;
    }
    /* One row: what concerns the player goes before the end of a long name. */
    int need = marks[0] ? pubsub_screen_width(sheet->screen, marks) + 1 : 0;
    if (need > (end - col) / 2)
        need = (end - col) / 2;
    col += pubsub_screen_put(sheet->screen, box->row, col, end - col - need, LOOK_BOLD,
                             pubsub_display_text(player, "name"));
    if (need > 0)
        pubsub_screen_put(sheet->screen, box->row, col + 1, end - col - 1, PAINT_PLAIN, marks);
}

static void letters_put(const struct sheet *sheet, const struct box *box, const json_t *player)
{
    const json_t *reading = pubsub_display_reading(sheet->display, player);
    const char *grid = json_string_value(json_object_get(reading, "grid"));

    pubsub_screen_put(sheet->screen, box->row, box->col, box->cols, PAINT_QUIET,
                      grid ? grid : pubsub_display_seat_state(sheet->display, reading));
}

static void players_put(const struct sheet *sheet, const struct box *box, enum place place)
{
    const json_t *players = json_object_get(sheet->display->state, "players");
    int count = (int)json_array_size(players);
    int rows = count > 0 ? box->rows / count : 0;
    struct scale scale = pubsub_display_scale(4, 4, box->cols / 3, rows);

    for (int i = 0; i < count && rows > 0; i++) {
        const json_t *player = json_array_get(players, (size_t)i);
        struct box own = {box->row + i * rows, box->col, rows, box->cols};
        if (place == BESIDE)
            own.cols -= 4 * scale.cols + 1;
        else if (place == LETTERS)
            own.cols -= 20;
        player_put(sheet, &own, player);
        own.col += own.cols + 1;
        own.cols = box->col + box->cols - own.col;
        if (place == BESIDE)
            reading_put(sheet, &own, scale, player);
        else if (place == LETTERS)
            letters_put(sheet, &own, player);
    }
}

/* All layouts in a row, each with its seat. */
static void strip_put(const struct sheet *sheet, const struct box *box)
{
    const json_t *players = json_object_get(sheet->display->state, "players");
    int count = (int)json_array_size(players);
    int each = count > 0 ? box->cols / count : box->cols;
    struct scale scale = pubsub_display_scale(4, 4, each - 2, box->rows);
    char seat[8];

    for (int i = 0; i < count; i++) {
        const json_t *player = json_array_get(players, (size_t)i);
        struct box own = {box->row, box->col + i * each + 1, box->rows, each - 1};
        snprintf(seat, sizeof seat, "%d", (int)pubsub_display_whole(player, "seat") % 100);
        pubsub_screen_put(sheet->screen, own.row, own.col - 1, 1, LOOK_REVERSE, seat);
        reading_put(sheet, &own, scale, player);
    }
}

/* ---- the ruling ---- */

/* Pictures of what was ruled on, right-bound; the columns that they take. */
static int pictures_put(const struct sheet *sheet, const struct box *box, const json_t *ruling)
{
    const char *grid = pubsub_display_ruled_grid(sheet->display, ruling);
    struct scale scale = pubsub_display_scale(4, 4, box->cols / 4, box->rows);
    int across, down;

    if (!grid || box->rows < GRID_ROWS || scale.cols < 2)
        return 0;
    pubsub_display_grid_size(grid, &across, &down);
    int cols = (across < 4 ? 4 : across) * scale.cols;
    const struct box own = {box->row, box->col + box->cols - cols, box->rows, cols};
    pubsub_display_grid(sheet->display, sheet->screen, &own, scale, grid,
                        json_object_get(ruling, "wrong_cells"));
    return cols + 2;
}

/* A text over several rows, broken between words; the rows that were used. */
static int lines_put(const struct sheet *sheet, const struct box *box, unsigned look,
                     const char *text)
{
    char line[DISPLAY_TEXT_MAX];
    int row = 0;

    while (*text && row < box->rows) {
        size_t fits = 0;
        for (size_t at = 0; row + 1 < box->rows && at < sizeof line - 1; at++) {
            if (text[at] != ' ' && text[at] != 0)
                continue;
            snprintf(line, sizeof line, "%.*s", (int)at, text);
            if (pubsub_screen_width(sheet->screen, line) > box->cols)
                break;
            fits = at;
            if (text[at] == 0)
                break;
        }
        if (fits == 0)
            fits = strlen(text); /* the last row, or a word that is longer than a row: it is cut */
        snprintf(line, sizeof line, "%.*s", (int)fits, text);
        pubsub_screen_put(sheet->screen, box->row + row++, box->col, box->cols, look, line);
        text += fits;
        text += strspn(text, " ");
    }
    return row;
}

static void ruling_put(const struct sheet *sheet, const struct box *box)
{
    const struct display *display = sheet->display;
    const json_t *ruling = display->withdrawn ? display->withdrawn : pubsub_display_ruling(display);
    enum screen_paint tone =
        ruling && !display->withdrawn ? pubsub_display_tone(ruling) : PAINT_PLAIN;
    char head[DISPLAY_TEXT_MAX] = "", why[DISPLAY_TEXT_MAX] = "";
    struct box words = *box;

    if (display->withdrawn) {
        snprintf(head, sizeof head, "%s", pubsub_display_say(display, "A ruling was taken back"));
        pubsub_display_head(display, ruling, why, sizeof why);
    } else if (ruling) {
        pubsub_display_head(display, ruling, head, sizeof head);
        pubsub_display_why(display, ruling, why, sizeof why);
        words.cols -= pictures_put(sheet, box, ruling);
    } else {
        snprintf(head, sizeof head, "%s", pubsub_display_phase(display));
    }
    pubsub_screen_fill(sheet->screen, words.row, words.col, 3, tone | LOOK_REVERSE, L' ');
    pubsub_screen_put(sheet->screen, words.row, words.col + 1, 1, tone | LOOK_REVERSE | LOOK_BOLD,
                      pubsub_display_sign(tone, sheet->screen->ascii));
    words.col += 4;
    words.cols -= 4;
    words.rows -= 1;
    pubsub_screen_put(sheet->screen, words.row++, words.col, words.cols, tone | LOOK_BOLD, head);
    lines_put(sheet, &words, PAINT_PLAIN, why);
}

/* ---- all of it ---- */

/* 3, 2, 1: over everything else, in the middle. */
static void count_put(const struct sheet *sheet)
{
    const struct display_clock *clock = &sheet->display->clock;
    struct screen *screen = sheet->screen;

    if (!clock->counts || stale(sheet))
        return;
    int64_t left_ns =
        clock->start_t_ns - clock->t_ns - pubsub_display_passed_ns(clock, sheet->now_ns);
    int64_t digit = left_ns > 0 ? (left_ns + NS_PER_S - 1) / NS_PER_S : 0;
    if (digit < 1 || digit > COUNT_FROM)
        return;
    int row = (screen->rows - 7) / 2, col = (screen->cols - 9) / 2;
    for (int i = 0; i < 7; i++)
        pubsub_screen_fill(screen, row + i, col, 9, LOOK_REVERSE, L' ');
    for (int i = 1; i < 6; i++)
        pubsub_screen_fill(screen, row + i, col + 2, 5, PAINT_PLAIN, L' ');
    pubsub_display_digits(screen, row + 1, col + 3, LOOK_BOLD, digit);
}

static void ramp_put(const struct sheet *sheet, const struct box *box)
{
    const json_t *make5 = json_object_get(sheet->display->state, "make5");
    struct box ramp = *box, players = *box;
    char text[DISPLAY_TEXT_MAX], points[DISPLAY_TEXT_MAX];
    const char *turn =
        pubsub_display_is(make5, "turn", "maker") ? N_("Maker to move") : N_("Breaker to move");

    if (json_is_true(json_object_get(make5, "covered")))
        turn = N_("The ramp is covered");
    else if (json_is_true(json_object_get(make5, "clearing")))
        turn = N_("Clear the ramp for the next round");
    pubsub_display_count(sheet->display, "{n} point", "{n} points",
                         pubsub_display_whole(make5, "points"), points, sizeof points);
    pubsub_display_fill(text, sizeof text,
                        pubsub_display_say(sheet->display, N_("This round: {points}")), "points",
                        points, DISPLAY_END);
    ramp.cols = box->cols * 3 / 5;
    struct scale scale = pubsub_display_scale(5, 5, ramp.cols - 4, box->rows - 1);
    pubsub_display_ramp(sheet->display, sheet->screen, &ramp, make5);
    players.col += 5 * scale.cols + 6;
    players.cols -= 5 * scale.cols + 6;
    pubsub_screen_put(sheet->screen, players.row++, players.col, players.cols, PAINT_PLAIN, text);
    pubsub_screen_put(sheet->screen, players.row++, players.col, players.cols, PAINT_PLAIN,
                      pubsub_display_say(sheet->display, turn));
    players.rows -= 2;
    players_put(sheet, &players, NOWHERE);
}

static void table_put(const struct sheet *sheet, const struct box *box)
{
    int count = (int)json_array_size(json_object_get(sheet->display->state, "players"));
    struct box upper = *box, strip = *box, players;
    enum place place = LETTERS;

    if (count > 0 && box->rows / count >= GRID_ROWS)
        place = BESIDE;
    else if (count > 0 && box->rows >= 2 * GRID_ROWS && count * (GRID_COLS + 1) <= box->cols)
        place = STRIP;
    if (place == STRIP) {
        upper.rows = box->rows - GRID_ROWS;
        strip.row += upper.rows;
        strip.rows = GRID_ROWS;
    }
    players = upper;
    int used = cards_put(sheet, &upper);
    players.col += used;
    players.cols -= used;
    if (place == LETTERS && players.cols < PLAYER_COLS + 20)
        place = NOWHERE;
    players_put(sheet, &players, place);
    if (place == STRIP)
        strip_put(sheet, &strip);
}

static bool is_over(const struct display *display)
{
    return pubsub_display_is(display->state, "phase", "over") ||
           pubsub_display_is(display->state, "phase", "abandoned");
}

static void body_put(const struct sheet *sheet, const struct box *box)
{
    const struct display *display = sheet->display;

    if (!display->state || pubsub_display_is(display->state, "phase", "none"))
        pubsub_screen_put(sheet->screen, box->row, box->col, box->cols, PAINT_QUIET,
                          pubsub_display_say(display, N_("No match yet")));
    else if (is_over(display))
        pubsub_display_final(display, sheet->screen, box);
    else if (json_is_object(json_object_get(display->state, "make5")))
        ramp_put(sheet, box);
    else
        table_put(sheet, box);
}

static int ruling_rows(int rows)
{
    return rows >= LARGE_ROWS ? 2 * GRID_ROWS : rows >= PICTURES_ROWS ? GRID_ROWS : 2;
}

static void line_put(const struct sheet *sheet, int row)
{
    pubsub_screen_fill(sheet->screen, row, 0, sheet->screen->cols, PAINT_QUIET,
                       sheet->screen->ascii ? L'-' : L'─');
}

static void small_put(struct screen *screen)
{
    char text[64];

    snprintf(text, sizeof text, N_("%dx%d at least"), DISPLAY_COLS_LEAST, DISPLAY_ROWS_LEAST);
    pubsub_screen_put(screen, 0, 0, screen->cols, LOOK_BOLD, text);
}

void pubsub_display_draw(const struct display *display, const struct display_foot *foot,
                         int64_t now_ns, struct screen *screen)
{
    const struct sheet sheet = {display, screen, now_ns};
    bool roomy = screen->rows >= ROOMY_ROWS;
    int bottom = screen->rows;

    for (int row = 0; row < screen->rows; row++)
        pubsub_screen_fill(screen, row, 0, screen->cols, PAINT_PLAIN, L' ');
    if (screen->rows < DISPLAY_ROWS_LEAST || screen->cols < DISPLAY_COLS_LEAST) {
        small_put(screen);
        return;
    }
    int top = head_put(&sheet);
    if (display->link != DISPLAY_LINK_WELL && display->link_text[0])
        pubsub_screen_put(screen, --bottom, 0, screen->cols, PAINT_UNSURE, display->link_text);
    else if (foot->text && (roomy || foot->paint != PAINT_QUIET))
        pubsub_screen_put(screen, --bottom, 0, screen->cols, foot->paint, foot->text);
    struct box ruling = {.rows = ruling_rows(screen->rows), .cols = screen->cols};
    ruling.row = bottom - ruling.rows;
    ruling_put(&sheet, &ruling);
    bottom = ruling.row;
    if (roomy) {
        line_put(&sheet, --bottom);
        line_put(&sheet, top++);
    }
    const struct box body = {top, 0, bottom - top, screen->cols};
    body_put(&sheet, &body);
    count_put(&sheet);
}
