/* vision/tag_trust.c: which of the tags in a picture are the mat's own.
 *
 * A phone may show the mat, a loose copy of a tag may lie about, a tag on a scrap may carry an id
 * that the mat has too. The sheet is one plane: its true tags agree about one homography, as far
 * as a bent lens lets them. Any two candidates propose one, the largest party wins, and where two
 * parties claim the same id and neither is clearly the mat, neither is believed. */
#include "vision/tag.h"

#include <math.h>
#include <string.h>

/* A corner may lie this share of a tag's side from where the others expect it. Wide lenses bend
 * the far end of a mat by up to half a tag seen from two tags at the near end; a tag elsewhere on
 * the table is off by more than a side. The fit of the pose is strict afterwards. */
#define AGREE_SIDES 0.6
/* Two tags alone must fit one homography this well: eight corners leave it eight freedoms to
 * fail, and over two tags that lie close the lens bends little. */
#define AGREE_PAIR_SIDES 0.12
/* Two at opposite ends of a wide lens's picture fit worse, but what they say of the tags between
 * them holds, where two side by side say nothing of the far end: with so many who agree that is
 * enough. */
#define AGREE_FAR_SIDES 0.3
#define AGREE_FAR_TAGS 4
#define AGREE_SIDE_RATIO 1.5
/* A rival party (a phone showing the mat) is overruled when it is no larger in number and this
 * much smaller in the picture. */
#define RIVAL_SIDE_RATIO 1.5

bool vision_homography_apply(const double h[9], const double from[2], double to[2])
{
    double w = h[6] * from[0] + h[7] * from[1] + h[8];
    if (!(w > 1e-6))
        return false;
    to[0] = (h[0] * from[0] + h[1] * from[1] + h[2]) / w;
    to[1] = (h[3] * from[0] + h[4] * from[1] + h[5]) / w;
    return true;
}

/* Solves the 8 x 8 system in place by Gauss with pivots; false when it has no one solution. */
static bool solve_eight(double a[8][9], double x[8])
{
    for (int i = 0; i < 8; i++) {
        int pivot = i;
        for (int k = i + 1; k < 8; k++)
            if (fabs(a[k][i]) > fabs(a[pivot][i]))
                pivot = k;
        if (!(fabs(a[pivot][i]) > 1e-12))
            return false;
        for (int j = 0; j < 9; j++) {
            double swap = a[i][j];
            a[i][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        for (int k = i + 1; k < 8; k++) {
            double share = a[k][i] / a[i][i];
            for (int j = i; j < 9; j++)
                a[k][j] -= share * a[i][j];
        }
    }
    for (int i = 7; i >= 0; i--) {
        x[i] = a[i][8];
        for (int j = i + 1; j < 8; j++)
            x[i] -= a[i][j] * x[j];
        x[i] /= a[i][i];
    }
    return true;
}

static void equation_add(const double row[8], double right, double a[8][9])
{
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            a[i][j] += row[i] * row[j];
        a[i][8] += row[i] * right;
    }
}

/* Centre and mean distance from it of the tags' corners, so that sums stay near 1. */
static void spread(const struct tag_candidate *tag, int tags, bool in_mm, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < 4 * tags; i++) {
            const double *p = in_mm ? tag[i / 4].corner_mm[i % 4] : tag[i / 4].corner[i % 4];
            if (pass == 0) {
                out[0] += p[0] / (4 * tags);
                out[1] += p[1] / (4 * tags);
            } else {
                out[2] += hypot(p[0] - out[0], p[1] - out[1]) / (4 * tags);
            }
        }
}

/* The linear least squares with h[8] = 1 at the middle of the tags, which is always in view.
 * OpenCV's refines on, which costs more than the search of the whole picture when every pair of
 * tags asks. */
bool vision_tags_homography(const struct tag_candidate *tag, int tags, double h[9])
{
    double a[8][9] = {{0}}, g[8], m[3], p[3];
    spread(tag, tags, true, m);
    spread(tag, tags, false, p);
    if (tags < 1 || !(m[2] > 0) || !(p[2] > 0))
        return false;
    for (int i = 0; i < 4 * tags; i++) {
        const double *from = tag[i / 4].corner_mm[i % 4], *to = tag[i / 4].corner[i % 4];
        double x = (from[0] - m[0]) / m[2], y = (from[1] - m[1]) / m[2];
        double u = (to[0] - p[0]) / p[2], v = (to[1] - p[1]) / p[2];
        equation_add((double[8]){x, y, 1, 0, 0, 0, -u * x, -u * y}, u, a);
        equation_add((double[8]){0, 0, 0, x, y, 1, -v * x, -v * y}, v, a);
    }
    if (!solve_eight(a, g))
        return false;
    /* Back from the spread coordinates: picture = P g M. */
    double n[9] = {p[2] * g[0] + p[0] * g[6],
                   p[2] * g[1] + p[0] * g[7],
                   p[2] * g[2] + p[0],
                   p[2] * g[3] + p[1] * g[6],
                   p[2] * g[4] + p[1] * g[7],
                   p[2] * g[5] + p[1],
                   g[6],
                   g[7],
                   1};
    for (int i = 0; i < 3; i++) {
        h[3 * i] = n[3 * i] / m[2];
        h[3 * i + 1] = n[3 * i + 1] / m[2];
        h[3 * i + 2] = n[3 * i + 2] - (n[3 * i] * m[0] + n[3 * i + 1] * m[1]) / m[2];
    }
    return true;
}

/* Largest distance of a corner from its expected place, in sides of the tag. */
static double tag_miss(const double h[9], const struct tag_candidate *tag)
{
    double expected[4][2], worst = 0;
    double side = vision_tag_side((const double(*)[2])tag->corner);
    for (int i = 0; i < 4; i++) {
        if (!vision_homography_apply(h, tag->corner_mm[i], expected[i]))
            return INFINITY;
        double miss = hypot(expected[i][0] - tag->corner[i][0], expected[i][1] - tag->corner[i][1]);
        worst = fmax(worst, miss / side);
    }
    double ratio = vision_tag_side((const double(*)[2])expected) / side;
    if (!(ratio < AGREE_SIDE_RATIO) || !(ratio > 1 / AGREE_SIDE_RATIO))
        return INFINITY;
    return worst;
}

struct party {
    int tags;
    bool member[TAG_CANDIDATES_MAX];
    double side; /* mean over the members, px */
    double miss; /* sum over the members, to choose among equals */
};

/* Who agrees with the homography of i and j. Of two with the same id the nearer one counts. */
static bool party_of(const struct tag_candidate *tag, int tags, int i, int j, struct party *party)
{
    struct tag_candidate pair[2] = {tag[i], tag[j]};
    double h[9], best[MAT_TAGS_MAX];
    int who[MAT_TAGS_MAX];
    memset(party, 0, sizeof *party);
    if (!vision_tags_homography(pair, 2, h))
        return false;
    double pair_miss = fmax(tag_miss(h, &tag[i]), tag_miss(h, &tag[j]));
    if (!(pair_miss < AGREE_FAR_SIDES))
        return false;
    for (int k = 0; k < MAT_TAGS_MAX; k++)
        best[k] = AGREE_SIDES;
    memset(who, -1, sizeof who);
    for (int k = 0; k < tags; k++) {
        double miss = tag_miss(h, &tag[k]);
        if (miss < best[tag[k].index]) {
            best[tag[k].index] = miss;
            who[tag[k].index] = k;
        }
    }
    for (int k = 0; k < MAT_TAGS_MAX; k++) {
        if (who[k] < 0)
            continue;
        party->member[who[k]] = true;
        party->tags++;
        party->miss += best[k];
        party->side += vision_tag_side((const double(*)[2])tag[who[k]].corner);
    }
    party->side /= party->tags > 0 ? party->tags : 1;
    return party->tags >= (pair_miss < AGREE_PAIR_SIDES ? 2 : AGREE_FAR_TAGS);
}

static bool parties_meet(const struct party *a, const struct party *b, int tags)
{
    for (int i = 0; i < tags; i++)
        if (a->member[i] && b->member[i])
            return true;
    return false;
}

/* Is `a` the better proposal? */
static bool party_better(const struct party *a, const struct party *b)
{
    if (a->tags != b->tags)
        return a->tags > b->tags;
    if (a->side > RIVAL_SIDE_RATIO * b->side || b->side > RIVAL_SIDE_RATIO * a->side)
        return a->side > b->side;
    return a->miss < b->miss;
}

/* The best party over all pairs, optionally among those that share no one with `apart`. */
static bool party_best(const struct tag_candidate *tag, int tags, const struct party *apart,
                       struct party *best)
{
    struct party party;
    memset(best, 0, sizeof *best);
    for (int i = 0; i < tags; i++)
        for (int j = i + 1; j < tags; j++) {
            if (tag[i].index == tag[j].index || !party_of(tag, tags, i, j, &party))
                continue;
            if (apart != NULL && parties_meet(&party, apart, tags))
                continue;
            if (best->tags == 0 || party_better(&party, best))
                *best = party;
        }
    return best->tags > 0;
}

/* Drops those of the party whose id also stands elsewhere in the picture, unless the party is
 * three at least: then the plane has spoken. */
static void party_purge(const struct tag_candidate *tag, int tags, struct party *party)
{
    if (party->tags >= 3)
        return;
    for (int i = 0; i < tags; i++)
        for (int j = 0; j < tags; j++)
            if (i != j && tag[i].index == tag[j].index)
                party->member[i] = false;
}

/* Has one party an id that the other has too? */
static bool parties_share(const struct tag_candidate *tag, int tags, const struct party *a,
                          const struct party *b)
{
    for (int i = 0; i < tags; i++)
        for (int j = 0; j < tags; j++)
            if (a->member[i] && b->member[j] && tag[i].index == tag[j].index)
                return true;
    return false;
}

/* Do three tags or more, each id once, agree about one homography of them all? A bent lens spreads
 * over them what two of them, at one end of a sheet, show as a miss at the other. */
static bool all_agree(const struct tag_candidate *tag, int tags)
{
    double h[9];
    if (tags < 3)
        return false;
    for (int i = 0; i < tags; i++)
        for (int j = i + 1; j < tags; j++)
            if (tag[i].index == tag[j].index)
                return false;
    if (!vision_tags_homography(tag, tags, h))
        return false;
    for (int i = 0; i < tags; i++)
        if (!(tag_miss(h, &tag[i]) < AGREE_SIDES))
            return false;
    return true;
}

int vision_tags_trust(struct tag_candidate *tag, int tags, bool *second)
{
    struct party party, rival;
    int kept = 0;
    if (second)
        *second = false;
    if (all_agree(tag, tags))
        return tags;
    if (tags < 2 || !party_best(tag, tags, NULL, &party))
        return 0;
    bool rivals = party_best(tag, tags, &party, &rival);
    if (rivals && second)
        *second = parties_share(tag, tags, &party, &rival);
    if (rivals && 2 * rival.tags >= party.tags && !(party.side > RIVAL_SIDE_RATIO * rival.side))
        return 0;
    party_purge(tag, tags, &party);
    for (int i = 0; i < tags; i++)
        if (party.member[i])
            tag[kept++] = tag[i];
    return kept;
}
