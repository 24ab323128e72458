/* draw OUT_DIR COUNT SEED [RANGE [MAT [SET [DECK]]]]: pictures with truth, for `tableref verify`.
 *
 * Writes OUT_DIR/d-SEED.jpg and OUT_DIR/d-SEED.truth.json, COUNT of them with seeds from SEED
 * on. RANGE is usual (the default), hard or plain; MAT, SET and DECK as for tableref, or `one`
 * for the drawer's own mat of one seat (its pictures need that mat given as a file to be read). */
#include "tests/draw/draw.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loaded {
    struct mat *mat;
    struct blockset *set;
    struct deck *deck;
    struct cardstyle *style;
};

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "draw: %s: %s\n", what, why);
    return 1;
}

static int kit_load(struct loaded *kit, const char *mat, const char *set, const char *deck)
{
    struct calib_fault fault = {{0}, 0, {0}};
    if (strcmp(mat, "one") == 0) {
        kit->mat = malloc(sizeof *kit->mat);
        if (kit->mat == NULL) {
            return complain(mat, "no memory");
        }
        draw_mat_small(kit->mat);
    } else if (calib_mat_load(mat, NULL, &kit->mat, &fault) != 0) {
        return complain(mat, fault.text);
    }
    if (calib_blockset_load(set, NULL, &kit->set, &fault) != 0) {
        return complain(set, fault.text);
    }
    if (calib_deck_load(deck, NULL, &kit->deck, &fault) != 0) {
        return complain(deck, fault.text);
    }
    return calib_cardstyle_load(NULL, NULL, &kit->style, &fault) != 0
               ? complain("card style", fault.text)
               : 0;
}

static void kit_free(struct loaded *kit)
{
    calib_mat_destroy(&kit->mat);
    calib_blockset_destroy(&kit->set);
    calib_deck_destroy(&kit->deck);
    calib_cardstyle_destroy(&kit->style);
}

static int bytes_write(const char *path, const uint8_t *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return complain(path, strerror(errno));
    }
    bool good = fwrite(bytes, 1, length, file) == length;
    good = fclose(file) == 0 && good;
    return good ? 0 : complain(path, "cannot be written");
}

static int truth_write(const char *path, const char *image, const struct draw_scene *scene,
                       const struct draw_truth *truth)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return complain(path, strerror(errno));
    }
    int result = draw_truth_write_json(scene, truth, image, file);
    if (fclose(file) != 0 || result != 0) {
        return complain(path, "cannot be written");
    }
    return 0;
}

static int one_draw(const struct drawer *drawer, const struct draw_kit *kit,
                    const struct draw_range *range, uint64_t seed, const char *folder,
                    struct draw_scene *scene)
{
    struct draw_picture picture;
    char name[64], path[4096];
    if (draw_scene_random(kit, seed, range, scene) != 0) {
        return complain(kit->mat->name, "nothing to draw");
    }
    if (scene->optics.quality <= 0) {
        scene->optics.quality = 95; /* a file needs some compression */
    }
    if (draw_picture(drawer, scene, &picture) != 0) {
        return complain(folder, "no memory");
    }
    snprintf(name, sizeof name, "d-%06llu.jpg", (unsigned long long)seed);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int result = bytes_write(path, picture.jpeg, picture.jpeg_length);
    if (result == 0) {
        snprintf(path, sizeof path, "%s/d-%06llu.truth.json", folder, (unsigned long long)seed);
        result = truth_write(path, name, scene, picture.truth);
    }
    draw_picture_free(&picture);
    return result;
}

static bool range_named(const char *name, struct draw_range *range)
{
    if (strcmp(name, "usual") == 0) {
        *range = draw_range_usual();
    } else if (strcmp(name, "hard") == 0) {
        *range = draw_range_hard();
    } else if (strcmp(name, "plain") == 0) {
        *range = draw_range_plain();
    } else {
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct loaded loaded = {0};
    struct draw_range range;
    if (argc < 4 || argc > 8 || !range_named(argc > 4 ? argv[4] : "usual", &range)) {
        fprintf(stderr, "usage: draw OUT_DIR COUNT SEED [usual|hard|plain [MAT [SET [DECK]]]]\n");
        return 2;
    }
    long count = strtol(argv[2], NULL, 10);
    int result = 1;
    uint64_t seed = strtoull(argv[3], NULL, 10);
    struct drawer *drawer = NULL;
    struct draw_scene *scene = malloc(sizeof *scene);
    range.from_deck = 1.0; /* a truth names its cards */
    if (scene == NULL ||
        kit_load(&loaded, argc > 5 ? argv[5] : "a1-four", argc > 6 ? argv[6] : "match-madness",
                 argc > 7 ? argv[7] : "fixture") != 0) {
        goto out;
    }
    struct draw_kit kit = {
        .mat = loaded.mat, .set = loaded.set, .deck = loaded.deck, .style = loaded.style};
    drawer = draw_create(&kit);
    if (drawer == NULL) {
        complain(kit.mat->name, "cannot be drawn");
        goto out;
    }
    result = 0;
    for (long i = 0; i < count && result == 0; i++) {
        result = one_draw(drawer, &kit, &range, seed + (uint64_t)i, argv[1], scene);
    }
out:
    draw_destroy(&drawer);
    kit_free(&loaded);
    free(scene);
    return result;
}
