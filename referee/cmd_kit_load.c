/* referee/cmd_kit_load.c: loads what the options of a verb name. */
#include "referee/cmd_common.h"

#include "calib/kit.h"

#include <stdio.h>
#include <string.h>

#define DEFAULT_MAT "a1-four"
#define DEFAULT_SET "match-madness"

bool cmd_source_take(struct cmd_source *source, int key, const char *value)
{
    switch (key) {
    case CMD_KEY_MAT:
        source->mat = value;
        return true;
    case CMD_KEY_SET:
        source->set = value;
        return true;
    case CMD_KEY_DECK:
        source->deck = value;
        return true;
    case CMD_KEY_RIG:
        source->rig = value;
        return true;
    case CMD_KEY_ANNOTATE:
        source->annotate = value;
        return true;
    case CMD_KEY_MIRRORED:
        source->mirrored = true;
        return true;
    default:
        return false;
    }
}

void cmd_fault(const char *what, const char *name, int error, const struct calib_fault *fault)
{
    const char *text = fault->text[0] ? fault->text : calib_strerror(error);
    const char *file = fault->file[0] ? fault->file : name;
    if (fault->line > 0)
        cmd_error("%s: %s:%d: %s", what, file, fault->line, text);
    else
        cmd_error("%s: %s: %s", what, file, text);
}

static void print_warning(void *context, const struct calib_fault *fault)
{
    (void)context;
    cmd_error("warning: %s:%d: %s", fault->file, fault->line, fault->text);
}

static const struct calib_sink warnings = {print_warning, NULL};

/* Does the set have every symbol of the deck? */
static bool deck_fits(const struct deck *deck, const struct blockset *set)
{
    for (int i = 0; i < deck->cards; i++) {
        const struct grid *grid = &deck->card[i].grid;
        for (int r = 0; r < grid->rows; r++)
            for (int c = 0; c < grid->cols; c++)
                if (grid->cell[r][c] != GRID_HOLE && calib_blockset_find(set, grid->cell[r][c]) < 0)
                    return false;
    }
    return deck->cards > 0;
}

static bool deck_suits(const struct deck *deck, const struct blockset *set, bool by_name)
{
    return by_name ? strcmp(deck->set, set->name) == 0 : deck_fits(deck, set);
}

/* The built-in decks that suit: the count, and the first of them in *out. Negative: an error. */
static int find_decks(const struct blockset *set, bool by_name, struct deck **out)
{
    int found = 0;
    for (size_t i = 0; i < calib_kit_count; i++) {
        const struct kit_file *file = &calib_kit_files[i];
        struct calib_fault fault = {.line = 0};
        struct deck *deck = NULL;
        if (strncmp(file->name, "decks/", 6) != 0)
            continue;
        int error = calib_deck_parse((const char *)file->bytes, file->length, file->name, NULL,
                                     &deck, &fault);
        if (error) {
            cmd_fault("deck", file->name, error, &fault);
            return -1;
        }
        if (!deck_suits(deck, set, by_name) || found++ > 0)
            calib_deck_destroy(&deck);
        else
            *out = deck;
    }
    return found;
}

bool cmd_deck_default(const struct blockset *set, struct deck **out)
{
    *out = NULL;
    int found = find_decks(set, true, out);
    if (found == 0)
        found = find_decks(set, false, out);
    if (found != 1)
        calib_deck_destroy(out);
    return found >= 0;
}

static bool load_deck(const struct cmd_source *source, struct cmd_kit *kit)
{
    struct calib_fault fault = {.line = 0};
    if (!source->deck)
        return cmd_deck_default(kit->set, &kit->deck);
    if (strcmp(source->deck, "none") == 0)
        return true;
    int error = calib_deck_load(source->deck, &warnings, &kit->deck, &fault);
    if (error)
        cmd_fault("deck", source->deck, error, &fault);
    else if (!deck_fits(kit->deck, kit->set)) {
        cmd_error(
            "deck: %s: has a symbol that the set %s lacks, or no card; name another --deck or "
            "--set",
            source->deck, kit->set->name);
        error = CALIB_E_VALUE;
    }
    return error == 0;
}

bool cmd_rig_load(const char *path, struct rig **out)
{
    struct calib_fault fault = {.line = 0};
    int error = calib_rig_load(path, &warnings, out, &fault);
    if (error)
        cmd_fault("rig", path, error, &fault);
    return error == 0;
}

bool cmd_ramp_load(const char *name, struct ramp **out)
{
    struct calib_fault fault = {.line = 0};
    int error = calib_ramp_load(name, &warnings, out, &fault);
    if (error)
        cmd_fault("ramp", name, error, &fault);
    return error == 0;
}

bool cmd_kit_load(const struct cmd_source *source, struct cmd_kit *kit)
{
    const char *mat = source->mat ? source->mat : DEFAULT_MAT;
    const char *set = source->set ? source->set : DEFAULT_SET;
    struct calib_fault fault = {.line = 0};
    memset(kit, 0, sizeof *kit);
    int error = calib_mat_load(mat, &warnings, &kit->mat, &fault);
    if (error) {
        cmd_fault("mat", mat, error, &fault);
        return false;
    }
    error = calib_blockset_load(set, &warnings, &kit->set, &fault);
    if (error) {
        cmd_fault("set", set, error, &fault);
        return false;
    }
    error = calib_mat_check(kit->mat, kit->set, &fault);
    if (error) {
        cmd_fault("mat", mat, error, &fault);
        return false;
    }
    error = calib_cardstyle_load(NULL, &warnings, &kit->style, &fault);
    if (error) {
        cmd_fault(N_("card style"), "built-in", error, &fault);
        return false;
    }
    if (source->rig && !cmd_rig_load(source->rig, &kit->rig))
        return false;
    return load_deck(source, kit);
}

void cmd_kit_free(struct cmd_kit *kit)
{
    calib_mat_destroy(&kit->mat);
    calib_blockset_destroy(&kit->set);
    calib_deck_destroy(&kit->deck);
    calib_cardstyle_destroy(&kit->style);
    calib_rig_destroy(&kit->rig);
}

struct table_reader *cmd_reader_create(const struct cmd_kit *kit)
{
    struct table_kit table = {
        .mat = kit->mat, .set = kit->set, .deck = kit->deck, .style = kit->style, .rig = kit->rig};
    struct alignment alignment = vision_alignment_defaults();
    struct table_reader *reader = vision_table_create(&table, &alignment);
    if (!reader)
        cmd_error("out of memory: the reader could not be made");
    return reader;
}
