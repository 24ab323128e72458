/* vision/table.c: see table.h. */
#include "vision/table.h"

#include "vision/card.h"
#include "vision/fitness.h"
#include "vision/seat.h"
#include "vision/white.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Quality 20 of the usual tables has a mean luma step of 144 levels: then a block of pixels keeps
 * little but its mean, and no camera compresses like that. */
#define JPEG_STEP_MOST 140

/* The tags' black as a share of their white. In fair pictures it is 0.02 to 0.1, in the smallest
 * and softest that can be read 0.2; from here on so much light lies over everything that the light
 * colours of a print look like paper. */
#define BLACK_MOST 0.4
/* From here on nothing that is seen is no proof any more that nothing lies there. */
#define BLACK_EMPTY_MOST 0.22

struct table_reader {
    struct table_kit kit;
    struct tag_finder *finder;
    struct pyramid *pyramid;
    struct white_map *white;
    struct seat_reader *seats;
    struct card_reader *cards; /* NULL without a card style */
    struct seat_sight *sight[MAT_SEATS_MAX];
    bool looked[MAT_SEATS_MAX]; /* the sight holds something */
};

struct alignment vision_alignment_defaults(void)
{
    return (struct alignment){.pitch_max = 1.25,
                              .center_on = 0.30,
                              .center_off = 0.45,
                              .turn_on_deg = 12,
                              .turn_off_deg = 20,
                              .apart = 0.5};
}

struct table_reader *vision_table_create(const struct table_kit *kit,
                                         const struct alignment *alignment)
{
    struct table_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->kit = *kit;
    reader->finder = vision_tag_finder_create();
    reader->pyramid = vision_pyramid_create();
    reader->white = vision_white_create();
    reader->seats = vision_seat_reader_create(kit->set, alignment);
    bool whole = reader->finder && reader->pyramid && reader->white && reader->seats;
    if (kit->style) {
        reader->cards = vision_card_reader_create(kit->set, kit->style, kit->deck);
        whole = whole && reader->cards;
    }
    for (int i = 0; i < kit->mat->seats; i++) {
        reader->sight[i] = vision_seat_sight_create();
        whole = whole && reader->sight[i];
    }
    if (!whole)
        vision_table_destroy(&reader);
    return reader;
}

void vision_table_destroy(struct table_reader **reader)
{
    if (!reader || !*reader)
        return;
    struct table_reader *r = *reader;
    for (int i = 0; i < MAT_SEATS_MAX; i++)
        vision_seat_sight_destroy(&r->sight[i]);
    vision_card_reader_destroy(&r->cards);
    vision_seat_reader_destroy(&r->seats);
    vision_white_destroy(&r->white);
    vision_pyramid_destroy(&r->pyramid);
    vision_tag_finder_destroy(&r->finder);
    free(r);
    *reader = NULL;
}

static void layout_start(const struct table_reader *reader, bool mirrored, struct layout *out)
{
    const struct mat *mat = reader->kit.mat;
    memset(out, 0, sizeof *out);
    memcpy(out->mat, mat->name, sizeof out->mat);
    out->mirrored = mirrored;
    out->rig = reader->kit.rig != NULL;
    out->seats = (int8_t)mat->seats;
    out->slots = (int8_t)mat->slots;
    for (int i = 0; i < mat->seats; i++) {
        out->seat[i].seat = (int8_t)mat->seat[i].seat;
        out->seat[i].state = SEAT_UNREADABLE;
    }
    for (int i = 0; i < mat->slots; i++) {
        out->card[i].slot = (int8_t)mat->slot[i].slot;
        out->card[i].state = SLOT_UNREADABLE;
    }
}

/* What a picture's seats teach of its colours. Seats that are not read this time teach what they
 * were last seen with: the light is the same. */
static void seats_teach(struct table_reader *reader, struct palette *palette,
                        struct colour_census *census)
{
    vision_palette_default(vision_seat_model(reader->seats), palette);
    for (int i = 0; i < reader->kit.mat->seats; i++)
        if (reader->looked[i]) {
            vision_seat_teach(reader->sight[i], palette);
            vision_seat_census(reader->seats, reader->sight[i], census);
        }
    palette->spread = vision_census_spread(census);
}

/* *refuse: REASON_COUNT, or why the picture's colours are not to be trusted. */
static int seats_read(struct table_reader *reader, const struct mat_pose *pose, unsigned seats,
                      struct layout *out, enum reason *refuse)
{
    const struct mat *mat = reader->kit.mat;
    struct colour_census census = {.cells = 0};
    struct palette palette;
    int error = VISION_OK;
    for (int i = 0; i < mat->seats && !error; i++) {
        if (!(seats & (1u << i)))
            continue;
        error = vision_seat_look(reader->seats, reader->pyramid, reader->white, pose, mat, i,
                                 reader->sight[i]);
        reader->looked[i] = !error;
    }
    if (!error)
        seats_teach(reader, &palette, &census);
    *refuse = vision_census_refuse(&census);
    for (int i = 0; i < mat->seats && !error; i++)
        if (seats & (1u << i))
            error = vision_seat_decide(reader->seats, &palette, reader->pyramid, reader->white,
                                       pose, reader->sight[i], &out->seat[i]);
    return error;
}

static int cards_read(struct table_reader *reader, const struct mat_pose *pose, unsigned slots,
                      struct layout *out)
{
    int error = VISION_OK;
    for (int i = 0; reader->cards && i < reader->kit.mat->slots && !error; i++)
        if (slots & (1u << i))
            error = vision_card_read(reader->cards, reader->pyramid, reader->white, pose,
                                     reader->kit.mat, i, &out->card[i]);
    return error;
}

static void seat_hold_back(struct layout_seat *seat, enum reason reason)
{
    seat->state = SEAT_UNREADABLE;
    seat->reasons = REASON_BIT(reason);
    calib_grid_clear(&seat->grid, 0, 0);
}

/* What makes the whole picture unfit for any ruling: every seat and slot is held back for it. */
static void hold_back(struct layout *out, enum reason reason)
{
    out->warnings |= REASON_BIT(reason);
    for (int i = 0; i < out->seats; i++)
        seat_hold_back(&out->seat[i], reason);
    for (int i = 0; i < out->slots; i++) {
        struct layout_card *card = &out->card[i];
        int8_t slot = card->slot;
        memset(card, 0, sizeof *card);
        card->slot = slot;
        card->state = SLOT_UNREADABLE;
        card->reasons = REASON_BIT(reason);
    }
}

/* What looks empty under so much light may hold what is printed light. */
static void doubt_empty(struct layout *out)
{
    for (int i = 0; i < out->seats; i++)
        if (out->seat[i].state == SEAT_EMPTY) {
            out->seat[i].state = SEAT_UNREADABLE;
            out->seat[i].reasons |= REASON_BIT(REASON_LOW_CONTRAST);
        }
    for (int i = 0; i < out->slots; i++)
        if (out->card[i].state == SLOT_EMPTY) {
            out->card[i].state = SLOT_UNREADABLE;
            out->card[i].reasons |= REASON_BIT(REASON_LOW_CONTRAST);
        }
}

int vision_table_pose(struct table_reader *reader, const struct frame *frame, struct mat_pose *pose)
{
    return vision_pose_find(reader->finder, frame, reader->kit.mat, reader->kit.rig, pose);
}

/* What makes a picture unfit before anything on it is read. */
static bool unfit(const struct frame *frame, const struct fitness *fitness, struct layout *out)
{
    if (!frame->has_colour)
        hold_back(out, REASON_NO_COLOUR);
    else if (fitness->tags > 0 && fitness->black > BLACK_MOST)
        hold_back(out, REASON_LOW_CONTRAST);
    else
        return false;
    return true;
}

int vision_table_read_part(struct table_reader *reader, const struct frame *frame, bool mirrored,
                           const struct mat_pose *pose, unsigned seats, unsigned slots,
                           struct layout *out)
{
    struct fitness fitness;
    enum reason refuse = REASON_COUNT;
    layout_start(reader, mirrored, out);
    out->tags = (int8_t)pose->tags;
    if (pose->second_mat)
        out->warnings |= REASON_BIT(REASON_SECOND_MAT);
    out->pose_error_px100 = (int16_t)lrint(fmin(pose->rms_px, 300) * 100);
    vision_fitness_measure(frame, pose, &fitness);
    if (unfit(frame, &fitness, out))
        return VISION_OK;
    int error = vision_pyramid_build(reader->pyramid, frame);
    if (!error)
        error = vision_white_build(reader->white, reader->pyramid, pose, reader->kit.mat);
    if (!error)
        error = seats_read(reader, pose, seats, out, &refuse);
    if (!error)
        error = cards_read(reader, pose, slots, out);
    if (!error && fitness.black > BLACK_EMPTY_MOST)
        doubt_empty(out);
    if (!error && refuse != REASON_COUNT)
        hold_back(out, refuse);
    if (!error && frame->step > JPEG_STEP_MOST)
        hold_back(out, REASON_COMPRESSED);
    for (int i = 0; i < out->seats && !error; i++)
        if (pose->seat_coarse[i])
            seat_hold_back(&out->seat[i], REASON_COARSE_POSE);
    if (!error && pose->coarse)
        hold_back(out, REASON_COARSE_POSE);
    return error;
}

int vision_table_read(struct table_reader *reader, const struct frame *frame, bool mirrored,
                      struct layout *out, struct mat_pose *pose)
{
    struct mat_pose found;
    layout_start(reader, mirrored, out);
    int error = vision_table_pose(reader, frame, &found);
    if (error)
        return error;
    if (pose)
        *pose = found;
    return vision_table_read_part(reader, frame, mirrored, &found, ~0u, ~0u, out);
}
