/* referee/cmd_words.c: what the formats' words mean, for people. */
#include "referee/cmd_words.h"

#include "referee/cmd_text.h"

#include <stdio.h>
#include <string.h>

struct word {
    const char *word, *text;
};

/* The pages have the same texts (pubsub/web/words.js); the suite `lang` holds the two together. */
static const struct word reasons[] = {
    {"hand", N_("a hand or something else is over the layout")},
    {"glare", N_("glare hides a symbol")},
    {"blur", N_("the picture is not sharp")},
    {"dark", N_("it is too dark")},
    {"no_colour", N_("the picture has no colour")},
    {"too_small", N_("the camera is too far away")},
    {"out_of_view", N_("part of it is out of the camera’s view")},
    {"coarse_pose", N_("too few of the mat’s tags are seen")},
    {"damaged_frame", N_("the picture is damaged")},
    {"no_mat", N_("the mat is not seen")},
    {"mirrored", N_("the picture is mirrored")},
    {"mat_moved", N_("the mat or the camera was moved")},
    {"stale", N_("no new picture comes")},
    {"not_aligned", N_("the blocks are not quite in line")},
    {"not_one_grid", N_("the blocks are not on one grid")},
    {"wrong_symbol", N_("a symbol is wrong")},
    {"wrong_shape", N_("the outline is wrong")},
    {"mirror_image", N_("it is the mirror image")},
    {"standing_block", N_("a block stands on end")},
    {"block_apart", N_("a block lies apart")},
    {"missing_block", N_("a block is missing")},
    {"extra_block", N_("there is a block too many")},
    {"unsure_symbol", N_("a symbol cannot be told for sure")},
    {"unknown_thing", N_("something unknown lies there")},
    {"no_card", N_("there is no card to compare with")},
    {"card_unreadable", N_("the card cannot be read")},
    {"unreadable_file", N_("the file cannot be read")},
    {"empty_file", N_("the file is empty")},
    {"not_a_picture", N_("the file is no picture")},
    {"too_large", N_("the picture is too large")},
    {"unsupported", N_("this kind of picture is not read")},
    {"rig_size", N_("the camera was calibrated at another size")},
    {"bad_pose", N_("the tags seen fit no camera")},
    {"internal", N_("a fault in the program")},
    {"several_cards", N_("more than one card lies face up")},
    {"rig_lens", N_("the calibration is of another lens")},
    {"compressed", N_("the picture is compressed too much")},
    {"moved_after_claim", N_("blocks were moved after the claim")},
    {"not_settled", N_("nothing came to rest in time")},
    {"low_contrast", N_("the picture has too little contrast")},
    {"false_colour", N_("the colours are not those of the blocks")},
    {"light_changing", N_("the light is changing")},
    {"banding", N_("the lamps flicker")},
    {"second_mat", N_("two mats are in the picture")},
    {"rolling", N_("a disc is rolling")},
    {"between_rows", N_("a disc lies in no row")},
    {"floating", N_("a disc lies above an empty place")},
    {"unsure_colour", N_("a disc’s colour is not clear")},
    {"disc_count", N_("there are too many discs of a colour")},
};

static const struct word whys[] = {
    {"no_match", N_("no match is set up")},
    {"already_set_up", N_("a match is set up already")},
    {"bad_setup", N_("the set-up does not go together")},
    {"deck_too_small", N_("the deck has too few cards")},
    {"not_started", N_("the match has not started")},
    {"already_started", N_("the match has started already")},
    {"paused", N_("play is paused")},
    {"not_paused", N_("play is not paused")},
    {"match_over", N_("the match is over")},
    {"clock_backward", N_("its time lies before the last event")},
    {"unknown_seat", N_("nobody plays at that seat")},
    {"unknown_slot", N_("there is no such pile")},
    {"no_card_in_play", N_("no card is in play there")},
    {"late", N_("that card was no longer in play")},
    {"void", N_("that card’s turn was taken back")},
    {"out", N_("out for this card")},
    {"barred", N_("barred from the first card")},
    {"below_level", N_("the card’s level is too low for this player")},
    {"already_claimed", N_("a claim of this player is being checked")},
    {"moved_during_check", N_("blocks were moved during a check")},
    {"claims_auto", N_("nobody needs to call in this match")},
    {"nothing_asked", N_("no ruling waits for a person")},
    {"not_in_this_game", N_("not in this game")},
    {"card_used", N_("that card was played before")},
    {"card_differs", N_("another card lies there than the one in play")},
    {"not_in_deck", N_("there is no such card")},
    {"deck_empty", N_("no card is left")},
    {"bad_value", N_("a value makes no sense")},
    {"all_out", N_("everybody is out")},
    {"given_up", N_("given up")},
    {"time", N_("time is up")},
    {"person", N_("by a person’s word")},
    {"tied", N_("tied: another card is dealt")},
    {"owed", N_("the next card won is owed")},
    {"lost", N_("the last card won is lost")},
    {"drop", N_("a disc was placed")},
    {"move", N_("a disc was moved")},
    {"pass", N_("passed")},
    {"round_opened", N_("the round begins")},
    {"too_many_new", N_("more discs came than one turn brings")},
    {"disc_taken", N_("a disc left the ramp")},
    {"disc_changed", N_("a disc changed its colour")},
    {"colour_used_up", N_("more than five discs of a colour")},
    {"floating", N_("a disc lies above an empty place")},
    {"not_from_top", N_("a disc came between others")},
    {"out_of_turn", N_("it was the other player’s turn")},
    {"not_that_disc", N_("that disc may not be moved")},
    {"same_track", N_("a disc went back on its own track")},
    {"second_in_track", N_("the opening puts one disc into each track")},
    {"turn_unclear", N_("whose turn it is cannot be told")},
};

static const struct word rulings[] = {
    {"match", N_("Match")},
    {"no_match", N_("No match")},
    {"cannot_tell", N_("Cannot tell")},
};

static const struct word games[] = {
    {"quick-play", N_("Quick-Play Game")},
    {"total-madness", N_("Total Madness Game")},
    {"make5", N_("Make 5")},
};

static const struct word phases[] = {
    {"none", N_("No match yet")}, {"ready", N_("Ready")},     {"countdown", N_("Get ready")},
    {"play", N_("In play")},      {"over", N_("Match over")}, {"abandoned", N_("Match abandoned")},
};

/* TRANSLATORS: one or two words, the beginnings of lines in a list of what was decided. */
static const struct word decisions[] = {
    {"phase", N_("play")},
    {"card", N_("card")},
    {"verdict", N_("verdict")},
    {"asked", N_("asked")},
    {"win", N_("win")},
    {"out", N_("out")},
    {"penalty", N_("penalty")},
    {"set_aside", N_("set aside")},
    {"tie", N_("tie")},
    {"refused", N_("not counted")},
    {"false_start", N_("false start")},
    {"health", N_("table")},
    {"move", N_("move")},
    {"illegal", N_("illegal")},
    {"round", N_("round")},
    {"end", N_("end")},
};

static const struct word places[] = {
    {"empty", N_("no blocks")},           {"complete", N_("built")},
    {"incomplete", N_("building")},       {"occluded", N_("covered")},
    {"unreadable", N_("cannot be read")}, {"face_up", N_("face up")},
    {"face_down", N_("face down")},
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static const char *word_text(const struct word *list, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].word, word) == 0)
            return cmd_text(list[i].text);
    return NULL;
}

static const char *word_or(const char *text, const char *word)
{
    return text ? text : word;
}

const char *cmd_word_reason(const char *word)
{
    const char *text = word_text(reasons, COUNT(reasons), word);

    return word_or(text ? text : word_text(whys, COUNT(whys), word), word);
}

const char *cmd_word_why(const char *word)
{
    const char *text = word_text(whys, COUNT(whys), word);

    return word_or(text ? text : word_text(reasons, COUNT(reasons), word), word);
}

const char *cmd_word_ruling(const char *word)
{
    return word_or(word_text(rulings, COUNT(rulings), word), word);
}

const char *cmd_word_game(const char *word)
{
    return word_or(word_text(games, COUNT(games), word), word);
}

const char *cmd_word_phase(const char *word)
{
    return word_or(word_text(phases, COUNT(phases), word), word);
}

const char *cmd_word_decision(const char *word)
{
    return word_or(word_text(decisions, COUNT(decisions), word), word);
}

const char *cmd_word_place(const char *word)
{
    return word_or(word_text(places, COUNT(places), word), word);
}

void cmd_words_reasons(uint64_t set, const char *between, char *out, size_t size)
{
    size_t used = 0;

    out[0] = 0;
    for (unsigned r = 0; r < REASON_COUNT; r++) {
        if (!(set & REASON_BIT(r)))
            continue;
        const char *text = cmd_word_reason(vision_reason_name((enum reason)r));
        int more = snprintf(out + used, size - used, "%s%s", used ? between : "", text);
        if (more < 0 || (size_t)more >= size - used) {
            out[used] = 0; /* whole reasons only */
            return;
        }
        used += (size_t)more;
    }
}
