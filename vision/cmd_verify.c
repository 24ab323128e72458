/* vision/cmd_verify.c: `tableref verify`: reads pictures whose truth is known. */
#include "vision/cmd_verify.h"

#include "calib/kit.h"
#include "referee/cmd_common.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TRUTH_ENDING ".truth.json"

enum { KEY_JSON = CMD_KEY_OWN, KEY_FLOOR, KEY_RIG_ONLY, KEY_NO_RIG };

static const struct cmd_option options[] = {
    {"json", NULL, KEY_JSON, "a line of JSON for each reading, and one for the sums"},
    {"floor", NULL, KEY_FLOOR, "fail, too, where less was read than every version has to"},
    {"rig-only", NULL, KEY_RIG_ONLY, "read only with the truth's camera as rig"},
    {"no-rig", NULL, KEY_NO_RIG, "read only without a rig"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "verify",
    .arguments = "DIR...",
    .about =
        "Reads every picture with a truth file beside it (NAME.jpg or .png, NAME.truth.json),\n"
        "with the truth's camera as rig and without, and counts what is right: verdicts,\n"
        "cells, cards. Exit status 1 on a wrong verdict, card or confident cell, on a picture\n"
        "of which nothing was read, and on a file that cannot be used.",
    .options = options,
};

struct verifier {
    bool json, floor, rig[2]; /* [0]: read without rig, [1]: with */
    struct verify_report report;
    struct cmd_kit kit; /* of the names below; most pictures share them */
    char mat[KIT_NAME_MAX], set[KIT_NAME_MAX], deck[KIT_NAME_MAX];
    struct table_reader *plain; /* reader of that kit without rig */
    bool stop;                  /* nothing more can be printed */
};

/* ---- folders ---- */

struct listing {
    char **name;
    int count, capacity;
};

static void listing_free(struct listing *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->name[i]);
    free(list->name);
}

static bool listing_add(struct listing *list, const char *name)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity * 2 + 64;
        char **grown = realloc(list->name, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        list->name = grown;
        list->capacity = capacity;
    }
    list->name[list->count] = strdup(name);
    return list->name[list->count] && ++list->count;
}

static int compare_names(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

static bool listing_read(const char *folder, struct listing *list)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    bool done = dir != NULL;
    if (!dir) {
        cmd_error("%s: cannot be read as a folder: %s", folder, strerror(errno));
        return false;
    }
    /* errno tells the end from a fault, and may be changed by what succeeds in between. */
    while (done && (errno = 0, entry = readdir(dir)))
        done = listing_add(list, entry->d_name);
    if (!done || errno) {
        cmd_error("%s: cannot be read as a folder: %s", folder,
                  done ? strerror(errno) : "out of memory");
        done = false;
    }
    closedir(dir);
    if (list->count)
        qsort(list->name, (size_t)list->count, sizeof *list->name, compare_names);
    return done;
}

/* Length of the name without its picture's ending, or 0 when it is no picture's. */
static size_t picture_stem(const char *name)
{
    static const char *const endings[] = {".jpg", ".jpeg", ".png"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcasecmp(name + length - ending, endings[i]) == 0)
            return length - ending;
    }
    return 0;
}

static size_t truth_stem(const char *name)
{
    size_t length = strlen(name), ending = strlen(TRUTH_ENDING);
    return length > ending && strcmp(name + length - ending, TRUTH_ENDING) == 0 ? length - ending
                                                                                : 0;
}

/* The name in the listing with that stem by the other kind of ending, or NULL. */
static const char *find_partner(const struct listing *list, const char *name, size_t stem,
                                size_t (*stem_of)(const char *name))
{
    for (int i = 0; i < list->count; i++)
        if (stem_of(list->name[i]) == stem && memcmp(list->name[i], name, stem) == 0)
            return list->name[i];
    return NULL;
}

static char *join_path(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* ---- one picture ---- */

/* The kit that the truth names; kept until another is named. */
static bool load_kit(struct verifier *verifier, const struct truth *truth)
{
    struct cmd_source source = {.mat = verifier->mat, .set = verifier->set, .deck = verifier->deck};
    if (verifier->plain && strcmp(verifier->mat, truth->mat) == 0 &&
        strcmp(verifier->set, truth->set) == 0 && strcmp(verifier->deck, truth->deck) == 0)
        return true;
    vision_table_destroy(&verifier->plain);
    cmd_kit_free(&verifier->kit);
    memcpy(verifier->mat, truth->mat, sizeof verifier->mat);
    memcpy(verifier->set, truth->set, sizeof verifier->set);
    memcpy(verifier->deck, truth->deck, sizeof verifier->deck);
    if (!cmd_kit_load(&source, &verifier->kit))
        return false;
    if (!verifier->kit.deck) {
        cmd_error("deck: %s: verify needs the cards of the truth", truth->deck);
        return false;
    }
    verifier->plain = cmd_reader_create(&verifier->kit);
    return verifier->plain != NULL;
}

/* Reads the frame once, scores and prints it. */
static bool verify_reading(struct verifier *verifier, const char *name, const struct frame *frame,
                           const struct truth *truth, bool rig)
{
    struct verify_result result = {.image = name, .rig = rig};
    struct cmd_kit with_rig = verifier->kit;
    struct table_reader *own = NULL;
    struct layout layout;
    struct json_text out;
    memset(&layout, 0, sizeof layout);
    with_rig.rig = truth->rig;
    if (rig && !(own = cmd_reader_create(&with_rig)))
        return false;
    int error = vision_table_read(rig ? own : verifier->plain, frame, false, &layout, NULL);
    vision_table_destroy(&own);
    result.ok = error == 0;
    result.reason = error ? cmd_vision_reason(error) : REASON_COUNT;
    verify_score(truth, verifier->kit.deck, error ? NULL : &layout, &result);
    vision_json_init(&out);
    if (verifier->json)
        verify_result_json(&result, &out);
    else
        verify_result_text(&result, &out);
    if (out.length || out.failed)
        verifier->stop |= !cmd_print(&out);
    bool kept = verify_report_add(&verifier->report, &result);
    if (!kept)
        cmd_error("%s: out of memory", name);
    verify_result_free(&result);
    return kept;
}

static bool verify_frame(struct verifier *verifier, const char *path, const char *name,
                         const struct truth *truth)
{
    struct frame *frame = NULL;
    enum reason reason;
    bool done = load_kit(verifier, truth) && cmd_frame_load(path, &frame, &reason);
    for (int rig = 1; rig >= 0 && done && !verifier->stop; rig--)
        if (verifier->rig[rig])
            done = verify_reading(verifier, name, frame, truth, rig);
    capture_frame_destroy(&frame);
    return done;
}

static bool load_truth(const char *path, struct truth **out)
{
    struct calib_fault fault = {.line = 0};
    char *bytes = NULL;
    size_t length = 0;
    int error = calib_kit_read("", path, &bytes, &length, &fault);
    if (!error)
        error = vision_truth_parse(bytes, length, path, out, &fault);
    free(bytes);
    if (error)
        cmd_fault("truth", path, error, &fault);
    return error == 0;
}

/* A truth file and the picture beside it. */
static void verify_pair(struct verifier *verifier, const char *folder, const char *truth_name,
                        const char *image)
{
    struct truth *truth = NULL;
    char *truth_path = join_path(folder, truth_name);
    char *image_path = image ? join_path(folder, image) : NULL;
    bool done = truth_path && load_truth(truth_path, &truth);
    if (done && truth->ramp)
        verifier->report.ramps++;
    else if (done && !image) {
        cmd_error("%s: has no picture beside it", truth_path);
        done = false;
    } else if (done) {
        done = image_path && verify_frame(verifier, image_path, image, truth);
    }
    verifier->report.faults += !done;
    vision_truth_destroy(&truth);
    free(truth_path);
    free(image_path);
}

static void verify_folder(struct verifier *verifier, const char *folder)
{
    struct listing list = {NULL, 0, 0};
    if (!listing_read(folder, &list))
        verifier->report.faults++;
    for (int i = 0; i < list.count && !verifier->stop; i++) {
        const char *name = list.name[i];
        size_t stem = truth_stem(name), picture = picture_stem(name);
        if (stem)
            verify_pair(verifier, folder, name, find_partner(&list, name, stem, picture_stem));
        else if (picture && !find_partner(&list, name, picture, truth_stem))
            verifier->report.without_truth++;
    }
    listing_free(&list);
}

/* ---- the whole ---- */

static bool passed_all(const struct verifier *verifier, struct json_text *floors)
{
    const struct verify_report *report = &verifier->report;
    if (report->families == 0)
        cmd_error("verify: no picture with a truth file beside it was verified");
    int missed = verifier->floor ? verify_floors(report, floors) : 0;
    return report->families > 0 && report->faults == 0 && missed == 0 &&
           verify_report_differences(report) == 0;
}

/* Nothing was found to count: what was wrong is said already, and empty tables say no more. */
static bool report_is_bare(const struct verify_report *report)
{
    return report->families == 0 && report->ramps == 0 && report->without_truth == 0;
}

static int conclude(struct verifier *verifier)
{
    struct json_text out, floors;
    vision_json_init(&floors);
    vision_json_init(&out);
    bool passed = passed_all(verifier, &floors);
    if (verifier->json) {
        verify_report_json(&verifier->report, passed, &floors, &out);
    } else {
        verify_report_text(&verifier->report, &out);
        if (floors.length) {
            vision_json_raw(&out, "\nbelow the floor:\n");
            vision_json_raw(&out, floors.bytes);
        }
    }
    if (floors.failed)
        passed = false;
    vision_json_free(&floors);
    if (verifier->stop || (report_is_bare(&verifier->report) && !verifier->json))
        vision_json_free(&out);
    else
        verifier->stop = !cmd_print(&out);
    return passed && !verifier->stop ? CMD_DONE : CMD_UNUSABLE;
}

int cmd_verify(int argc, char **argv)
{
    struct verifier verifier;
    const char *value;
    int first = 0, key;
    memset(&verifier, 0, sizeof verifier);
    verifier.rig[0] = verifier.rig[1] = true;
    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0) {
        verifier.json |= key == KEY_JSON;
        verifier.floor |= key == KEY_FLOOR;
        verifier.rig[0] &= key != KEY_RIG_ONLY;
        verifier.rig[1] &= key != KEY_NO_RIG;
    }
    if (key == CMD_OPTION_HELP)
        return CMD_DONE;
    if (key == CMD_OPTION_WRONG)
        return CMD_WRONG_USE;
    if (first >= argc || (!verifier.rig[0] && !verifier.rig[1])) {
        cmd_error(first >= argc ? "verify: a folder is needed; see tableref verify --help"
                                : "verify: --rig-only and --no-rig leave nothing to do");
        return CMD_WRONG_USE;
    }
    for (int i = first; i < argc && !verifier.stop; i++)
        verify_folder(&verifier, argv[i]);
    int status = conclude(&verifier);
    vision_table_destroy(&verifier.plain);
    cmd_kit_free(&verifier.kit);
    verify_report_free(&verifier.report);
    return status;
}
