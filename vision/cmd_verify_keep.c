/* vision/cmd_verify_keep.c: files of outcomes. */
#include "vision/cmd_verify_keep.h"

#include "referee/cmd_common.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void verify_kept_free(struct verify_kept *kept)
{
    for (int i = 0; i < kept->count; i++) {
        free(kept->line[i].path);
        free(kept->line[i].line);
    }
    free(kept->line);
    memset(kept, 0, sizeof *kept);
}

static bool line_keep(struct verify_kept *kept, const struct verify_outcome *outcome,
                      const char *text)
{
    if (kept->count == kept->capacity) {
        int capacity = kept->capacity * 2 + 64;
        struct verify_kept_line *grown = realloc(kept->line, (size_t)capacity * sizeof *grown);
        if (!grown)
            return false;
        kept->line = grown;
        kept->capacity = capacity;
    }
    struct verify_kept_line *line = &kept->line[kept->count];
    *line = (struct verify_kept_line){
        .path = strdup(outcome->path), .line = strdup(text), .place = kept->count};
    memcpy(line->digest, outcome->digest, strlen(outcome->digest) + 1);
    kept->count++;
    return line->path && line->line;
}

/* One line of a file, without its newline. */
static bool line_take(struct verify_kept *kept, const char *path, long number, const char *text,
                      size_t length)
{
    struct verify_outcome outcome;
    char why[160];
    bool well = verify_outcome_parse(text, length, &outcome, why, sizeof why);

    if (!well)
        cmd_error("%s:%ld: %s; this is no file of verify's outcomes", path, number, why);
    else if (!line_keep(kept, &outcome, text)) {
        cmd_error("out of memory");
        well = false;
    }
    verify_outcome_free(&outcome);
    return well;
}

bool verify_kept_read(const char *path, bool may, struct verify_kept *kept)
{
    FILE *file = fopen(path, "rbe");
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    bool well = true;

    kept->sound = 0;
    if (!file && may && errno == ENOENT)
        return true;
    if (!file) {
        cmd_error("%s: %s", path, strerror(errno));
        return false;
    }
    for (long number = 1; well && (length = getline(&text, &room, file)) > 0; number++) {
        if (text[length - 1] != '\n')
            break;
        kept->sound += length;
        text[--length] = 0;
        well = line_take(kept, path, number, text, (size_t)length);
    }
    if (ferror(file)) {
        cmd_error("%s: %s", path, strerror(errno));
        well = false;
    }
    free(text);
    fclose(file);
    return well;
}

static int line_order(const void *one, const void *other)
{
    const struct verify_kept_line *a = one, *b = other;
    int order = strcmp(a->path, b->path);

    return order ? order : (a->place > b->place) - (a->place < b->place);
}

void verify_kept_settle(struct verify_kept *kept)
{
    int count = 0;

    if (kept->count > 0)
        qsort(kept->line, (size_t)kept->count, sizeof *kept->line, line_order);
    for (int i = 0; i < kept->count; i++) {
        bool last = i + 1 == kept->count || strcmp(kept->line[i].path, kept->line[i + 1].path) != 0;
        if (last) {
            kept->line[count++] = kept->line[i];
        } else {
            free(kept->line[i].path);
            free(kept->line[i].line);
        }
    }
    kept->count = count;
}

static int path_order(const void *path, const void *line)
{
    const struct verify_kept_line *one = line;

    return strcmp(path, one->path);
}

const struct verify_kept_line *verify_kept_find(const struct verify_kept *kept, const char *path)
{
    return kept->count == 0
               ? NULL
               : bsearch(path, kept->line, (size_t)kept->count, sizeof *kept->line, path_order);
}
