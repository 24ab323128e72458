/* referee/setup_json.c: set-up and options as JSON. */
#include "referee/setup_json.h"

#include "referee/value_json.h"

#include <stdlib.h>
#include <string.h>

/* Nobody is given up more than an hour against the others. */
#define HANDICAP_DELAY_MAX_MS 3600000
/* As calib's mats number their slots. */
#define SLOT_NUMBER_MAX 99
/* Seats of a match are counted in the bits of a byte. */
#define SEAT_NUMBER_MAX 8

struct referee_cards {
    struct card *card;
};

void referee_cards_destroy(struct referee_cards **cards)
{
    if (cards && *cards) {
        free((*cards)->card);
        free(*cards);
        *cards = NULL;
    }
}

static const char *game_word(int place)
{
    return referee_game_name((enum game)place);
}

static int player_read(const struct json_node *list, int index, struct event_setup *out)
{
    static const char *const known[] = {"seat", "name", NULL};
    struct json_node item;
    int seat = 0, error = calib_json_item_object(list, (size_t)index, &item);

    if (error || (error = referee_json_only(&item, known)) ||
        (error = calib_json_integer(&item, "seat", 1, SEAT_NUMBER_MAX, &seat)))
        return error;
    out->seat[index] = (int8_t)seat;
    return referee_json_name(&item, "name", out->name[index]);
}

static int players_read(const struct json_node *root, struct event_setup *out)
{
    struct json_node list;
    int count = calib_json_array(root, "players", 1, PLAYERS_MAX, &list);
    int error = count < 0 ? count : CALIB_OK;

    for (int i = 0; i < count && !error; i++)
        error = player_read(&list, i, out);
    out->players = error ? 0 : (int8_t)count;
    return error;
}

/* A word or a number, as the option has it. */
static int option_read(const struct json_node *node, const struct rule_option *option, int32_t *out)
{
    if (option->words) {
        const char *word = json_is_string(node->value) ? json_string_value(node->value) : "";
        for (int32_t i = 0; option->words[i]; i++)
            if (strcmp(option->words[i], word) == 0) {
                *out = i;
                return CALIB_OK;
            }
        return calib_json_fault(node, CALIB_E_VALUE, "\"%.40s\" is no word for it; \"%s\" is one",
                                word, option->words[0]);
    }
    if (!json_is_integer(node->value))
        return calib_json_fault(node, CALIB_E_VALUE, "a whole number is wanted");
    json_int_t value = json_integer_value(node->value);
    if (value < option->least || value > option->most)
        return calib_json_fault(node, CALIB_E_VALUE, "%" JSON_INTEGER_FORMAT " is not in %d to %d",
                                value, (int)option->least, (int)option->most);
    *out = (int32_t)value;
    return CALIB_OK;
}

static int options_read(const struct json_node *root, struct rules *rules)
{
    struct json_node object;
    const char *key;
    json_t *value;
    int error = CALIB_OK;

    if (!referee_json_given(root, "options", &object))
        return CALIB_OK;
    if ((error = calib_json_object(root, "options", &object)))
        return error;
    json_object_foreach(object.value, key, value)
    {
        struct json_node node = {object.doc, &object, key, 0, value};
        enum option option = referee_option_find(key);
        if (option == OPTION_COUNT)
            return calib_json_fault(&node, CALIB_E_VALUE, "no such option");
        if ((error = option_read(&node, referee_option(option), &rules->value[option])))
            return error;
    }
    return CALIB_OK;
}

static int handicap_read(const struct json_node *list, int index, struct event_setup *out)
{
    static const char *const known[] = {"seat", "min_level", "delay_ms", NULL};
    struct json_node item;
    int8_t min_level = 0;
    int64_t delay_ms = 0;
    int seat = 0, player = 0, error = calib_json_item_object(list, (size_t)index, &item);

    if (error || (error = referee_json_only(&item, known)) ||
        (error = calib_json_integer(&item, "seat", 1, SEAT_NUMBER_MAX, &seat)) ||
        (error = referee_json_small(&item, "min_level", 0, CARD_LEVELS, &min_level)) ||
        (error = referee_json_whole(&item, "delay_ms", 0, HANDICAP_DELAY_MAX_MS, &delay_ms)))
        return error;
    while (player < out->players && out->seat[player] != seat)
        player++;
    if (player == out->players)
        return calib_json_fault(&item, CALIB_E_VALUE, "nobody plays at seat %d", seat);
    /* Member by member: events are compared as memory, and a copy may bring its own padding. */
    out->rules.handicap[player].min_level = min_level;
    out->rules.handicap[player].delay_ms = (int32_t)delay_ms;
    return CALIB_OK;
}

static int handicaps_read(const struct json_node *root, struct event_setup *out)
{
    struct json_node list;

    if (!referee_json_given(root, "handicap", &list))
        return CALIB_OK;
    int count = calib_json_array(root, "handicap", 0, PLAYERS_MAX, &list);
    int error = count < 0 ? count : CALIB_OK;
    for (int i = 0; i < count && !error; i++)
        error = handicap_read(&list, i, out);
    return error;
}

static int slots_read(const struct json_node *root, struct event_setup *out)
{
    struct json_node list;

    if (!referee_json_given(root, "slots", &list))
        return CALIB_OK;
    int count = calib_json_array(root, "slots", 0, PILES_MAX, &list);
    for (int i = 0; i < count; i++) {
        struct json_node item = calib_json_item(&list, (size_t)i);
        json_int_t slot = json_is_integer(item.value) ? json_integer_value(item.value) : 0;
        if (slot < 1 || slot > SLOT_NUMBER_MAX)
            return calib_json_fault(&item, CALIB_E_VALUE, "no slot of 1 to %d", SLOT_NUMBER_MAX);
        out->slot[i] = (int8_t)slot;
    }
    return count < 0 ? count : CALIB_OK;
}

static int card_read(const struct json_node *list, int index, struct card *card)
{
    static const char *const known[] = {"id", "level", "grid", NULL};
    struct json_node item;
    int error = calib_json_item_object(list, (size_t)index, &item);

    if (error || (error = referee_json_only(&item, known)) ||
        (error = calib_json_text(&item, "id", sizeof card->id, card->id)) ||
        (error = calib_json_integer(&item, "level", 1, CARD_LEVELS, &card->level)) ||
        (error = referee_json_grid(&item, "grid", &card->grid)))
        return error;
    return card->grid.rows > 0 ? CALIB_OK
                               : calib_json_fault(&item, CALIB_E_VALUE, "\"grid\" is missing");
}

static struct referee_cards *cards_create(size_t count)
{
    struct referee_cards *cards = calloc(1, sizeof *cards);

    if (cards)
        cards->card = calloc(count, sizeof *cards->card);
    if (cards && !cards->card)
        referee_cards_destroy(&cards);
    return cards;
}

static int cards_read(const struct json_node *root, struct event_setup *out,
                      struct referee_cards **cards)
{
    struct json_node list;
    int error = CALIB_OK;

    if (!referee_json_given(root, "cards", &list))
        return CALIB_OK;
    int count = calib_json_array(root, "cards", 1, DECK_CARDS_MAX, &list);
    if (count < 0)
        return count;
    struct referee_cards *made = cards_create((size_t)count);
    if (!made)
        return calib_json_fault(&list, CALIB_E_MEMORY, "no memory for %d cards", count);
    for (int i = 0; i < count && !error; i++)
        error = card_read(&list, i, &made->card[i]);
    if (error) {
        referee_cards_destroy(&made);
        return error;
    }
    out->cards = made->card;
    out->card_count = count;
    *cards = made;
    return CALIB_OK;
}

static int colours_read(const struct json_node *root, struct event_setup *out)
{
    char colours[RAMP_SIDE + 1] = "";
    struct json_node node;

    if (!referee_json_given(root, "colours", &node))
        return CALIB_OK;
    int error = referee_json_text(root, "colours", sizeof colours, colours);
    if (error)
        return error;
    for (int i = 0; i < RAMP_SIDE; i++)
        if (colours[i] <= 0x20 || colours[i] >= 0x7f || colours[i] == GRID_HOLE ||
            colours[i] == '/' || strchr(colours, colours[i]) != &colours[i])
            return calib_json_fault(&node, CALIB_E_VALUE,
                                    "%d different characters, one for each colour, are wanted",
                                    RAMP_SIDE);
    memcpy(out->colours, colours, sizeof colours);
    return CALIB_OK;
}

int referee_setup_read(const struct json_node *root, struct event_setup *out,
                       struct referee_cards **cards)
{
    static const struct word_list games = {GAME_COUNT, game_word};
    int game = 0, error = referee_json_word(root, "game", &games, &game);

    out->game = (enum game)game;
    referee_rules_default(&out->rules);
    if (error || (error = players_read(root, out)) || (error = options_read(root, &out->rules)) ||
        (error = handicaps_read(root, out)) || (error = slots_read(root, out)) ||
        (error = referee_json_text(root, "deck", sizeof out->deck, out->deck)) ||
        (error = referee_json_digest(root, "digest", out->digest)) ||
        (error = referee_json_big(root, "seed", &out->seed)) || (error = colours_read(root, out)))
        return error;
    return cards_read(root, out, cards);
}

static int count_within(int count, int most)
{
    return count < 0 ? 0 : count < most ? count : most;
}

static void write_players(const struct event_setup *setup, struct json_text *out)
{
    vision_json_open(out, "players", '[');
    for (int i = 0; i < count_within(setup->players, PLAYERS_MAX); i++) {
        vision_json_open(out, NULL, '{');
        vision_json_int(out, "seat", setup->seat[i]);
        vision_json_string(out, "name", setup->name[i]);
        vision_json_close(out, '}');
    }
    vision_json_close(out, ']');
}

static void write_option(struct json_text *out, const struct rule_option *option, int32_t value)
{
    if (option->words && value >= option->least && value <= option->most)
        vision_json_string(out, option->name, option->words[value]);
    else
        vision_json_int(out, option->name, value);
}

void referee_options_write(struct json_text *out, const char *key, const struct rules *rules,
                           bool all)
{
    vision_json_open(out, key, '{');
    for (int i = 0; i < OPTION_COUNT; i++) {
        const struct rule_option *option = referee_option((enum option)i);
        if (option && (all || rules->value[i] != option->usual))
            write_option(out, option, rules->value[i]);
    }
    vision_json_close(out, '}');
}

static void write_handicap(const struct event_setup *setup, struct json_text *out)
{
    vision_json_open(out, "handicap", '[');
    for (int i = 0; i < count_within(setup->players, PLAYERS_MAX); i++) {
        const struct handicap *handicap = &setup->rules.handicap[i];
        if (handicap->min_level == 0 && handicap->delay_ms == 0)
            continue;
        vision_json_open(out, NULL, '{');
        vision_json_int(out, "seat", setup->seat[i]);
        vision_json_int(out, "min_level", handicap->min_level);
        vision_json_int(out, "delay_ms", handicap->delay_ms);
        vision_json_close(out, '}');
    }
    vision_json_close(out, ']');
}

static void write_slots(const struct event_setup *setup, struct json_text *out)
{
    vision_json_open(out, "slots", '[');
    for (int i = 0; i < PILES_MAX && setup->slot[i] > 0; i++)
        vision_json_int(out, NULL, setup->slot[i]);
    vision_json_close(out, ']');
}

void referee_card_members(struct json_text *out, const struct card *card)
{
    referee_write_text(out, "id", card->id);
    referee_write_whole(out, "level", card->level);
    referee_write_grid(out, "grid", &card->grid);
}

void referee_card_write(struct json_text *out, const char *key, const struct card *card)
{
    vision_json_open(out, key, '{');
    referee_card_members(out, card);
    vision_json_close(out, '}');
}

static void write_cards(const struct event_setup *setup, struct json_text *out)
{
    if (!setup->cards) {
        vision_json_null(out, "cards");
        return;
    }
    vision_json_open(out, "cards", '[');
    for (int32_t i = 0; i < setup->card_count; i++)
        referee_card_write(out, NULL, &setup->cards[i]);
    vision_json_close(out, ']');
}

void referee_setup_write(const struct event_setup *setup, struct json_text *out)
{
    vision_json_string(out, "game", referee_game_name(setup->game));
    write_players(setup, out);
    referee_options_write(out, "options", &setup->rules, true);
    write_handicap(setup, out);
    write_slots(setup, out);
    referee_write_text(out, "deck", setup->deck);
    referee_write_text(out, "digest", setup->digest);
    referee_write_big(out, "seed", setup->seed);
    write_cards(setup, out);
    referee_write_text(out, "colours", setup->colours);
}
