/* vision/tag_trust.c: which of the tags in a picture are the mat's own.
 *
 * A phone may show the mat, a loose copy of a tag may lie about, a tag on a scrap may carry an id
 * that the mat has too. The sheet is one plane: its true tags agree about one homography, as far
 * as a bent lens lets them. Any two candidates propose one, the largest party wins, and where two
 * parties claim the same id and neither is clearly the mat, neither is believed. */
#include "calib/cv.h"
#include "vision/tag.h"

#include <math.h>
#include <string.h>

/* A corner may lie this share of a tag's side from where the others expect it. Wide lenses bend
 * the far end of a mat by up to half a tag seen from two tags at the near end; a tag elsewhere on
 * the table is off by more than a side. The fit of the pose is strict afterwards. */
#define AGREE_SIDES 0.6
/* Two tags alone must fit one homography this well: eight corners leave it eight freedoms to
 * fail, and over two tags the lens bends little. */
#define AGREE_PAIR_SIDES 0.12
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

bool vision_tags_homography(const struct tag_candidate *tag, int tags, double h[9])
{
    double from[TAG_CANDIDATES_MAX * 4][2], to[TAG_CANDIDATES_MAX * 4][2];
    for (int i = 0; i < tags; i++) {
        memcpy(from[4 * i], tag[i].corner_mm, sizeof tag[i].corner_mm);
        memcpy(to[4 * i], tag[i].corner, sizeof tag[i].corner);
    }
    if (calib_cv_homography((const double(*)[2])from, (const double(*)[2])to, 4 * (size_t)tags,
                            h) < 0)
        return false;
    /* The horizon's sign is open: make the mat the visible side. */
    double w = h[6] * from[0][0] + h[7] * from[0][1] + h[8];
    for (int i = 0; w < 0 && i < 9; i++)
        h[i] = -h[i];
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
    double side;  /* mean over the members, px */
    double miss;  /* sum over the members, to choose among equals */
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
    if (!(tag_miss(h, &tag[i]) < AGREE_PAIR_SIDES) || !(tag_miss(h, &tag[j]) < AGREE_PAIR_SIDES))
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
    return party->tags >= 2;
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

int vision_tags_trust(struct tag_candidate *tag, int tags)
{
    struct party party, rival;
    int kept = 0;
    if (tags < 2 || !party_best(tag, tags, NULL, &party))
        return 0;
    if (party_best(tag, tags, &party, &rival) && 2 * rival.tags >= party.tags &&
        !(party.side > RIVAL_SIDE_RATIO * rival.side))
        return 0;
    party_purge(tag, tags, &party);
    for (int i = 0; i < tags; i++)
        if (party.member[i])
            tag[kept++] = tag[i];
    return kept;
}
