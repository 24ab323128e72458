/* stat_seats COUNT [SEED [SET]]: drawn seats read and judged against their truth.
 *
 * COUNT seats of the drawer's one-seat table over the whole range of poses, lights, glare, near
 * misses, misalignment and things in the way (draw_range_hard), half of them with the kit's first
 * set, the rest shared by the other built-in sets; every second one with the true lens as a rig.
 * Must hold: no verdict outside what the truth allows; of the seats that can be read (see
 * seat_readable) no fewer decided than were reached before. The goal is 98 in 100 where a cell
 * has more than 25 px and 90 below. KEEP=DIR keeps
 * pictures of what failed; KIND=NAME (standing, extra, ..) reads only seats made to be that. Prints
 * "ok"/"not ok" lines and figures. */
#include "calib/symbol.h"
#include "referee/verdict.h"
#include "tests/draw/draw.h"
#include "vision/table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BIG_CELL_PX 25.0
#define SMALL_CELL_PX 16.0
/* What is aimed at, and what must not be lost again of what is reached: of 800 seats 96 and 92 in
 * 100 (cells half gone in mirrored light, whole blocks under it, and warm bulbs' colours that are
 * not believed are what is missing). A thousand have 290 large ones that are readable, so chance
 * takes up to four in 100, but only 25 small ones, of which it takes many. */
#define BIG_SHARE_GOAL 0.98
#define SMALL_SHARE_GOAL 0.90
#define BIG_SHARE_LEAST 0.90
#define SMALL_SHARE_LEAST 0.65
#define MODULE_LEAST_PX 3.0 /* of a tag: below, modules run together */
#define SOFT_MOST 0.08      /* of a cell: a star's points are some 0.1 wide */
#define CONTRAST_LEAST 0.33 /* of white: what is less is a wash of light */
/* Of a block's end, in its sides from the edge: so wide is the rim, and there pips begin. */
#define END_RIM 0.06
#define END_PIPS 0.17

struct tally {
    long seats, wrong, readable[2], decided[2]; /* [0]: small cells, [1]: big */
    long cells, cells_right, cells_sure_wrong;
    long no_mat;
};

struct bench_set {
    struct blockset *set;
    struct deck *deck;
    struct mat mat;
    struct drawer *drawer;
    struct draw_kit kit;
    struct table_kit table;
    struct rig rig;
    struct table_reader *reader[2]; /* without and with a rig */
};

static const char *const set_name[] = {"match-madness", "matching-talent", "harbour"};
static const char *const deck_name[] = {"fixture", "fixture", "harbour"};
#define SETS 3

static unsigned ruling_bit(enum ruling ruling)
{
    return ruling == RULING_MATCH      ? DRAW_RULE_MATCH
           : ruling == RULING_NO_MATCH ? DRAW_RULE_NO_MATCH
                                       : DRAW_RULE_CANNOT_TELL;
}

static int set_open(struct bench_set *b, int which, const struct cardstyle *style)
{
    struct calib_fault fault;
    if (calib_blockset_load(set_name[which], NULL, &b->set, &fault) ||
        calib_deck_load(deck_name[which], NULL, &b->deck, &fault)) {
        fprintf(stderr, "%s\n", fault.text);
        return -1;
    }
    draw_mat_small(&b->mat);
    b->kit = (struct draw_kit){&b->mat, b->set, b->deck, style, NULL, NULL};
    b->drawer = draw_create(&b->kit);
    b->table = (struct table_kit){.mat = &b->mat, .set = b->set, .deck = b->deck, .style = style};
    struct alignment alignment = vision_alignment_defaults();
    b->reader[0] = vision_table_create(&b->table, &alignment);
    b->table.rig = &b->rig;
    b->reader[1] = vision_table_create(&b->table, &alignment);
    return b->drawer && b->reader[0] && b->reader[1] ? 0 : -1;
}

static void set_close(struct bench_set *b)
{
    vision_table_destroy(&b->reader[0]);
    vision_table_destroy(&b->reader[1]);
    draw_destroy(&b->drawer);
    calib_deck_destroy(&b->deck);
    calib_blockset_destroy(&b->set);
}

static void picture_keep(const struct draw_picture *picture, const struct draw_scene *scene,
                         const char *set, uint64_t seed)
{
    const char *folder = getenv("KEEP");
    char path[512], image[64];
    if (!folder || !picture->jpeg)
        return;
    snprintf(image, sizeof image, "%s-%llu.jpg", set, (unsigned long long)seed);
    snprintf(path, sizeof path, "%s/%s", folder, image);
    FILE *file = fopen(path, "wb");
    if (file) {
        fwrite(picture->jpeg, 1, picture->jpeg_length, file);
        fclose(file);
    }
    snprintf(path, sizeof path, "%s/%s-%llu.truth.json", folder, set, (unsigned long long)seed);
    file = fopen(path, "w");
    if (file) {
        draw_truth_write_json(scene, picture->truth, image, file);
        fclose(file);
    }
}

static double linear_at(const struct draw_picture *picture, const double px[2], int channel)
{
    int x = (int)lrint(px[0]), y = (int)lrint(px[1]), w = picture->frame->width;
    x = x < 0 ? 0 : x >= w ? w - 1 : x;
    y = y < 0 ? 0 : y >= picture->frame->height ? picture->frame->height - 1 : y;
    return calib_srgb_to_linear(
        picture->rgb[((size_t)y * (size_t)w + (size_t)x) * 3 + (size_t)channel]);
}

/* How much darker than its white a cell's field is in the picture, in the best channel, 0..1:
 * what mirrored light has left of the print. */
static double cell_contrast(const struct draw_picture *picture, const struct blockset *set,
                            const struct draw_truth_cell *cell)
{
    const struct symbol *symbol = &set->symbol[calib_blockset_find(set, cell->symbol)];
    double sum[2][3] = {{0}}, best = 0;
    int count[2] = {0, 0};
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 16; i++) {
            double u = (i + 0.5) / 16, v = (j + 0.5) / 16, px[2];
            int kind = calib_symbol_at(symbol, set->rim, u - 0.5, v - 0.5);
            if (kind == 2) /* inks may be dark */
                continue;
            for (int k = 0; k < 2; k++)
                px[k] = (1 - v) * ((1 - u) * cell->corner_px[0][k] + u * cell->corner_px[1][k]) +
                        v * ((1 - u) * cell->corner_px[3][k] + u * cell->corner_px[2][k]);
            count[kind]++;
            for (int c = 0; c < 3; c++)
                sum[kind][c] += linear_at(picture, px, c);
        }
    for (int c = 0; c < 3 && count[0] && count[1]; c++) {
        double white = sum[0][c] / count[0], field = sum[1][c] / count[1];
        best = white > 0.002 && 1 - field / white > best ? 1 - field / white : best;
    }
    return best;
}

/* The same of a standing block's end: its dark field, where pips leave it, against its rim. */
static double end_contrast(const struct draw_picture *picture, const struct draw_truth_end *end)
{
    double sum[2][3] = {{0}}, best = 0;
    int count[2] = {0, 0};
    enum { STEPS = 48 };
    for (int j = 0; j < STEPS; j++)
        for (int i = 0; i < STEPS; i++) {
            double u = (i + 0.5) / STEPS, v = (j + 0.5) / STEPS, px[2];
            double inward = fmin(fmin(u, 1 - u), fmin(v, 1 - v));
            int field = inward > END_RIM;
            if (inward > END_PIPS || (inward > END_RIM && inward < 2 * END_RIM))
                continue;
            for (int k = 0; k < 2; k++)
                px[k] = (1 - v) * ((1 - u) * end->corner_px[0][k] + u * end->corner_px[1][k]) +
                        v * ((1 - u) * end->corner_px[3][k] + u * end->corner_px[2][k]);
            count[field]++;
            for (int c = 0; c < 3; c++)
                sum[field][c] += linear_at(picture, px, c);
        }
    for (int c = 0; c < 3; c++) {
        double rim = sum[0][c] / count[0], field = sum[1][c] / count[1];
        best = rim > 0.002 && 1 - field / rim > best ? 1 - field / rim : best;
    }
    return best;
}

/* Four tags at least whose modules have three pixels: fewer and no tag is decoded. */
static bool tags_readable(const struct draw_truth *truth)
{
    int good = 0;
    for (int i = 0; i < truth->tags; i++) {
        double least = 1e9;
        for (int k = 0; k < 4; k++) {
            const double *a = truth->tag[i].corner_px[k], *b = truth->tag[i].corner_px[(k + 1) % 4];
            least = fmin(least, hypot(a[0] - b[0], a[1] - b[1]));
        }
        good += least >= 8 * MODULE_LEAST_PX;
    }
    return good >= 4;
}

/* Standard deviation of all that softens the picture, px. */
static double softness_px(const struct draw_optics *o)
{
    return sqrt(o->blur_px * o->blur_px + o->defocus_px * o->defocus_px / 4 +
                o->shake_px * o->shake_px / 12);
}

/* Blocks that lie or stand in a seat. */
static int seat_blocks(const struct draw_truth_seat *seat)
{
    return seat->cells / 2 + seat->ends;
}

/* Is there anything that would make a careful person hesitate? A block that is not there, as one
 * picture can't tell it from one hidden under something as white as the mat; something in the way
 * or out of view, a doubt by the rules' own bounds, tags too small to decode, a picture softer than
 * the symbols' points, a cell, or the end of a standing block, of which mirrored light or noise has
 * left less than a third of the contrast. */
static bool seat_readable(const struct draw_picture *picture, const struct draw_scene *scene,
                          unsigned allowed)
{
    const struct draw_truth_seat *seat = &picture->truth->seat[0];
    if (seat->foreign || seat->least_visible < TRUTH_VISIBLE ||
        seat->most_bleached >= TRUTH_BLEACHED || (allowed & DRAW_RULE_CANNOT_TELL) ||
        !tags_readable(picture->truth) ||
        2 * seat_blocks(seat) < calib_blockset_cells(scene->kit.set) ||
        softness_px(&scene->optics) > SOFT_MOST * picture->truth->cell_px)
        return false;
    for (int i = 0; i < seat->cells; i++)
        if (cell_contrast(picture, scene->kit.set, &seat->cell[i]) < CONTRAST_LEAST)
            return false;
    for (int i = 0; i < seat->ends; i++) /* nothing else shows that the block stands */
        if (end_contrast(picture, &seat->end[i]) < CONTRAST_LEAST)
            return false;
    return true;
}

static void cells_count(const struct draw_truth_seat *truth, const struct layout_seat *read,
                        const char *label, struct tally *tally)
{
    for (int i = 0; i < truth->cells; i++) {
        const struct draw_truth_cell *cell = &truth->cell[i];
        if (cell->visible < TRUTH_VISIBLE || cell->bleached >= TRUTH_BLEACHED)
            continue;
        tally->cells++;
        for (int k = 0; k < read->cells; k++) {
            double dx = read->cell[k].center_px10[0] / 10.0 - cell->center_px[0];
            double dy = read->cell[k].center_px10[1] / 10.0 - cell->center_px[1];
            if (dx * dx + dy * dy > cell->side_px * cell->side_px / 4)
                continue;
            tally->cells_right += read->cell[k].symbol == cell->symbol;
            if (read->cell[k].symbol != cell->symbol && read->cell[k].confidence > 900) {
                printf("sure but wrong %s: cell at %.0f,%.0f is %c, was read as %c with %d, in a "
                       "%s seat\n",
                       label, cell->center_px[0], cell->center_px[1], cell->symbol,
                       read->cell[k].symbol, read->cell[k].confidence,
                       vision_seat_state_name(read->state));
                tally->cells_sure_wrong++;
            }
            break;
        }
    }
}

/* What stands in one picture's seat against its card. True when it is wrong or undecided. */
static bool seat_count(const struct draw_picture *picture, const struct draw_scene *scene,
                       const struct layout *layout, const char *label, struct tally *tally)
{
    const struct draw_truth *truth = picture->truth;
    const struct draw_truth_seat *seat = &truth->seat[0];
    const struct layout_seat *read = &layout->seat[0];
    struct verdict verdict;
    int card = -1;
    for (int i = 0; i < truth->cards && card < 0; i++)
        if (truth->card[i].face_up)
            card = i;
    if (card < 0)
        return false;
    unsigned allowed = seat->allowed[card];
    referee_judge(read, truth->card[card].card.id, &truth->card[card].card.grid, ROTATION_ANY,
                  &verdict);
    bool undecided = verdict.ruling == RULING_CANNOT_TELL;
    bool wrong = !undecided && !(ruling_bit(verdict.ruling) & allowed);
    bool readable = seat_readable(picture, scene, allowed);
    int big = truth->cell_px > BIG_CELL_PX || truth->cell_px <= 0;
    tally->seats++;
    tally->wrong += wrong;
    tally->readable[big] += readable;
    tally->decided[big] += readable && !undecided;
    cells_count(seat, read, label, tally);
    if (wrong || (readable && undecided)) {
        printf("%s %s: %s%s%s, %.0f px a cell: ruled %s, allowed %x, read %s (",
               wrong ? "WRONG" : "undecided", label, draw_kind_name(seat->kind),
               seat->change ? " " : "", draw_change_name(seat->change), truth->cell_px,
               referee_ruling_name(verdict.ruling), allowed, vision_seat_state_name(read->state));
        for (int r = 0; r < REASON_COUNT; r++)
            if (verdict.reasons & REASON_BIT(r))
                printf(" %s", vision_reason_name((enum reason)r));
        printf(" )\n");
    }
    return wrong || (readable && undecided);
}

static int picture_judge(struct bench_set *b, const char *set, uint64_t seed, bool rig,
                         struct tally *tally)
{
    struct draw_range range = draw_range_hard();
    struct draw_scene *scene = calloc(1, sizeof *scene);
    struct draw_picture picture;
    struct layout *layout = calloc(1, sizeof *layout);
    char label[96];
    const char *kind = getenv("KIND");
    range.cell_px[0] = SMALL_CELL_PX;
    int result = -1;
    if (!scene || !layout || draw_scene_random(&b->kit, seed, &range, scene))
        goto done;
    if (kind && strcmp(kind, draw_kind_name(scene->kind[0]))) {
        result = 0;
        goto done;
    }
    if (draw_picture(b->drawer, scene, &picture))
        goto done;
    b->rig.camera = scene->camera;
    snprintf(label, sizeof label, "%s seed %llu%s", set, (unsigned long long)seed,
             rig ? " with rig" : "");
    if (vision_table_read(b->reader[rig], picture.frame, false, layout, NULL)) {
        printf("no mat in %s\n", label);
        tally->no_mat++;
        layout->seat[0].seat = 1;
        layout->seat[0].state = SEAT_UNREADABLE;
        layout->seat[0].reasons = REASON_BIT(REASON_NO_MAT);
    }
    if (seat_count(&picture, scene, layout, label, tally))
        picture_keep(&picture, scene, set, seed);
    draw_picture_free(&picture);
    result = 0;
done:
    free(scene);
    free(layout);
    return result;
}

static double share(long part, long whole)
{
    return whole ? (double)part / (double)whole : 1;
}

static int tally_print(const struct tally *t)
{
    double small = share(t->decided[0], t->readable[0]), big = share(t->decided[1], t->readable[1]);
    printf("%s - %ld drawn seats should have no wrong verdict (%ld have)\n",
           t->wrong ? "not ok" : "ok", t->seats, t->wrong);
    printf("%s - readable seats above %.0f px a cell should be decided: %ld of %ld, %.2f %% "
           "(at least %.0f, goal %.0f)\n",
           big < BIG_SHARE_LEAST ? "not ok" : "ok", BIG_CELL_PX, t->decided[1], t->readable[1],
           100 * big, 100 * BIG_SHARE_LEAST, 100 * BIG_SHARE_GOAL);
    printf("%s - readable seats below should be decided: %ld of %ld, %.2f %% "
           "(at least %.0f, goal %.0f)\n",
           small < SMALL_SHARE_LEAST ? "not ok" : "ok", t->decided[0], t->readable[0], 100 * small,
           100 * SMALL_SHARE_LEAST, 100 * SMALL_SHARE_GOAL);
    printf("# cells in view: %ld, right %.3f %%, wrong with a confidence above 0.9: %ld; "
           "pictures without a mat: %ld\n",
           t->cells, 100 * share(t->cells_right, t->cells), t->cells_sure_wrong, t->no_mat);
    int failed = (t->wrong > 0) + (big < BIG_SHARE_LEAST) + (small < SMALL_SHARE_LEAST);
    printf("%d passed, %d failed\n", 3 - failed, failed);
    return failed ? 1 : 0;
}

/* Seats of the first set that were once ruled on wrongly, each with the true lens and without. They
 * are no chance's choice, so they count for no share. */
static const uint64_t known[] = {
    90674,  /* petals fit a soft orange square a fifth better than the square does; its colour does
               not */
    400558, /* a hand over most of a block too many, beside a whole layout */
};

static int known_judge(struct bench_set *bench, struct tally *tally)
{
    struct tally again = {0};

    for (size_t i = 0; i < 2 * sizeof known / sizeof known[0]; i++)
        if (picture_judge(&bench[0], set_name[0], known[i / 2], i % 2 == 0, &again))
            return -1;
    tally->wrong += again.wrong;
    return 0;
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct bench_set *bench = calloc(SETS, sizeof *bench);
    struct cardstyle *style = NULL;
    struct calib_fault fault;
    struct tally tally = {0};
    int status = 2;
    if (count < 1 || !bench || calib_cardstyle_load(NULL, NULL, &style, &fault))
        goto done;
    for (int i = 0; i < SETS; i++)
        if (set_open(&bench[i], i, style))
            goto done;
    for (long i = 0; i < count; i++) {
        int which = i % 2 == 0 ? 0 : i % 4 == 1 ? 1 : 2;
        if (argc > 3 && strcmp(argv[3], set_name[which]))
            continue;
        if (picture_judge(&bench[which], set_name[which], seed + (uint64_t)i, i % 3 == 0, &tally))
            goto done;
    }
    if (known_judge(bench, &tally))
        goto done;
    status = tally_print(&tally);
done:
    if (status == 2)
        fprintf(stderr, "stat_seats: could not run (memory, or the kit)\n");
    for (int i = 0; bench && i < SETS; i++)
        set_close(&bench[i]);
    free(bench);
    calib_cardstyle_destroy(&style);
    return status;
}
