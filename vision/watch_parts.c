/* vision/watch_parts.c: seats and slots over time. */
#include "vision/watch_parts.h"

#include "vision/error.h"

#include <stdlib.h>
#include <string.h>

/* Around a seat: a hand is seen before it is there, and a block that leans over the edge. */
#define SEAT_MARGIN_BLOCKS 0.5
/* The sheet's rim may curl, or lie at the table's edge. */
#define PAPER_MARGIN_MM (-8.0)
/* Around a slot and a tag: their own paper. */
#define SLOT_MARGIN_MM 4.0
#define TAG_MARGIN_MM 0.0
/* A seat that lies still and yet reads otherwise each time is read every so many pictures, after so
 * many times the readings that would have settled it. */
#define RESTLESS_TIMES 4
#define RESTLESS_EVERY 4

static int part_make(struct part *part, const struct watch *watch, const double rect_mm[4],
                     double height_mm, double margin_mm)
{
    vision_region_free(&part->region);
    free(part->reference);
    memset(part, 0, sizeof *part);
    part->motion_t_ns = -1;
    part->light = watch->light;
    int error = vision_region_make(&part->region, &watch->at.pose, rect_mm, height_mm, margin_mm);
    if (error)
        return error;
    part->reference = calloc((size_t)part->region.pixels + 1, 1);
    return part->reference ? VISION_OK : VISION_E_MEMORY;
}

static int tag_make(struct watch *watch, int index)
{
    const struct mat_tag *tag = &watch->kit.mat->tag[index];
    double half = tag->size_mm / 2;
    const double rect[4] = {tag->center_mm[0] - half, tag->center_mm[1] - half, tag->size_mm,
                            tag->size_mm};
    int error = part_make(&watch->at.tag[index], watch, rect, 0, TAG_MARGIN_MM);
    struct part *part = &watch->at.tag[index];
    if (error)
        return error;
    vision_region_values(&part->region, &watch->now, part->reference);
    for (int i = 0; i < watch->at.pose.sightings; i++)
        if (watch->at.pose.sighting[i].id == tag->id)
            part->told = true;
    return VISION_OK;
}

int vision_watch_regions(struct watch *watch)
{
    const struct mat *mat = watch->kit.mat;
    double margin = SEAT_MARGIN_BLOCKS * watch->kit.set->width_mm;
    int error = VISION_OK;
    for (int i = 0; i < mat->seats && !error; i++)
        error = part_make(&watch->seat[i].part, watch, mat->seat[i].rect_mm,
                          watch->kit.set->height_mm, margin);
    for (int i = 0; i < mat->slots && !error; i++)
        error = part_make(&watch->slot[i].part, watch, mat->slot[i].rect_mm, 0, SLOT_MARGIN_MM);
    for (int i = 0; i < mat->tags && !error; i++)
        error = tag_make(watch, i);
    if (!error) {
        const double sheet[4] = {0, 0, mat->size_mm[0], mat->size_mm[1]};
        vision_region_free(&watch->paper);
        error = vision_region_make(&watch->paper, &watch->at.pose, sheet, 0, PAPER_MARGIN_MM);
    }
    vision_watch_white_place(watch);
    vision_watch_forget(watch);
    return error;
}

static void part_free(struct part *part)
{
    vision_region_free(&part->region);
    free(part->reference);
    part->reference = NULL;
}

void vision_watch_parts_free(struct watch *watch)
{
    vision_region_free(&watch->paper);
    for (int i = 0; i < MAT_SEATS_MAX; i++)
        part_free(&watch->seat[i].part);
    for (int i = 0; i < MAT_SLOTS_MAX; i++)
        part_free(&watch->slot[i].part);
    for (int i = 0; i < MAT_TAGS_MAX; i++)
        part_free(&watch->at.tag[i]);
}

static void part_forget(struct part *part)
{
    part->told = part->read = false;
    part->reads = part->rests = 0;
    part->settle.count = 0;
}

void vision_watch_forget(struct watch *watch)
{
    for (int i = 0; i < MAT_SEATS_MAX; i++) {
        part_forget(&watch->seat[i].part);
        watch->seat[i].any_open = false;
    }
    for (int i = 0; i < MAT_SLOTS_MAX; i++)
        part_forget(&watch->slot[i].part);
}

/* ---- motion ---- */

/* Has the part changed since it was told, too slowly to be seen from picture to picture? */
static bool part_drifted(const struct watch *watch, const struct part *part)
{
    struct small_change since = vision_watch_since(watch, part);
    return vision_region_moved(
        &part->region,
        vision_region_changed_from(&part->region, part->reference, &watch->now, since));
}

/* Since the picture that was looked at before this one; 0: it is the first. */
static int64_t unseen_ns(const struct watch *watch)
{
    int64_t since_ns = watch->t_ns - watch->before_t_ns;
    return watch->before.width > 0 && since_ns > 0 ? since_ns : 0;
}

/* Takes one picture's change; *stirred: what was told is no longer so. True when the part rests and
 * must be read. */
static bool part_look(struct watch *watch, struct part *part, bool *stirred)
{
    bool moved =
        watch->any_before &&
        vision_region_moved(&part->region, vision_region_changed(&part->region, &watch->before,
                                                                 &watch->now, watch->change));
    *stirred = part->told && (moved || part_drifted(watch, part));
    if (moved || *stirred) {
        part_forget(part);
        part->motion_t_ns = watch->t_ns;
        part->unseen_ns = unseen_ns(watch);
    }
    if (moved || part->told)
        return false;
    bool restless = part->reads > RESTLESS_TIMES * watch->options.settle_frames;
    part->rests = restless ? (part->rests + 1) % RESTLESS_EVERY : 0;
    return part->rests == 0;
}

static void part_told(struct watch *watch, struct part *part)
{
    part->told = true;
    part->reads = 0;
    part->light = watch->light;
    vision_region_values(&part->region, &watch->now, part->reference);
}

static bool part_settled(struct watch *watch, struct part *part, bool same)
{
    int need = watch->options.settle_frames;
    if (!part->read) {
        part->settle.count = 0;
        /* Nothing changed from the picture before to this one, or it would not be read: what lies
         * here lay there already. */
        if (watch->any_before)
            vision_settle_add(&part->settle, true, need, watch->before_t_ns, watch->before_frame);
        same = true;
    }
    part->read = true;
    part->reads++;
    return vision_settle_add(&part->settle, same, need, watch->t_ns, watch->frame);
}

/* ---- seats ---- */

static void motion_tell(struct watch *watch, int seat, bool blocks, int64_t at_t_ns,
                        int64_t unseen_ns)
{
    if (watch->sink.motion)
        watch->sink.motion(watch->sink.context, seat, blocks, at_t_ns, unseen_ns);
}

static bool readable(const struct layout_seat *seat)
{
    return seat->state == SEAT_COMPLETE || seat->state == SEAT_INCOMPLETE ||
           seat->state == SEAT_EMPTY;
}

/* When did its blocks last move? Under a hand that only passed over them they did not. */
static void seat_compare(struct watch *watch, struct watched_seat *seat)
{
    bool first = !seat->any_open;
    if (!readable(&seat->last))
        return;
    if (first) {
        seat->moved_t_ns = seat->part.settle.first_t_ns;
    } else if (!vision_settle_same_blocks(&seat->open, &seat->last)) {
        seat->moved_t_ns =
            seat->part.motion_t_ns >= 0 ? seat->part.motion_t_ns : seat->part.settle.first_t_ns;
        motion_tell(watch, seat->last.seat, true, seat->moved_t_ns, seat->part.unseen_ns);
    }
    seat->open = seat->last;
    seat->any_open = true;
}

static void seat_tell(struct watch *watch, const struct watched_seat *seat)
{
    if (watch->sink.layout)
        watch->sink.layout(watch->sink.context, &seat->last, seat->part.settle.first_t_ns,
                           seat->moved_t_ns, seat->part.settle.frame);
}

static void seat_take(struct watch *watch, struct watched_seat *seat,
                      const struct layout_seat *reading)
{
    bool same = vision_settle_same_seat(&seat->last, reading);
    seat->last = *reading;
    if (!part_settled(watch, &seat->part, same))
        return;
    part_told(watch, &seat->part);
    seat_compare(watch, seat);
    if (!readable(&seat->last) && !seat->any_open)
        seat->moved_t_ns = seat->part.settle.first_t_ns;
    seat_tell(watch, seat);
}

static void slot_tell(struct watch *watch, const struct watched_slot *slot)
{
    if (watch->sink.card)
        watch->sink.card(watch->sink.context, &slot->last, slot->part.settle.first_t_ns);
}

static void slot_take(struct watch *watch, struct watched_slot *slot,
                      const struct layout_card *reading)
{
    bool same = vision_settle_same_card(&slot->last, reading);
    slot->last = *reading;
    if (!part_settled(watch, &slot->part, same))
        return;
    part_told(watch, &slot->part);
    slot_tell(watch, slot);
}

/* ---- both ---- */

/* What stirs and has not settled again is told as stirring: whoever hears this may hold what lay
 * there before, and nothing is known of what else it did not hear. */
void vision_watch_parts_retell(struct watch *watch)
{
    for (int i = 0; i < watch->kit.mat->seats; i++) {
        if (watch->seat[i].part.told)
            seat_tell(watch, &watch->seat[i]);
        else
            motion_tell(watch, watch->kit.mat->seat[i].seat, false, watch->t_ns,
                        watch->t_ns - watch->first_t_ns);
    }
    for (int i = 0; i < watch->kit.mat->slots; i++)
        if (watch->slot[i].part.told)
            slot_tell(watch, &watch->slot[i]);
}

static void parts_look(struct watch *watch, unsigned *seats, unsigned *slots)
{
    const struct mat *mat = watch->kit.mat;
    bool stirred;
    for (int i = 0; i < mat->seats; i++) {
        if (part_look(watch, &watch->seat[i].part, &stirred))
            *seats |= 1u << i;
        if (stirred)
            motion_tell(watch, mat->seat[i].seat, false, watch->t_ns, unseen_ns(watch));
    }
    for (int i = 0; i < mat->slots; i++)
        if (part_look(watch, &watch->slot[i].part, &stirred))
            *slots |= 1u << i;
}

int vision_watch_parts(struct watch *watch)
{
    unsigned seats = 0, slots = 0;
    struct layout layout;
    parts_look(watch, &seats, &slots);
    /* A mat that is not seen may not lie where it did. */
    if ((!seats && !slots) || watch->at.lost_t_ns >= 0)
        return VISION_OK;
    vision_watch_standing(watch);
    int error = vision_watch_full(watch);
    if (!error)
        error = vision_watch_balance(watch);
    if (error)
        return error;
    vision_watch_health(watch, watch->t_ns);
    if (watch->health)
        return VISION_OK;
    error = vision_table_read_part(watch->reader, watch->full, watch->options.mirrored,
                                   &watch->at.pose, seats, slots, &layout);
    if (error)
        return error;
    if (watch->options.mirrored)
        vision_layout_mirror_px(&layout, watch->full->width);
    watch->counts.full_reads++;
    for (int i = 0; i < watch->kit.mat->seats; i++)
        if (seats & (1u << i)) {
            watch->counts.seat_reads++;
            seat_take(watch, &watch->seat[i], &layout.seat[i]);
        }
    for (int i = 0; i < watch->kit.mat->slots; i++)
        if (slots & (1u << i))
            slot_take(watch, &watch->slot[i], &layout.card[i]);
    if (watch->sink.partial)
        watch->sink.partial(watch->sink.context, &layout, watch->frame, watch->t_ns);
    return VISION_OK;
}

/* A quarter of an interval is for pictures that do not come to the microsecond. */
int64_t vision_watch_seen_ns(const struct watch *watch)
{
    int64_t seen_ns = watch->t_ns, interval_ns = watch->options.interval_ns;
    int64_t grace_ns = interval_ns * (watch->options.settle_frames - 2) + interval_ns / 4;
    if (watch->health || !watch->at.known)
        return seen_ns;
    for (int i = 0; i < watch->kit.mat->seats; i++) {
        const struct part *part = &watch->seat[i].part;
        int64_t most_ns = part->settle.first_t_ns + (grace_ns > 0 ? grace_ns : 0);
        if (part->read && !part->told && part->settle.count > 0 && most_ns < seen_ns)
            seen_ns = most_ns;
    }
    return seen_ns;
}
