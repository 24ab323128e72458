/* calib/cmd_deck_solve.c: `tableref deck solve`: every way to build a card. */
#include "calib/cmd_deck.h"
#include "calib/cmd_kit.h"
#include "calib/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAYS_MAX 200 /* shown of one card; more are counted */
#define DPI_USUAL 100

enum { KEY_OUT = CMD_KEY_OWN, KEY_TEXT, KEY_DPI };

static const struct cmd_option options[] = {
    {"set", "NAME", CMD_KEY_SET, "the blocks (match-madness)"},
    {"deck", "NAME", CMD_KEY_DECK, "the cards (the set's own, if the kit has one)"},
    {"text", NULL, KEY_TEXT, "draw them in characters, not as JSON"},
    {"out", "FILE", KEY_OUT, "draw them, too: ends in .png, .svg or .pdf, a page for each card"},
    {"dpi", "N", KEY_DPI, "dots to an inch, of PNG (100)"},
    {NULL, NULL, 0, NULL},
};

const struct cmd_verb cmd_deck_solve_verb = {
    .name = "deck solve",
    .arguments = "CARD...",
    .about = "Shows every way to build a card. CARD is a card's name, or a grid such as\n"
             "x*#/x#*/o../++*. A way is the grid with the number of the block over each cell.\n"
             "Exit status 1 when a card cannot be built.",
    .options = options,
};

#define VERB (&cmd_deck_solve_verb)

struct ways {
    int count;
    struct solution *solution; /* WAYS_MAX of them */
};

struct solve_job {
    const char *set_name, *deck_name, *out;
    bool text;
    int dpi;
    struct blockset *set;
    struct deck *deck;
    struct ways ways;
    struct press *press;
};

static bool way_take(void *context, const struct solution *solution)
{
    struct ways *ways = context;

    if (ways->count < WAYS_MAX) {
        ways->solution[ways->count++] = *solution;
    }
    return true;
}

/* The sign of a block's number: a digit, beyond 9 a letter. */
static char block_sign(const struct blockset *set, int block)
{
    int number = set->block[block].number;

    return (char)(number >= 0 && number <= 9 ? '0' + number : 'a' + block);
}

static void way_grid(const struct blockset *set, const struct grid *grid,
                     const struct solution *solution, struct grid *out)
{
    calib_grid_clear(out, grid->rows, grid->cols);
    for (int i = 0; i < solution->lays; i++) {
        const struct solve_lay *lay = &solution->lay[i];
        char sign = block_sign(set, lay->block);
        out->cell[lay->first[0]][lay->first[1]] = sign;
        out->cell[lay->second[0]][lay->second[1]] = sign;
    }
}

/* ---- in characters ---- */

/* The block at a place, or a hole, also beside the grid. */
static char sign_at(const struct grid *way, int row, int col)
{
    return row < 0 || col < 0 || row >= way->rows || col >= way->cols ? GRID_HOLE
                                                                      : way->cell[row][col];
}

/* A line above row `row`, where one block ends and another or none begins. */
static void line_print(const struct grid *way, int row)
{
    for (int col = 0; col <= way->cols; col++) {
        bool here = sign_at(way, row - 1, col) != sign_at(way, row, col);
        bool before = sign_at(way, row - 1, col - 1) != sign_at(way, row, col - 1);
        bool up = sign_at(way, row - 1, col - 1) != sign_at(way, row - 1, col);
        bool down = sign_at(way, row, col - 1) != sign_at(way, row, col);
        putchar(here || before || up || down ? '+' : ' ');
        printf("%s", col == way->cols ? "\n" : here ? "---" : "   ");
    }
}

static void way_print(const struct grid *grid, const struct grid *way)
{
    for (int row = 0; row <= way->rows; row++) {
        line_print(way, row);
        for (int col = 0; col <= way->cols && row < way->rows; col++) {
            char left = sign_at(way, row, col - 1), here = sign_at(way, row, col);
            putchar(left != here ? '|' : ' ');
            if (col == way->cols) {
                putchar('\n');
            } else if (here == GRID_HOLE) {
                printf("   ");
            } else {
                printf("%c %c", grid->cell[row][col], here);
            }
        }
    }
}

static void card_text(const struct solve_job *job, const char *name, const struct grid *grid,
                      int solutions)
{
    char text[GRID_TEXT_MAX];
    struct grid way;

    calib_grid_format(grid, text);
    printf("%s  %s: ", name, text);
    printf(cmd_text_n("%d way to build it", "%d ways to build it", (unsigned long)solutions),
           solutions);
    printf(cmd_text(", %d to divide its outline\n"), calib_solve_tilings(grid));
    for (int i = 0; i < job->ways.count; i++) {
        way_grid(job->set, grid, &job->ways.solution[i], &way);
        way_print(grid, &way);
    }
}

static bool card_json(const struct solve_job *job, const char *name, const struct grid *grid,
                      int solutions)
{
    char text[GRID_TEXT_MAX];
    struct json_text json;
    struct grid way;

    calib_grid_format(grid, text);
    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "card", name);
    vision_json_string(&json, "grid", text);
    vision_json_int(&json, "tilings", calib_solve_tilings(grid));
    vision_json_int(&json, "solutions", solutions);
    vision_json_open(&json, "ways", '[');
    for (int i = 0; i < job->ways.count; i++) {
        way_grid(job->set, grid, &job->ways.solution[i], &way);
        calib_grid_format(&way, text);
        vision_json_string(&json, NULL, text);
    }
    vision_json_close(&json, ']');
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

/* ---- cards ---- */

/* A card of the deck by its name, else a grid. */
static bool card_find(const struct solve_job *job, const char *word, struct grid *grid)
{
    const struct card *card = job->deck ? calib_deck_find(job->deck, word) : NULL;

    if (card) {
        *grid = card->grid;
        return true;
    }
    if (strchr(word, '/') && calib_grid_parse(word, strlen(word), grid) == 0) {
        calib_grid_trim(grid);
        return true;
    }
    cmd_error("deck solve: %s: neither a card of deck %s nor a grid like x*#/x#*/o../++*", word,
              job->deck ? job->deck->name : "(none)");
    return false;
}

static int card_solve(struct solve_job *job, const char *word)
{
    struct grid grid;

    if (!card_find(job, word, &grid)) {
        return CMD_UNUSABLE;
    }
    job->ways.count = 0;
    int solutions = calib_solve(job->set, &grid, DIFFICULTY_COUNT_MAX, way_take, &job->ways);
    if (job->text) {
        card_text(job, word, &grid, solutions);
    } else if (!card_json(job, word, &grid, solutions)) {
        return CMD_UNUSABLE;
    }
    if (solutions > WAYS_MAX) {
        cmd_error("deck solve: %s: the first %d ways of %d are shown", word, WAYS_MAX, solutions);
    }
    if (solutions == 0) {
        cmd_error("deck solve: %s: cannot be built with one set %s", word, job->set->name);
    }
    if (job->press && solutions > 0) {
        (void)calib_print_solutions(job->press, job->set, word, &grid, job->ways.solution,
                                    job->ways.count);
    }
    return solutions > 0 ? CMD_DONE : CMD_UNUSABLE;
}

/* The deck is needed only for names; a set without one still solves grids. */
static bool job_load(struct solve_job *job, char **cards, int count)
{
    bool named = job->deck_name != NULL;

    for (int i = 0; i < count; i++) {
        named = named || !strchr(cards[i], '/');
    }
    if (!cmd_deck_set_load(VERB->name, job->set_name, &job->set) ||
        (named && !cmd_deck_load(VERB->name, job->deck_name, job->set, &job->deck))) {
        return false;
    }
    job->ways.solution = calloc(WAYS_MAX, sizeof *job->ways.solution);
    if (!job->ways.solution) {
        cmd_error("deck solve: out of memory");
    }
    return job->ways.solution != NULL;
}

static int job_do(struct solve_job *job, char **cards, int count)
{
    struct press_options press = {.dpi = job->dpi, .title = "tableref deck"};
    int status = CMD_DONE;

    if (job->out && !cmd_press_format(VERB, job->out, &press.format)) {
        return CMD_WRONG_USE;
    }
    if (!job_load(job, cards, count)) {
        return CMD_UNUSABLE;
    }
    if (job->out && !(job->press = calib_press_create(&press))) {
        cmd_error("deck solve: out of memory");
        return CMD_UNUSABLE;
    }
    for (int i = 0; i < count; i++) {
        int one = card_solve(job, cards[i]);
        status = one == CMD_DONE ? status : one;
    }
    if (job->press && calib_press_pages(job->press) > 0 && !cmd_press_write(job->press, job->out)) {
        status = CMD_UNUSABLE;
    }
    return status;
}

int cmd_deck_solve(int argc, char **argv)
{
    struct solve_job job = {.dpi = DPI_USUAL};
    const char *value;
    int first = 0, key;

    while ((key = cmd_options_next(VERB, argc, argv, &first, &value)) != CMD_OPTION_END) {
        if (key == CMD_OPTION_HELP) {
            return CMD_DONE;
        }
        if (key == CMD_OPTION_WRONG ||
            (key == KEY_DPI &&
             !cmd_number(VERB, "dpi", value, (int)PRESS_DPI_MIN, (int)PRESS_DPI_MAX, &job.dpi))) {
            return CMD_WRONG_USE;
        }
        job.set_name = key == CMD_KEY_SET ? value : job.set_name;
        job.deck_name = key == CMD_KEY_DECK ? value : job.deck_name;
        job.out = key == KEY_OUT ? value : job.out;
        job.text = job.text || key == KEY_TEXT;
    }
    if (first >= argc) {
        cmd_error("deck solve: CARD is needed; see tableref deck solve --help");
        return CMD_WRONG_USE;
    }
    int status = job_do(&job, argv + first, argc - first);
    calib_press_destroy(&job.press);
    free(job.ways.solution);
    calib_deck_destroy(&job.deck);
    calib_blockset_destroy(&job.set);
    return status;
}
