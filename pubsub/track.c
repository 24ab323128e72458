/* pubsub/track.c: what a follower knows of a table, and what it tells of what comes. */
#include "pubsub/track.h"

#include "calib/mark.h"
#include "pubsub/told.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is kept while a snapshot is awaited. More than that means that none comes; the next one has
 * it all. */
#define KEPT_MOST 2000
#define KEPT_SIZE_MOST ((size_t)8 << 20)
/* An answer takes milliseconds; but two hundred displays that ask at once are answered within some
 * seconds, and 4 MiB take 4 s over 10 Mbit/s. So the time between questions grows. */
#define ASK_FIRST_MS 400
#define ASK_MOST_MS 5000
/* Gap after gap, as under a flood, does not make a flood of questions. */
#define ASK_LEAST_MS 100
/* Without heads in its states, a table says only by a snapshot that the last message of a topic was
 * lost. */
#define LOOK_MS 30000
#define OTHERS_MOST 8

/* What a follower waits for before it goes on. */
struct kept {
    struct kept *next;
    size_t length;
    char bytes[];
};

/* One that published before, or besides. */
struct other {
    char source[MESSAGE_SOURCE_MAX];
    bool said;
};

struct track {
    struct track_options options;
    char table[MESSAGE_NAME_MAX]; /* empty until it is known */
    struct message_head current;  /* match, source and epoch; source is empty until the first */
    uint64_t head[MESSAGE_KINDS];
    struct told_list told;
    json_t *replay; /* what the newest snapshot says of a replay; NULL: the match is played now */
    struct other other[OTHERS_MOST];
    int others;
    char suspect[MESSAGE_SOURCE_MAX]; /* who was heard, of whom no snapshot came yet */
    bool joined, look;                /* look: a snapshot is wanted though joined */
    bool heard;                       /* the current source, by the published messages */
    bool heads_come;                  /* its states have heads */
    struct kept *first, **last;
    size_t kept, kept_size;
    unsigned asked; /* number of the last request */
    bool open;      /* its answer is awaited */
    int64_t ask_ms, asked_ms, look_ms, state_ms;
    int wait_ms;
    uint32_t dice;
    bool stale;
    char trouble[160];
};

static void note(const struct track *track, enum follow_note what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void note(const struct track *track, enum follow_note what, const char *format, ...)
{
    char text[256];
    va_list arguments;

    if (!track->options.sink.note)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    track->options.sink.note(track->options.sink.context, what, text);
}

static bool wants(const struct track *track, enum message_kind kind)
{
    return kind == MESSAGE_STATE || (track->options.kinds & (1u << kind));
}

struct track *pubsub_track_create(const struct track_options *options, int64_t now_ms)
{
    if (options->table && !pubsub_message_table_fits(options->table))
        return NULL;
    struct track *track = calloc(1, sizeof *track);
    if (!track)
        return NULL;
    track->options = *options;
    snprintf(track->table, sizeof track->table, "%s", options->table ? options->table : "");
    track->last = &track->first;
    track->wait_ms = ASK_FIRST_MS;
    track->ask_ms = track->look_ms = track->state_ms = now_ms;
    track->asked_ms = now_ms - ASK_LEAST_MS;
    track->dice = options->seed | 1;
    return track;
}

/* ---- what is kept ---- */

static void kept_pop(struct track *track)
{
    struct kept *gone = track->first;

    track->first = gone->next;
    if (!track->first)
        track->last = &track->first;
    track->kept--;
    track->kept_size -= gone->length;
    free(gone);
}

static void kept_clear(struct track *track)
{
    while (track->first)
        kept_pop(track);
}

/* What cannot be kept is missed, and that shows by its number. */
static void kept_push(struct track *track, const char *bytes, size_t length)
{
    if (track->kept >= KEPT_MOST || length > KEPT_SIZE_MOST - track->kept_size)
        kept_clear(track);
    if (length > KEPT_SIZE_MOST)
        return;
    struct kept *made = malloc(sizeof *made + length);
    if (!made)
        return;
    made->next = NULL;
    made->length = length;
    memcpy(made->bytes, bytes, length);
    *track->last = made;
    track->last = &made->next;
    track->kept++;
    track->kept_size += length;
}

void pubsub_track_destroy(struct track **track)
{
    if (!track || !*track)
        return;
    kept_clear(*track);
    pubsub_told_free(&(*track)->told);
    json_decref((*track)->replay);
    free(*track);
    *track = NULL;
}

/* ---- asking ---- */

/* A snapshot is wanted from now on; one that was asked for before comes too early. */
static void ask_begin(struct track *track, int64_t now_ms)
{
    int64_t least_ms = track->asked_ms + ASK_LEAST_MS;

    track->open = false;
    track->wait_ms = ASK_FIRST_MS;
    track->ask_ms = now_ms > least_ms ? now_ms : least_ms;
}

static void leave(struct track *track, int64_t now_ms)
{
    track->joined = false;
    ask_begin(track, now_ms);
}

static void look(struct track *track, int64_t now_ms)
{
    track->look_ms = now_ms;
    if (!track->joined || track->look)
        return;
    track->look = true;
    ask_begin(track, now_ms);
}

/* Up to a quarter more, so that those who ask together do not ask together again. */
static int spread_ms(struct track *track, int time_ms)
{
    track->dice = track->dice * 1664525u + 1013904223u;
    return time_ms + (int)((track->dice >> 16) % (unsigned)(time_ms / 4));
}

size_t pubsub_track_ask(struct track *track, int64_t now_ms, char out[TRACK_REQUEST_MAX])
{
    if ((track->joined && !track->look) || now_ms < track->ask_ms)
        return 0;
    track->asked++;
    track->open = true;
    track->asked_ms = now_ms;
    track->ask_ms = now_ms + spread_ms(track, track->wait_ms);
    track->wait_ms = 2 * track->wait_ms < ASK_MOST_MS ? 2 * track->wait_ms : ASK_MOST_MS;
    int length =
        snprintf(out, TRACK_REQUEST_MAX, "{\"v\":%d,\"id\":\"follow-%u\",\"do\":\"snapshot\"}",
                 MESSAGE_VERSION, track->asked);
    return length > 0 ? (size_t)length : 0;
}

/* ---- telling ---- */

static void tell(const struct track *track, const struct message_head *head, const json_t *body,
                 bool late)
{
    if (track->options.sink.message)
        track->options.sink.message(track->options.sink.context, head, body, late);
}

/* A message such as the table would publish, made of what a snapshot holds. `own` is lent. Without
 * memory it is not told; the state that comes next is whole. */
static void tell_late(const struct track *track, enum message_kind kind, int64_t t_ns,
                      const char *member, json_t *own, json_t *clocks)
{
    struct message_head head = track->current;

    head.kind = kind;
    head.seq = track->head[kind];
    head.t_ns = t_ns;
    head.sent_ns = 0;
    json_t *body = json_pack("{s:i,s:s,s:s,s:s,s:I,s:I,s:I,s:I,s:O}", "v", MESSAGE_VERSION, "table",
                             head.table, "match", head.match, "source", head.source, "epoch",
                             (json_int_t)head.epoch, "seq", (json_int_t)head.seq, "t_ns",
                             (json_int_t)t_ns, "sent_ns", (json_int_t)0, member, own);
    if (body && (!clocks || json_object_set(body, "clocks", clocks) == 0) &&
        (!track->replay || json_object_set(body, "replay", track->replay) == 0))
        tell(track, &head, body, true);
    json_decref(body);
}

static void tell_void(struct track *track, const struct told_decision *gone, int64_t t_ns)
{
    json_t *name =
        json_pack("{s:I,s:I}", "seq", (json_int_t)gone->seq, "index", (json_int_t)gone->index);
    struct told_decision which = *gone;

    if (name && wants(track, MESSAGE_VOID))
        tell_late(track, MESSAGE_VOID, t_ns, "decision", name, NULL);
    pubsub_told_drop(&track->told, which.seq, which.index);
    json_decref(name);
}

/* Was this very decision told, and stands? If another one of that name was, that one is void. */
static bool told_already(struct track *track, const struct told_decision *decision, int64_t t_ns)
{
    const struct told_decision *before =
        pubsub_told_find(&track->told, decision->seq, decision->index);

    if (!before)
        return false;
    if (before->digest == decision->digest)
        return true;
    tell_void(track, before, t_ns);
    return false;
}

/* ---- messages ---- */

static bool is_current(const struct track *track, const struct message_head *head)
{
    return strcmp(head->source, track->current.source) == 0 &&
           head->epoch == track->current.epoch && strcmp(head->match, track->current.match) == 0;
}

static struct other *other_find(struct track *track, const char *source)
{
    for (int i = 0; i < track->others; i++)
        if (strcmp(track->other[i].source, source) == 0)
            return &track->other[i];
    return NULL;
}

static void other_drop(struct track *track, const char *source)
{
    struct other *gone = other_find(track, source);

    if (gone)
        *gone = track->other[--track->others];
}

static struct other *other_add(struct track *track, const char *source)
{
    if (source[0] == 0)
        return NULL;
    struct other *found = other_find(track, source);
    if (found)
        return found;
    if (track->others == OTHERS_MOST)
        memmove(&track->other[0], &track->other[1],
                (size_t)--track->others * sizeof track->other[0]);
    found = &track->other[track->others++];
    *found = (struct other){.said = false};
    snprintf(found->source, sizeof found->source, "%s", source);
    return found;
}

/* Before the current source was heard, another one's messages are what was still under way. */
static void other_say(const struct track *track, struct other *other)
{
    if (!other || other->said || !track->heard)
        return;
    other->said = true;
    note(track, FOLLOW_TWO, "table %s: %s publishes as well as %s", track->table, other->source,
         track->current.source);
}

/* A message of another source or epoch. False: it is to be kept until a snapshot says who
 * publishes.
 */
static bool other_take(struct track *track, const struct message_head *head, int64_t now_ms)
{
    bool same_source = strcmp(head->source, track->current.source) == 0;
    bool same_match = strcmp(head->match, track->current.match) == 0;
    bool old = same_match && head->epoch < track->current.epoch;
    struct other *known = other_find(track, head->source);

    if (old && !known && !same_source)
        known = other_add(track, head->source);
    if (known)
        other_say(track, known);
    if (known || old)
        return true;
    snprintf(track->suspect, sizeof track->suspect, "%s", head->source);
    leave(track, now_ms);
    return false;
}

static void state_heard(struct track *track, int64_t now_ms)
{
    track->state_ms = now_ms;
    track->trouble[0] = 0;
    if (track->stale)
        note(track, FOLLOW_BACK, "table %s is heard again", track->table);
    track->stale = false;
}

/* How far each topic is, as a state or a snapshot says. */
static bool heads_read(const json_t *heads, uint64_t out[MESSAGE_KINDS])
{
    for (int k = 0; k < MESSAGE_KINDS; k++) {
        const json_t *head = json_object_get(heads, pubsub_message_kind_name((enum message_kind)k));
        if (!json_is_integer(head) || json_integer_value(head) < 0)
            return false;
        out[k] = (uint64_t)json_integer_value(head);
    }
    return true;
}

/* What a state says of the other topics. Only messages that were sent before it count there, so one
 * that is not here by now is lost. */
static void heads_check(struct track *track, const json_t *body, int64_t now_ms)
{
    uint64_t heads[MESSAGE_KINDS];

    if (!heads_read(json_object_get(body, "heads"), heads)) {
        if (!track->heads_come && now_ms - track->look_ms >= LOOK_MS)
            look(track, now_ms);
        return;
    }
    track->heads_come = true;
    for (int k = 0; k < MESSAGE_KINDS; k++)
        if (k != MESSAGE_STATE && wants(track, (enum message_kind)k) && heads[k] > track->head[k]) {
            note(track, FOLLOW_GAP, "table %s: the last %s message was missed", track->table,
                 pubsub_message_kind_name((enum message_kind)k));
            leave(track, now_ms);
            return;
        }
}

/* A decision that is void, but was it told? Its verdict may be the very one that was lost. */
static bool void_untold(struct track *track, const json_t *own)
{
    int64_t seq = json_integer_value(json_object_get(own, "seq"));
    int64_t index = json_integer_value(json_object_get(own, "index"));
    bool found = pubsub_told_find(&track->told, seq, index) != NULL;

    pubsub_told_drop(&track->told, seq, index);
    return !found && wants(track, MESSAGE_VERDICT) && track->told.count < TOLD_MOST;
}

/* In its turn. Decisions are told unless a snapshot had them. */
static void message_tell(struct track *track, const struct message_head *head, const json_t *body)
{
    struct told_decision decision;
    const json_t *own = json_object_get(body, "decision");

    if (head->kind == MESSAGE_VERDICT && pubsub_told_name(own, &decision)) {
        if (told_already(track, &decision, head->t_ns))
            return;
        pubsub_told_put(&track->told, &decision);
    }
    if (head->kind == MESSAGE_VOID && void_untold(track, own))
        return;
    tell(track, head, body, false);
}

static void current_take(struct track *track, const struct message_head *head, const json_t *body,
                         int64_t now_ms)
{
    bool first = !track->heard;

    track->heard = true;
    track->head[head->kind] = head->seq;
    if (head->kind == MESSAGE_STATE)
        state_heard(track, now_ms);
    message_tell(track, head, body);
    if (head->kind == MESSAGE_STATE)
        heads_check(track, body, now_ms);
    /* Between the snapshot and now the subscription may not have stood yet. */
    if (first && !track->heads_come)
        look(track, now_ms);
}

/* A message while joined. False: it is to be kept, a snapshot must come first. */
static bool message_take(struct track *track, const char *bytes, size_t length, int64_t now_ms)
{
    struct message_head head;
    bool taken = true;
    json_t *body = NULL;

    if (pubsub_message_read(bytes, length, &head, &body, NULL) != PUBSUB_OK)
        return true;
    if (strcmp(head.table, track->table) != 0 || !wants(track, head.kind)) {
        json_decref(body);
        return true;
    }
    uint64_t before = track->head[head.kind];
    if (!is_current(track, &head)) {
        taken = other_take(track, &head, now_ms);
    } else if (head.seq == before + 1) {
        current_take(track, &head, body, now_ms);
    } else if (head.seq > before) {
        note(track, FOLLOW_GAP,
             head.seq - before == 2 ? N_("table %s: %llu %s message was missed")
                                    : N_("table %s: %llu %s messages were missed"),
             track->table, (unsigned long long)(head.seq - before - 1),
             pubsub_message_kind_name(head.kind));
        leave(track, now_ms);
        taken = false;
    } else {
        track->heard = true;
    }
    json_decref(body);
    return taken;
}

void pubsub_track_message(struct track *track, const char *bytes, size_t length, int64_t now_ms)
{
    if (!track->joined || !message_take(track, bytes, length, now_ms))
        kept_push(track, bytes, length);
}

static void kept_drain(struct track *track, int64_t now_ms)
{
    while (track->joined && track->first) {
        if (!message_take(track, track->first->bytes, track->first->length, now_ms))
            return;
        kept_pop(track);
    }
}

/* ---- snapshots ---- */

struct snapshot {
    struct message_head head; /* table, match, source, epoch; t_ns */
    uint64_t heads[MESSAGE_KINDS];
    json_t *state, *clocks, *health, *layouts, *decisions, *replay; /* lent */
    bool whole; /* it lists every decision that stands */
};

static bool text_copy(const json_t *object, const char *key, char *out, size_t size)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_string(value) || json_string_length(value) >= size)
        return false;
    snprintf(out, size, "%s", json_string_value(value));
    return true;
}

/* NULL, or the name of what is missing. */
static const char *snapshot_read(const json_t *body, struct snapshot *out)
{
    const json_t *epoch = json_object_get(body, "epoch");

    *out = (struct snapshot){.state = json_object_get(body, "state"),
                             .clocks = json_object_get(body, "clocks"),
                             .health = json_object_get(body, "health"),
                             .layouts = json_object_get(body, "layouts"),
                             .decisions = json_object_get(body, "decisions"),
                             .replay = json_object_get(body, "replay"),
                             .whole = !json_is_true(json_object_get(body, "more"))};
    if (!text_copy(body, "table", out->head.table, sizeof out->head.table) ||
        !pubsub_message_table_fits(out->head.table))
        return "table";
    if (!text_copy(body, "match", out->head.match, sizeof out->head.match))
        return "match";
    if (!text_copy(body, "source", out->head.source, sizeof out->head.source) ||
        strlen(out->head.source) != MESSAGE_SOURCE_MAX - 1)
        return "source";
    if (!json_is_integer(epoch) || json_integer_value(epoch) < 1)
        return "epoch";
    if (!heads_read(json_object_get(body, "heads"), out->heads))
        return "heads";
    if (!json_is_object(out->state))
        return "state";
    if (!json_is_array(out->decisions))
        return "decisions";
    out->head.epoch = json_integer_value(epoch);
    out->head.t_ns = json_integer_value(json_object_get(out->clocks, "t_ns"));
    return NULL;
}

/* Another process, or epoch, or match is followed from now on. */
static void current_change(struct track *track, const struct message_head *head)
{
    if (strcmp(track->current.match, head->match) != 0)
        pubsub_told_clear(&track->told);
    if (strcmp(track->current.source, head->source) != 0)
        other_add(track, track->current.source);
    other_drop(track, head->source);
    track->current = *head;
    memset(track->head, 0, sizeof track->head);
    track->heard = track->heads_come = false;
}

static int name_compare(const void *one, const void *other)
{
    return pubsub_told_order(one, other);
}

/* What was told and does not stand any longer: it lies where the list reaches, and is not in it. */
static void voids_tell(struct track *track, const struct told_decision *list, size_t count,
                       const struct snapshot *snapshot)
{
    for (size_t i = track->told.count; i-- > 0;) {
        struct told_decision told = track->told.decision[i];
        bool within = snapshot->whole || (count > 0 && pubsub_told_order(&told, &list[0]) >= 0);
        const struct told_decision *stands =
            bsearch(&told, list, count, sizeof *list, name_compare);
        if (within && (!stands || stands->digest != told.digest))
            tell_void(track, &told, snapshot->head.t_ns);
    }
}

static void verdicts_tell(struct track *track, const struct snapshot *snapshot)
{
    json_t *own;
    size_t i;

    json_array_foreach(snapshot->decisions, i, own)
    {
        struct told_decision decision;
        const json_t *t_ns = json_object_get(own, "t_ns");
        int64_t time_ns = json_is_integer(t_ns) ? json_integer_value(t_ns) : snapshot->head.t_ns;
        if (!pubsub_told_name(own, &decision) || told_already(track, &decision, time_ns))
            continue;
        pubsub_told_put(&track->told, &decision);
        tell_late(track, MESSAGE_VERDICT, time_ns, "decision", own, NULL);
    }
}

static void decisions_tell(struct track *track, const struct snapshot *snapshot)
{
    size_t count = 0, all = json_array_size(snapshot->decisions);
    struct told_decision *list = calloc(all ? all : 1, sizeof *list);

    if (!wants(track, MESSAGE_VERDICT) || !list) {
        free(list);
        return;
    }
    for (size_t i = 0; i < all; i++)
        if (pubsub_told_name(json_array_get(snapshot->decisions, i), &list[count]))
            count++;
    qsort(list, count, sizeof *list, name_compare);
    voids_tell(track, list, count, snapshot);
    free(list);
    verdicts_tell(track, snapshot);
}

static void snapshot_tell(struct track *track, const struct snapshot *snapshot,
                          const uint64_t before[MESSAGE_KINDS])
{
    int64_t t_ns = snapshot->head.t_ns;

    decisions_tell(track, snapshot);
    if (wants(track, MESSAGE_LAYOUT) && track->head[MESSAGE_LAYOUT] > before[MESSAGE_LAYOUT])
        for (size_t i = 0; i < json_array_size(snapshot->layouts); i++)
            tell_late(track, MESSAGE_LAYOUT, t_ns, "layout", json_array_get(snapshot->layouts, i),
                      NULL);
    if (wants(track, MESSAGE_HEALTH) && json_is_object(snapshot->health) &&
        track->head[MESSAGE_HEALTH] > before[MESSAGE_HEALTH])
        tell_late(track, MESSAGE_HEALTH, t_ns, "health", snapshot->health, NULL);
    if (track->head[MESSAGE_STATE] > before[MESSAGE_STATE])
        tell_late(track, MESSAGE_STATE, t_ns, "state", snapshot->state, snapshot->clocks);
}

/* Was nothing missed, as this snapshot says? Then there is nothing to tell. */
static bool snapshot_behind(const struct track *track, const struct snapshot *snapshot, bool *equal)
{
    bool behind = false;

    *equal = true;
    for (int k = 0; k < MESSAGE_KINDS; k++)
        if (wants(track, (enum message_kind)k)) {
            behind |= snapshot->heads[k] < track->head[k];
            *equal &= snapshot->heads[k] == track->head[k];
        }
    return behind;
}

static void join(struct track *track, const struct snapshot *snapshot, int64_t now_ms)
{
    uint64_t before[MESSAGE_KINDS];

    memcpy(before, track->head, sizeof before);
    memcpy(track->head, snapshot->heads, sizeof track->head);
    track->joined = true;
    json_decref(track->replay);
    track->replay = json_is_object(snapshot->replay) ? json_incref(snapshot->replay) : NULL;
    note(track, FOLLOW_JOINED, "table %s, match %s, epoch %lld", track->table, track->current.match,
         (long long)track->current.epoch);
    snapshot_tell(track, snapshot, before);
    if (track->suspect[0] && strcmp(track->suspect, track->current.source) != 0)
        other_add(track, track->suspect);
    track->suspect[0] = 0;
    kept_drain(track, now_ms);
}

static void snapshot_take(struct track *track, const struct snapshot *snapshot, int64_t now_ms)
{
    bool equal, same = is_current(track, &snapshot->head);

    if (track->table[0] && strcmp(track->table, snapshot->head.table) != 0) {
        snprintf(track->trouble, sizeof track->trouble, "table %s answers there",
                 snapshot->head.table);
        return;
    }
    snprintf(track->table, sizeof track->table, "%s", snapshot->head.table);
    /* Made before what was told: the next one will do. */
    if (same && snapshot_behind(track, snapshot, &equal))
        return;
    track->look = track->open = false;
    track->look_ms = now_ms;
    if (same && track->joined && equal)
        return;
    if (!same)
        current_change(track, &snapshot->head);
    join(track, snapshot, now_ms);
}

void pubsub_track_answer(struct track *track, const char *bytes, size_t length, int64_t now_ms)
{
    struct snapshot snapshot;
    char id[32];

    json_t *body = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
    const char *answered = json_string_value(json_object_get(body, "id"));
    snprintf(id, sizeof id, "follow-%u", track->asked);
    if (!track->open || !answered || strcmp(answered, id) != 0) {
        json_decref(body);
        return;
    }
    const char *word = json_string_value(json_object_get(body, "error"));
    const char *lacks =
        json_is_true(json_object_get(body, "ok")) ? snapshot_read(body, &snapshot) : "ok";
    if (!lacks)
        snapshot_take(track, &snapshot, now_ms);
    else if (word)
        snprintf(track->trouble, sizeof track->trouble, "it answers: %.100s", word);
    else
        snprintf(track->trouble, sizeof track->trouble, "its answer lacks \"%s\"", lacks);
    json_decref(body);
}

/* ---- time ---- */

void pubsub_track_tick(struct track *track, int64_t now_ms)
{
    if (now_ms - track->state_ms < FOLLOW_STALE_MS)
        return;
    if (!track->stale)
        note(track, FOLLOW_STALE, "table %s: no state for %lld ms%s%s",
             track->table[0] ? track->table : "?", (long long)(now_ms - track->state_ms),
             track->trouble[0] ? "; " : "", track->trouble);
    track->stale = true;
    /* Whoever answers may be another one by now. */
    if (now_ms - track->look_ms >= FOLLOW_STALE_MS)
        look(track, now_ms);
}

int pubsub_track_due_ms(const struct track *track, int64_t now_ms)
{
    int64_t due_ms =
        track->stale ? track->look_ms + FOLLOW_STALE_MS : track->state_ms + FOLLOW_STALE_MS;

    if ((!track->joined || track->look) && track->ask_ms < due_ms)
        due_ms = track->ask_ms;
    /* Stale and not joined: only asking is due. */
    if (track->stale && !track->joined)
        due_ms = track->ask_ms;
    if (due_ms <= now_ms)
        return 0;
    return due_ms - now_ms < INT32_MAX ? (int)(due_ms - now_ms) : INT32_MAX;
}

bool pubsub_track_stale(const struct track *track)
{
    return track->stale;
}

void pubsub_track_trouble(struct track *track, const char *text)
{
    snprintf(track->trouble, sizeof track->trouble, "%s", text);
}
