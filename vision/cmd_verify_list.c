/* vision/cmd_verify_list.c: what there is to verify in folders. */
#include "referee/cmd_common.h"
#include "vision/cmd_verify_run.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define TRUTH_ENDING ".truth.json"
#define JOURNAL_NAME "journal.jsonl"
/* So many bytes of a recording are watched while one of a single picture, with its tags to be found
 * and all its seats to be read twice, is read. Only the estimate of the time left hangs on it. */
#define MATCH_FASTER 14

struct names {
    char **name;
    int count, capacity;
};

static void names_free(struct names *names)
{
    for (int i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
}

static bool names_add(struct names *names, const char *name)
{
    if (names->count == names->capacity) {
        int capacity = names->capacity * 2 + 64;
        char **grown = realloc(names->name, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        names->name = grown;
        names->capacity = capacity;
    }
    names->name[names->count] = strdup(name);
    return names->name[names->count] && ++names->count;
}

static int compare_names(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

static bool names_read(const char *folder, struct names *names)
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
        done = names_add(names, entry->d_name);
    if (!done || errno) {
        cmd_error("%s: cannot be read as a folder: %s", folder,
                  done ? strerror(errno) : "out of memory");
        done = false;
    }
    closedir(dir);
    if (names->count)
        qsort(names->name, (size_t)names->count, sizeof *names->name, compare_names);
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

/* The name in the listing with that stem by the other kind of ending, or NULL. Names of one stem
 * stand side by side, or nearly so, for they are sorted. */
static const char *find_partner(const struct names *names, int at, size_t stem,
                                size_t (*stem_of)(const char *name))
{
    const char *name = names->name[at];
    int first = at;

    while (first > 0 && strncmp(names->name[first - 1], name, stem) == 0)
        first--;
    for (int i = first; i < names->count && strncmp(names->name[i], name, stem) == 0; i++)
        if (stem_of(names->name[i]) == stem)
            return names->name[i];
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

static int64_t size_of(const char *path)
{
    struct stat about;

    return path && stat(path, &about) == 0 ? about.st_size : 0;
}

/* Takes the paths over, also when there is no memory. */
static bool item_add(struct verify_list *list, enum verify_kind kind, char *path, char *truth)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity * 2 + 64;
        struct verify_item *grown = realloc(list->item, (size_t)capacity * sizeof *grown);
        if (grown) {
            list->item = grown;
            list->capacity = capacity;
        }
    }
    if (!path || list->count == list->capacity) {
        cmd_error("out of memory");
        list->faults++;
        free(path);
        free(truth);
        return false;
    }
    list->item[list->count++] =
        (struct verify_item){.kind = kind, .path = path, .truth = truth, .work = size_of(path)};
    return true;
}

/* How much there is to read of a match says how long it takes. */
static int64_t match_bytes(const char *folder)
{
    int64_t bytes = 0;
    char path[PATH_MAX];

    for (int n = 1; n < 10000; n++) {
        if (snprintf(path, sizeof path, "%s/video-%04d.mkv", folder, n) >= (int)sizeof path)
            break;
        int64_t size = size_of(path);
        if (size == 0)
            break;
        bytes += size;
    }
    return bytes;
}

static bool is_match(const char *folder)
{
    char path[PATH_MAX];
    struct stat about;

    return snprintf(path, sizeof path, "%s/" JOURNAL_NAME, folder) < (int)sizeof path &&
           stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static void match_add(struct verify_list *list, char *path)
{
    if (item_add(list, VERIFY_MATCH, path, NULL))
        list->item[list->count - 1].work = match_bytes(path) / MATCH_FASTER;
}

/* A folder within one. */
static void folder_look(struct verify_list *list, const char *folder, const char *name)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path && is_match(path))
        match_add(list, strdup(path));
}

/* A truth, with the picture beside it. */
static void pair_add(struct verify_list *list, const char *folder, const char *truth,
                     const char *picture)
{
    char *truth_path = join_path(folder, truth);
    char *path = join_path(folder, picture ? picture : truth);

    if (truth_path && item_add(list, VERIFY_PICTURE, path, truth_path))
        list->item[list->count - 1].lacks = picture == NULL;
    else if (!truth_path)
        item_add(list, VERIFY_PICTURE, NULL, path); /* says what is wrong, and gives it back */
}

static void name_add(struct verify_list *list, const char *folder, const struct names *names, int i)
{
    const char *name = names->name[i];
    size_t stem = truth_stem(name), picture = picture_stem(name);

    if (stem) {
        pair_add(list, folder, name, find_partner(names, i, stem, picture_stem));
    } else if (picture) {
        if (!find_partner(names, i, picture, truth_stem))
            item_add(list, VERIFY_ALONE, join_path(folder, name), NULL);
    } else if (name[0] != '.') {
        folder_look(list, folder, name);
    }
}

void verify_list_add(struct verify_list *list, const char *folder)
{
    struct names names = {NULL, 0, 0};

    if (is_match(folder)) {
        match_add(list, strdup(folder));
        return;
    }
    if (!names_read(folder, &names))
        list->faults++;
    for (int i = 0; i < names.count; i++)
        name_add(list, folder, &names, i);
    names_free(&names);
}

void verify_list_free(struct verify_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->item[i].path);
        free(list->item[i].truth);
    }
    free(list->item);
    memset(list, 0, sizeof *list);
}
