/* vision/tags.c: finding the mat's tags.
 *
 * libapriltag's time grows with the pixels, and most tags are large: first the whole picture is
 * searched strongly reduced; then, where some are found, only the places where the others must
 * be, at a size that suits them; and only when that fails the whole picture again, less reduced. */
#include "vision/pose.h"
#include "vision/tag.h"

#include <apriltag/apriltag.h>
#include <apriltag/tag36h11.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Long side of the whole picture in the searches, px, in this order. A mat that fills two thirds
 * of the first has tags of 22 px; libapriltag reads 36h11 from about 14 px on. At the last one a
 * tag that is still too small has cells that are too small to read anyway. */
static const int search_px[] = {430, 960, 1920};
#define SEARCHES 3
#define GUIDED_TAG_PX 36     /* a tag's side in a search around one place */
#define GUIDED_REACH_SIDES 1.6 /* half the window's side, in sides of the tag */
#define GUIDED_RADIUS_MAX_PX 1200
/* Less and libapriltag has no tile to threshold (it crashes under 8 px), and no tag fits. */
#define PICTURE_MIN_PX 24
/* One wrong bit of 36 is mended: a speck or a glint. With the few ids of a mat that lets a random
 * quadrangle pass once in 10^8. More would not be a tag in a state to be measured. */
#define HAMMING_MAX 1
/* Mean distance of the bits from the threshold, of 255. A sharp tag has 60 to 110, one in a dark
 * room 15 and more; under 8 the bits are as far from the threshold as noise is. */
#define MARGIN_MIN 8.0
/* Flatter parts of the picture hold no edge of a tag: twice the margin, the bits lying half of the
 * contrast from the threshold. It keeps libapriltag from following noise, half of its time. */
#define CONTRAST_MIN 16
#define TAG_SIDE_MIN_PX 12.0 /* 1.2 px to a module: corners can't be measured under that */
/* Corners nearer to the picture's edge may belong to a tag that is cut: libapriltag then puts
 * them on the edge. */
#define EDGE_MIN_PX 2.0

struct tag_finder {
    apriltag_family_t *family;
    apriltag_detector_t *detector;
    uint8_t *pixels; /* of the reduced picture */
    size_t room;
    bool second;     /* the last picture showed the mat twice */
    uint16_t *sums;  /* of a row of the window */
    size_t sums_room;
};

/* A window of the frame, reduced by a whole number. */
struct window {
    int x, y, width, height; /* px of the frame */
    int factor;
};

struct tag_finder *vision_tag_finder_create(void)
{
    struct tag_finder *finder = calloc(1, sizeof *finder);
    if (finder == NULL)
        return NULL;
    finder->family = tag36h11_create();
    finder->detector = apriltag_detector_create();
    if (finder->family == NULL || finder->detector == NULL) {
        vision_tag_finder_destroy(&finder);
        return NULL;
    }
    apriltag_detector_add_family_bits(finder->detector, finder->family, HAMMING_MAX);
    finder->detector->nthreads = 1;
    finder->detector->qtp.min_white_black_diff = CONTRAST_MIN;
    finder->detector->qtp.min_cluster_pixels = 4 * (int)TAG_SIDE_MIN_PX / 2;
    finder->detector->qtp.max_nmaxima = 8;
    finder->detector->quad_decimate = 1; /* pictures come reduced already */
    finder->detector->refine_edges = false; /* done better at full resolution */
    return finder;
}

void vision_tag_finder_destroy(struct tag_finder **finder)
{
    if (finder == NULL || *finder == NULL)
        return;
    if ((*finder)->detector != NULL)
        apriltag_detector_destroy((*finder)->detector); /* before its family */
    if ((*finder)->family != NULL)
        tag36h11_destroy((*finder)->family);
    free((*finder)->pixels);
    free((*finder)->sums);
    free(*finder);
    *finder = NULL;
}

typedef uint16_t eight_sums __attribute__((vector_size(16)));

/* Sums of `count` px of each of `rows` rows, column by column. No factor of a picture that can be
 * read comes near 257 rows, whose sum would overflow. */
static void columns_sum(const uint8_t *restrict from, size_t stride, int rows, int count,
                        uint16_t *restrict sums)
{
    for (int x = 0; x < count; x++)
        sums[x] = from[x];
    for (int y = 1; y < rows; y++) {
        from += stride;
        for (int x = 0; x < count; x++)
            sums[x] = (uint16_t)(sums[x] + from[x]);
    }
}

/* The same of pairs of columns, for up to 128 rows. Which px of a pair comes first does not
 * matter. */
static void pairs_sum(const uint8_t *from, size_t stride, int rows, int pairs, uint16_t *sums)
{
    int i = 0;
    for (; i + 8 <= pairs; i += 8) {
        eight_sums sum = {0};
        for (int y = 0; y < rows; y++) {
            eight_sums both;
            memcpy(&both, from + (size_t)y * stride + 2 * i, sizeof both);
            sum += (both & 255) + (both >> 8);
        }
        memcpy(sums + i, &sum, sizeof sum);
    }
    for (; i < pairs; i++) {
        const uint8_t *pair = from + 2 * i;
        sums[i] = 0;
        for (int y = 0; y < rows; y++, pair += stride)
            sums[i] = (uint16_t)(sums[i] + pair[0] + pair[1]);
    }
}

/* Means of boxes from the sums of their columns, `each` to a box: (sum + half) * inverse >> 40. */
struct box {
    uint64_t inverse;
    unsigned half;
};

static inline void boxes_mean(const uint16_t *sums, int each, int columns, struct box box,
                              uint8_t *to, int step)
{
    for (int column = 0; column < columns; column++, to += step) {
        unsigned sum = box.half;
        for (int x = 0; x < each; x++)
            sum += *sums++;
        *to = (uint8_t)(sum * box.inverse >> 40);
    }
}

/* The usual numbers are known to the compiler, which spares it a loop to each box. */
static void row_mean(const uint16_t *sums, int each, int columns, struct box box, uint8_t *to,
                     int step)
{
    switch (each) {
    case 1:
        boxes_mean(sums, 1, columns, box, to, step);
        break;
    case 2:
        boxes_mean(sums, 2, columns, box, to, step);
        break;
    case 3:
        boxes_mean(sums, 3, columns, box, to, step);
        break;
    case 5:
        boxes_mean(sums, 5, columns, box, to, step);
        break;
    default:
        boxes_mean(sums, each, columns, box, to, step);
    }
}

/* Box mean of factor x factor px of the window; what does not fill a box at the right and bottom
 * is left out. `flip` exchanges left and right. `sums` has room for a row of the window. */
static void window_reduce(const struct frame *frame, const struct window *window, bool flip,
                          int columns, int rows, uint16_t *sums, uint8_t *out)
{
    int f = window->factor;
    bool paired = f % 2 == 0 && f <= 128;
    int each = paired ? f / 2 : f; /* sums to a box */
    unsigned area = (unsigned)(f * f);
    /* Division by the area as a multiplication: exact for sums below 2^40 / area, which are below
     * 2^24 as the factor is below 257. */
    struct box box = {(UINT64_C(1) << 40) / area + 1, area / 2};
    for (int row = 0; row < rows; row++) {
        const uint8_t *from = frame->y + (size_t)(window->y + row * f) * frame->y_stride + window->x;
        uint8_t *to = out + (size_t)row * (size_t)columns;
        if (paired)
            pairs_sum(from, frame->y_stride, f, columns * each, sums);
        else
            columns_sum(from, frame->y_stride, f, columns * each, sums);
        row_mean(sums, each, columns, box, to + (flip ? columns - 1 : 0), flip ? -1 : 1);
    }
}

static bool finder_reserve(struct tag_finder *finder, size_t pixels, size_t sums)
{
    if (pixels > finder->room) {
        uint8_t *grown = realloc(finder->pixels, pixels);
        if (grown == NULL)
            return false;
        finder->pixels = grown;
        finder->room = pixels;
    }
    if (sums > finder->sums_room) {
        uint16_t *grown = realloc(finder->sums, sums * sizeof *grown);
        if (grown == NULL)
            return false;
        finder->sums = grown;
        finder->sums_room = sums;
    }
    return true;
}

/* libapriltag's corners (from its own bottom-left, counter-clockwise, in its own picture) are
 * matched to the mat's by place, so that no order needs to be remembered. Returns the index of
 * libapriltag's corner that is corner_mm. */
static int corner_match(const struct mat_tag *tag, const double corner_mm[2])
{
    static const double own[4][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
    double turn = tag->turn_deg * (M_PI / 180), best = INFINITY;
    int match = 0;
    for (int i = 0; i < 4; i++) {
        double x = own[i][0] * tag->size_mm / 2, y = own[i][1] * tag->size_mm / 2;
        double dx = tag->center_mm[0] + cos(turn) * x - sin(turn) * y - corner_mm[0];
        double dy = tag->center_mm[1] + sin(turn) * x + cos(turn) * y - corner_mm[1];
        if (hypot(dx, dy) < best) {
            best = hypot(dx, dy);
            match = i;
        }
    }
    return match;
}

/* The tag's modules from the family's code: bit_x and bit_y count from the black square's corner,
 * the code's highest bit comes first. */
static void drawing_fill(const apriltag_family_t *family, int id, struct tag_candidate *out)
{
    memset(out->white, 0, sizeof out->white);
    for (uint32_t i = 0; i < family->nbits; i++)
        if (family->codes[id] >> (family->nbits - 1 - i) & 1)
            out->white[family->bit_y[i]][family->bit_x[i]] = true;
}

static const struct mat_tag *mat_tag_find(const struct mat *mat, int id)
{
    for (int i = 0; i < mat->tags; i++)
        if (mat->tag[i].id == id && mat->tag[i].family == TAG_FAMILY_36H11)
            return &mat->tag[i];
    return NULL;
}

static void candidate_fill(const apriltag_detection_t *detection, const struct window *window,
                           const struct mat *mat, const struct mat_tag *tag,
                           struct tag_candidate *out)
{
    memset(out, 0, sizeof *out);
    out->id = detection->id;
    out->index = (int)(tag - mat->tag);
    out->hamming = detection->hamming;
    out->margin = (double)detection->decision_margin;
    out->rough_px = window->factor;
    calib_mat_tag_corners(tag, out->corner_mm);
    for (int i = 0; i < 4; i++) {
        int from = corner_match(tag, out->corner_mm[i]);
        out->own[from] = i;
        /* libapriltag puts pixel corners at whole numbers, we pixel centres. */
        out->corner[i][0] = window->x + detection->p[from][0] * window->factor - 0.5;
        out->corner[i][1] = window->y + detection->p[from][1] * window->factor - 0.5;
    }
}

/* Whole, large enough, convex and not flatter than a tag that can be read. */
static bool candidate_sound(const struct tag_candidate *tag, const struct frame *frame)
{
    double shortest = INFINITY, longest = 0;
    int turns = 0;
    for (int i = 0; i < 4; i++) {
        const double *a = tag->corner[i], *b = tag->corner[(i + 1) % 4];
        const double *c = tag->corner[(i + 2) % 4];
        if (!(a[0] >= EDGE_MIN_PX) || !(a[1] >= EDGE_MIN_PX) ||
            !(a[0] <= frame->width - 1 - EDGE_MIN_PX) || !(a[1] <= frame->height - 1 - EDGE_MIN_PX))
            return false;
        double side = hypot(b[0] - a[0], b[1] - a[1]);
        shortest = fmin(shortest, side);
        longest = fmax(longest, side);
        turns += (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0 ? 1 : -1;
    }
    return (turns == 4 || turns == -4) && shortest >= TAG_SIDE_MIN_PX && longest < 5 * shortest;
}

/* Is the same tag in the list already, from another search? */
static bool candidate_known(const struct tag_candidate *list, int count,
                            const struct tag_candidate *tag)
{
    double side = vision_tag_side(tag->corner);
    for (int i = 0; i < count; i++) {
        if (list[i].index != tag->index)
            continue;
        double x = 0, y = 0;
        for (int j = 0; j < 4; j++) {
            x += (list[i].corner[j][0] - tag->corner[j][0]) / 4;
            y += (list[i].corner[j][1] - tag->corner[j][1]) / 4;
        }
        if (hypot(x, y) < 0.5 * side)
            return true;
    }
    return false;
}

/* Searches a window and adds what is new to the list. Returns the new count or a negative
 * error. With `flip` the list's corners mean nothing but their number. */
static int window_search(struct tag_finder *finder, const struct frame *frame,
                         const struct window *window, bool flip, const struct mat *mat,
                         struct tag_candidate *list, int count)
{
    int columns = window->width / window->factor, rows = window->height / window->factor;
    if (columns < PICTURE_MIN_PX || rows < PICTURE_MIN_PX)
        return count;
    if (!finder_reserve(finder, (size_t)columns * (size_t)rows, (size_t)window->width))
        return VISION_E_MEMORY;
    window_reduce(frame, window, flip, columns, rows, finder->sums, finder->pixels);
    image_u8_t image = {.width = columns, .height = rows, .stride = columns, .buf = finder->pixels};
    zarray_t *found = apriltag_detector_detect(finder->detector, &image);
    if (found == NULL)
        return VISION_E_MEMORY;
    for (int i = 0; i < zarray_size(found) && count < TAG_CANDIDATES_MAX; i++) {
        apriltag_detection_t *detection;
        zarray_get(found, i, &detection);
        const struct mat_tag *tag = mat_tag_find(mat, detection->id);
        if (tag == NULL || detection->hamming > HAMMING_MAX ||
            !((double)detection->decision_margin >= MARGIN_MIN))
            continue;
        candidate_fill(detection, window, mat, tag, &list[count]);
        if (!flip) {
            if (candidate_known(list, count, &list[count]))
                continue;
            drawing_fill(finder->family, detection->id, &list[count]);
            vision_tag_refine(frame, &list[count]);
        }
        count += candidate_sound(&list[count], frame);
    }
    apriltag_detections_destroy(found);
    return count;
}

static struct window window_whole(const struct frame *frame, int long_px)
{
    int longest = frame->width > frame->height ? frame->width : frame->height;
    int factor = (longest + long_px - 1) / long_px;
    return (struct window){0, 0, frame->width, frame->height, factor > 0 ? factor : 1};
}

/* The window around where a tag of the mat must be. False when that is not in the picture. */
static bool window_guided(const struct frame *frame, const double h[9], const struct mat_tag *tag,
                          struct window *window)
{
    double corner_mm[4][2], corner[4][2], x = 0, y = 0;
    calib_mat_tag_corners(tag, corner_mm);
    for (int i = 0; i < 4; i++) {
        if (!vision_homography_apply(h, corner_mm[i], corner[i]))
            return false;
        x += corner[i][0] / 4;
        y += corner[i][1] / 4;
    }
    double side = vision_tag_side((const double(*)[2])corner);
    double radius = GUIDED_REACH_SIDES * side;
    if (!(side >= TAG_SIDE_MIN_PX) || !(radius < GUIDED_RADIUS_MAX_PX))
        return false;
    int left = (int)fmax(x - radius, 0), top = (int)fmax(y - radius, 0);
    int right = (int)fmin(x + radius, frame->width), bottom = (int)fmin(y + radius, frame->height);
    if (right - left < side || bottom - top < side)
        return false;
    int factor = (int)(side / GUIDED_TAG_PX);
    *window = (struct window){left, top, right - left, bottom - top, factor > 1 ? factor : 1};
    return true;
}

/* Looks for the mat's other tags where those found say they are. */
static int search_guided(struct tag_finder *finder, const struct frame *frame,
                         const struct mat *mat, struct tag_candidate *list, int count)
{
    struct tag_candidate trusted[TAG_CANDIDATES_MAX];
    bool seen[MAT_TAGS_MAX] = {false};
    double h[9];
    memcpy(trusted, list, sizeof trusted);
    int trusts = vision_tags_trust(trusted, count, NULL);
    if (trusts < 2 || !vision_tags_homography(trusted, trusts, h))
        return count;
    for (int i = 0; i < trusts; i++)
        seen[trusted[i].index] = true;
    for (int i = 0; i < mat->tags && count >= 0; i++) {
        struct window window;
        if (!seen[i] && window_guided(frame, h, &mat->tag[i], &window))
            count = window_search(finder, frame, &window, false, mat, list, count);
    }
    return count;
}

/* Beside the mat that was found there may lie another copy, whose tags the search was too reduced
 * to show. Strips beside it that could hold most of one as large (of a mat 12 tags' sides wide) are searched, at a size that suits such tags. */
#define RIVAL_TAG_PX 14
#define RIVAL_STRIP_SIDES 8

static int search_beside(struct tag_finder *finder, const struct frame *frame,
                         const struct mat *mat, const struct tag_candidate *trusted, int trusts,
                         int searched, struct tag_candidate *list, int count)
{
    double low[2] = {frame->width, frame->height}, high[2] = {0, 0}, side = 0, h[9];
    if (!vision_tags_homography(trusted, trusts, h))
        return count;
    for (int i = 0; i < 4; i++) {
        double mm[2] = {i & 1 ? mat->size_mm[0] : 0, i & 2 ? mat->size_mm[1] : 0}, px[2];
        if (!vision_homography_apply(h, mm, px))
            return count;
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], px[k]);
            high[k] = fmax(high[k], px[k]);
        }
    }
    for (int i = 0; i < trusts; i++)
        side += vision_tag_side((const double(*)[2])trusted[i].corner) / trusts;
    int factor = (int)(side / RIVAL_TAG_PX);
    if (factor >= searched)
        return count; /* it would have been seen */
    int left = (int)fmax(low[0], 0), right = (int)fmin(high[0], frame->width);
    int top = (int)fmax(low[1], 0), bottom = (int)fmin(high[1], frame->height);
    const struct window strip[4] = {{0, 0, left, frame->height, 1},
                                    {right, 0, frame->width - right, frame->height, 1},
                                    {left, 0, right - left, top, 1},
                                    {left, bottom, right - left, frame->height - bottom, 1}};
    for (int i = 0; i < 4 && count >= 0; i++) {
        struct window window = strip[i];
        window.factor = factor > 1 ? factor : 1;
        if (window.width >= RIVAL_STRIP_SIDES * side && window.height >= RIVAL_STRIP_SIDES * side)
            count = window_search(finder, frame, &window, false, mat, list, count);
    }
    return count;
}

/* Two different tags of the mat at least in the flipped picture? */
static int search_flipped(struct tag_finder *finder, const struct frame *frame,
                          const struct mat *mat, int long_px, bool *mirrored)
{
    struct tag_candidate list[TAG_CANDIDATES_MAX + 1];
    struct window whole = window_whole(frame, long_px);
    int count = window_search(finder, frame, &whole, true, mat, list, 0);
    for (int i = 1; i < count; i++)
        if (list[i].index != list[0].index)
            *mirrored = true;
    return count < 0 ? count : 0;
}

static void sighting_fill(const struct tag_candidate *tag, struct sighting *out)
{
    out->id = tag->id;
    out->hamming = tag->hamming;
    out->margin = tag->margin;
    memcpy(out->corner, tag->corner, sizeof out->corner);
    memcpy(out->firm, tag->firm, sizeof out->firm);
}

bool vision_tags_second(const struct tag_finder *finder)
{
    return finder->second;
}

int vision_tags_find(struct tag_finder *finder, const struct frame *frame, const struct mat *mat,
                     struct sighting out[MAT_TAGS_MAX], bool *mirrored)
{
    struct tag_candidate list[TAG_CANDIDATES_MAX + 1];
    int count = 0, trusted = 0, last_factor = 0;
    bool flipped = false;
    if (mirrored != NULL)
        *mirrored = false;
    if (finder == NULL || frame == NULL || mat == NULL || out == NULL)
        return VISION_E_ARGUMENT;
    finder->second = false;
    for (int i = 0; i < SEARCHES && trusted < 2 && !flipped; i++) {
        struct window whole = window_whole(frame, search_px[i]);
        if (whole.factor == last_factor)
            continue; /* a small picture: that was all of it */
        last_factor = whole.factor;
        count = window_search(finder, frame, &whole, false, mat, list, count);
        if (count >= 0)
            count = search_guided(finder, frame, mat, list, count);
        if (count < 0)
            return count;
        struct tag_candidate copy[TAG_CANDIDATES_MAX];
        memcpy(copy, list, sizeof copy);
        trusted = vision_tags_trust(copy, count, &finder->second);
        if (trusted >= 2) {
            int more = search_beside(finder, frame, mat, copy, trusted, whole.factor, list, count);
            if (more < 0)
                return more;
            if (more > count) {
                count = more;
                memcpy(copy, list, sizeof copy);
                trusted = vision_tags_trust(copy, count, &finder->second);
            }
        }
        for (int j = 0; j < trusted; j++)
            sighting_fill(&copy[j], &out[j]);
        if (trusted < 2 && count == 0) {
            int error = search_flipped(finder, frame, mat, search_px[i], &flipped);
            if (error < 0)
                return error;
        }
    }
    if (mirrored != NULL)
        *mirrored = flipped;
    return flipped ? 0 : trusted;
}
