/* vision/cmd_verify_work.c: one thing verified: a picture against its truth, or a match judged
 * again. */
#include "calib/kit.h"
#include "referee/cmd_record.h"
#include "referee/cmd_replay.h"
#include "referee/digest.h"
#include "vision/cmd_verify_run.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct verify_worker {
    const struct verify_how *how;
    const struct verify_list *list;
    struct cmd_kit kit; /* of the names below; most pictures share them */
    char mat[KIT_NAME_MAX], set[KIT_NAME_MAX], deck[KIT_NAME_MAX];
    struct table_reader *plain; /* reader of that kit without rig */
};

struct verify_worker *verify_worker_create(const struct verify_how *how,
                                           const struct verify_list *list)
{
    struct verify_worker *worker = calloc(1, sizeof *worker);

    if (worker) {
        worker->how = how;
        worker->list = list;
    }
    return worker;
}

void verify_worker_destroy(struct verify_worker **worker)
{
    if (!worker || !*worker)
        return;
    vision_table_destroy(&(*worker)->plain);
    cmd_kit_free(&(*worker)->kit);
    free(*worker);
    *worker = NULL;
}

/* ---- what a thing is made of ---- */

static bool file_add(crypto_hash_sha256_state *sum, const char *path)
{
    unsigned char bytes[65536];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is nothing to wait for */
    ssize_t got = file < 0 ? -1 : 0;

    while (file >= 0 && (got = read(file, bytes, sizeof bytes)) > 0)
        crypto_hash_sha256_update(sum, bytes, (size_t)got);
    if (file >= 0)
        close(file);
    return got == 0;
}

/* All that is read of a match; a name before each file keeps them apart. */
static void match_add(crypto_hash_sha256_state *sum, const char *folder)
{
    char path[PATH_MAX];

    for (int i = 0; i < FOLDER_FILES; i++) {
        cmd_folder_path(folder, i, path);
        crypto_hash_sha256_update(sum, (const unsigned char *)path, strlen(path) + 1);
        if (path[0])
            file_add(sum, path);
    }
    static const char *const names[] = {"match.json", "frames.idx", "journal.jsonl"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        crypto_hash_sha256_update(sum, (const unsigned char *)names[i], strlen(names[i]) + 1);
        file_add(sum, path);
    }
    for (int n = 1; n < 10000; n++) {
        snprintf(path, sizeof path, "%s/video-%04d.mkv", folder, n);
        if (access(path, F_OK) != 0)
            break;
        crypto_hash_sha256_update(sum, (const unsigned char *)&n, sizeof n);
        file_add(sum, path);
    }
}

/* Of the program, of what it is asked, and of what it reads: when that is the same, so is the
 * outcome. */
static void digest_make(const struct verify_worker *worker, const struct verify_item *item,
                        char out[DIGEST_TEXT_MAX])
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_state sum;
    const unsigned char asked[] = {(unsigned char)item->kind, worker->how->rig[0],
                                   worker->how->rig[1]};

    crypto_hash_sha256_init(&sum);
    crypto_hash_sha256_update(&sum, (const unsigned char *)worker->how->build,
                              strlen(worker->how->build));
    crypto_hash_sha256_update(&sum, asked, sizeof asked);
    if (item->kind == VERIFY_MATCH) {
        match_add(&sum, item->path);
    } else if (item->kind == VERIFY_PICTURE) {
        file_add(&sum, item->truth);
        crypto_hash_sha256_update(&sum, asked, 1);
        if (!item->lacks)
            file_add(&sum, item->path);
    }
    crypto_hash_sha256_final(&sum, hash);
    sodium_bin2hex(out, DIGEST_TEXT_MAX, hash, sizeof hash);
}

/* ---- a picture ---- */

/* The kit that the truth names; kept until another is named. */
static bool kit_load(struct verify_worker *worker, const struct truth *truth)
{
    struct cmd_source source = {.mat = worker->mat, .set = worker->set, .deck = worker->deck};

    if (worker->plain && strcmp(worker->mat, truth->mat) == 0 &&
        strcmp(worker->set, truth->set) == 0 && strcmp(worker->deck, truth->deck) == 0)
        return true;
    vision_table_destroy(&worker->plain);
    cmd_kit_free(&worker->kit);
    memcpy(worker->mat, truth->mat, sizeof worker->mat);
    memcpy(worker->set, truth->set, sizeof worker->set);
    memcpy(worker->deck, truth->deck, sizeof worker->deck);
    if (!cmd_kit_load(&source, &worker->kit))
        return false;
    if (!worker->kit.deck) {
        cmd_error("deck: %s: verify needs the cards of the truth", truth->deck);
        return false;
    }
    worker->plain = cmd_reader_create(&worker->kit);
    return worker->plain != NULL;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Reads the frame once, and scores it. */
static bool reading_make(struct verify_worker *worker, const char *path, const struct frame *frame,
                         const struct truth *truth, bool rig, struct json_text *out)
{
    struct verify_result result = {.image = base_name(path), .rig = rig};
    struct cmd_kit with_rig = worker->kit;
    struct table_reader *own = NULL;
    struct layout layout;

    memset(&layout, 0, sizeof layout);
    with_rig.rig = truth->rig;
    if (rig && !(own = cmd_reader_create(&with_rig)))
        return false;
    int error = vision_table_read(rig ? own : worker->plain, frame, false, &layout, NULL);
    vision_table_destroy(&own);
    result.ok = error == 0;
    result.reason = error ? cmd_vision_reason(error) : REASON_COUNT;
    verify_score(truth, worker->kit.deck, error ? NULL : &layout, &result);
    verify_result_pack(&result, out);
    bool well = !result.failed;
    if (!well)
        cmd_error("%s: out of memory", path);
    verify_result_free(&result);
    return well;
}

static bool readings_make(struct verify_worker *worker, const char *path, const struct truth *truth,
                          struct json_text *out)
{
    struct frame *frame = NULL;
    enum reason reason;
    bool done = kit_load(worker, truth) && cmd_frame_load(path, &frame, &reason);

    for (int rig = 1; rig >= 0 && done; rig--)
        if (worker->how->rig[rig])
            done = reading_make(worker, path, frame, truth, rig, out);
    capture_frame_destroy(&frame);
    return done;
}

static bool truth_load(const char *path, struct truth **out)
{
    struct calib_fault fault = {.line = 0};
    char *bytes = NULL;
    size_t length = 0;
    int error = calib_kit_read("", path, &bytes, &length, &fault);

    if (!error)
        error = vision_truth_parse(bytes, length, path, out, &fault);
    free(bytes);
    if (error)
        cmd_fault("truth", path, error, &fault);
    return error == 0;
}

static bool picture_do(struct verify_worker *worker, const struct verify_item *item,
                       struct json_text *out, bool *ramp)
{
    struct truth *truth = NULL;
    bool done = truth_load(item->truth, &truth);

    *ramp = done && truth->ramp;
    vision_json_open(out, "readings", '[');
    if (done && !*ramp && item->lacks) {
        cmd_error("%s: has no picture beside it", item->truth);
        done = false;
    } else if (done && !*ramp) {
        done = readings_make(worker, item->path, truth, out);
    }
    vision_json_close(out, ']');
    vision_truth_destroy(&truth);
    return done;
}

/* ---- a match ---- */

static void lines_put(struct json_text *out, char *lines)
{
    char *rest = NULL;

    vision_json_open(out, "lines", '[');
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        vision_json_string(out, NULL, line);
    vision_json_close(out, ']');
}

/* As `tableref replay` does; false when it could not be judged. */
static bool match_judge(const char *folder, FILE *lines, struct replay_count *count)
{
    const struct replay_ask ask = {
        .match = folder, .from_t_ns = INT64_MIN, .to_t_ns = INT64_MAX, .lines = lines};
    struct calib_fault fault = {.line = 0};
    struct record *record = NULL;
    char journal[PATH_MAX];

    if (!cmd_journal_path(folder, journal, sizeof journal))
        return false;
    int error = referee_record_read(journal, NULL, &record, &fault);
    if (error != REFEREE_OK)
        cmd_record_fault(journal, error, &fault);
    else
        cmd_replay_judge(&ask, record, count);
    referee_record_close(&record);
    if (count->missing + count->changed > 0)
        cmd_error("%s: of the recording %llu pictures are missing, %llu are not what was kept",
                  folder, (unsigned long long)count->missing, (unsigned long long)count->changed);
    return count->judged && count->missing + count->changed == 0;
}

static bool match_do(const struct verify_item *item, struct json_text *out)
{
    struct replay_count count;
    char *text = NULL;
    size_t length = 0;
    FILE *lines = open_memstream(&text, &length);

    memset(&count, 0, sizeof count);
    bool well = lines && match_judge(item->path, lines, &count);
    bool kept = lines && fclose(lines) == 0;
    if (!kept)
        cmd_error("out of memory");
    vision_json_open(out, "match", '{');
    vision_json_bool(out, "judged", count.judged);
    vision_json_int(out, "verdicts", count.verdicts);
    vision_json_int(out, "layouts", count.layouts);
    vision_json_int(out, "differences", count.differences);
    lines_put(out, kept ? text : NULL);
    vision_json_close(out, '}');
    free(text);
    return well && kept;
}

/* ---- a thing ---- */

void verify_worker_do(struct verify_worker *worker, int number, const char *(*said)(void),
                      struct json_text *out)
{
    const struct verify_item *item = &worker->list->item[number];
    struct json_text own;
    char digest[DIGEST_TEXT_MAX];
    bool ramp = false, well = true;

    digest_make(worker, item, digest);
    if (strcmp(digest, item->known) == 0)
        return;
    vision_json_init(&own);
    vision_json_open(&own, NULL, '{');
    if (item->kind == VERIFY_MATCH)
        well = match_do(item, &own);
    else if (item->kind == VERIFY_PICTURE)
        well = picture_do(worker, item, &own, &ramp);
    /* The heading says what was said meanwhile, so it is made last and stands first. */
    const struct verify_heading heading = {.build = worker->how->build,
                                           .number = number,
                                           .of = worker->list->count,
                                           .list_faults = worker->list->faults,
                                           .item = item,
                                           .digest = digest,
                                           .said = said()};
    verify_outcome_begin(&heading, !well, false, out);
    vision_json_bool(out, "ramp", ramp);
    if (own.bytes && own.length > 1) {
        vision_json_raw(out, ",");
        vision_json_raw(out, own.bytes + 1);
    }
    out->failed = out->failed || own.failed;
    vision_json_close(out, '}');
    vision_json_free(&own);
}
