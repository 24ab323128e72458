#include "tests/draw/scene.h"

#include "tests/draw/pattern.h"
#include "tests/draw/vec.h"

#include <stdio.h>
#include <string.h>

/* Topics of the random streams: each keeps its numbers when another draws more. */
enum topic {
    TOPIC_VIEW = 1,
    TOPIC_CARDS,
    TOPIC_LIGHT,
    TOPIC_KIND,
    TOPIC_SEAT = 16,
    TOPIC_THING = 64
};

const char *draw_kind_name(enum draw_kind kind)
{
    static const char *const name[DRAW_KINDS] = {"match",    "near",   "partial", "scatter",
                                                 "standing", "sloppy", "empty",   "extra"};
    return kind < DRAW_KINDS ? name[kind] : "unknown";
}

const char *draw_change_name(enum draw_change change)
{
    static const char *const name[] = {"", "flip", "face", "mirror", "shift", "swap"};
    return change <= DRAW_CHANGE_SWAP ? name[change] : "";
}

struct draw_range draw_range_usual(void)
{
    return (struct draw_range){
        .cell_px = {24, 50},
        .tilt_deg = {0, 15},
        .roll_deg = {-180, 180},
        .view_deg = {55, 80},
        .k1 = {-0.2, 0.02},
        .kind = {[DRAW_MATCH] = 30,
                 [DRAW_NEAR] = 28,
                 [DRAW_PARTIAL] = 10,
                 [DRAW_SCATTER] = 6,
                 [DRAW_STANDING] = 8,
                 [DRAW_SLOPPY] = 8,
                 [DRAW_EMPTY] = 4,
                 [DRAW_EXTRA] = 6},
        .hand = 0.15,
        .hand_over = 0.6,
        .thing = {[DRAW_THING_HAND] = 10,
                  [DRAW_THING_CUP] = 1,
                  [DRAW_THING_PEN] = 1,
                  [DRAW_THING_PHONE] = 1,
                  [DRAW_THING_PAPER] = 1,
                  [DRAW_THING_TOY] = 1},
        .from_deck = 0.5,
        .all_slots = 0.35,
        .card_side_max = 4,
        .any_angle = 0.15,
        .turn_deg = {-14, 14},
        .gap_mm = {0.1, 1.5},
        .jitter_mm = {0.1, 0.6},
        .jitter_deg = {0.1, 1.0},
        .sloppy_pitch = {0.15, 0.6},
        .sloppy_deg = {6, 32},
        .kelvin = {2700, 6500},
        .balance_error = {-0.25, 0.25},
        .ambient = {0.25, 0.7},
        .glare = 0.2,
        .gloss = {0.2, 0.7},
        .white = {0.25, 0.85},
        .vignette = {0.05, 0.4},
        .blur_px = {0.3, 0.8},
        .defocus_px = {0, 0.5},
        .shake_px = {0, 0},
        .bloom = {0.01, 0.05},
        .veil = {0, 0.03},
        .noise = {0.5, 1.5},
        .sharpen = {0, 0.8},
        .saturation = {0.9, 1.15},
        .contrast = {0, 0.2},
        .quality = {75, 95},
        .half_chroma = 0.5,
        .samples = 4,
    };
}

struct draw_range draw_range_hard(void)
{
    struct draw_range range = draw_range_usual();
    const struct draw_range hard = {
        .cell_px = {16, 60},
        .tilt_deg = {0, 25},
        .view_deg = {50, 90},
        .k1 = {-0.25, 0.05},
        .kelvin = {2500, 7500},
        .balance_error = {-0.6, 0.6},
        .ambient = {0.1, 0.8},
        .gloss = {0.45, 1.0},
        .white = {0.08, 1.3},
        .vignette = {0.05, 0.5},
        .blur_px = {0.3, 1.4},
        .defocus_px = {0, 1.2},
        .shake_px = {0, 2.0},
        .bloom = {0.01, 0.1},
        .veil = {0, 0.12},
        .noise = {0.5, 3.5},
        .sharpen = {0, 1.2},
        .saturation = {0.75, 1.3},
        .contrast = {0, 0.5},
        .gap_mm = {0.0, 4.0},
        .jitter_mm = {0.1, 1.0},
        .jitter_deg = {0.1, 2.0},
        .quality = {50, 95},
    };
#define TAKE(field) memcpy(&range.field, &hard.field, sizeof range.field)
    TAKE(cell_px), TAKE(tilt_deg), TAKE(view_deg), TAKE(k1), TAKE(kelvin), TAKE(balance_error);
    TAKE(ambient), TAKE(gloss), TAKE(white), TAKE(vignette), TAKE(blur_px), TAKE(defocus_px);
    TAKE(shake_px), TAKE(bloom), TAKE(veil), TAKE(noise), TAKE(sharpen), TAKE(saturation);
    TAKE(contrast), TAKE(gap_mm), TAKE(jitter_mm), TAKE(jitter_deg), TAKE(quality);
#undef TAKE
    range.glare = 0.7;
    range.hand = 0.3;
    range.any_angle = 0.3;
    return range;
}

struct draw_range draw_range_plain(void)
{
    struct draw_range range = {
        .cell_px = {40, 40},
        .view_deg = {60, 60},
        .kind = {[DRAW_MATCH] = 1},
        .thing = {[DRAW_THING_HAND] = 1},
        .from_deck = 0.0,
        .card_side_max = 4,
        .gap_mm = {0.4, 0.4},
        .sloppy_pitch = {0.15, 0.6},
        .sloppy_deg = {6, 32},
        .kelvin = {6500, 6500},
        .ambient = {0.6, 0.6},
        .white = {0.7, 0.7},
        .saturation = {1, 1},
        .gloss = {0.1, 0.1},
        .samples = 4,
    };
    return range;
}

void draw_mat_small(struct mat *mat)
{
    static const double tag_x[2] = {33, 351}, tag_y[3] = {33, 150, 267};
    memset(mat, 0, sizeof *mat);
    snprintf(mat->name, sizeof mat->name, "draw-one");
    mat->size_mm[0] = 384;
    mat->size_mm[1] = 300;
    for (int i = 0; i < 6; i++) {
        struct mat_tag *tag = &mat->tag[mat->tags++];
        tag->id = 20 + i; /* none of the kit's mats, so that a mix-up shows */
        tag->family = TAG_FAMILY_36H11;
        tag->center_mm[0] = tag_x[i % 2];
        tag->center_mm[1] = tag_y[i / 2];
        tag->size_mm = 48;
        tag->turn_deg = 180;
    }
    mat->seats = 1;
    mat->seat[0] = (struct mat_seat){.seat = 1, .rect_mm = {66, 102, 252, 192}, .up = {0, -1}};
    mat->slots = 1;
    mat->slot[0] = (struct mat_slot){.slot = 1, .rect_mm = {144, 4, 96, 96}};
    mat->quick_play_slot = 1;
}

/* The grid of a card: from the deck, or any that the blocks can build. */
static bool card_choose(const struct draw_scene *scene, const struct draw_range *range, int level,
                        struct draw_random *random, struct card *card)
{
    const struct deck *deck = scene->kit.deck;
    if (deck != NULL && deck->cards > 0 && draw_random_chance(random, range->from_deck)) {
        int at = draw_random_below(random, deck->cards);
        for (int i = 0; i < deck->cards; i++) {
            const struct card *found = &deck->card[(at + i) % deck->cards];
            if (level == 0 || found->level == level) {
                *card = *found;
                return true;
            }
        }
    }
    struct draw_pattern pattern;
    memset(card, 0, sizeof *card);
    card->level = level > 0 ? level : 1 + draw_random_below(random, CARD_LEVELS);
    return draw_pattern_random(scene->kit.set, range->card_side_max, random, &pattern) &&
           draw_pattern_grid(scene->kit.set, &pattern, &card->grid);
}

static void card_put(struct draw_scene *scene, int slot, bool face_up, const struct card *card,
                     struct draw_random *random)
{
    const struct mat_slot *place = &scene->kit.mat->slot[slot];
    struct draw_card *put = &scene->card[scene->cards++];
    memset(put, 0, sizeof *put);
    put->slot = slot;
    put->face_up = face_up;
    if (face_up) {
        put->card = *card;
    }
    double side = fmin(place->rect_mm[2], place->rect_mm[3]);
    /* Cards are printed smaller for a mat with small slots, so that some room is left. */
    put->size_mm = fmin(scene->kit.style->size_mm, side * 0.9);
    double room = (side - put->size_mm) / 2.0 * 0.5;
    for (int k = 0; k < 2; k++) {
        put->center_mm[k] = place->rect_mm[k] + place->rect_mm[k + 2] / 2.0 +
                            room * draw_random_range(random, -1.0, 1.0);
    }
    put->turn_deg =
        90.0 * draw_random_below(random, 4) + draw_clamp(3.0 * draw_random_normal(random), -8, 8);
}

static int slot_find(const struct mat *mat, int number)
{
    for (int i = 0; i < mat->slots; i++) {
        if (mat->slot[i].slot == number) {
            return i;
        }
    }
    return mat->slots - 1;
}

void draw_scene_cards(struct draw_scene *scene, const struct draw_range *range,
                      struct draw_random *random)
{
    const struct mat *mat = scene->kit.mat;
    struct card card;
    scene->cards = 0;
    if (mat->slots < 1) {
        return;
    }
    if (mat->slots > 1 && draw_random_chance(random, range->all_slots)) {
        for (int i = 0; i < mat->slots; i++) {
            if (card_choose(scene, range, i < CARD_LEVELS ? i + 1 : 0, random, &card)) {
                card_put(scene, i, true, &card, random);
            }
        }
        return;
    }
    int slot = slot_find(mat, mat->quick_play_slot);
    if (card_choose(scene, range, 0, random, &card)) {
        card_put(scene, slot, true, &card, random);
    }
    if (mat->slots > 1) { /* the pile */
        card_put(scene, slot == 0 ? 1 : 0, false, NULL, random);
    }
}

/* The grid that a seat aims at: of a face-up card, or NULL. */
static const struct grid *target_choose(const struct draw_scene *scene, struct draw_random *random)
{
    int up[MAT_SLOTS_MAX], count = 0;
    for (int i = 0; i < scene->cards; i++) {
        if (scene->card[i].face_up) {
            up[count++] = i;
        }
    }
    return count > 0 ? &scene->card[up[draw_random_below(random, count)]].card.grid : NULL;
}

int draw_scene_random(const struct draw_kit *kit, uint64_t seed, const struct draw_range *range,
                      struct draw_scene *scene)
{
    if (kit->mat->seats < 1 || kit->set->blocks < 1) {
        return -1;
    }
    memset(scene, 0, sizeof *scene);
    scene->kit = *kit;
    scene->seed = seed;
    struct draw_random random = draw_random_seed(seed, TOPIC_VIEW);
    draw_scene_view(scene, range, &random);
    random = draw_random_seed(seed, TOPIC_CARDS);
    draw_scene_cards(scene, range, &random);
    for (int i = 0; i < kit->mat->seats; i++) {
        struct draw_random thing = draw_random_seed(seed, TOPIC_THING + (uint64_t)i);
        random = draw_random_seed(seed, TOPIC_SEAT + (uint64_t)i);
        enum draw_kind kind = (enum draw_kind)draw_random_pick(&random, range->kind, DRAW_KINDS);
        draw_scene_seat(scene, range, i, kind, target_choose(scene, &random), &random);
        if (draw_random_chance(&thing, range->hand)) {
            enum draw_thing what =
                (enum draw_thing)draw_random_pick(&thing, range->thing, DRAW_THINGS);
            draw_scene_thing(scene, i, what, draw_random_chance(&thing, range->hand_over), &thing);
        }
    }
    random = draw_random_seed(seed, TOPIC_LIGHT);
    draw_scene_light(scene, range, &random);
    return 0;
}
