/* pubsub/memory.c: the acts that were done already, so that none is done twice. */
#include "pubsub/request.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

struct remembered {
    char id[REQUEST_ID_MAX];
    char key[REQUEST_KEY_MAX];
    unsigned char digest[crypto_generichash_BYTES];
    char *answer; /* NULL: the place is free */
    size_t length;
};

struct request_memory {
    struct remembered act[REQUEST_MEMORY_ACTS]; /* a ring */
    int first, count;
    size_t bytes;
};

struct request_memory *pubsub_memory_create(void)
{
    return calloc(1, sizeof(struct request_memory));
}

static struct remembered *act_at(struct request_memory *memory, int place)
{
    return &memory->act[(memory->first + place) % REQUEST_MEMORY_ACTS];
}

static void oldest_forget(struct request_memory *memory)
{
    struct remembered *act = act_at(memory, 0);

    memory->bytes -= act->length;
    free(act->answer);
    memset(act, 0, sizeof *act);
    memory->first = (memory->first + 1) % REQUEST_MEMORY_ACTS;
    memory->count--;
}

void pubsub_memory_destroy(struct request_memory **memory)
{
    if (!memory || !*memory)
        return;
    while ((*memory)->count > 0)
        oldest_forget(*memory);
    free(*memory);
    *memory = NULL;
}

/* A digest of what is asked for. How long ago it was, and how well that is known, are measured anew
 * each time it is sent. */
static bool digest_make(const struct request *request, unsigned char out[crypto_generichash_BYTES])
{
    json_t *body = json_copy(request->body);
    char *text = NULL;

    if (body) {
        json_object_del(body, "ago_ns");
        json_object_del(body, "error_ns");
        text = json_dumps(body, JSON_COMPACT | JSON_SORT_KEYS);
    }
    bool well = text && crypto_generichash(out, crypto_generichash_BYTES,
                                           (const unsigned char *)text, strlen(text), NULL, 0) == 0;
    free(text);
    json_decref(body);
    return well;
}

enum request_seen pubsub_memory_find(const struct request_memory *memory,
                                     const struct request *request, const char **answer,
                                     size_t *length)
{
    unsigned char digest[crypto_generichash_BYTES];

    for (int i = 0; i < memory->count; i++) {
        const struct remembered *act = &memory->act[(memory->first + i) % REQUEST_MEMORY_ACTS];
        if (strcmp(act->id, request->id) != 0 || strcmp(act->key, request->key) != 0)
            continue;
        if (!digest_make(request, digest) || memcmp(digest, act->digest, sizeof digest) != 0)
            return REQUEST_OTHER;
        *answer = act->answer;
        *length = act->length;
        return REQUEST_AGAIN;
    }
    return REQUEST_NEW;
}

int pubsub_memory_keep(struct request_memory *memory, const struct request *request,
                       const char *answer, size_t length)
{
    struct remembered act = {.length = length};

    if (length > REQUEST_MEMORY_BYTES || !digest_make(request, act.digest) ||
        !(act.answer = malloc(length + 1)))
        return PUBSUB_E_MEMORY;
    memcpy(act.answer, answer, length);
    act.answer[length] = 0;
    memcpy(act.id, request->id, sizeof act.id);
    memcpy(act.key, request->key, sizeof act.key);
    while (memory->count == REQUEST_MEMORY_ACTS ||
           (memory->count > 0 && memory->bytes + length > REQUEST_MEMORY_BYTES))
        oldest_forget(memory);
    *act_at(memory, memory->count) = act;
    memory->count++;
    memory->bytes += length;
    return PUBSUB_OK;
}
