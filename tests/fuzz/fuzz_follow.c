/* Any bytes as what a table publishes and answers: lines, each a message when it begins with 'm',
 * an answer when with 'a' (its first %u gets the number that was asked for); '+' lets time pass.
 * Whatever comes, a follower stays within its bounds and asks in time. */
#include "pubsub/track.h"
#include "tests/fuzz/fuzz_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void message(void *context, const struct message_head *head, const json_t *body, bool late)
{
    (void)late;
    /* What is told is whole. */
    if (!json_is_object(body) || head->source[0] == 0 || !pubsub_message_table_fits(head->table))
        abort();
    ++*(size_t *)context;
}

static void note(void *context, enum follow_note what, const char *text)
{
    (void)context;
    if (what < FOLLOW_JOINED || what > FOLLOW_KEY || strlen(text) > 255)
        abort();
}

/* An answer's id is that of the last request, as a table would send it. */
static void answer(struct track *track, const char *line, size_t length, const char *request,
                   int64_t now_ms)
{
    const char *id = strstr(request, "\"id\":"), *place = memchr(line, '%', length);
    char *text = malloc(length + TRACK_REQUEST_MAX);

    if (!text)
        return;
    if (id && place) {
        size_t before = (size_t)(place - line);
        int made = snprintf(text, length + TRACK_REQUEST_MAX, "%.*s%.*s%.*s", (int)before, line,
                            (int)strcspn(id, ","), id, (int)(length - before - 1), place + 1);
        pubsub_track_answer(track, text, (size_t)made, now_ms);
    } else {
        pubsub_track_answer(track, line, length, now_ms);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t told = 0;
    struct track_options options = {.kinds = ~0u, .sink = {message, note, &told}, .seed = 1};
    struct track *track = pubsub_track_create(&options, 0);
    char request[TRACK_REQUEST_MAX] = "";
    const char *text = (const char *)data;
    int64_t now_ms = 0;

    for (size_t at = 0; track && at < size;) {
        const char *newline = memchr(text + at, '\n', size - at);
        size_t length = newline ? (size_t)(newline - text) - at : size - at;
        pubsub_track_ask(track, now_ms, request);
        if (length > 1 && text[at] == 'm')
            pubsub_track_message(track, text + at + 1, length - 1, now_ms);
        else if (length > 1 && text[at] == 'a')
            answer(track, text + at + 1, length - 1, request, now_ms);
        else
            pubsub_track_tick(track, now_ms += 500);
        if (pubsub_track_due_ms(track, now_ms) > 10000)
            abort();
        at += length + 1;
    }
    pubsub_track_destroy(&track);
    return 0;
}
