/* pubsub/keys_make.c: keys made, listed and taken away. */
#include "pubsub/keys.h"
#include "pubsub/keys_file.h"
#include "pubsub/message.h"

#include <dirent.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SERVER "server"

struct pair {
    uint8_t public_key[Z85_KEY_BYTES], secret_key[Z85_KEY_BYTES];
    char public_text[Z85_KEY_TEXT], secret_text[Z85_KEY_TEXT];
};

/* CURVE's pairs are those of NaCl's boxes. */
static int pair_draw(struct pair *pair, struct wire_fault *fault)
{
    if (sodium_init() < 0 || crypto_box_keypair(pair->public_key, pair->secret_key) != 0)
        return pubsub_keys_fail(fault, PUBSUB_E_SYSTEM, "no random numbers are to be had");
    pubsub_z85_print(pair->public_key, pair->public_text);
    pubsub_z85_print(pair->secret_key, pair->secret_text);
    return PUBSUB_OK;
}

static int public_write(const char *folder, const char *file, const char *text,
                        struct wire_fault *fault)
{
    char room[256];
    int length = snprintf(room, sizeof room,
                          "# tableref: a public key; it may be shown to everybody\n"
                          "curve\n    public-key = \"%s\"\n",
                          text);

    return pubsub_keys_write(folder, file, 0644, room, (size_t)length, fault);
}

/* `server`: the table's, for a display; else NULL. */
static int secret_write(const char *folder, const char *file, const struct pair *pair,
                        const char *server, struct wire_fault *fault)
{
    char room[512];
    int length =
        snprintf(room, sizeof room,
                 "# tableref: a secret key; whoever has this file is let in by it\n"
                 "curve\n    public-key = \"%s\"\n    secret-key = \"%s\"\n%s%s%s",
                 pair->public_text, pair->secret_text, server ? "table\n    server = \"" : "",
                 server ? server : "", server ? "\"\n" : "");
    int error = pubsub_keys_write(folder, file, 0600, room, (size_t)length, fault);

    sodium_memzero(room, sizeof room);
    return error;
}

int pubsub_keys_make(const char *folder, struct wire_fault *fault)
{
    char allowed[PATH_MAX];
    struct pair pair;
    int error = pubsub_keys_join(folder, "allowed", allowed, fault);

    if (error == PUBSUB_OK)
        error = pubsub_keys_folder_make(folder, fault);
    if (error == PUBSUB_OK)
        error = pubsub_keys_folder_make(allowed, fault);
    if (error == PUBSUB_OK)
        error = pair_draw(&pair, fault);
    if (error != PUBSUB_OK)
        return error;
    error = secret_write(folder, SERVER ".key", &pair, NULL, fault);
    if (error == PUBSUB_OK)
        error = public_write(folder, SERVER ".pub", pair.public_text, fault);
    sodium_memzero(&pair, sizeof pair);
    return error;
}

static int name_check(const char *name, struct wire_fault *fault)
{
    if (pubsub_message_table_fits(name) && strcmp(name, SERVER) != 0)
        return PUBSUB_OK;
    return pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT,
                            "%.80s: a display's name has 1 to 32 letters, digits, - and _, and is "
                            "not \"" SERVER "\"",
                            name);
}

/* The files of a display: NAME.key in the folder, NAME.pub in allowed/. */
struct display_files {
    char allowed[PATH_MAX], key[KEYS_NAME_MAX + 8], public_key[KEYS_NAME_MAX + 8];
};

static int files_name(const char *folder, const char *name, struct display_files *out,
                      struct wire_fault *fault)
{
    int error = name_check(name, fault);

    if (error != PUBSUB_OK)
        return error;
    snprintf(out->key, sizeof out->key, "%.32s.key", name);
    snprintf(out->public_key, sizeof out->public_key, "%.32s.pub", name);
    return pubsub_keys_join(folder, "allowed", out->allowed, fault);
}

static int pair_write(const char *folder, const struct display_files *files,
                      const struct pair *pair, const char *server, const char *path,
                      struct wire_fault *fault)
{
    int error = secret_write(folder, files->key, pair, server, fault);

    if (error != PUBSUB_OK)
        return error;
    error = public_write(files->allowed, files->public_key, pair->public_text, fault);
    if (error != PUBSUB_OK)
        unlink(path);
    return error;
}

int pubsub_keys_add(const char *folder, const char *name, char *path, size_t size,
                    struct wire_fault *fault)
{
    char server[Z85_KEY_TEXT], whole[PATH_MAX];
    struct wire_keys *table = NULL;
    struct display_files files;
    struct pair pair;
    int error = files_name(folder, name, &files, fault);

    if (error == PUBSUB_OK)
        error = pubsub_keys_table(folder, &table, fault);
    if (error == PUBSUB_OK)
        error = pubsub_keys_join(folder, files.key, whole, fault);
    if (error == PUBSUB_OK && (size_t)snprintf(path, size, "%s", whole) >= size)
        error = pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT, "%.80s..: too long a path", folder);
    if (error == PUBSUB_OK)
        error = pair_draw(&pair, fault);
    if (error == PUBSUB_OK) {
        pubsub_z85_print(pubsub_keys_public(table), server);
        error = pair_write(folder, &files, &pair, server, whole, fault);
        sodium_memzero(&pair, sizeof pair);
    }
    pubsub_keys_destroy(&table);
    return error;
}

int pubsub_keys_remove(const char *folder, const char *name, struct wire_fault *fault)
{
    char public_path[PATH_MAX], key_path[PATH_MAX];
    struct display_files files;
    int error = files_name(folder, name, &files, fault);

    if (error == PUBSUB_OK)
        error = pubsub_keys_join(files.allowed, files.public_key, public_path, fault);
    if (error == PUBSUB_OK)
        error = pubsub_keys_join(folder, files.key, key_path, fault);
    if (error != PUBSUB_OK)
        return error;
    if (unlink(public_path) != 0)
        return errno == ENOENT ? pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT,
                                                  "%.150s: no display of that name", public_path)
                               : pubsub_keys_fail(fault, PUBSUB_E_SYSTEM, "%.150s: %s", public_path,
                                                  strerror(errno));
    /* It may have been handed over and taken away here. */
    if (unlink(key_path) != 0 && errno != ENOENT)
        return pubsub_keys_fail(fault, PUBSUB_E_SYSTEM, "%.150s: %s", key_path, strerror(errno));
    return PUBSUB_OK;
}

/* ---- the list ---- */

struct list {
    struct keys_entry *entry;
    size_t count, room;
};

static int list_add(struct list *list, const char *name, const char *path, struct wire_fault *fault)
{
    struct keys_file file;
    int error = pubsub_keys_load(path, false, &file, fault);

    if (error != PUBSUB_OK)
        return error;
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 16;
        struct keys_entry *grown = realloc(list->entry, room * sizeof *grown);
        if (!grown)
            return pubsub_keys_fail(fault, PUBSUB_E_MEMORY, "out of memory");
        list->entry = grown;
        list->room = room;
    }
    struct keys_entry *entry = &list->entry[list->count++];
    snprintf(entry->name, sizeof entry->name, "%s", name);
    pubsub_z85_print(file.public_key, entry->text);
    return PUBSUB_OK;
}

static int entry_compare(const void *one, const void *other)
{
    const struct keys_entry *first = one, *second = other;

    return strcmp(first->name, second->name);
}

static int list_folder(struct list *list, const char *folder, struct wire_fault *fault)
{
    DIR *open_folder = opendir(folder);
    char name[KEYS_NAME_MAX], path[PATH_MAX];
    struct dirent *entry;
    int error = PUBSUB_OK;

    if (!open_folder)
        return pubsub_keys_fail(fault, PUBSUB_E_SYSTEM, "%.150s: %s", folder, strerror(errno));
    while (error == PUBSUB_OK && (entry = readdir(open_folder))) {
        if (!pubsub_keys_file_name(entry->d_name, ".pub", name))
            continue;
        error = pubsub_keys_join(folder, entry->d_name, path, fault);
        if (error == PUBSUB_OK)
            error = list_add(list, name, path, fault);
    }
    closedir(open_folder);
    return error;
}

int pubsub_keys_list(const char *folder, struct keys_entry **out, size_t *count,
                     struct wire_fault *fault)
{
    char path[PATH_MAX], allowed[PATH_MAX];
    struct list list = {.entry = NULL};
    int error = pubsub_keys_join(folder, SERVER ".pub", path, fault);

    *out = NULL;
    *count = 0;
    if (error == PUBSUB_OK)
        error = pubsub_keys_join(folder, "allowed", allowed, fault);
    if (error == PUBSUB_OK)
        error = list_add(&list, SERVER, path, fault);
    if (error == PUBSUB_OK)
        error = list_folder(&list, allowed, fault);
    if (error != PUBSUB_OK) {
        free(list.entry);
        return error;
    }
    if (list.count > 1)
        qsort(list.entry + 1, list.count - 1, sizeof *list.entry, entry_compare);
    *out = list.entry;
    *count = list.count;
    return PUBSUB_OK;
}
