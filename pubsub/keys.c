/* pubsub/keys.c: the CURVE keys of a table and of its displays, loaded. */
#include "pubsub/keys.h"

#include "calib/mark.h"
#include "pubsub/keys_file.h"

#include <dirent.h>
#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* A file written in place changes nothing that a folder's time would show. */
#define LOOK_AGAIN_S 2
/* Displays of one table. A folder with more is read up to here. */
#define ALLOWED_MOST 1024

struct wire_keys {
    struct keys_file file;
    bool table;
    char path[PATH_MAX];
};

static struct wire_keys *keys_create(const char *path, bool table)
{
    struct wire_keys *keys = calloc(1, sizeof *keys);

    if (!keys)
        return NULL;
    keys->table = table;
    snprintf(keys->path, sizeof keys->path, "%s", path);
    return keys;
}

void pubsub_keys_destroy(struct wire_keys **keys)
{
    if (!keys || !*keys)
        return;
    sodium_memzero(*keys, sizeof **keys);
    free(*keys);
    *keys = NULL;
}

int pubsub_keys_table(const char *folder, struct wire_keys **out, struct wire_fault *fault)
{
    char path[PATH_MAX], allowed[PATH_MAX];
    int error = pubsub_keys_join(folder, "server.key", path, fault);

    *out = NULL;
    if (error == PUBSUB_OK)
        error = pubsub_keys_join(folder, "allowed", allowed, fault);
    if (error == PUBSUB_OK)
        error = pubsub_keys_folder(folder, fault);
    if (error == PUBSUB_OK)
        error = pubsub_keys_folder(allowed, fault);
    if (error != PUBSUB_OK)
        return error;
    struct wire_keys *keys = keys_create(folder, true);
    if (!keys)
        return pubsub_keys_fail(fault, PUBSUB_E_MEMORY, "out of memory");
    error = pubsub_keys_load(path, true, &keys->file, fault);
    if (error != PUBSUB_OK)
        pubsub_keys_destroy(&keys);
    *out = keys;
    return error;
}

/* The one NAME.key in a folder. */
static int key_find(const char *folder, char out[PATH_MAX], struct wire_fault *fault)
{
    DIR *open_folder = opendir(folder);
    char name[KEYS_NAME_MAX];
    struct dirent *entry;
    int found = 0, error = PUBSUB_OK;

    if (!open_folder)
        return pubsub_keys_fail(fault, PUBSUB_E_SYSTEM, "%.150s: %s", folder, strerror(errno));
    while (error == PUBSUB_OK && (entry = readdir(open_folder)))
        if (pubsub_keys_file_name(entry->d_name, ".key", name) && strcmp(name, "server") != 0) {
            found++;
            error = pubsub_keys_join(folder, entry->d_name, out, fault);
        }
    closedir(open_folder);
    if (error == PUBSUB_OK && found != 1)
        error = pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT,
                                 "%.150s: %s display's key lies there; name the file", folder,
                                 found ? N_("more than one") : "no");
    return error;
}

int pubsub_keys_display(const char *path, struct wire_keys **out, struct wire_fault *fault)
{
    char file[PATH_MAX];
    struct stat info;
    int error = PUBSUB_OK;

    *out = NULL;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        error = key_find(path, file, fault);
    else if ((size_t)snprintf(file, sizeof file, "%s", path) >= sizeof file)
        error = pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT, "%.80s..: too long a path", path);
    if (error != PUBSUB_OK)
        return error;
    struct wire_keys *keys = keys_create(file, false);
    if (!keys)
        return pubsub_keys_fail(fault, PUBSUB_E_MEMORY, "out of memory");
    error = pubsub_keys_load(file, true, &keys->file, fault);
    if (error == PUBSUB_OK && !keys->file.has_server)
        error = pubsub_keys_fail(fault, PUBSUB_E_ARGUMENT,
                                 "%.150s: it holds no table's key; tableref keys add makes a "
                                 "display's",
                                 file);
    if (error != PUBSUB_OK)
        pubsub_keys_destroy(&keys);
    *out = keys;
    return error;
}

bool pubsub_keys_of_table(const struct wire_keys *keys)
{
    return keys->table;
}

const char *pubsub_keys_path(const struct wire_keys *keys)
{
    return keys->path;
}

const uint8_t *pubsub_keys_public(const struct wire_keys *keys)
{
    return keys->file.public_key;
}

const uint8_t *pubsub_keys_secret(const struct wire_keys *keys)
{
    return keys->file.secret_key;
}

const uint8_t *pubsub_keys_server(const struct wire_keys *keys)
{
    return keys->file.server_key;
}

/* ---- who may come ---- */

struct allowed_key {
    char name[KEYS_NAME_MAX];
    uint8_t key[Z85_KEY_BYTES];
};

struct keys_allowed {
    char folder[PATH_MAX];
    struct allowed_key *key; /* ALLOWED_MOST */
    size_t count;
    struct timespec changed;
    time_t read_s;
    bool known;
};

struct keys_allowed *pubsub_keys_allowed_create(const struct wire_keys *table)
{
    struct keys_allowed *allowed = calloc(1, sizeof *allowed);

    if (!allowed)
        return NULL;
    allowed->key = calloc(ALLOWED_MOST, sizeof *allowed->key);
    if (!allowed->key ||
        pubsub_keys_join(table->path, "allowed", allowed->folder, NULL) != PUBSUB_OK)
        pubsub_keys_allowed_destroy(&allowed);
    return allowed;
}

void pubsub_keys_allowed_destroy(struct keys_allowed **allowed)
{
    if (!allowed || !*allowed)
        return;
    free((*allowed)->key);
    free(*allowed);
    *allowed = NULL;
}

/* A file that cannot be used allows nobody; the others count. */
static void allowed_read(struct keys_allowed *allowed)
{
    DIR *folder = opendir(allowed->folder);
    struct dirent *entry;

    allowed->count = 0;
    while (folder && allowed->count < ALLOWED_MOST && (entry = readdir(folder))) {
        struct allowed_key *key = &allowed->key[allowed->count];
        struct keys_file file;
        char path[PATH_MAX];
        if (!pubsub_keys_file_name(entry->d_name, ".pub", key->name) ||
            pubsub_keys_join(allowed->folder, entry->d_name, path, NULL) != PUBSUB_OK ||
            pubsub_keys_load(path, false, &file, NULL) != PUBSUB_OK)
            continue;
        memcpy(key->key, file.public_key, sizeof key->key);
        allowed->count++;
    }
    if (folder)
        closedir(folder);
}

/* A folder that is gone, or that others can write by now, allows nobody. */
static void allowed_renew(struct keys_allowed *allowed)
{
    struct timespec now;
    struct stat info;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (pubsub_keys_folder(allowed->folder, NULL) != PUBSUB_OK ||
        stat(allowed->folder, &info) != 0) {
        allowed->count = 0;
        allowed->known = false;
        return;
    }
    if (allowed->known && now.tv_sec - allowed->read_s < LOOK_AGAIN_S &&
        info.st_mtim.tv_sec == allowed->changed.tv_sec &&
        info.st_mtim.tv_nsec == allowed->changed.tv_nsec)
        return;
    allowed_read(allowed);
    allowed->changed = info.st_mtim;
    allowed->read_s = now.tv_sec;
    allowed->known = true;
}

bool pubsub_keys_allowed_find(struct keys_allowed *allowed, const uint8_t key[Z85_KEY_BYTES],
                              char name[KEYS_NAME_MAX])
{
    allowed_renew(allowed);
    for (size_t i = 0; i < allowed->count; i++)
        if (memcmp(allowed->key[i].key, key, Z85_KEY_BYTES) == 0) {
            snprintf(name, KEYS_NAME_MAX, "%s", allowed->key[i].name);
            return true;
        }
    return false;
}
