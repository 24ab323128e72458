/* referee/cmd_game.c: the options that say what is played. */
#include "referee/cmd_game.h"

#include "calib/json.h"
#include "calib/kit.h"
#include "referee/digest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define CLAIMS_MOST 10000
#define CLAIM_LINE_MAX 4096
/* A day; no recording that is judged is longer. */
#define CLAIM_MS_MOST 86400000

void cmd_game_begin(const struct cmd_verb *verb, struct cmd_game *game)
{
    memset(game, 0, sizeof *game);
    game->verb = verb;
    game->setup.kind = EVENT_SETUP;
    game->setup.setup.game = GAME_QUICK_PLAY;
    referee_rules_default(&game->setup.setup.rules);
    /* A camera watches: the cards on the table are in play unless it is said otherwise. */
    game->setup.setup.rules.value[OPTION_CARDS] = CARDS_PRINTED;
}

/* Says what the values are. `name` is the command line's, or the rules' own behind --option. */
static void value_refused(const struct cmd_verb *verb, enum option option, const char *name,
                          const char *value)
{
    const struct rule_option *row = referee_option(option);
    bool own = option == OPTION_CLAIMS || option == OPTION_ROUNDS;
    char values[128] = "";
    size_t used = 0;

    if (!row->words)
        snprintf(values, sizeof values, N_("a whole number from %d to %d"), (int)row->least,
                 (int)row->most);
    for (int i = 0; row->words && row->words[i] && used < sizeof values; i++) {
        const char *between = row->words[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(values + used, sizeof values - used, "%s%s", i ? between : "",
                                 row->words[i]);
    }
    cmd_error("%s: --%s%s%s%s: %s is needed", verb->name, own ? "" : "option ", name,
              own ? " " : "=", value, values);
}

static bool option_set(const struct cmd_verb *verb, struct rules *rules, enum option option,
                       const char *name, const char *value)
{
    if (option < OPTION_COUNT && referee_rules_set(rules, option, value))
        return true;
    if (option == OPTION_COUNT)
        cmd_error("%s: --option %s: there is no option of that name; see referee/EVENTS.md",
                  verb->name, name);
    else
        value_refused(verb, option, name, value);
    return false;
}

bool cmd_option_set(const struct cmd_verb *verb, struct rules *rules, const char *text)
{
    char name[64];
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;

    if (length == 0 || length >= sizeof name) {
        cmd_error("%s: --option %s: NAME=VALUE is needed", verb->name, text);
        return false;
    }
    memcpy(name, text, length);
    name[length] = 0;
    return option_set(verb, rules, referee_option_find(name), name, equals + 1);
}

static bool game_set(struct cmd_game *game, const char *name)
{
    game->setup.setup.game = referee_game_find(name);
    if (game->setup.setup.game < GAME_COUNT)
        return true;
    cmd_error("%s: --game %s: quick-play, total-madness or make5 is needed", game->verb->name,
              name);
    return false;
}

static bool seed_set(struct cmd_game *game, const char *text)
{
    char *end;

    errno = 0;
    game->setup.setup.seed = strtoull(text, &end, 10);
    game->seeded = true;
    if (text[0] >= '0' && text[0] <= '9' && *end == 0 && errno == 0)
        return true;
    cmd_error("%s: --seed %s: a whole number is needed", game->verb->name, text);
    return false;
}

int cmd_game_take(struct cmd_game *game, int key, const char *value)
{
    switch (key) {
    case CMD_KEY_GAME:
        return game_set(game, value) ? 1 : -1;
    case CMD_KEY_PLAYERS:
        game->players = value;
        return 1;
    case CMD_KEY_CLAIMS:
        return option_set(game->verb, &game->setup.setup.rules, OPTION_CLAIMS, "claims", value)
                   ? 1
                   : -1;
    case CMD_KEY_ROUNDS:
        return option_set(game->verb, &game->setup.setup.rules, OPTION_ROUNDS, "rounds", value)
                   ? 1
                   : -1;
    case CMD_KEY_ADVANCED:
        return option_set(game->verb, &game->setup.setup.rules, OPTION_ADVANCED, "advanced", "yes")
                   ? 1
                   : -1;
    case CMD_KEY_VIRTUAL:
        return option_set(game->verb, &game->setup.setup.rules, OPTION_CARDS, "virtual", "virtual")
                   ? 1
                   : -1;
    case CMD_KEY_OPTION:
        return cmd_option_set(game->verb, &game->setup.setup.rules, value) ? 1 : -1;
    case CMD_KEY_SEED:
        return seed_set(game, value) ? 1 : -1;
    case CMD_KEY_CLAIMS_FROM:
        game->claims_from = value;
        return 1;
    default:
        return 0;
    }
}

/* ---- players ---- */

static bool name_add(struct cmd_game *game, const char *name, size_t length, int most)
{
    struct event_setup *setup = &game->setup.setup;

    while (length > 0 && *name == ' ') {
        name++;
        length--;
    }
    while (length > 0 && name[length - 1] == ' ')
        length--;
    if (setup->players == most) {
        cmd_error("%s: --players: this mat and game have room for %d", game->verb->name, most);
        return false;
    }
    if (length == 0 || length >= PLAYER_NAME_MAX) {
        cmd_error("%s: --players: each name needs 1 to %d bytes", game->verb->name,
                  PLAYER_NAME_MAX - 1);
        return false;
    }
    memcpy(setup->name[setup->players++], name, length);
    return true;
}

static bool players_set(struct cmd_game *game, const struct mat *mat)
{
    struct event_setup *setup = &game->setup.setup;
    int most = setup->game == GAME_MAKE5 ? 2 : mat->seats < PLAYERS_MAX ? mat->seats : PLAYERS_MAX;
    const char *at = game->players;

    while (at) {
        const char *comma = strchr(at, ',');
        if (!name_add(game, at, comma ? (size_t)(comma - at) : strlen(at), most))
            return false;
        at = comma ? comma + 1 : NULL;
    }
    if (!game->players)
        for (; setup->players < most; setup->players++)
            snprintf(setup->name[setup->players], PLAYER_NAME_MAX, "Player %d", setup->players + 1);
    for (int p = 0; p < setup->players; p++)
        setup->seat[p] = (int8_t)(setup->game == GAME_MAKE5 ? p + 1 : mat->seat[p].seat);
    return true;
}

/* ---- cards ---- */

/* Quick-Play's card lies in the mat's slot for it, Total Madness' piles in the first five. */
static void slots_set(struct event_setup *setup, const struct mat *mat)
{
    if (setup->game == GAME_QUICK_PLAY) {
        setup->slot[0] = (int8_t)mat->quick_play_slot;
        return;
    }
    for (int i = 0; i < PILES_MAX && i < mat->slots; i++)
        setup->slot[i] = (int8_t)mat->slot[i].slot;
}

/* The record names the very file that was played with. */
static bool deck_digest(struct event_setup *setup, const char *name)
{
    struct calib_fault fault = {.line = 0};
    char *bytes = NULL;
    size_t length = 0;
    int error = calib_kit_read("decks", name, &bytes, &length, &fault);

    if (error == CALIB_OK)
        referee_digest(bytes, length, setup->digest);
    else
        cmd_fault("deck", name, error, &fault);
    free(bytes);
    return error == CALIB_OK;
}

static bool deck_set(struct cmd_game *game, const struct cmd_kit *kit, const char *deck)
{
    struct event_setup *setup = &game->setup.setup;
    bool dealt = setup->rules.value[OPTION_CARDS] == CARDS_VIRTUAL;

    if (setup->game == GAME_MAKE5)
        return true;
    if (!kit->deck) {
        if (dealt)
            cmd_error("%s: --virtual needs --deck: no deck is known for these blocks",
                      game->verb->name);
        return !dealt;
    }
    snprintf(setup->deck, sizeof setup->deck, "%s", kit->deck->name);
    setup->cards = kit->deck->card;
    setup->card_count = kit->deck->cards;
    if (!game->seeded && getrandom(&setup->seed, sizeof setup->seed, 0) != sizeof setup->seed) {
        cmd_error("%s: no random numbers are to be had; give a --seed", game->verb->name);
        return false;
    }
    return deck_digest(setup, deck ? deck : setup->deck);
}

/* ---- claims from a file ---- */

bool cmd_claim_parse(const char *text, size_t length, struct game_claim *out,
                     struct calib_fault *fault)
{
    static const char *const known[] = {"t_ms", "seat", "slot", NULL};
    struct json_doc doc;
    struct json_node root, slot;
    int t_ms = 0;

    if (calib_json_open(&doc, text, length, "claim", NULL, fault, &root) < 0)
        return false;
    calib_json_known(&root, known);
    memset(out, 0, sizeof *out);
    int error = calib_json_integer(&root, "t_ms", 0, CLAIM_MS_MOST, &t_ms);
    if (error >= 0)
        error = calib_json_integer(&root, "seat", 1, MAT_SEATS_MAX, &out->seat);
    if (error >= 0 && calib_json_maybe(&root, "slot", &slot))
        error = calib_json_integer(&root, "slot", 1, MAT_SLOTS_MAX, &out->slot);
    calib_json_close(&doc);
    out->t_ms = t_ms;
    return error >= 0;
}

static int claim_before(const void *a, const void *b)
{
    const struct game_claim *one = a, *other = b;

    if (one->t_ms != other->t_ms)
        return one->t_ms < other->t_ms ? -1 : 1;
    return one->line - other->line;
}

static bool claim_add(struct cmd_game *game, const char *text, size_t length, int line)
{
    struct calib_fault fault = {.line = 0};
    struct game_claim *grown;

    if (length == 0)
        return true;
    if (game->claims == CLAIMS_MOST) {
        cmd_error("%s:%d: more than %d claims", game->claims_from, line, CLAIMS_MOST);
        return false;
    }
    grown = realloc(game->claim, ((size_t)game->claims + 1) * sizeof *grown);
    if (!grown) {
        cmd_error("out of memory");
        return false;
    }
    game->claim = grown;
    if (!cmd_claim_parse(text, length, &game->claim[game->claims], &fault)) {
        cmd_error("%s:%d: %s", game->claims_from, line, fault.text);
        return false;
    }
    game->claim[game->claims++].line = line;
    return true;
}

static bool claims_read(struct cmd_game *game)
{
    FILE *file = fopen(game->claims_from, "re");
    char text[CLAIM_LINE_MAX];
    bool well = true;

    if (!file) {
        cmd_error("%s: %s", game->claims_from, strerror(errno));
        return false;
    }
    for (int line = 1; well && fgets(text, sizeof text, file); line++) {
        size_t length = strlen(text);
        if (length == sizeof text - 1) {
            cmd_error("%s:%d: a line longer than %d bytes", game->claims_from, line,
                      CLAIM_LINE_MAX - 2);
            well = false;
            break;
        }
        while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
            length--;
        well = claim_add(game, text, length, line);
    }
    if (well && ferror(file)) {
        cmd_error("%s: %s", game->claims_from, strerror(errno));
        well = false;
    }
    fclose(file);
    if (game->claims > 1)
        qsort(game->claim, (size_t)game->claims, sizeof *game->claim, claim_before);
    return well;
}

bool cmd_game_finish(struct cmd_game *game, const struct cmd_kit *kit, const char *deck)
{
    struct event_setup *setup = &game->setup.setup;

    if (!players_set(game, kit->mat) || !deck_set(game, kit, deck))
        return false;
    slots_set(setup, kit->mat);
    const char *clash = referee_rules_check(&setup->rules, setup->game, setup->players);
    if (clash) {
        cmd_error("%s: the option %s does not go with this game and number of players",
                  game->verb->name, clash);
        return false;
    }
    return !game->claims_from || claims_read(game);
}

void cmd_game_free(struct cmd_game *game)
{
    free(game->claim);
    game->claim = NULL;
    game->claims = 0;
}
