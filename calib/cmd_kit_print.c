/* calib/cmd_kit_print.c: `tableref kit print`: mats, tags, cards, blocks, boards on paper. */
#include "calib/cmd_kit.h"
#include "calib/print.h"

#include <stdio.h>
#include <string.h>

#define DPI_USUAL 300
#define CARD_LEAST_MM 20.0
#define CARD_MOST_MM 400.0

enum {
    KEY_STYLE = CMD_KEY_OWN,
    KEY_RAMP,
    KEY_PAPER,
    KEY_OVERLAP,
    KEY_DUPLEX,
    KEY_CARD,
    KEY_DPI,
    KEY_DATE,
    KEY_OUT
};

static const struct cmd_option options[] = {
    {"mat", "NAME", CMD_KEY_MAT, "the mat (a1-four)"},
    {"set", "NAME", CMD_KEY_SET, "the blocks (match-madness)"},
    {"deck", "NAME", CMD_KEY_DECK, "the cards (the set's own, if the kit has one)"},
    {"ramp", "NAME", KEY_RAMP, "the ramp (make5)"},
    {"style", "FILE", KEY_STYLE, "how cards look"},
    {"paper", "NAME", KEY_PAPER,
     "a0..a5, letter, legal, tabloid; whole: one sheet (mats), else a4"},
    {"overlap", "MM", KEY_OVERLAP, "of sheets that are joined (10)"},
    {"duplex", "WORD", KEY_DUPLEX,
     "long: backs for a sheet turned about its long edge; short; none"},
    {"card-mm", "MM", KEY_CARD, "the side of a card (as its style says)"},
    {"dpi", "N", KEY_DPI, "dots to an inch, of PNG (300)"},
    {"date", "TIME", KEY_DATE, "note 2026-01-31T12:00:00Z in a PDF, which else has no date"},
    {"out", "FILE", KEY_OUT, "ends in .pdf, .svg or .png; the last two are a file for each sheet"},
    {NULL, NULL, 0, NULL},
};

const struct cmd_verb cmd_kit_print_verb = {
    .name = "kit print",
    .arguments = "WHAT...",
    .about = "Prints true to the millimetre, with a ruler on each sheet: print at 100 %. WHAT:\n"
             "  mat         the mat, whole or laid over several sheets with cut marks\n"
             "  mat-tags    its tags alone, and where to put them\n"
             "  cards       the deck, with backs\n"
             "  blocks      paper nets of the set's blocks\n"
             "  ramp        the sheet of a Make 5 ramp\n"
             "  colours     a card of the set's colours and symbols, for calibration\n"
             "  chess, chess:COLSxROWSxMM      a chessboard of so many inner corners (9x6x25)\n"
             "  tags, tags:COLSxROWSxMM:FIRST  a board of tags (6x4x32:100)",
    .options = options,
};

#define VERB (&cmd_kit_print_verb)

/* What was asked, and what is loaded for it as it is needed. */
struct job {
    struct cmd_source source;
    const char *ramp_name, *style_name, *out, *date;
    bool paper_given;
    int dpi;
    struct print_options print;
    struct mat *mat;
    struct blockset *set;
    struct deck *deck;
    struct ramp *ramp;
    struct cardstyle *style;
    struct press *press;
};

static void sink_warn(void *context, const struct calib_fault *fault)
{
    (void)context;
    cmd_error("warning: %s:%d: %s", fault->file, fault->line, fault->text);
}

static const struct calib_sink sink = {sink_warn, NULL};

/* ---- options ---- */

static bool paper_take(struct job *job, const char *name)
{
    char names[160] = "";
    size_t used = 0;

    job->paper_given = true;
    if (calib_paper_find(name, &job->print.paper)) {
        return true;
    }
    for (int i = 0; calib_paper_name(i); i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, " %s", calib_paper_name(i));
    }
    cmd_error("kit print: --paper %s: one of%s is needed", name, names);
    return false;
}

static bool duplex_take(struct job *job, const char *word)
{
    static const char *const known[] = {"long", "short", "none"};

    for (int i = 0; i < 3; i++) {
        if (strcmp(word, known[i]) == 0) {
            job->print.duplex = (enum print_duplex)i;
            return true;
        }
    }
    cmd_error("kit print: --duplex %s: long, short or none is needed", word);
    return false;
}

/* "2026-01-31T12:00:00Z": Cairo takes others, too, and some of them wrongly. */
static bool date_take(struct job *job, const char *date)
{
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
    bool well = strlen(date) == sizeof form - 1;

    for (size_t i = 0; well && form[i]; i++) {
        well = form[i] == 'd' ? date[i] >= '0' && date[i] <= '9' : date[i] == form[i];
    }
    if (!well) {
        cmd_error("kit print: --date %s: a time like 2026-01-31T12:00:00Z is needed", date);
    }
    job->date = date;
    return well;
}

static bool option_take(struct job *job, int key, const char *value)
{
    switch (key) {
    case KEY_STYLE:
        job->style_name = value;
        return true;
    case KEY_RAMP:
        job->ramp_name = value;
        return true;
    case KEY_PAPER:
        return paper_take(job, value);
    case KEY_OVERLAP:
        return cmd_decimal(VERB, "overlap", value, 0.0, PRINT_OVERLAP_MAX_MM,
                           &job->print.overlap_mm);
    case KEY_DUPLEX:
        return duplex_take(job, value);
    case KEY_CARD:
        return cmd_decimal(VERB, "card-mm", value, CARD_LEAST_MM, CARD_MOST_MM,
                           &job->print.card_mm);
    case KEY_DPI:
        return cmd_number(VERB, "dpi", value, (int)PRESS_DPI_MIN, (int)PRESS_DPI_MAX, &job->dpi);
    case KEY_DATE:
        return date_take(job, value);
    case KEY_OUT:
        job->out = value;
        return true;
    default:
        return cmd_source_take(&job->source, key, value);
    }
}

/* ---- loading what is needed ---- */

static bool mat_need(struct job *job)
{
    const char *name = job->source.mat ? job->source.mat : "a1-four";
    struct calib_fault fault = {.line = 0};
    int error = job->mat ? 0 : calib_mat_load(name, &sink, &job->mat, &fault);

    if (error) {
        cmd_fault("mat", name, error, &fault);
    }
    return error == 0;
}

static bool set_need(struct job *job)
{
    const char *name = job->source.set ? job->source.set : "match-madness";
    struct calib_fault fault = {.line = 0};
    int error = job->set ? 0 : calib_blockset_load(name, &sink, &job->set, &fault);

    if (error) {
        cmd_fault("set", name, error, &fault);
    }
    return error == 0;
}

static bool deck_need(struct job *job)
{
    struct calib_fault fault = {.line = 0};
    int error = 0;

    if (!set_need(job) || job->deck) {
        return job->deck != NULL;
    }
    if (job->source.deck) {
        error = calib_deck_load(job->source.deck, &sink, &job->deck, &fault);
    } else if (!cmd_deck_default(job->set, &job->deck)) {
        return false;
    }
    if (!error && !job->deck) {
        cmd_error("kit print: the kit has no deck of its own for set %s; name one by --deck, or "
                  "make one by tableref deck make",
                  job->set->name);
        return false;
    }
    error = error ? error : calib_deck_check(job->deck, job->set, &fault);
    if (error) {
        cmd_fault("deck", job->source.deck ? job->source.deck : job->deck->name, error, &fault);
    }
    return error == 0;
}

static bool style_need(struct job *job)
{
    struct calib_fault fault = {.line = 0};
    int error = job->style ? 0 : calib_cardstyle_load(job->style_name, &sink, &job->style, &fault);

    if (error) {
        cmd_fault("card style", job->style_name ? job->style_name : "tableref", error, &fault);
    }
    return error == 0;
}

static bool ramp_need(struct job *job)
{
    const char *name = job->ramp_name ? job->ramp_name : "make5";
    struct calib_fault fault = {.line = 0};
    int error = job->ramp ? 0 : calib_ramp_load(name, &sink, &job->ramp, &fault);

    if (error) {
        cmd_fault("ramp", name, error, &fault);
    }
    return error == 0;
}

/* ---- printing ---- */

static bool mat_print(struct job *job, const struct print_options *print, int *error)
{
    return mat_need(job) && (*error = calib_print_mat(job->press, job->mat, print), true);
}

static bool mat_tags_print(struct job *job, const struct print_options *print, int *error)
{
    return mat_need(job) && (*error = calib_print_mat_tags(job->press, job->mat, print), true);
}

static bool cards_print(struct job *job, const struct print_options *print, int *error)
{
    return deck_need(job) && style_need(job) &&
           (*error = calib_print_cards(job->press, job->deck, job->set, job->style, print), true);
}

static bool blocks_print(struct job *job, const struct print_options *print, int *error)
{
    return set_need(job) && (*error = calib_print_blocks(job->press, job->set, print), true);
}

static bool ramp_print(struct job *job, const struct print_options *print, int *error)
{
    return ramp_need(job) && (*error = calib_print_ramp(job->press, job->ramp, print), true);
}

static bool colours_print(struct job *job, const struct print_options *print, int *error)
{
    struct board board;

    if (!set_need(job)) {
        return false;
    }
    *error = calib_board_colours(job->set, &board);
    *error = *error ? *error : calib_print_board(job->press, &board, job->set, print);
    return true;
}

static const struct {
    const char *name;
    bool (*print)(struct job *job, const struct print_options *print, int *error);
} things[] = {
    {"mat", mat_print},       {"mat-tags", mat_tags_print}, {"cards", cards_print},
    {"blocks", blocks_print}, {"ramp", ramp_print},         {"colours", colours_print},
};

#define THINGS (sizeof things / sizeof things[0])

/* A mat is a sheet by itself unless a paper was named; everything else goes on A4. */
static struct print_options options_for(const struct job *job, const char *what)
{
    struct print_options print = job->print;

    if (!job->paper_given) {
        (void)calib_paper_find(strcmp(what, "mat") == 0 ? "whole" : "a4", &print.paper);
    }
    return print;
}

static int thing_index(const char *what)
{
    for (size_t i = 0; i < THINGS; i++) {
        if (strcmp(what, things[i].name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static bool what_known(const char *what)
{
    struct board board;
    int error = thing_index(what) >= 0 ? 0 : calib_board_named(what, &board);

    if (error == CALIB_E_VALUE) {
        cmd_error(
            "kit print: %s: no such board can be: a chessboard has an even and an odd side of "
            "3 to %d corners, a board of tags at most %d",
            what, BOARD_SIDE_MAX - 1, BOARD_TAGS_MAX);
    } else if (error) {
        cmd_error("kit print: %s: mat, mat-tags, cards, blocks, ramp, colours, chess or tags is "
                  "needed; see tableref kit print --help",
                  what);
    }
    return error == 0;
}

static int thing_print(struct job *job, const char *what)
{
    const struct print_options print = options_for(job, what);
    int index = thing_index(what), error = 0;
    struct board board;

    if (index >= 0) {
        if (!things[index].print(job, &print, &error)) {
            return CMD_UNUSABLE;
        }
    } else if (calib_board_named(what, &board) == 0) {
        error = calib_print_board(job->press, &board, NULL, &print);
    }
    if (error == CALIB_E_GEOMETRY) {
        cmd_error(
            "kit print: %s: does not go on this paper with its margin of %g mm; name a larger "
            "one by --paper, or a smaller --overlap",
            what, PRINT_MARGIN_MM);
    } else if (error) {
        cmd_error("kit print: %s: %s", what, calib_strerror(error));
    }
    return error ? CMD_UNUSABLE : CMD_DONE;
}

static int job_do(struct job *job, char **what, int count)
{
    struct press_options press = {.dpi = job->dpi, .title = "tableref kit", .date = job->date};
    int status = CMD_DONE;

    if (!cmd_press_format(VERB, job->out, &press.format)) {
        return CMD_WRONG_USE;
    }
    for (int i = 0; i < count; i++) {
        if (!what_known(what[i])) {
            return CMD_WRONG_USE;
        }
    }
    if (!(job->press = calib_press_create(&press))) {
        cmd_error("kit print: out of memory");
        return CMD_UNUSABLE;
    }
    for (int i = 0; i < count && status == CMD_DONE; i++) {
        status = thing_print(job, what[i]);
    }
    if (status == CMD_DONE && !cmd_press_write(job->press, job->out)) {
        status = CMD_UNUSABLE;
    }
    return status;
}

int cmd_kit_print(int argc, char **argv)
{
    struct job job = {.dpi = DPI_USUAL, .print.overlap_mm = PRINT_OVERLAP_MM};
    const char *value;
    int first = 0, key, status;

    while ((key = cmd_options_next(VERB, argc, argv, &first, &value)) != CMD_OPTION_END) {
        if (key == CMD_OPTION_HELP) {
            return CMD_DONE;
        }
        if (key == CMD_OPTION_WRONG || !option_take(&job, key, value)) {
            return CMD_WRONG_USE;
        }
    }
    if (first >= argc) {
        cmd_error("kit print: WHAT is needed; see tableref kit print --help");
        return CMD_WRONG_USE;
    }
    status = job_do(&job, argv + first, argc - first);
    calib_press_destroy(&job.press);
    calib_mat_destroy(&job.mat);
    calib_blockset_destroy(&job.set);
    calib_deck_destroy(&job.deck);
    calib_ramp_destroy(&job.ramp);
    calib_cardstyle_destroy(&job.style);
    return status;
}
