/* referee/cmd_match_case.c: one ruling of a recorded match, and its picture. */
#include "referee/cmd_match_case.h"

#include "referee/digest.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cmd_case_fail(struct case_fault *fault, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- the match ---- */

static bool record_open(struct case_match *match, struct case_fault *fault)
{
    struct calib_fault inner = {.line = 0};
    char path[PATH_MAX + 16];

    snprintf(path, sizeof path, "%s/journal.jsonl", match->folder);
    int error = referee_record_read(path, NULL, &match->record, &inner);
    if (error == REFEREE_OK)
        return true;
    const char *text = inner.text[0] ? inner.text : referee_strerror(error);
    if (inner.line > 0)
        return cmd_case_fail(fault, "%s:%d: %s", path, inner.line, text);
    return cmd_case_fail(fault, "%s: %s", path, text);
}

static bool kit_open(struct case_match *match, struct case_fault *fault)
{
    char path[FOLDER_FILES][PATH_MAX];
    struct cmd_source source = {.mirrored = false};

    for (int i = 0; i < FOLDER_FILES; i++)
        cmd_folder_path(match->folder, i, path[i]);
    if (!path[FOLDER_SET][0] || !path[FOLDER_MAT][0])
        return cmd_case_fail(fault, "%s: kit/set.json or kit/mat.json is missing; was it recorded?",
                             match->folder);
    source.set = path[FOLDER_SET];
    source.mat = path[FOLDER_MAT];
    source.deck = "none"; /* the record has its cards */
    source.rig = path[FOLDER_RIG][0] ? path[FOLDER_RIG] : NULL;
    if (cmd_folder_about_read(match->folder, &match->about) && cmd_kit_load(&source, &match->kit))
        return true;
    fault->text[0] = 0;
    return false;
}

bool cmd_case_open(const char *folder, bool kit, struct case_match *out, struct case_fault *fault)
{
    memset(out, 0, sizeof *out);
    if (snprintf(out->folder, sizeof out->folder, "%s", folder) >= (int)sizeof out->folder - 16)
        return cmd_case_fail(fault, "%.80s..: the path is too long", folder);
    return record_open(out, fault) && (!kit || kit_open(out, fault));
}

void cmd_case_close(struct case_match *match)
{
    referee_record_close(&match->record);
    cmd_kit_free(&match->kit);
}

/* ---- the ruling ---- */

struct search {
    const struct case_wish *wish;
    struct match_case *out;
    bool found;
};

/* By the attempt: a card that was dealt twice is then the right one of them. */
static void card_take(struct match_case *out, const struct match_state *state)
{
    const struct decision *decision = &out->decision;
    const struct match_card *best = NULL;

    for (int i = 0; i < state->cards; i++) {
        const struct match_card *card = &state->card[i];
        bool named = decision->card[0] && strcmp(card->card.id, decision->card) == 0;
        if (card->attempt == decision->attempt || (named && !best))
            best = card;
    }
    out->level = decision->level;
    if (best)
        out->grid = best->card.grid;
}

static void name_take(struct match_case *out, const struct match_state *state)
{
    for (int p = 0; p < state->players; p++)
        if (state->player[p].seat == out->decision.seat)
            memcpy(out->name, state->player[p].name, sizeof out->name);
}

static bool wished(const struct case_wish *wish, const struct decision *decision)
{
    if (decision->kind != DECISION_VERDICT)
        return false;
    if (wish->cause == 0)
        return decision->seq == wish->seq && decision->index == wish->index;
    return decision->cause == wish->cause &&
           (!wish->card || strcmp(decision->card, wish->card) == 0);
}

static int ruling_look(void *context, const struct event *event, const struct decisions *decisions,
                       const struct match_state *after)
{
    struct search *search = context;

    (void)event;
    for (int i = 0; i < decisions->count; i++) {
        const struct decision *decision = &decisions->item[i];
        if (!wished(search->wish, decision))
            continue;
        bool better = decision->verdict.ruling == RULING_MATCH &&
                      search->out->decision.verdict.ruling != RULING_MATCH;
        search->out->others += search->found;
        if (search->found && !better)
            continue;
        search->found = true;
        search->out->decision = *decision;
        card_take(search->out, after);
        name_take(search->out, after);
    }
    return 0;
}

bool cmd_case_layout(const struct record *record, int seat, uint64_t frame, uint64_t before,
                     struct event *out)
{
    const struct history *history = referee_record_history(record);

    for (uint64_t seq = before; seq > 0; seq--)
        if (referee_history_event(history, seq, out) && out->kind == EVENT_LAYOUT &&
            out->layout.seat.seat == seat && out->layout.frame == frame)
            return true;
    return false;
}

static bool nothing_found(const struct case_match *match, const struct case_wish *wish,
                          struct case_fault *fault)
{
    uint64_t number = wish->cause > 0 ? wish->cause : wish->seq;

    return cmd_case_fail(fault,
                         "%s: no ruling%s%s goes back to event %" PRIu64
                         "; see the column cause of tableref match show %s",
                         match->folder, wish->card ? " on card " : "", wish->card ? wish->card : "",
                         number, match->folder);
}

bool cmd_case_find(const struct case_match *match, const struct case_wish *wish,
                   struct match_case *out, struct case_fault *fault)
{
    struct search search = {.wish = wish, .out = out};
    struct event event;

    memset(out, 0, sizeof *out);
    if (referee_history_replay(referee_record_history(match->record), ruling_look, &search) < 0)
        return cmd_case_fail(fault, "out of memory");
    if (!search.found)
        return nothing_found(match, wish, fault);
    if (out->decision.digest[0] == 0)
        return true;
    if (!cmd_case_layout(match->record, out->decision.seat, out->decision.frame, out->decision.seq,
                         &event))
        return cmd_case_fail(fault,
                             "%s: the layout that event %" PRIu64 " was ruled on is not on record",
                             match->folder, out->decision.cause);
    out->layout = event.layout;
    out->settled_t_ns = event.t_ns;
    return true;
}

static void wrong_put(const struct verdict *verdict, struct json_text *json)
{
    vision_json_open(json, "wrong_cells", '[');
    for (int i = 0; i < verdict->wrong_cells; i++) {
        vision_json_open(json, NULL, '[');
        vision_json_int(json, NULL, verdict->wrong[i][0]);
        vision_json_int(json, NULL, verdict->wrong[i][1]);
        vision_json_close(json, ']');
    }
    vision_json_close(json, ']');
}

void cmd_case_json(const struct match_case *found, struct json_text *out)
{
    const struct decision *decision = &found->decision;

    vision_json_open(out, NULL, '{');
    vision_json_int(out, "event", (int64_t)decision->cause);
    vision_json_int(out, "seat", decision->seat);
    vision_json_string(out, "player", found->name);
    vision_json_string(out, "card", decision->card[0] ? decision->card : NULL);
    vision_json_string(out, "verdict", referee_ruling_name(decision->verdict.ruling));
    vision_json_bool(out, "forced", decision->forced);
    vision_json_reasons(out, "reasons", decision->verdict.reasons);
    wrong_put(&decision->verdict, out);
    vision_json_int(out, "turn", decision->verdict.turn_deg);
    vision_json_int(out, "captured_t_ns", found->layout.first_t_ns);
    vision_json_int(out, "settled_t_ns", found->settled_t_ns);
    vision_json_int(out, "claimed_t_ns", decision->at_t_ns);
    vision_json_string(out, "source", decision->source[0] ? decision->source : NULL);
    vision_json_int(out, "error_ns", decision->claim_error_ns);
    vision_json_int(out, "published_t_ns", decision->t_ns);
    vision_json_int(out, "frame", (int64_t)decision->frame);
    vision_json_string(out, "sha256", decision->digest);
}

/* ---- its picture ---- */

static uint8_t *file_take(const char *path, size_t *length)
{
    struct stat about;
    FILE *file = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rbe") : NULL;
    uint8_t *bytes = NULL;

    if (!file)
        return NULL;
    size_t size = (size_t)about.st_size;
    if (about.st_size > 0 && size <= CASE_PICTURE_MAX)
        bytes = malloc(size);
    *length = bytes ? fread(bytes, 1, size, file) : 0;
    fclose(file);
    return bytes;
}

static uint8_t *picture_copy(const struct picture *picture, const char *digest, size_t *length)
{
    char now[DIGEST_TEXT_MAX];
    uint8_t *copy;

    referee_digest(picture->bytes, picture->length, now);
    if (strcmp(now, digest) != 0 || !(copy = malloc(picture->length)))
        return NULL;
    memcpy(copy, picture->bytes, picture->length);
    *length = picture->length;
    return copy;
}

uint8_t *cmd_case_recorded(const char *folder, uint64_t frame, const char *digest, size_t *length)
{
    struct capture_fault inner = {.text = ""};
    struct playback *playback = NULL;
    struct playback_item item;
    uint8_t *copy = NULL;

    if (capture_playback_open(folder, &playback, &inner) != CAPTURE_OK)
        return NULL;
    while (!copy && capture_playback_line(playback, &item, &inner) == CAPTURE_PICTURE) {
        if (item.line.kind != FRAME_LINE_FRAME || item.line.sequence != frame)
            continue;
        capture_playback_picture(playback, &item);
        if (item.state == PLAYBACK_SOUND)
            copy = picture_copy(&item.picture, digest, length);
    }
    capture_playback_close(&playback);
    return copy;
}

void cmd_case_evidence(const struct decision *decision, char out[64])
{
    snprintf(out, 64, "evidence/%06" PRIu64 "-seat%d.jpg", decision->frame, decision->seat);
}

bool cmd_case_picture(const char *folder, const struct match_case *found, struct case_picture *out,
                      struct case_fault *fault)
{
    const struct decision *decision = &found->decision;
    char path[PATH_MAX + 80], now[DIGEST_TEXT_MAX];

    memset(out, 0, sizeof *out);
    if (decision->digest[0] == 0)
        return cmd_case_fail(fault,
                             "%s: event %" PRIu64 " was ruled on without a picture that was "
                             "kept: there is nothing to show",
                             folder, decision->cause);
    cmd_case_evidence(decision, out->evidence);
    snprintf(path, sizeof path, "%s/%s", folder, out->evidence);
    out->bytes = file_take(path, &out->length);
    if (out->bytes) {
        referee_digest(out->bytes, out->length, now);
        if (strcmp(now, decision->digest) == 0)
            return true;
        free(out->bytes);
        out->bytes = NULL;
    }
    out->lacks = access(path, F_OK) == 0 ? N_("changed") : N_("missing");
    out->recorded = true;
    out->bytes = cmd_case_recorded(folder, decision->frame, decision->digest, &out->length);
    if (out->bytes)
        return true;
    return cmd_case_fail(fault,
                         "%s: %s is %s, and the recording does not have frame %" PRIu64
                         " either: there is nothing to show",
                         folder, out->evidence, out->lacks, decision->frame);
}
