/* capture/folder.c: a folder of pictures, one after the other. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/fault.h"
#include "capture/file.h"
#include "capture/jpeg.h"
#include "capture/source.h"

/* As for single stills: a 64 megapixel PNG of pure noise takes 200 MB. */
#define FILE_MAX_BYTES ((int64_t)256 * 1024 * 1024)
#define NAMES_MAX 1000000 /* nine hours at 30 a second; the names take 100 MB */
#define PATH_MAX_BYTES 4096

struct slot {
    uint8_t *bytes;
    size_t capacity;
    bool lent;
};

struct folder {
    char path[PATH_MAX_BYTES];
    char **names;
    size_t count, room, next;
    int64_t interval_ns;
    int width, height; /* of the first picture; 0: not known */
    struct slot slots[CAPTURE_LENT_MAX];
};

/* A run of digits counts as one number, whatever its length; its leading zeros do not count. */
static int compare_numbers(const char **a, const char **b)
{
    size_t a_length, b_length;
    int order;

    while (**a == '0')
        ++*a;
    while (**b == '0')
        ++*b;
    a_length = strspn(*a, "0123456789");
    b_length = strspn(*b, "0123456789");
    if (a_length != b_length)
        return a_length < b_length ? -1 : 1;
    order = strncmp(*a, *b, a_length);
    *a += a_length;
    *b += b_length;
    return order;
}

static int compare_names(const char *a, const char *b)
{
    const char *a_start = a, *b_start = b;

    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            int order = compare_numbers(&a, &b);

            if (order != 0)
                return order;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    if (*a || *b)
        return *a ? 1 : -1;
    return strcmp(a_start, b_start); /* 7 and 07: some order, always the same */
}

static int compare_entries(const void *a, const void *b)
{
    return compare_names(*(char *const *)a, *(char *const *)b);
}

static bool is_picture_name(const char *name)
{
    static const char *const endings[] = {".jpg", ".jpeg", ".png"};
    size_t length = strlen(name);

    if (name[0] == '.')
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t ending = strlen(endings[i]);

        if (length > ending && strcasecmp(name + length - ending, endings[i]) == 0)
            return true;
    }
    return false;
}

/* Links are followed. What cannot be asked about stays: it comes as a damaged picture. */
static bool is_ordinary(DIR *directory, const char *name)
{
    struct stat status;

    return fstatat(dirfd(directory), name, &status, 0) != 0 || S_ISREG(status.st_mode);
}

static int add_name(struct folder *folder, const char *name)
{
    if (folder->count == folder->room) {
        size_t room = folder->room > 0 ? 2 * folder->room : 64;
        char **names = realloc(folder->names, room * sizeof *names);

        if (!names)
            return CAPTURE_E_MEMORY;
        folder->names = names;
        folder->room = room;
    }
    folder->names[folder->count] = strdup(name);
    if (!folder->names[folder->count])
        return CAPTURE_E_MEMORY;
    folder->count++;
    return CAPTURE_OK;
}

static int list_pictures(struct folder *folder, DIR *directory, struct capture_fault *fault)
{
    struct dirent *entry;

    while (errno = 0, (entry = readdir(directory)) != NULL) {
        if (!is_picture_name(entry->d_name) || !is_ordinary(directory, entry->d_name))
            continue;
        if (folder->count == NAMES_MAX)
            return capture_fail(fault, CAPTURE_E_SIZE, "holds more than %d pictures", NAMES_MAX);
        if (add_name(folder, entry->d_name) != CAPTURE_OK)
            return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for its names");
    }
    if (errno != 0)
        return capture_fail(fault, CAPTURE_E_OPEN, "cannot be read: %s", strerror(errno));
    if (folder->count == 0)
        return capture_fail(fault, CAPTURE_E_EMPTY,
                            "holds no picture (a file named .jpg, .jpeg or .png)");
    qsort(folder->names, folder->count, sizeof *folder->names, compare_entries);
    return CAPTURE_OK;
}

static int slot_fit(struct slot *slot, size_t bytes)
{
    uint8_t *larger;

    if (bytes <= slot->capacity)
        return CAPTURE_OK;
    larger = malloc(bytes);
    if (!larger)
        return CAPTURE_E_MEMORY;
    free(slot->bytes);
    slot->bytes = larger;
    slot->capacity = bytes;
    return CAPTURE_OK;
}

/* The file's bytes; an error with its reason in `fault`. */
static int load_picture(const struct folder *folder, const char *name, struct slot *slot,
                        size_t *length, struct capture_fault *fault)
{
    char path[2 * PATH_MAX_BYTES];
    int64_t size = 0;
    int fd = -1, error;

    *length = 0;
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    error = capture_file_open(path, &fd, &size, fault);
    if (!error && size > FILE_MAX_BYTES)
        error = capture_fail(fault, CAPTURE_E_SIZE, "has %lld MB, which is too much",
                             (long long)(size / (1024 * 1024)));
    if (!error && slot_fit(slot, (size_t)size) != CAPTURE_OK)
        error = capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for %s", name);
    if (!error)
        error = capture_file_read(fd, slot->bytes, (size_t)size, length, fault);
    if (fd >= 0)
        close(fd);
    return error;
}

static int read_u32(const uint8_t *bytes)
{
    uint32_t value =
        (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];

    return value <= CAPTURE_SIDE_MAX_PX ? (int)value : 0;
}

/* The size that a JPEG's or PNG's header gives, once upright; false: there is no picture. */
static bool peek_size(const uint8_t *bytes, size_t length, int *width, int *height)
{
    static const uint8_t png[16] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                    0,    0,   0,   13,  'I',  'H',  'D',  'R'};
    struct jpeg_info info;

    *width = *height = 0;
    if (length >= 24 && memcmp(bytes, png, sizeof png) == 0) {
        *width = read_u32(bytes + 16);
        *height = read_u32(bytes + 20);
        return true;
    }
    if (capture_jpeg_inspect(bytes, length, &info, NULL) != CAPTURE_OK)
        return false;
    *width = info.orientation >= 5 ? info.height : info.width;
    *height = info.orientation >= 5 ? info.width : info.height;
    return true;
}

static void peek_first(struct folder *folder)
{
    size_t length = 0;

    if (load_picture(folder, folder->names[0], &folder->slots[0], &length, NULL) == CAPTURE_OK)
        (void)peek_size(folder->slots[0].bytes, length, &folder->width, &folder->height);
}

static int free_slot(const struct folder *folder)
{
    for (int i = 0; i < CAPTURE_LENT_MAX; i++)
        if (!folder->slots[i].lent)
            return i;
    return -1;
}

static int folder_next(void *context, int timeout_ms, struct picture *out,
                       struct capture_fault *fault)
{
    struct folder *folder = context;
    int at = free_slot(folder), error;
    struct slot *slot;

    (void)timeout_ms;
    if (folder->next == folder->count)
        return CAPTURE_END;
    if (at < 0)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "too many pictures are held back");
    slot = &folder->slots[at];
    error = load_picture(folder, folder->names[folder->next], slot, &out->length, fault);
    if (error == CAPTURE_E_MEMORY)
        return error;
    out->format = PICTURE_STILL;
    out->bytes = slot->bytes;
    out->damaged =
        error != CAPTURE_OK || !peek_size(slot->bytes, out->length, &out->width, &out->height);
    out->sequence = folder->next;
    out->time_ns = out->arrived_ns = (int64_t)folder->next * folder->interval_ns;
    out->slot = at;
    slot->lent = true;
    folder->next++;
    return CAPTURE_PICTURE;
}

static void folder_release(void *context, const struct picture *picture)
{
    struct folder *folder = context;

    if (picture->slot >= 0 && picture->slot < CAPTURE_LENT_MAX)
        folder->slots[picture->slot].lent = false;
}

static void folder_about(const void *context, struct source_about *out)
{
    const struct folder *folder = context;

    capture_file_about(folder->path, out);
    out->format = PICTURE_STILL;
    out->width = folder->width;
    out->height = folder->height;
    out->interval_ns = folder->interval_ns;
}

static void folder_destroy(void *context)
{
    struct folder *folder = context;

    for (size_t i = 0; i < folder->count; i++)
        free(folder->names[i]);
    for (int i = 0; i < CAPTURE_LENT_MAX; i++)
        free(folder->slots[i].bytes);
    free(folder->names);
    free(folder);
}

static const struct source_kind folder_kind = {
    .next = folder_next,
    .release = folder_release,
    .about = folder_about,
    .destroy = folder_destroy,
};

static int folder_fill(struct folder *folder, const char *path, struct capture_fault *fault)
{
    DIR *directory;
    int error;

    if (snprintf(folder->path, sizeof folder->path, "%s", path) >= (int)sizeof folder->path)
        return capture_fail(fault, CAPTURE_E_OPEN, "the folder's name is too long");
    directory = opendir(path);
    if (!directory)
        return capture_fail(fault, CAPTURE_E_OPEN, "cannot be opened: %s", strerror(errno));
    error = list_pictures(folder, directory, fault);
    closedir(directory);
    if (!error)
        peek_first(folder);
    return error;
}

int capture_folder_open(const char *path, int64_t interval_ns, struct source **out,
                        struct capture_fault *fault)
{
    struct folder *folder;
    int error;

    if (out)
        *out = NULL;
    /* The last picture's time stays far within 63 bits: at most an hour between pictures. */
    if (!path || !out || interval_ns <= 0 || interval_ns > (int64_t)3600 * 1000 * 1000 * 1000)
        return capture_fail(fault, CAPTURE_E_ARGUMENT, "no folder, or no time between pictures");
    folder = calloc(1, sizeof *folder);
    if (!folder)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the folder");
    folder->interval_ns = interval_ns;
    error = folder_fill(folder, path, fault);
    if (error) {
        folder_destroy(folder);
        return error;
    }
    *out = capture_source_create(&folder_kind, folder);
    if (!*out)
        return capture_fail(fault, CAPTURE_E_MEMORY, "not enough memory for the folder");
    return CAPTURE_OK;
}
