/* calib/cmd_deck.c: `tableref deck`: makes decks, and proves them. */
#include "calib/cmd_deck.h"

#include "calib/deck_make.h"
#include "calib/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EACH_USUAL 12
#define FILE_MODE 0644
#define SEED_MAX (1ull << 53) /* what every reader of JSON keeps exactly */

enum { KEY_CARDS = CMD_KEY_OWN, KEY_SIDE, KEY_SEED, KEY_NAME, KEY_OUT, KEY_TEXT, KEY_ALL };

static const struct cmd_option make_options[] = {
    {"set", "NAME", CMD_KEY_SET, "the blocks (match-madness)"},
    {"cards", "N", KEY_CARDS, "cards of each of the five levels (12)"},
    {"side", "N", KEY_SIDE, "rows and columns that a card has at most (4)"},
    {"seed", "N", KEY_SEED, "another number makes another deck (1)"},
    {"name", "NAME", KEY_NAME, "of the deck (the set's name and the seed)"},
    {"out", "FILE", KEY_OUT, "write the deck there, and say what it is like"},
    {"text", NULL, KEY_TEXT, "with --out: say it for people, not as JSON"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_option check_options[] = {
    {"set", "NAME", CMD_KEY_SET, "the blocks (those that the deck names)"},
    {"all", NULL, KEY_ALL, "a line for every card, not only for those with a fault"},
    {"text", NULL, KEY_TEXT, "for people, not as JSON"},
    {NULL, NULL, 0, NULL},
};

const struct cmd_verb cmd_deck_make_verb = {
    .name = "deck make",
    .arguments = "",
    .about =
        "Makes a deck: every card can be built with one set of blocks, no two are alike in any\n"
        "turn, and five levels go by points of difficulty. Prints the deck, or with --out what\n"
        "it is like, with a histogram of the points.",
    .options = make_options,
};

const struct cmd_verb cmd_deck_check_verb = {
    .name = "deck check",
    .arguments = "DECK",
    .about =
        "Proves a deck: says which cards cannot be built, and which are there twice, in whatever\n"
        "turn; then what its levels are like. Exit status 1 when a card has a fault.",
    .options = check_options,
};

static void sink_warn(void *context, const struct calib_fault *fault)
{
    (void)context;
    cmd_error("warning: %s:%d: %s", fault->file, fault->line, fault->text);
}

static const struct calib_sink sink = {sink_warn, NULL};

bool cmd_deck_set_load(const char *verb, const char *name, struct blockset **set)
{
    struct calib_fault fault = {.line = 0};
    int error = calib_blockset_load(name ? name : "match-madness", &sink, set, &fault);

    (void)verb;
    if (error) {
        cmd_fault("set", name ? name : "match-madness", error, &fault);
    }
    return error == 0;
}

bool cmd_deck_load(const char *verb, const char *name, const struct blockset *set,
                   struct deck **deck)
{
    struct calib_fault fault = {.line = 0};
    int error = 0;

    if (name) {
        error = calib_deck_load(name, &sink, deck, &fault);
    } else if (!cmd_deck_default(set, deck)) {
        return false;
    }
    if (error) {
        cmd_fault("deck", name, error, &fault);
    } else if (!*deck) {
        cmd_error("%s: the kit has no deck of its own for set %s; name one by --deck", verb,
                  set->name);
    }
    return *deck != NULL;
}

/* ---- make ---- */

struct make_job {
    const char *set_name, *name, *out;
    char usual_name[KIT_NAME_MAX + 32];
    struct deck_plan plan;
    bool text;
};

static bool seed_take(const char *text, uint64_t *seed)
{
    char *end;

    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || number > SEED_MAX) {
        cmd_error("deck make: --seed %s: a whole number from 0 to %llu is needed", text, SEED_MAX);
        return false;
    }
    *seed = number;
    return true;
}

/* A name that the deck's file can hold: calib_deck_parse takes no other. */
static bool name_take(const char *name, const char **out)
{
    bool well = name[0] != 0 && strlen(name) < KIT_NAME_MAX;

    for (const char *c = name; *c && well; c++) {
        well = (unsigned char)*c >= 0x20 && (unsigned char)*c < 0x7f;
    }
    if (!well) {
        cmd_error("deck make: --name %s: 1 to %d printable ASCII characters are needed", name,
                  KIT_NAME_MAX - 1);
    }
    *out = name;
    return well;
}

static bool make_take(struct make_job *job, int key, const char *value)
{
    const struct cmd_verb *verb = &cmd_deck_make_verb;

    switch (key) {
    case CMD_KEY_SET:
        job->set_name = value;
        return true;
    case KEY_CARDS:
        return cmd_number(verb, "cards", value, 1, DECK_EACH_MAX, &job->plan.each);
    case KEY_SIDE:
        return cmd_number(verb, "side", value, 1, GRID_SIDE_MAX, &job->plan.side);
    case KEY_SEED:
        return seed_take(value, &job->plan.seed);
    case KEY_NAME:
        return name_take(value, &job->name);
    case KEY_OUT:
        job->out = value;
        return true;
    default:
        job->text = true;
        return true;
    }
}

/* Proofs of all cards; NULL after saying that there is no memory. */
static struct card_proof *deck_proof(const struct deck *deck, const struct blockset *set)
{
    struct card_proof *proof = calloc((size_t)deck->cards, sizeof *proof);

    if (!proof || calib_deck_prove(deck, set, proof) < 0) {
        cmd_error("deck: out of memory");
        free(proof);
        return NULL;
    }
    return proof;
}

static bool made_say(const struct make_job *job, const struct deck *deck,
                     const struct blockset *set)
{
    struct card_proof *proof = deck_proof(deck, set);
    struct deck_summary summary;
    struct json_text json;

    if (!proof) {
        return false;
    }
    cmd_deck_summarise(deck, proof, &summary);
    free(proof);
    if (job->text) {
        cmd_deck_summary_text(deck, &summary);
        return true;
    }
    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "file", job->out);
    vision_json_string(&json, "deck", deck->name);
    vision_json_string(&json, "set", deck->set);
    vision_json_int(&json, "seed", (int64_t)job->plan.seed);
    cmd_deck_summary_json(&json, &summary);
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

static bool deck_put(const struct make_job *job, const struct deck *deck,
                     const struct blockset *set)
{
    size_t length;
    char *text = calib_deck_text(deck, &length);
    bool well = text != NULL;

    if (!text) {
        cmd_error("deck make: out of memory");
    } else if (!job->out) {
        printf("%s\n", text);
    } else if (calib_file_put(job->out, text, length, FILE_MODE, true) != 0) {
        cmd_error("%s: cannot be written: %s; give another place by --out", job->out,
                  strerror(errno));
        well = false;
    } else {
        well = made_say(job, deck, set);
    }
    free(text);
    return well;
}

static int deck_make(struct make_job *job)
{
    struct calib_fault fault = {.line = 0};
    struct blockset *set = NULL;
    struct deck *deck = NULL;
    struct deck_bounds bounds;
    bool well = false;

    if (!cmd_deck_set_load("deck make", job->set_name, &set)) {
        return CMD_UNUSABLE;
    }
    (void)snprintf(job->usual_name, sizeof job->usual_name, "%.40s-%llu", set->name,
                   (unsigned long long)job->plan.seed);
    job->plan.name = job->name ? job->name : job->usual_name;
    int error = calib_deck_make(set, &job->plan, &deck, &bounds, &fault);
    if (error) {
        cmd_fault("deck make", job->plan.name, error, &fault);
    } else {
        well = deck_put(job, deck, set);
    }
    calib_deck_destroy(&deck);
    calib_blockset_destroy(&set);
    return well ? CMD_DONE : CMD_UNUSABLE;
}

int cmd_deck_make(int argc, char **argv)
{
    struct make_job job = {.plan = {.each = EACH_USUAL, .side = DECK_SIDE_USUAL, .seed = 1}};
    const char *value;
    int first = 0, key;

    while ((key = cmd_options_next(&cmd_deck_make_verb, argc, argv, &first, &value)) !=
           CMD_OPTION_END) {
        if (key == CMD_OPTION_HELP) {
            return CMD_DONE;
        }
        if (key == CMD_OPTION_WRONG || !make_take(&job, key, value)) {
            return CMD_WRONG_USE;
        }
    }
    if (first < argc) {
        cmd_error("deck make: %s: no argument is taken; see tableref deck make --help",
                  argv[first]);
        return CMD_WRONG_USE;
    }
    if (job.text && !job.out) {
        cmd_error("deck make: --text says what was made, so it needs --out");
        return CMD_WRONG_USE;
    }
    return deck_make(&job);
}

/* ---- check ---- */

struct check_job {
    const char *set_name, *deck_name;
    bool all, text;
};

static bool card_print(const struct deck *deck, const struct card_proof *proof, int index)
{
    const struct difficulty *d = &proof[index].difficulty;
    const struct card *card = &deck->card[index];
    struct json_text json;

    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "card", card->id);
    vision_json_int(&json, "level", card->level);
    vision_json_string(&json, "fault", calib_card_fault_name(proof[index].fault));
    if (proof[index].same_as != index) {
        vision_json_string(&json, "same_as", deck->card[proof[index].same_as].id);
    } else {
        vision_json_null(&json, "same_as");
    }
    vision_json_int(&json, "points", d->points);
    vision_json_int(&json, "tilings", d->tilings);
    vision_json_int(&json, "solutions", d->solutions);
    vision_json_int(&json, "misleading", d->misleading);
    vision_json_int(&json, "alike", d->alike);
    vision_json_int(&json, "neighbours", d->neighbours);
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

static void card_text(const struct deck *deck, const struct card_proof *proof, int index)
{
    static const char *const words[] = {
        [CARD_SOUND] = N_("sound"),
        [CARD_STRANGE_SYMBOL] = N_("has a symbol that the set has not"),
        [CARD_CELLS] = N_("has not as many cells as a layout of the set"),
        [CARD_IMPOSSIBLE] = N_("cannot be built with one set of blocks"),
        [CARD_DOUBLED] = N_("is, in some turn, the same as")};
    const struct difficulty *d = &proof[index].difficulty;

    printf("%s: %s", deck->card[index].id, cmd_text(words[proof[index].fault]));
    if (proof[index].fault == CARD_DOUBLED) {
        printf(" %s", deck->card[proof[index].same_as].id);
    }
    printf(cmd_text("; %d points: %d tilings, %d solutions, %d misleading pairs, %d cells alike, "
                    "%d neighbours\n"),
           d->points, d->tilings, d->solutions, d->misleading, d->alike, d->neighbours);
}

static bool proof_print(const struct check_job *job, const struct deck *deck,
                        const struct card_proof *proof, const struct deck_summary *summary)
{
    struct json_text json;

    for (int i = 0; i < deck->cards; i++) {
        if (!job->all && proof[i].fault == CARD_SOUND) {
            continue;
        }
        if (job->text) {
            card_text(deck, proof, i);
        } else if (!card_print(deck, proof, i)) {
            return false;
        }
    }
    if (job->text) {
        cmd_deck_summary_text(deck, summary);
        return true;
    }
    vision_json_init(&json);
    vision_json_open(&json, NULL, '{');
    vision_json_string(&json, "deck", deck->name);
    vision_json_string(&json, "set", deck->set);
    cmd_deck_summary_json(&json, summary);
    vision_json_close(&json, '}');
    return cmd_print(&json);
}

static int deck_check(const struct check_job *job)
{
    struct blockset *set = NULL;
    struct deck *deck = NULL;
    struct card_proof *proof = NULL;
    struct deck_summary summary = {.faults = 1};
    bool well = cmd_deck_load("deck check", job->deck_name, NULL, &deck) &&
                cmd_deck_set_load("deck check", job->set_name ? job->set_name : deck->set, &set) &&
                (proof = deck_proof(deck, set)) != NULL;

    if (well) {
        cmd_deck_summarise(deck, proof, &summary);
        well = proof_print(job, deck, proof, &summary);
    }
    free(proof);
    calib_deck_destroy(&deck);
    calib_blockset_destroy(&set);
    return well && summary.faults == 0 ? CMD_DONE : CMD_UNUSABLE;
}

int cmd_deck_check(int argc, char **argv)
{
    struct check_job job = {.all = false};
    const char *value;
    int first = 0, key;

    while ((key = cmd_options_next(&cmd_deck_check_verb, argc, argv, &first, &value)) !=
           CMD_OPTION_END) {
        if (key == CMD_OPTION_HELP) {
            return CMD_DONE;
        }
        if (key == CMD_OPTION_WRONG) {
            return CMD_WRONG_USE;
        }
        job.set_name = key == CMD_KEY_SET ? value : job.set_name;
        job.all = job.all || key == KEY_ALL;
        job.text = job.text || key == KEY_TEXT;
    }
    if (argc - first != 1) {
        cmd_error("deck check: one DECK is needed; see tableref deck check --help");
        return CMD_WRONG_USE;
    }
    job.deck_name = argv[first];
    return deck_check(&job);
}

/* ---- all of it ---- */

static const struct {
    const char *word;
    int (*run)(int argc, char **argv);
    const struct cmd_verb *verb;
} words[] = {
    {"make", cmd_deck_make, &cmd_deck_make_verb},
    {"check", cmd_deck_check, &cmd_deck_check_verb},
    {"solve", cmd_deck_solve, &cmd_deck_solve_verb},
};

#define WORDS (sizeof words / sizeof words[0])

static int deck_usage(const char *word)
{
    if (!word || strcmp(word, "--help") != 0) {
        cmd_error("deck: %s: make, check or solve is needed; see tableref deck --help",
                  word ? word : N_("nothing was asked"));
        return CMD_WRONG_USE;
    }
    fputs(cmd_text("Usage: tableref deck make|check|solve [OPTION]... ARGUMENT...\n"
                   "Decks of pattern cards. `tableref deck WORD --help` says more of each.\n"),
          stdout);
    for (size_t i = 0; i < WORDS; i++) {
        printf("\n%s:\n", words[i].word);
        for (const struct cmd_option *o = words[i].verb->options; o->name; o++) {
            printf("  --%s %s  %s\n", o->name, o->value ? o->value : "", cmd_text(o->help));
        }
    }
    return CMD_DONE;
}

int cmd_deck(int argc, char **argv)
{
    for (size_t i = 0; i < WORDS && argc > 1; i++) {
        if (strcmp(argv[1], words[i].word) == 0) {
            return words[i].run(argc - 1, argv + 1);
        }
    }
    return deck_usage(argc > 1 ? argv[1] : NULL);
}
