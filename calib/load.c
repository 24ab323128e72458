/* The one file of the kit's code that opens files, so that the parsers stay free of I/O. */
#include "calib/blockset.h"
#include "calib/certificate.h"
#include "calib/deck.h"
#include "calib/json.h"
#include "calib/kit.h"
#include "calib/mat.h"
#include "calib/ramp.h"
#include "calib/rig.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READ_FIRST ((size_t)16384)

static int open_fault(struct calib_fault *fault, const char *path, int number)
{
    return calib_fault_set(fault, path, 0, CALIB_E_OPEN,
                           "%s; give a built-in's name or the path of a file", strerror(number));
}

/* All that a stream gives, up to KIT_FILE_MAX. The length is found by reading: a pipe has none. */
static int stream_read(FILE *stream, const char *path, char **bytes, size_t *length,
                       struct calib_fault *fault)
{
    size_t room = 0, at = 0;
    char *text = NULL;

    for (;;) {
        if (at + 1 >= room) {
            room = room > 0 ? 2 * room : READ_FIRST;
            char *grown = realloc(text, room);
            if (!grown) {
                free(text);
                return calib_fault_set(fault, path, 0, CALIB_E_MEMORY, "out of memory");
            }
            text = grown;
        }
        errno = 0;
        size_t got = fread(text + at, 1, room - at - 1, stream);
        at += got;
        if (at > KIT_FILE_MAX) {
            free(text);
            return calib_fault_set(fault, path, 0, CALIB_E_SIZE,
                                   "larger than %zu MB, no file of the kit is", KIT_FILE_MAX >> 20);
        }
        if (ferror(stream)) {
            int number = errno;
            free(text);
            return open_fault(fault, path, number);
        }
        if (got == 0) {
            break;
        }
    }
    text[at] = 0;
    *bytes = text;
    *length = at;
    return CALIB_OK;
}

static int path_read(const char *path, char **bytes, size_t *length, struct calib_fault *fault)
{
    FILE *stream = fopen(path, "rbe");

    if (!stream) {
        return open_fault(fault, path, errno);
    }
    int error = stream_read(stream, path, bytes, length, fault);
    fclose(stream);
    return error;
}

/* The built-in's plain name when it lies in the folder, or NULL; *length without ".json". */
static const char *plain_name(const char *file, const char *folder, size_t *length)
{
    size_t in = strlen(folder), all = strlen(file);

    if (all < in + 7 || strncmp(file, folder, in) != 0 || file[in] != '/' ||
        strcmp(file + all - 5, ".json") != 0) {
        return NULL;
    }
    *length = all - in - 6;
    return file + in + 1;
}

static int unknown_fault(const char *folder, const char *name, struct calib_fault *fault)
{
    char names[160] = "";
    size_t at = 0, length;

    for (size_t i = 0; i < calib_kit_count; i++) {
        const char *plain = plain_name(calib_kit_files[i].name, folder, &length);
        if (plain && at + length + 2 < sizeof names) {
            at += (size_t)snprintf(names + at, sizeof names - at, "%s%.*s", at > 0 ? " " : "",
                                   (int)length, plain);
        }
    }
    return calib_fault_set(fault, name, 0, CALIB_E_UNKNOWN,
                           "not built in among the %s; use one of %s, or the path of a file",
                           folder, names);
}

int calib_kit_read(const char *folder, const char *name, char **bytes, size_t *length,
                   struct calib_fault *fault)
{
    size_t plain_length;

    *bytes = NULL;
    *length = 0;
    if (calib_kit_is_path(name)) {
        return path_read(name, bytes, length, fault);
    }
    for (size_t i = 0; i < calib_kit_count; i++) {
        const struct kit_file *file = &calib_kit_files[i];
        const char *plain = plain_name(file->name, folder, &plain_length);
        if (!plain || strlen(name) != plain_length || memcmp(plain, name, plain_length) != 0) {
            continue;
        }
        if (!(*bytes = malloc(file->length + 1))) {
            return calib_fault_set(fault, name, 0, CALIB_E_MEMORY, "out of memory");
        }
        memcpy(*bytes, file->bytes, file->length);
        (*bytes)[file->length] = 0;
        *length = file->length;
        return CALIB_OK;
    }
    return unknown_fault(folder, name, fault);
}

int calib_blockset_load(const char *name, const struct calib_sink *sink, struct blockset **out,
                        struct calib_fault *fault)
{
    size_t length = 0;
    char *bytes;

    *out = NULL;
    int error = calib_kit_read("sets", name, &bytes, &length, fault);
    error = error ? error : calib_blockset_parse(bytes, length, name, sink, out, fault);
    free(bytes);
    return error;
}

int calib_mat_load(const char *name, const struct calib_sink *sink, struct mat **out,
                   struct calib_fault *fault)
{
    size_t length = 0;
    char *bytes;

    *out = NULL;
    int error = calib_kit_read("mats", name, &bytes, &length, fault);
    error = error ? error : calib_mat_parse(bytes, length, name, sink, out, fault);
    free(bytes);
    return error;
}

int calib_deck_load(const char *name, const struct calib_sink *sink, struct deck **out,
                    struct calib_fault *fault)
{
    size_t length = 0;
    char *bytes;

    *out = NULL;
    int error = calib_kit_read("decks", name, &bytes, &length, fault);
    error = error ? error : calib_deck_parse(bytes, length, name, sink, out, fault);
    free(bytes);
    return error;
}

int calib_ramp_load(const char *name, const struct calib_sink *sink, struct ramp **out,
                    struct calib_fault *fault)
{
    size_t length = 0;
    char *bytes;

    *out = NULL;
    int error = calib_kit_read("ramps", name, &bytes, &length, fault);
    error = error ? error : calib_ramp_parse(bytes, length, name, sink, out, fault);
    free(bytes);
    return error;
}

int calib_rig_load(const char *path, const struct calib_sink *sink, struct rig **out,
                   struct calib_fault *fault)
{
    size_t length = 0;
    char *bytes = NULL;

    *out = NULL;
    int error = path_read(path, &bytes, &length, fault); /* a rig is never built in */
    error = error ? error : calib_rig_parse(bytes, length, path, sink, out, fault);
    free(bytes);
    return error;
}

int calib_certificate_load(const char *path, struct certificate *out, struct calib_fault *fault)
{
    size_t length = 0;
    char *bytes = NULL;

    memset(out, 0, sizeof *out);
    int error = path_read(path, &bytes, &length, fault);
    error = error ? error : calib_certificate_parse(bytes, length, path, out, fault);
    free(bytes);
    return error;
}

int calib_cardstyle_load(const char *name, const struct calib_sink *sink, struct cardstyle **out,
                         struct calib_fault *fault)
{
    const struct kit_file *file;
    size_t length = 0;
    char *bytes = NULL;

    *out = NULL;
    if (!name || strcmp(name, "tableref") == 0) {
        file = calib_kit_find("cardstyle.json");
        return file ? calib_cardstyle_parse((const char *)file->bytes, file->length, file->name,
                                            sink, out, fault)
                    : calib_fault_set(fault, "cardstyle.json", 0, CALIB_E_UNKNOWN, "not built in");
    }
    int error = path_read(name, &bytes, &length, fault);
    error = error ? error : calib_cardstyle_parse(bytes, length, name, sink, out, fault);
    free(bytes);
    return error;
}
