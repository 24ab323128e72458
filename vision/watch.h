/* vision/watch.h: watches a table over time: from frames to what has settled.
 *
 * A picture in which nothing moved costs little: it is decoded at an eighth of its size, luma
 * alone, and compared with the one before it and with what was last read. A seat in which something
 * moved rests until it is still; then it is read in full, frame by frame, until it has read the
 * same `settle_frames` times in a row. Its time is that of the first of them. Slots of cards
 * likewise.
 *
 * What is seen goes to a sink, in the order of time; nothing here knows a game. All times are those
 * of the pictures. The same pictures give the same calls, at whatever speed they come. */
#ifndef VISION_WATCH_H
#define VISION_WATCH_H

#include "capture/picture.h"
#include "vision/table.h"

/* Who hears what is seen. Arguments are lent; each may be NULL. */
struct watch_sink {
    /* A seat's layout has settled: a layout, or that it is hidden or cannot be read (once for each
     * change). first_t_ns: capture of the first frame that shows it; moved_t_ns: when its blocks,
     * not only hands, were last seen to move. */
    void (*layout)(void *context, const struct layout_seat *seat, int64_t first_t_ns,
                   int64_t moved_t_ns, uint64_t frame);
    /* Something began to move in a seat, or (blocks) its blocks are now known to have moved at that
     * time. unseen_ns: so long before it nothing was looked at; 0: not known. */
    void (*motion)(void *context, int seat, bool blocks, int64_t at_t_ns, int64_t unseen_ns);
    /* A slot has settled. */
    void (*card)(void *context, const struct layout_card *card, int64_t first_t_ns);
    /* The picture's health has changed: REASON_BIT()s; 0: all is well. While it is not, nothing
     * else is told but this and `seen`; when it is well again, everything is told anew. */
    void (*health)(void *context, uint64_t reasons, int64_t t_ns);
    /* The light is not (or is again) what the rig's colours were taken in: their white is another.
     * Reading goes on, for every cell has a white of its own; but somebody should know. */
    void (*light)(void *context, bool differs, int64_t t_ns);
    /* What was read of one frame, settled or not: for displays. */
    void (*partial)(void *context, const struct layout *layout, uint64_t frame, int64_t t_ns);
    /* This picture has been looked at, and all that it brought was told. t_ns: its time; while a seat
     * rests that has not settled, no more than what settles as fast as pictures come would allow, so
     * that after a gap (pictures that were lost, or passed over) a layout that began before it is
     * not taken for one that came late: what is still to be told of a layout whose first frame is
     * at f, was not told when t_ns was f + (settle_frames - 1) intervals. */
    void (*seen)(void *context, uint64_t frame, int64_t t_ns);
    void *context;
};

struct watch_options {
    int settle_frames;   /* 1 .. 30 */
    int64_t interval_ns; /* between pictures, as the source says; measured from then on */
    bool live;           /* a gap of three intervals makes the picture stale */
    bool mirrored;
};

struct watch;

/* A watch for what `kit` says lies on the table. Everything is lent for its life. NULL for no
 * memory. The caller gives it to vision_watch_destroy. */
struct watch *vision_watch_create(const struct table_kit *kit, const struct alignment *alignment,
                                  const struct watch_options *options,
                                  const struct watch_sink *sink);
void vision_watch_destroy(struct watch **watch);

/* Looks at one picture. A damaged one is no error: it is passed over, and shows in the health when
 * it is not the only one. VISION_E_MEMORY. */
int vision_watch_picture(struct watch *watch, const struct picture *picture);

/* A picture came that is not looked at, as a newer one is there already: it counts as one that came,
 * and that its camera says is damaged counts as that; nothing is seen in it. */
void vision_watch_passed(struct watch *watch, const struct picture *picture);

/* Live: no picture came; it is now_ns. */
void vision_watch_nothing(struct watch *watch, int64_t now_ns);

/* The source began again: its camera was plugged in again, or opened anew. It may stand elsewhere and
 * expose otherwise, so nothing of what was known is trusted: where the camera stands, what lies in
 * seats and slots, the light, the rate. The picture counts as stale until the table has been found
 * anew, or another reason says why it is not; then everything is told anew. */
void vision_watch_restart(struct watch *watch);

/* Tells everything anew as it stands: for a hearer that was started again. */
void vision_watch_retell(struct watch *watch);

/* Where things are in the picture, as far as is known, for showing it. */
struct watch_places {
    bool known;           /* where the camera stands; else nothing else here counts */
    bool lost;            /* but the mat's tags are not seen now: it may have moved */
    bool light_differs;   /* from that in which the rig's colours were taken */
    struct mat_pose pose; /* of the picture as it is read, after flipping */
    struct layout layout; /* the last reading of each; places on the picture as it comes */
    bool seat_settled[MAT_SEATS_MAX], slot_settled[MAT_SLOTS_MAX]; /* nothing stirred since */
};
void vision_watch_places(const struct watch *watch, struct watch_places *out);

/* What it did so far: pictures looked at, read in full, passed over as damaged, poses found. */
struct watch_counts {
    uint64_t pictures, full_reads, seat_reads, damaged, poses;
};
void vision_watch_counts(const struct watch *watch, struct watch_counts *out);

#endif
