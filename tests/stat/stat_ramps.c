/* stat_ramps COUNT [SEED]: drawn ramps of Make 5 read against their truth.
 *
 * COUNT ramps over the whole range of poses, boards, lights, glare, faces and rims, hands and other
 * things, discs that roll, lie between rows or move (draw_ramp_range_hard); every second one with
 * the true lens as a rig. Must hold: no settled ramp is read wrong, hardly a disc that is claimed in
 * one that is not; of the ramps that can be read (see draw_ramp_readable and picture_fair) at least
 * SHARE_LEAST are.
 * KEEP=DIR keeps pictures of what failed, SHOW=1 says why. */
#include "calib/blockset.h"
#include "calib/deck.h"
#include "calib/rig.h"
#include "tests/draw/ramp.h"
#include "vision/ramp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is aimed at, and what must not be lost again of what is reached. */
#define SHARE_GOAL 0.98
#define SHARE_LEAST 0.70
/* Of discs that are claimed beside a hand, in a ramp that does not settle: the goal is none. */
#define STRAY_MOST 0.003
#define SURE 900
/* Discs of fewer pixels, or pictures so soft against them, are read when they can be, but not asked
 * for: of an outline that soft nothing is left beside the disc. */
#define DISC_LEAST_PX 20.0
#define RIM_LEAST_PX 32.0 /* its width is then 10 px, five of chroma's */
#define TAG_LEAST_PX 24.0 /* three to a module: below, modules run together */
#define SOFT_MOST 0.07
#define GUESS_VISIBLE 0.35 /* who names a disc of which less is seen guesses */

struct bench_ramps {
    struct ramp *ramp;
    struct blockset *set;
    struct cardstyle *style;
    struct mat mat;
    struct draw_kit kit;
    struct drawer *drawer;
    struct rig rig;
    struct ramp_reader *reader[2]; /* without and with a rig */
    struct draw_ramp truth;
    struct draw_scene scene;
};

struct tally {
    long ramps, wrong, wrong_discs, guessed, readable, read, discs, refused;
};

static int bench_open(struct bench_ramps *b)
{
    struct calib_fault fault = {.line = 0};
    if (calib_ramp_load("make5", NULL, &b->ramp, &fault) ||
        calib_blockset_load("match-madness", NULL, &b->set, &fault) ||
        calib_cardstyle_load(NULL, NULL, &b->style, &fault)) {
        fprintf(stderr, "%s\n", fault.text);
        return -1;
    }
    draw_ramp_mat(b->ramp, &b->mat);
    b->kit = (struct draw_kit){.mat = &b->mat, .set = b->set, .style = b->style};
    b->drawer = draw_create(&b->kit);
    b->reader[0] = vision_ramp_create(b->ramp, NULL);
    b->reader[1] = vision_ramp_create(b->ramp, &b->rig);
    return b->drawer && b->reader[0] && b->reader[1] ? 0 : -1;
}

static void bench_close(struct bench_ramps *b)
{
    vision_ramp_destroy(&b->reader[0]);
    vision_ramp_destroy(&b->reader[1]);
    draw_destroy(&b->drawer);
    calib_cardstyle_destroy(&b->style);
    calib_blockset_destroy(&b->set);
    calib_ramp_destroy(&b->ramp);
}

/* How soft the picture is, px: lens, focus and shake together. */
static double softness(const struct draw_optics *optics)
{
    return sqrt(optics->blur_px * optics->blur_px +
                optics->defocus_px * optics->defocus_px / 4 +
                optics->shake_px * optics->shake_px / 12);
}

static double disc_px(const struct bench_ramps *b)
{
    double p[2][2], half = b->ramp->disc_diameter_mm / 2;
    for (int i = 0; i < 2; i++) {
        const double at[3] = {b->ramp->board_mm[0] / 2 + (i ? half : -half),
                              b->ramp->row_y_mm[b->ramp->rows / 2], 0};
        if (!calib_camera_project(&b->scene.camera, &b->scene.pose, at, p[i]))
            return 0;
    }
    return hypot(p[1][0] - p[0][0], p[1][1] - p[0][1]);
}

/* The shortest side of a tag, px. */
static double tag_px(const struct bench_ramps *b)
{
    double least = 1e9;
    for (int i = 0; i < b->ramp->tags; i++) {
        double corner[4][2], px[4][2];
        calib_mat_tag_corners(&b->ramp->tag[i], corner);
        for (int j = 0; j < 4; j++) {
            const double at[3] = {corner[j][0], corner[j][1], 0};
            if (!calib_camera_project(&b->scene.camera, &b->scene.pose, at, px[j]))
                return 0;
        }
        for (int j = 0; j < 4; j++) {
            const double *one = px[j], *next = px[(j + 1) % 4];
            least = fmin(least, hypot(next[0] - one[0], next[1] - one[1]));
        }
    }
    return least;
}

/* Can a good reader be asked for this picture at all? */
static bool picture_fair(const struct bench_ramps *b)
{
    const struct draw_optics *optics = &b->scene.optics;
    double px = disc_px(b), least = b->truth.seen == RAMP_SEEN_RIM ? RIM_LEAST_PX : DISC_LEAST_PX;
    return px >= least && tag_px(b) >= TAG_LEAST_PX && softness(optics) <= SOFT_MOST * px &&
           optics->white >= 0.12 && optics->white <= 1.1 && optics->saturation > 0.7;
}

static void picture_keep(const struct draw_picture *picture, const char *what, uint64_t seed)
{
    const char *folder = getenv("KEEP");
    char path[512];
    if (!folder || !picture->jpeg)
        return;
    snprintf(path, sizeof path, "%s/%s-%llu.jpg", folder, what, (unsigned long long)seed);
    FILE *file = fopen(path, "wb");
    if (file) {
        fwrite(picture->jpeg, 1, picture->jpeg_length, file);
        fclose(file);
    }
}

static void places_print(const struct ramp *ramp,
                         const char place[RAMP_ROWS_MAX][RAMP_TRACKS_MAX], const char *name)
{
    printf(" %s", name);
    for (int r = 0; r < ramp->rows; r++)
        printf(" %.*s", ramp->tracks, place[r]);
}

static void ramp_print(const struct bench_ramps *b, const struct ramp_layout *layout,
                       const char *what, uint64_t seed)
{
    char reasons[256];
    vision_reasons_text(layout->reasons, " ", reasons, sizeof reasons);
    printf("%s %llu %s kind %d%s, %.0f px:", what, (unsigned long long)seed,
           b->truth.seen == RAMP_SEEN_RIM ? "rim" : "face", b->truth.kind,
           b->truth.foreign ? " foreign" : "", disc_px(b));
    places_print(b->ramp, b->truth.place, "true");
    places_print(b->ramp, layout->place, "read");
    printf(" %s: %s\n", vision_ramp_state_name(layout->state), reasons);
}

/* The true disc in a place, or NULL. */
static const struct draw_ramp_disc *disc_in(const struct draw_ramp *truth, int row, int track)
{
    for (int i = 0; i < truth->discs; i++)
        if (truth->disc[i].row == row && truth->disc[i].track == track)
            return &truth->disc[i];
    return NULL;
}

/* Discs that are claimed: of another colour or place than any there is, or not seen. */
static bool discs_wrong(const struct bench_ramps *b, const struct ramp_layout *layout,
                        struct tally *tally)
{
    bool wrong = false;
    for (int i = 0; i < layout->discs; i++) {
        const struct ramp_disc *disc = &layout->disc[i];
        if (disc->confidence < SURE)
            continue;
        const struct draw_ramp_disc *is = disc_in(&b->truth, disc->row, disc->track);
        tally->discs++;
        if (!is || b->ramp->colour[is->colour].label != disc->colour) {
            /* A disc that lies between rows may count as in one that it is near to. */
            if (b->truth.kind == DRAW_RAMP_MOVING || b->truth.kind == DRAW_RAMP_BETWEEN)
                continue;
            tally->wrong_discs++;
            wrong = true;
        } else if (is->visible < GUESS_VISIBLE) {
            tally->guessed++;
            wrong = true;
        }
    }
    return wrong;
}

/* Is what is settled what lies there? A ramp that is none must not settle. */
static bool settled_wrong(const struct bench_ramps *b, const struct ramp_layout *layout)
{
    if (layout->state != RAMP_COMPLETE)
        return false;
    if (b->truth.kind != DRAW_RAMP_SETTLED)
        return true;
    for (int r = 0; r < b->ramp->rows; r++)
        if (memcmp(layout->place[r], b->truth.place[r], (size_t)b->ramp->tracks) != 0)
            return true;
    return false;
}

static void ramp_judge(struct bench_ramps *b, const struct draw_picture *picture, uint64_t seed,
                       struct tally *tally)
{
    struct ramp_layout layout;
    struct ramp_reader *reader = b->reader[seed & 1];
    b->rig.camera = b->scene.camera;
    int error = vision_ramp_read(reader, picture->frame, false, &layout, NULL);
    bool readable = picture_fair(b) && draw_ramp_readable(&b->truth, &b->scene);
    tally->ramps++;
    tally->readable += readable;
    if (error) {
        tally->refused++;
        layout.state = RAMP_UNREADABLE;
    }
    bool wrong = settled_wrong(b, &layout), discs = discs_wrong(b, &layout, tally);
    tally->wrong += wrong;
    if (wrong || discs) {
        ramp_print(b, &layout, "WRONG", seed);
        picture_keep(picture, "wrong", seed);
    }
    if (!readable)
        return;
    tally->read += layout.state == RAMP_COMPLETE;
    if (layout.state != RAMP_COMPLETE) {
        if (getenv("SHOW"))
            ramp_print(b, &layout, error ? vision_strerror(error) : "unread", seed);
        picture_keep(picture, "unread", seed);
    }
}

static int ramp_draw(struct bench_ramps *b, uint64_t seed, struct tally *tally)
{
    struct draw_ramp_range range = draw_ramp_range_hard();
    struct draw_picture picture;
    if (draw_ramp_random(&b->kit, b->ramp, seed, &range, &b->truth, &b->scene) != 0 ||
        draw_picture(b->drawer, &b->scene, &picture) != 0)
        return -1;
    int error = draw_ramp_truth(&b->truth, &b->scene, picture.rgb);
    if (error == 0)
        ramp_judge(b, &picture, seed, tally);
    draw_picture_free(&picture);
    return error;
}

static int report(const struct tally *t, long count)
{
    double stray = (double)(t->wrong_discs + t->guessed);
    bool clean = t->wrong == 0 && stray <= STRAY_MOST * (double)t->discs;
    bool enough = t->readable > 0 && (double)t->read >= SHARE_LEAST * (double)t->readable;
    bool drawn = t->ramps == count;
    printf("%s - should settle no ramp wrongly, nor name discs that are none: %ld ramps, %ld wrong; "
           "%ld discs claimed, %ld wrong, %ld guessed\n",
           clean && drawn ? "ok" : "not ok", t->ramps, t->wrong, t->discs, t->wrong_discs,
           t->guessed);
    printf("%s - should read %.0f in 100 of the readable ramps: %ld of %ld (goal: %.0f)\n",
           enough ? "ok" : "not ok", 100 * SHARE_LEAST, t->read, t->readable, 100 * SHARE_GOAL);
    printf("# %ld pictures refused\n", t->refused);
    return clean && enough && drawn ? 0 : 1;
}

int main(int argc, char **argv)
{
    static struct bench_ramps b;
    struct tally tally = {0};
    long count = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    int status = bench_open(&b);
    for (long i = 0; i < count && status == 0; i++)
        status = ramp_draw(&b, seed + (uint64_t)i, &tally);
    if (status == 0)
        status = report(&tally, count);
    bench_close(&b);
    return status ? 1 : 0;
}
