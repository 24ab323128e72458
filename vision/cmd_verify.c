/* vision/cmd_verify.c: `tableref verify`: reads pictures whose truth is known, and judges matches
 * on record again. */
#include "vision/cmd_verify.h"

#include "calib/file.h"
#include "referee/cmd_build.h"
#include "referee/cmd_table.h"
#include "vision/cmd_verify_keep.h"
#include "vision/cmd_verify_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define JOBS_MOST 256
#define PARTS_MOST 100000
/* A file of outcomes is synced this often: what a dying machine loses is done again. */
#define SYNC_S 2
/* On a terminal the line of progress is written over itself; else a new one comes now and then. */
#define PROGRESS_TERMINAL_NS 200000000
#define PROGRESS_LINE_NS 5000000000

enum {
    KEY_JSON = CMD_KEY_OWN,
    KEY_FLOOR,
    KEY_RIG_ONLY,
    KEY_NO_RIG,
    KEY_JOBS,
    KEY_RESUME,
    KEY_PART,
    KEY_MERGE,
    KEY_PROGRESS
};

static const struct cmd_option options[] = {
    {"json", NULL, KEY_JSON, "a line of JSON for each reading and match, and one for the sums"},
    {"floor", NULL, KEY_FLOOR, "fail, too, where less was read than every version has to"},
    {"rig-only", NULL, KEY_RIG_ONLY, "read only with the truth's camera as rig"},
    {"no-rig", NULL, KEY_NO_RIG, "read only without a rig"},
    {"jobs", "N", KEY_JOBS, "so many at once (as many as there are processors)"},
    {"resume", "FILE", KEY_RESUME, "keep there what is done, and do not do it again"},
    {"part", "K/N", KEY_PART, "only the K-th of N parts of it, for other machines or later"},
    {"merge", NULL, KEY_MERGE, "put such FILEs together that parts have kept"},
    {"progress", NULL, KEY_PROGRESS, "say how far it is (usual on a terminal)"},
    {NULL, NULL, 0, NULL},
};

static const struct cmd_verb verb = {
    .name = "verify",
    .arguments = "DIR... | --merge FILE...",
    .about =
        "Reads every picture with a truth file beside it (NAME.jpg or .png, NAME.truth.json),\n"
        "with the truth's camera as rig and without, and counts what is right: verdicts,\n"
        "cells, cards. Judges every match on record again, as replay does. Exit status 1 on a\n"
        "wrong verdict, card or confident cell, on a picture of which nothing was read, on a\n"
        "match that comes out differently, and on a file that cannot be used. What is printed\n"
        "is the same however many are at it; an interrupt ends it with what was done.",
    .options = options,
};

struct verifier {
    bool json, floor, merge, progress;
    int jobs, part, parts;
    const char *resume;
    struct verify_how how;
    struct verify_list list;
    struct verify_kept kept;
    struct verify_report report;
    char **line;   /* of each thing that is done and not yet printed; owned */
    bool *settled; /* what came of it was counted, or is not asked for */
    int given;     /* the next thing to be given to a worker */
    int printed;   /* things up to here are printed */
    int done, todo;
    int file; /* of --resume; -1: none */
    bool failed, stop;
    int64_t began_ns, told_ns, synced_ns;
    int64_t work_done, work; /* in all; as items have it */
    bool terminal;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- what came of a thing ---- */

static void said_print(const char *said)
{
    fputs(said, stderr);
    if (said[0] && said[strlen(said) - 1] != '\n')
        fputc('\n', stderr);
}

static void print(struct verifier *verifier, struct json_text *out)
{
    if (out->length || out->failed)
        verifier->stop |= !cmd_print(out);
    else
        vision_json_free(out);
}

static void readings_print(struct verifier *verifier, const struct verify_outcome *outcome)
{
    for (int i = 0; i < outcome->readings && !verifier->stop; i++) {
        struct json_text out;
        vision_json_init(&out);
        if (verifier->json)
            verify_result_json(&outcome->reading[i], &out);
        else
            verify_result_text(&outcome->reading[i], &out);
        print(verifier, &out);
        if (!verify_report_add(&verifier->report, &outcome->reading[i])) {
            cmd_error("%s: out of memory", outcome->path);
            verifier->report.faults++;
        }
    }
}

static void match_print(struct verifier *verifier, const struct verify_outcome *outcome)
{
    struct verify_report *report = &verifier->report;
    struct json_text out;

    report->matches++;
    report->matches_same += !outcome->fault && outcome->match.differences == 0;
    report->match_verdicts += outcome->match.verdicts;
    report->match_layouts += outcome->match.layouts;
    report->match_differences += outcome->match.differences;
    vision_json_init(&out);
    if (verifier->json)
        verify_match_json(outcome, &out);
    else
        verify_match_text(outcome, &out);
    print(verifier, &out);
}

/* A worker's line, or one of before; in the order of the list. */
static void outcome_print(struct verifier *verifier, const char *line)
{
    struct verify_outcome outcome;
    char why[160];

    if (!verify_outcome_parse(line, strlen(line), &outcome, why, sizeof why)) {
        cmd_error("verify: a worker said what is no outcome: %s", why);
        verifier->report.faults++;
    } else {
        said_print(outcome.said);
        verifier->report.faults += outcome.fault;
        verifier->report.crashed += outcome.crashed;
        verifier->report.ramps += outcome.ramp;
        verifier->report.without_truth += outcome.kind == VERIFY_ALONE;
        readings_print(verifier, &outcome);
        if (outcome.kind == VERIFY_MATCH)
            match_print(verifier, &outcome);
    }
    verify_outcome_free(&outcome);
}

static bool is_ours(const struct verifier *verifier, int number)
{
    return number % verifier->parts == verifier->part - 1;
}

/* Prints what is next in the list, and goes on as far as all is there; with `all` gaps are passed
 * over. */
static void lines_print(struct verifier *verifier, bool all)
{
    for (; verifier->printed < verifier->list.count && !verifier->stop; verifier->printed++) {
        char **line = &verifier->line[verifier->printed];
        if (!*line && !all && is_ours(verifier, verifier->printed))
            return;
        if (*line)
            outcome_print(verifier, *line);
        free(*line);
        *line = NULL;
    }
}

/* ---- the file of outcomes ---- */

static void file_sync(struct verifier *verifier)
{
    if (verifier->file < 0)
        return;
    fdatasync(verifier->file);
    verifier->synced_ns = now_ns();
}

static bool file_add(struct verifier *verifier, const char *line)
{
    size_t length = strlen(line);
    char *whole = malloc(length + 2);

    if (verifier->file < 0) {
        free(whole);
        return true;
    }
    if (whole) {
        memcpy(whole, line, length);
        memcpy(whole + length, "\n", 2);
    }
    bool well = whole && calib_bytes_write(verifier->file, whole, length + 1) == 0;
    if (!well)
        cmd_error("%s: %s", verifier->resume, whole ? strerror(errno) : "out of memory");
    free(whole);
    return well;
}

/* A torn last line is cut off, so that the next one begins where a line begins. */
static bool file_open(struct verifier *verifier)
{
    verifier->file = open(verifier->resume, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (verifier->file >= 0 && ftruncate(verifier->file, verifier->kept.sound) == 0)
        return true;
    cmd_error("%s: %s", verifier->resume, strerror(errno));
    return false;
}

/* What is known of the same thing counts only if it was of the same bytes: workers look. */
static bool kept_open(struct verifier *verifier)
{
    if (!verifier->resume)
        return true;
    if (!verify_kept_read(verifier->resume, true, &verifier->kept) || !file_open(verifier))
        return false;
    verify_kept_settle(&verifier->kept);
    for (int i = 0; i < verifier->list.count; i++) {
        struct verify_item *item = &verifier->list.item[i];
        const struct verify_kept_line *line = verify_kept_find(&verifier->kept, item->path);
        if (line)
            memcpy(item->known, line->digest, sizeof item->known);
    }
    return true;
}

/* The line of before with what is now its number, of how many: else parts could not be merged. */
static char *kept_renumber(const struct verifier *verifier, int number)
{
    const struct verify_kept_line *line =
        verify_kept_find(&verifier->kept, verifier->list.item[number].path);
    json_t *body = line ? json_loads(line->line, 0, NULL) : NULL;
    char *text = NULL;

    if (body && json_object_set_new(body, "number", json_integer(number)) == 0 &&
        json_object_set_new(body, "of", json_integer(verifier->list.count)) == 0 &&
        json_object_set_new(body, "list_faults", json_integer(verifier->list.faults)) == 0)
        text = json_dumps(body, JSON_COMPACT);
    json_decref(body);
    return text;
}

/* ---- what the pool asks and tells ---- */

static int next(void *context)
{
    struct verifier *verifier = context;

    while (verifier->given < verifier->list.count && !is_ours(verifier, verifier->given))
        verifier->given++;
    return verifier->given < verifier->list.count ? verifier->given++ : -1;
}

static bool settle(struct verifier *verifier, int number, char *line, bool keep)
{
    const struct verify_item *item = &verifier->list.item[number];

    if (!line) {
        cmd_error("out of memory");
        return false;
    }
    verifier->line[number] = line;
    verifier->done++;
    verifier->work_done += item->work;
    bool well = !keep || file_add(verifier, line);
    if (now_ns() - verifier->synced_ns > SYNC_S * (int64_t)1000000000)
        file_sync(verifier);
    if (verifier->terminal && verifier->progress)
        fputs("\r\033[K", stderr);
    lines_print(verifier, false);
    verifier->told_ns = verifier->terminal ? 0 : verifier->told_ns;
    return well && !verifier->stop;
}

static bool done(void *context, int number, const char *line, size_t length)
{
    struct verifier *verifier = context;
    const struct verify_kept_line *before = NULL;

    if (length > 0)
        return settle(verifier, number, strdup(line), true);
    char *again = kept_renumber(verifier, number);
    before = verify_kept_find(&verifier->kept, verifier->list.item[number].path);
    return settle(verifier, number, again, again && before && strcmp(again, before->line) != 0);
}

static bool crashed(void *context, int number, const char *how, const char *said)
{
    struct verifier *verifier = context;
    const struct verify_item *item = &verifier->list.item[number];
    char text[PATH_MAX + 256];
    struct json_text out, all;

    vision_json_init(&all);
    vision_json_raw(&all, said);
    snprintf(text, sizeof text,
             "tableref: %s: a worker was brought down by it (%s); the others go on", item->path,
             how);
    vision_json_raw(&all, text);
    const struct verify_heading heading = {.build = verifier->how.build,
                                           .number = number,
                                           .of = verifier->list.count,
                                           .list_faults = verifier->list.faults,
                                           .item = item,
                                           .digest = "",
                                           .said = all.bytes ? all.bytes : text};
    vision_json_init(&out);
    verify_outcome_begin(&heading, true, true, &out);
    vision_json_close(&out, '}');
    vision_json_free(&all);
    bool well = settle(verifier, number, out.failed ? NULL : strdup(out.bytes), true);
    vision_json_free(&out);
    return well;
}

/* ---- how far it is ---- */

/* By what was done until now; -1 while that is not known. */
static int64_t left_s(const struct verifier *verifier)
{
    double spent_s = (double)(now_ns() - verifier->began_ns) / 1e9,
           left = (double)(verifier->work - verifier->work_done);

    return verifier->work_done > 0 ? (int64_t)(spent_s * left / (double)verifier->work_done + 0.5)
                                   : -1;
}

static void look(void *context)
{
    struct verifier *verifier = context;
    int64_t now = now_ns(), left = left_s(verifier);
    char when[64] = "";

    if (!verifier->progress ||
        now - verifier->told_ns < (verifier->terminal ? PROGRESS_TERMINAL_NS : PROGRESS_LINE_NS))
        return;
    verifier->told_ns = now;
    if (left >= 0)
        snprintf(when, sizeof when, cmd_text(", about %lld:%02d left"), (long long)(left / 60),
                 (int)(left % 60));
    fprintf(stderr, "%stableref: ", verifier->terminal ? "\r" : "");
    fprintf(stderr, cmd_text("%d of %d done, %lld differences"), verifier->done, verifier->todo,
            (long long)verify_report_differences(&verifier->report));
    fprintf(stderr, "%s%s", when, verifier->terminal ? "\033[K" : "\n");
}

/* ---- the whole ---- */

static bool passed_all(const struct verifier *verifier, struct json_text *floors)
{
    const struct verify_report *report = &verifier->report;

    if (report->families == 0 && report->matches == 0 && verifier->done == verifier->todo &&
        (verifier->parts == 1 || verifier->todo > 0))
        cmd_error("verify: no picture with a truth file beside it was verified, nor a match");
    int missed = verifier->floor ? verify_floors(report, floors) : 0;
    return (report->families > 0 || report->matches > 0) && report->faults == 0 && missed == 0 &&
           verifier->done == verifier->todo && verify_report_differences(report) == 0;
}

/* Nothing was found to count: what was wrong is said already, and empty tables say no more. */
static bool report_is_bare(const struct verify_report *report)
{
    return report->families == 0 && report->ramps == 0 && report->without_truth == 0 &&
           report->matches == 0;
}

static int conclude(struct verifier *verifier)
{
    struct json_text out, floors;

    verifier->report.undone = verifier->todo - verifier->done;
    vision_json_init(&floors);
    vision_json_init(&out);
    bool passed = passed_all(verifier, &floors);
    if (verifier->json) {
        verify_report_json(&verifier->report, passed, &floors, &out);
    } else {
        verify_report_text(&verifier->report, &out);
        if (floors.length) {
            vision_json_raw(&out, "\nbelow the floor:\n");
            vision_json_raw(&out, floors.bytes);
        }
    }
    if (floors.failed)
        passed = false;
    vision_json_free(&floors);
    if (verifier->stop || (report_is_bare(&verifier->report) && !verifier->json))
        vision_json_free(&out);
    else
        verifier->stop = !cmd_print(&out);
    return passed && !verifier->stop && !verifier->failed ? CMD_DONE : CMD_UNUSABLE;
}

static void count(struct verifier *verifier)
{
    for (int i = 0; i < verifier->list.count; i++) {
        if (!is_ours(verifier, i))
            continue;
        verifier->todo++;
        verifier->work += verifier->list.item[i].work;
    }
}

static int do_all(struct verifier *verifier)
{
    const struct verify_pool_sink sink = {
        .next = next, .done = done, .crashed = crashed, .look = look, .context = verifier};

    verifier->line = calloc((size_t)verifier->list.count + 1, sizeof *verifier->line);
    if (!verifier->line) {
        cmd_error("out of memory");
        return CMD_UNUSABLE;
    }
    if (!kept_open(verifier))
        return CMD_UNUSABLE;
    count(verifier);
    verifier->report.faults += verifier->list.faults;
    verifier->began_ns = verifier->told_ns = verifier->synced_ns = now_ns();
    int jobs = verifier->jobs < verifier->todo ? verifier->jobs : verifier->todo;
    cmd_stop_on_signals();
    if (jobs > 0 && !verify_pool_run(jobs, &verifier->how, &verifier->list, &sink, &cmd_stopped))
        verifier->failed = true;
    if (verifier->terminal && verifier->progress)
        fputs("\r\033[K", stderr);
    lines_print(verifier, true);
    file_sync(verifier);
    if (verifier->done < verifier->todo && !verifier->failed && !verifier->stop)
        cmd_error("verify: ended before its end: %d of %d are done%s", verifier->done,
                  verifier->todo,
                  verifier->resume ? N_("; the same again goes on from there") : "");
    return conclude(verifier);
}

/* ---- putting parts together ---- */

/* Do all lines belong to one whole? */
static bool merge_take(struct verifier *verifier, const struct verify_kept_line *kept,
                       char build[17])
{
    struct verify_outcome outcome;
    char why[160];
    bool well = verify_outcome_parse(kept->line, strlen(kept->line), &outcome, why, sizeof why);

    if (well && verifier->list.count == 0) {
        verifier->line = calloc((size_t)outcome.of + 1, sizeof *verifier->line);
        well = verifier->line != NULL;
        verifier->list.count = well ? outcome.of : 0;
        verifier->list.faults = outcome.list_faults;
        snprintf(build, 17, "%s", outcome.build);
    }
    well = well && outcome.of == verifier->list.count &&
           outcome.list_faults == verifier->list.faults && strcmp(outcome.build, build) == 0 &&
           !verifier->line[outcome.number];
    if (!well)
        cmd_error(
            "verify: --merge: %s: these are no parts of one whole: made of other folders, or by "
            "another build; do them anew",
            kept->path);
    else if ((verifier->line[outcome.number] = strdup(kept->line)))
        verifier->done++;
    verify_outcome_free(&outcome);
    return well;
}

static int merge(struct verifier *verifier, int files, char **path)
{
    char build[17] = "";
    int i = 0;

    for (; i < files; i++)
        if (!verify_kept_read(path[i], false, &verifier->kept))
            return CMD_UNUSABLE;
    verify_kept_settle(&verifier->kept);
    for (i = 0; i < verifier->kept.count; i++)
        if (!merge_take(verifier, &verifier->kept.line[i], build)) {
            /* The list is none of files: nothing to free in its items. */
            for (int l = 0; l < verifier->list.count; l++)
                free(verifier->line[l]);
            verifier->list.count = 0;
            return CMD_UNUSABLE;
        }
    verifier->todo = verifier->list.count;
    verifier->report.faults = verifier->list.faults;
    lines_print(verifier, true);
    if (verifier->done < verifier->todo)
        cmd_error(
            "verify: --merge: %d of %d are not in these files: a part is missing, or is not done",
            verifier->todo - verifier->done, verifier->todo);
    verifier->list.count = 0;
    return conclude(verifier);
}

/* ---- the verb ---- */

static int processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);

    return count < 1 ? 1 : count > JOBS_MOST ? JOBS_MOST : (int)count;
}

static bool part_take(struct verifier *verifier, const char *text)
{
    char *end = NULL;

    errno = 0;
    long part = strtol(text, &end, 10);
    long parts = end > text && *end == '/' ? strtol(end + 1, &end, 10) : 0;
    if (!errno && *end == 0 && part >= 1 && part <= parts && parts <= PARTS_MOST) {
        verifier->part = (int)part;
        verifier->parts = (int)parts;
        return true;
    }
    cmd_error("%s: --part %s: like 2/8 is needed, the second of eight", verb.name, text);
    return false;
}

static bool option_take(struct verifier *verifier, int key, const char *value)
{
    verifier->json |= key == KEY_JSON;
    verifier->floor |= key == KEY_FLOOR;
    verifier->merge |= key == KEY_MERGE;
    verifier->progress |= key == KEY_PROGRESS;
    verifier->how.rig[0] &= key != KEY_RIG_ONLY;
    verifier->how.rig[1] &= key != KEY_NO_RIG;
    if (key == KEY_RESUME)
        verifier->resume = value;
    if (key == KEY_JOBS)
        return cmd_number(&verb, "jobs", value, 1, JOBS_MOST, &verifier->jobs);
    return key != KEY_PART || part_take(verifier, value);
}

static bool options_check(const struct verifier *verifier, int arguments)
{
    if (arguments < 1)
        cmd_error("verify: a folder is needed; see tableref verify --help");
    else if (!verifier->how.rig[0] && !verifier->how.rig[1])
        cmd_error("verify: --rig-only and --no-rig leave nothing to do");
    else if (verifier->merge && (verifier->resume || verifier->parts > 1))
        cmd_error("verify: --merge does nothing anew: neither --resume nor --part goes with it");
    else
        return true;
    return false;
}

static void verifier_free(struct verifier *verifier)
{
    verify_report_free(&verifier->report);
    verify_kept_free(&verifier->kept);
    verify_list_free(&verifier->list);
    free(verifier->line);
    if (verifier->file >= 0)
        close(verifier->file);
}

int cmd_verify(int argc, char **argv)
{
    struct verifier verifier;
    const char *value;
    int first = 0, key, status;

    memset(&verifier, 0, sizeof verifier);
    verifier.how.rig[0] = verifier.how.rig[1] = true;
    verifier.jobs = processors();
    verifier.part = verifier.parts = 1;
    verifier.file = -1;
    verifier.terminal = isatty(STDERR_FILENO);
    verifier.progress = verifier.terminal;
    while ((key = cmd_options_next(&verb, argc, argv, &first, &value)) > 0)
        if (!option_take(&verifier, key, value))
            return CMD_WRONG_USE;
    if (key == CMD_OPTION_HELP)
        return CMD_DONE;
    if (key == CMD_OPTION_WRONG || !options_check(&verifier, argc - first))
        return CMD_WRONG_USE;
    if (verifier.merge) {
        status = merge(&verifier, argc - first, argv + first);
    } else {
        cmd_build_find(verifier.how.build);
        for (int i = first; i < argc; i++)
            verify_list_add(&verifier.list, argv[i]);
        status = do_all(&verifier);
    }
    verifier_free(&verifier);
    return status;
}
