/* pubsub/keys_file.c: files of keys. */
#include "pubsub/keys_file.h"

#include "calib/file.h"
#include "calib/mark.h"
#include "pubsub/message.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int pubsub_keys_fail(struct wire_fault *fault, int error, const char *format, ...)
{
    va_list arguments;

    if (!fault)
        return error;
    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return error;
}

int pubsub_keys_join(const char *folder, const char *name, char out[PATH_MAX],
                     struct wire_fault *fault)
{
    int length = snprintf(out, PATH_MAX, "%s/%s", folder, name);

    return length > 0 && length < PATH_MAX
               ? PUBSUB_OK
               : pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT, "%.80s..: too long a path", folder);
}

bool pubsub_keys_file_name(const char *file, const char *ending, char name[KEYS_NAME_MAX])
{
    size_t length = strlen(file), end = strlen(ending);

    if (length <= end || length - end >= KEYS_NAME_MAX || strcmp(file + length - end, ending) != 0)
        return false;
    memcpy(name, file, length - end);
    name[length - end] = 0;
    return pubsub_message_table_fits(name);
}

/* ---- reading ---- */

struct line {
    const char *name, *value;
    size_t name_length, value_length;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* name = "value"; false for any other line. */
static bool line_split(const char *text, size_t length, struct line *out)
{
    while (length > 0 && is_blank(text[length - 1]))
        length--;
    while (length > 0 && is_blank(*text))
        text++, length--;
    const char *equals = length > 0 && *text != '#' ? memchr(text, '=', length) : NULL;
    if (!equals)
        return false;
    const char *end = text + length, *value = equals + 1;
    *out = (struct line){.name = text, .name_length = (size_t)(equals - text)};
    while (out->name_length > 0 && is_blank(text[out->name_length - 1]))
        out->name_length--;
    while (value < end && is_blank(*value))
        value++;
    if (end - value < 2 || *value != '"' || end[-1] != '"')
        return false;
    out->value = value + 1;
    out->value_length = (size_t)(end - value) - 2;
    return true;
}

static bool line_is(const struct line *line, const char *name)
{
    return line->name_length == strlen(name) && memcmp(line->name, name, line->name_length) == 0;
}

static int key_take(const struct line *line, const char *name, const char *what, uint8_t *key,
                    bool *has, struct wire_fault *fault)
{
    if (*has)
        return pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT, "%.150s: %s stands there twice", name,
                                what);
    *has = true;
    return pubsub_z85_parse(line->value, line->value_length, key)
               ? PUBSUB_OK
               : pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT,
                                  "%.150s: %s is no key: 40 characters of Z85 are needed", name,
                                  what);
}

static int line_take(const struct line *line, const char *name, struct keys_file *out,
                     struct wire_fault *fault)
{
    if (line_is(line, "public-key"))
        return key_take(line, name, "public-key", out->public_key, &out->has_public, fault);
    if (line_is(line, "secret-key"))
        return key_take(line, name, "secret-key", out->secret_key, &out->has_secret, fault);
    if (line_is(line, "server"))
        return key_take(line, name, "server", out->server_key, &out->has_server, fault);
    return PUBSUB_OK;
}

int pubsub_keys_parse(const char *bytes, size_t length, const char *name, struct keys_file *out,
                      struct wire_fault *fault)
{
    int error = PUBSUB_OK;

    memset(out, 0, sizeof *out);
    for (size_t at = 0; at < length && error == PUBSUB_OK;) {
        const char *newline = memchr(bytes + at, '\n', length - at);
        size_t line_length = newline ? (size_t)(newline - bytes) - at : length - at;
        struct line line;
        if (line_split(bytes + at, line_length, &line))
            error = line_take(&line, name, out, fault);
        at += line_length + 1;
    }
    if (error == PUBSUB_OK && !out->has_public)
        error = pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT, "%.150s: it holds no public-key", name);
    return error;
}

/* A file of at most KEYS_FILE_MAX bytes. */
static int bytes_read(int file, const char *path, char *room, size_t *length,
                      struct wire_fault *fault)
{
    *length = 0;
    while (*length < KEYS_FILE_MAX) {
        ssize_t got = read(file, room + *length, KEYS_FILE_MAX - *length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return pubsub_keys_fail(fault, PUBSUB_E_SYSTEM, "%.150s: %s", path, strerror(errno));
        if (got == 0)
            return PUBSUB_OK;
        *length += (size_t)got;
    }
    return pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT, "%.150s: too large for a key", path);
}

static int file_look(int file, const char *path, bool secret, struct wire_fault *fault)
{
    struct stat info;

    if (fstat(file, &info) != 0)
        return pubsub_keys_fail(fault, PUBSUB_E_SYSTEM, "%.150s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT, "%.150s: no ordinary file", path);
    if (secret && ((info.st_mode & 077) || (info.st_uid != geteuid() && info.st_uid != 0)))
        return pubsub_keys_fail(
            fault, PUBSUB_E_ARGUMENT,
            "%.150s: others may read this secret; make new keys, or chmod 600 it "
            "if nobody has seen it",
            path);
    return PUBSUB_OK;
}

/* A secret key says which public one belongs to it. */
static int halves_check(const struct keys_file *file, const char *path, struct wire_fault *fault)
{
    uint8_t belongs[Z85_KEY_BYTES];

    if (!file->has_secret)
        return pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT, "%.150s: it holds no secret-key", path);
    if (crypto_scalarmult_base(belongs, file->secret_key) != 0 ||
        sodium_memcmp(belongs, file->public_key, sizeof belongs) != 0)
        return pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT,
                                "%.150s: its public-key does not belong to its secret-key", path);
    return PUBSUB_OK;
}

int pubsub_keys_load(const char *path, bool secret, struct keys_file *out, struct wire_fault *fault)
{
    char room[KEYS_FILE_MAX];
    size_t length = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

    memset(out, 0, sizeof *out);
    if (file < 0)
        return pubsub_keys_fail(fault, PUBSUB_E_SYSTEM, "%.150s: %s%s", path, strerror(errno),
                                errno == ENOENT ? N_("; tableref keys makes it") : "");
    int error = file_look(file, path, secret, fault);
    if (error == PUBSUB_OK)
        error = bytes_read(file, path, room, &length, fault);
    close(file);
    if (error == PUBSUB_OK)
        error = pubsub_keys_parse(room, length, path, out, fault);
    if (error == PUBSUB_OK && secret)
        error = halves_check(out, path, fault);
    sodium_memzero(room, sizeof room);
    return error;
}

/* ---- writing ---- */

int pubsub_keys_folder(const char *path, struct wire_fault *fault)
{
    struct stat info;

    if (stat(path, &info) != 0)
        return pubsub_keys_fail(fault, PUBSUB_E_SYSTEM, "%.150s: %s%s", path, strerror(errno),
                                errno == ENOENT ? N_("; tableref keys make makes it") : "");
    if (!S_ISDIR(info.st_mode) || (info.st_mode & 022) ||
        (info.st_uid != geteuid() && info.st_uid != 0))
        return pubsub_keys_fail(
            fault, PUBSUB_E_ARGUMENT,
            "%.150s: a folder of this user's that nobody else can write is needed", path);
    return PUBSUB_OK;
}

int pubsub_keys_folder_make(const char *path, struct wire_fault *fault)
{
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return pubsub_keys_fail(fault, PUBSUB_E_SYSTEM, "%.150s: %s", path, strerror(errno));
    return pubsub_keys_folder(path, fault);
}

int pubsub_keys_write(const char *folder, const char *name, mode_t mode, const char *text,
                      size_t length, struct wire_fault *fault)
{
    char path[PATH_MAX];
    int error = pubsub_keys_join(folder, name, path, fault);

    if (error != PUBSUB_OK || calib_file_put(path, text, length, mode, false) == 0)
        return error;
    bool there = errno == EEXIST;
    return pubsub_keys_fail(fault, there ? PUBSUB_E_IN_USE : PUBSUB_E_SYSTEM, "%.150s: %s", path,
                            there ? N_("it is there already; nothing was written over")
                                  : strerror(errno));
}
