/* capture/button_list.c: what buttons are here, and why one cannot be used. */
#include "capture/button_parts.h"
#include "capture/devices.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "/dev/input"
#define CLASS_FOLDER "/sys/class/input"
#define NODES_MAX 256

/* A line of one of the files that describe a node, which all may read; "" when there is none. */
static void attribute_read(const char *node, const char *attribute, char *out, size_t size)
{
    char real[PATH_MAX], path[PATH_MAX + 64];
    FILE *file = NULL;

    out[0] = 0;
    if (realpath(node, real)) {
        const char *slash = strrchr(real, '/');
        snprintf(path, sizeof path, CLASS_FOLDER "/%s/device/%s", slash ? slash + 1 : real,
                 attribute);
        file = fopen(path, "re");
    }
    if (file && !fgets(out, (int)size, file))
        out[0] = 0;
    out[strcspn(out, "\n")] = 0;
    if (file)
        fclose(file);
}

/* The bits set in "3 0 fffe": words in hexadecimal. */
static int bits_count(const char *words)
{
    int count = 0;

    for (; *words; words++)
        if (isxdigit((unsigned char)*words)) {
            int digit = isdigit((unsigned char)*words) ? *words - '0'
                                                       : tolower((unsigned char)*words) - 'a' + 10;
            count += __builtin_popcount((unsigned)digit);
        }
    return count;
}

void capture_button_examine(const struct button_calls *calls, const char *node,
                            struct button_entry *out)
{
    char keys[512];

    memset(out, 0, sizeof *out);
    snprintf(out->node, sizeof out->node, "%s", node);
    capture_devices_link(FOLDER "/by-id", node, out->by_id, sizeof out->by_id);
    capture_devices_link(FOLDER "/by-path", node, out->by_path, sizeof out->by_path);
    int error = capture_button_try(calls, node, out);
    if (!out->name[0])
        attribute_read(node, "name", out->name, sizeof out->name);
    if (out->keys == 0) {
        attribute_read(node, "capabilities/key", keys, sizeof keys);
        out->keys = bits_count(keys);
    }
    capture_button_explain(node, error, out);
}

static int node_number(const struct dirent *entry)
{
    static const char begin[] = "event";
    const char *digits = entry->d_name + sizeof begin - 1;

    if (strncmp(entry->d_name, begin, sizeof begin - 1) != 0 || strlen(digits) > 4 ||
        strlen(digits) == 0 || strspn(digits, "0123456789") != strlen(digits))
        return -1;
    return (int)strtol(digits, NULL, 10);
}

static int order(const void *one, const void *other)
{
    return *(const int *)one - *(const int *)other;
}

int capture_button_nodes(char ***out)
{
    int numbers[NODES_MAX], count = 0, number, made = 0;
    DIR *folder = opendir(FOLDER);
    const struct dirent *entry;

    while (folder && count < NODES_MAX && (entry = readdir(folder)))
        if ((number = node_number(entry)) >= 0)
            numbers[count++] = number;
    if (folder)
        closedir(folder);
    qsort(numbers, (size_t)count, sizeof numbers[0], order);
    *out = calloc((size_t)count + 1, sizeof **out);
    for (; *out && made < count; made++) {
        char path[64];
        snprintf(path, sizeof path, FOLDER "/event%d", numbers[made]);
        if (!((*out)[made] = strdup(path)))
            break;
    }
    if (*out && made == count)
        return count;
    capture_button_nodes_free(out, made);
    return CAPTURE_E_MEMORY;
}

void capture_button_nodes_free(char ***nodes, int count)
{
    for (int i = 0; *nodes && i < count; i++)
        free((*nodes)[i]);
    free(*nodes);
    *nodes = NULL;
}
