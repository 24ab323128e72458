/* vision/cmd_verify_report.c: what verify prints: findings, sums by family, the confusion matrix,
 * and the floors that every version has to meet. */
#include "vision/cmd_verify.h"
#include "vision/cmd_verify_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sums ---- */

static void count_add(struct verify_count *sum, const struct verify_count *more)
{
    sum->right += more->right;
    sum->wrong += more->wrong;
    sum->unread += more->unread;
}

static int count_all(const struct verify_count *count)
{
    return count->right + count->wrong + count->unread;
}

void verify_tally_add(struct verify_tally *sum, const struct verify_tally *more)
{
    sum->pictures += more->pictures;
    sum->unusable += more->unusable;
    sum->seats += more->seats;
    sum->full += more->full;
    sum->decided += more->decided;
    count_add(&sum->verdicts, &more->verdicts);
    count_add(&sum->cells, &more->cells);
    sum->cells_under_hand += more->cells_under_hand;
    sum->cells_sure_wrong += more->cells_sure_wrong;
    sum->cells_extra += more->cells_extra;
    count_add(&sum->face_up, &more->face_up);
    count_add(&sum->face_down, &more->face_down);
    count_add(&sum->empty, &more->empty);
    sum->differences += more->differences;
    for (int t = 0; t < VERIFY_LABELS; t++)
        for (int r = 0; r < VERIFY_LABELS; r++)
            sum->confusion[t][r] += more->confusion[t][r];
}

static void family_of(const char *image, char name[VERIFY_FAMILY_MAX])
{
    const char *dash = strrchr(image, '-');
    size_t length = dash ? (size_t)(dash - image) : strcspn(image, ".");
    if (length >= VERIFY_FAMILY_MAX)
        length = VERIFY_FAMILY_MAX - 1;
    memcpy(name, image, length);
    name[length] = 0;
}

bool verify_report_add(struct verify_report *report, const struct verify_result *result)
{
    char name[VERIFY_FAMILY_MAX];
    int i = 0;
    family_of(result->image, name);
    while (i < report->families && strcmp(report->family[i].name, name) != 0)
        i++;
    if (i == report->capacity) {
        int capacity = report->capacity * 2 + 4;
        struct verify_family *grown =
            realloc(report->family, (size_t)capacity * sizeof *report->family);
        if (!grown)
            return false;
        report->family = grown;
        report->capacity = capacity;
    }
    if (i == report->families) {
        memset(&report->family[i], 0, sizeof report->family[i]);
        memcpy(report->family[i].name, name, sizeof name);
        report->families++;
    }
    verify_tally_add(&report->family[i].tally[result->rig], &result->tally);
    return !result->failed;
}

void verify_report_free(struct verify_report *report)
{
    free(report->family);
    memset(report, 0, sizeof *report);
}

int64_t verify_report_differences(const struct verify_report *report)
{
    int64_t sum = report->match_differences;
    for (int i = 0; i < report->families; i++)
        sum += report->family[i].tally[0].differences + report->family[i].tally[1].differences;
    return sum;
}

/* ---- text ---- */

static void put(struct json_text *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The buffer of the JSON writer serves for plain text as well. */
static void put(struct json_text *out, const char *format, ...)
{
    char line[VERIFY_TEXT_MAX + 128];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    vision_json_raw(out, line);
}

static const char *lens_of(bool rig)
{
    return rig ? "rig" : "no rig";
}

void verify_result_text(const struct verify_result *result, struct json_text *out)
{
    for (int i = 0; i < result->findings; i++)
        put(out, "%s%s %s: %s: %s", i ? "\n" : "",
            result->finding[i].difference ? "DIFFERENCE" : "miss      ", result->image,
            lens_of(result->rig), result->finding[i].text);
}

/* "30 1 0 96.8%": right, wrong, not read, share right. */
static void put_count(struct json_text *out, const struct verify_count *count)
{
    int all = count_all(count);
    if (all)
        put(out, " %6d %5d %6d %6.1f%%", count->right, count->wrong, count->unread,
            100.0 * count->right / all);
    else
        put(out, " %6d %5d %6d %7s", 0, 0, 0, "-");
}

static void put_seats(struct json_text *out, const char *name, bool rig,
                      const struct verify_tally *tally)
{
    put(out, "\n%-8s %-7s %8d %7d %6d %9d %8d", name, lens_of(rig), tally->pictures,
        tally->unusable, tally->seats, tally->full, tally->decided);
    put_count(out, &tally->verdicts);
}

static void put_cells(struct json_text *out, const char *name, bool rig,
                      const struct verify_tally *tally)
{
    put(out, "\n%-8s %-7s", name, lens_of(rig));
    put_count(out, &tally->cells);
    put(out, " %10d %10d %11d", tally->cells_sure_wrong, tally->cells_extra,
        tally->cells_under_hand);
}

static void put_slots(struct json_text *out, const char *name, bool rig,
                      const struct verify_tally *tally)
{
    put(out, "\n%-8s %-7s", name, lens_of(rig));
    put_count(out, &tally->face_up);
    put(out, "   %4d %5d %6d   %4d %5d %6d", tally->face_down.right, tally->face_down.wrong,
        tally->face_down.unread, tally->empty.right, tally->empty.wrong, tally->empty.unread);
}

typedef void put_row(struct json_text *out, const char *name, bool rig,
                     const struct verify_tally *tally);

/* A table: a row for each family and lens, and the sums below. */
static void put_table(struct json_text *out, const struct verify_report *report,
                      const struct verify_tally sum[2], const char *head, put_row *row)
{
    put(out, "\n\n%s", head);
    for (int i = 0; i < report->families; i++)
        for (int rig = 1; rig >= 0; rig--)
            if (report->family[i].tally[rig].pictures)
                row(out, report->family[i].name, rig, &report->family[i].tally[rig]);
    for (int rig = 1; rig >= 0; rig--)
        if (sum[rig].pictures)
            row(out, "all", rig, &sum[rig]);
}

static bool label_used(const struct verify_tally *sum, int label)
{
    for (int other = 0; other < VERIFY_LABELS; other++)
        if (sum->confusion[label][other] || sum->confusion[other][label])
            return true;
    return false;
}

static void put_label(struct json_text *out, int label)
{
    if (label)
        put(out, " %6c", ' ' + label);
    else
        put(out, " %6s", "none");
}

static void put_confusion(struct json_text *out, const struct verify_tally *sum)
{
    put(out, "\n\ncells in view: the truth by row, what was read by column\n      ");
    for (int read = 0; read < VERIFY_LABELS; read++)
        if (label_used(sum, read))
            put_label(out, read);
    for (int truth = 0; truth < VERIFY_LABELS; truth++) {
        if (!label_used(sum, truth))
            continue;
        put(out, "\n");
        put_label(out, truth);
        for (int read = 0; read < VERIFY_LABELS; read++)
            if (label_used(sum, read))
                put(out, " %6d", sum->confusion[truth][read]);
    }
}

static void sum_families(const struct verify_report *report, struct verify_tally sum[2])
{
    memset(sum, 0, 2 * sizeof *sum);
    for (int i = 0; i < report->families; i++)
        for (int rig = 0; rig < 2; rig++)
            verify_tally_add(&sum[rig], &report->family[i].tally[rig]);
}

static void put_notes(struct json_text *out, const struct verify_report *report)
{
    if (report->ramps)
        put(out, "\n%d pictures of ramps were left out", report->ramps);
    if (report->without_truth)
        put(out, "\n%d pictures have no truth beside them", report->without_truth);
    if (report->faults)
        put(out, "\n%d files could not be used", report->faults);
    if (report->crashed)
        put(out, "\n%d of them brought a worker down", report->crashed);
    if (report->matches)
        put(out,
            "\n%d matches judged again: %d came out the same; %lld rulings, %lld layouts and cards "
            "compared, %lld differences",
            report->matches, report->matches_same, (long long)report->match_verdicts,
            (long long)report->match_layouts, (long long)report->match_differences);
    if (report->undone)
        put(out, "\n%d were not come to", report->undone);
}

/* Tables of nothing say nothing. */
static void put_tables(struct json_text *out, const struct verify_report *report,
                       const struct verify_tally sum[2])
{
    if (report->families == 0)
        return;
    put_table(out, report, sum,
              "family   lens    pictures no_read  seats full_view  decided   right wrong cannot"
              "   right%  (verdicts)",
              put_seats);
    put_table(out, report, sum,
              "family   lens     right wrong unread  right%  sure_wrong      extra under_hands"
              "  (cells in view)",
              put_cells);
    put_table(out, report, sum,
              "family   lens     right wrong unread  right%   down wrong unread  empty wrong unread"
              "  (slots: face up, face down, empty)",
              put_slots);
}

void verify_report_text(const struct verify_report *report, struct json_text *out)
{
    struct verify_tally *sum = calloc(3, sizeof *sum);
    if (!sum) {
        out->failed = true;
        return;
    }
    sum_families(report, sum);
    put_tables(out, report, sum);
    for (int i = 0; i < 2; i++)
        verify_tally_add(&sum[2], &sum[i]);
    if (report->families > 0) {
        put_confusion(out, &sum[2]);
        put(out, "\n");
    }
    put_notes(out, report);
    put(out, "\n%d wrong verdicts, %lld differences in all", sum[2].verdicts.wrong,
        (long long)verify_report_differences(report));
    free(sum);
}

/* ---- JSON ---- */

static void write_count(struct json_text *out, const char *key, const struct verify_count *count)
{
    vision_json_open(out, key, '{');
    vision_json_int(out, "right", count->right);
    vision_json_int(out, "wrong", count->wrong);
    vision_json_int(out, "unread", count->unread);
    vision_json_close(out, '}');
}

static void write_tally(struct json_text *out, const struct verify_tally *tally)
{
    vision_json_int(out, "seats", tally->seats);
    vision_json_int(out, "full_view", tally->full);
    vision_json_int(out, "decided", tally->decided);
    write_count(out, "verdicts", &tally->verdicts);
    write_count(out, "cells", &tally->cells);
    vision_json_int(out, "cells_under_hand", tally->cells_under_hand);
    vision_json_int(out, "cells_sure_wrong", tally->cells_sure_wrong);
    vision_json_int(out, "cells_extra", tally->cells_extra);
    write_count(out, "face_up", &tally->face_up);
    write_count(out, "face_down", &tally->face_down);
    write_count(out, "empty", &tally->empty);
}

static void write_findings(struct json_text *out, const char *key,
                           const struct verify_result *result, bool difference)
{
    vision_json_open(out, key, '[');
    for (int i = 0; i < result->findings; i++)
        if (result->finding[i].difference == difference)
            vision_json_string(out, NULL, result->finding[i].text);
    vision_json_close(out, ']');
}

void verify_result_json(const struct verify_result *result, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_string(out, "image", result->image);
    vision_json_bool(out, "rig", result->rig);
    vision_json_bool(out, "ok", result->ok);
    vision_json_string(out, "reason", result->ok ? NULL : vision_reason_name(result->reason));
    write_tally(out, &result->tally);
    write_findings(out, "differences", result, true);
    write_findings(out, "misses", result, false);
    vision_json_close(out, '}');
}

/* Each line of the text as an item. */
static void write_lines(struct json_text *out, const char *key, const struct json_text *lines)
{
    vision_json_open(out, key, '[');
    for (const char *at = lines->length ? lines->bytes : NULL; at;) {
        char line[VERIFY_TEXT_MAX];
        const char *end = strchr(at, '\n');
        snprintf(line, sizeof line, "%.*s", end ? (int)(end - at) : (int)strlen(at), at);
        vision_json_string(out, NULL, line);
        at = end ? end + 1 : NULL;
    }
    vision_json_close(out, ']');
}

static void write_matches(struct json_text *out, const struct verify_report *report)
{
    vision_json_open(out, "matches", '{');
    vision_json_int(out, "judged", report->matches);
    vision_json_int(out, "same", report->matches_same);
    vision_json_int(out, "verdicts", report->match_verdicts);
    vision_json_int(out, "layouts", report->match_layouts);
    vision_json_int(out, "differences", report->match_differences);
    vision_json_close(out, '}');
}

static void write_label(struct json_text *out, const char *key, int label)
{
    const char text[] = {(char)(' ' + label), 0};
    vision_json_string(out, key, label ? text : NULL);
}

/* Cells in view, of all families, with rig and without; null: none. */
static void write_confusion(struct json_text *out, const struct verify_report *report)
{
    struct verify_tally *sum = calloc(2, sizeof *sum);
    out->failed = out->failed || !sum;
    if (!sum)
        return;
    sum_families(report, sum);
    verify_tally_add(&sum[0], &sum[1]);
    vision_json_open(out, "confusion", '[');
    for (int truth = 0; truth < VERIFY_LABELS; truth++)
        for (int read = 0; read < VERIFY_LABELS; read++) {
            if (!sum[0].confusion[truth][read])
                continue;
            vision_json_open(out, NULL, '{');
            write_label(out, "truth", truth);
            write_label(out, "read", read);
            vision_json_int(out, "cells", sum[0].confusion[truth][read]);
            vision_json_close(out, '}');
        }
    vision_json_close(out, ']');
    free(sum);
}

void verify_match_json(const struct verify_outcome *outcome, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_string(out, "match", outcome->path);
    vision_json_bool(out, "judged", outcome->match.judged);
    vision_json_bool(out, "same", !outcome->fault && outcome->match.differences == 0);
    vision_json_int(out, "verdicts", outcome->match.verdicts);
    vision_json_int(out, "layouts", outcome->match.layouts);
    vision_json_open(out, "differences", '[');
    for (size_t i = 0; i < json_array_size(outcome->match.lines); i++)
        vision_json_string(out, NULL, json_string_value(json_array_get(outcome->match.lines, i)));
    vision_json_close(out, ']');
    vision_json_close(out, '}');
}

void verify_match_text(const struct verify_outcome *outcome, struct json_text *out)
{
    for (size_t i = 0; i < json_array_size(outcome->match.lines); i++)
        put(out, "%sDIFFERENCE %s: %.200s", i ? "\n" : "", outcome->path,
            json_string_value(json_array_get(outcome->match.lines, i)));
}

void verify_report_json(const struct verify_report *report, bool passed,
                        const struct json_text *floors, struct json_text *out)
{
    vision_json_open(out, NULL, '{');
    vision_json_bool(out, "passed", passed);
    vision_json_int(out, "differences", verify_report_differences(report));
    write_lines(out, "floors_missed", floors);
    vision_json_int(out, "faults", report->faults);
    vision_json_int(out, "ramps", report->ramps);
    vision_json_int(out, "without_truth", report->without_truth);
    vision_json_int(out, "crashed", report->crashed);
    vision_json_int(out, "undone", report->undone);
    write_matches(out, report);
    write_confusion(out, report);
    vision_json_open(out, "families", '[');
    for (int i = 0; i < report->families; i++)
        for (int rig = 1; rig >= 0; rig--) {
            const struct verify_tally *tally = &report->family[i].tally[rig];
            if (!tally->pictures)
                continue;
            vision_json_open(out, NULL, '{');
            vision_json_string(out, "family", report->family[i].name);
            vision_json_bool(out, "rig", rig);
            vision_json_int(out, "pictures", tally->pictures);
            vision_json_int(out, "unusable", tally->unusable);
            write_tally(out, tally);
            vision_json_close(out, '}');
        }
    vision_json_close(out, ']');
    vision_json_close(out, '}');
}

/* ---- floors ---- */

/* What is asked of a family, in permille. */
struct floor {
    int decided, cells, cards;
};

/* Ordinary pictures, and the hard ones of family x: far and tilted, strong glare, noise. */
static const struct floor ordinary = {1000, 998, 1000}, hard = {900, 980, 900};

static int check_share(struct json_text *out, const char *name, bool rig, const char *what,
                       int right, int all, int permille)
{
    if ((long)right * 1000 >= (long)all * permille)
        return 0;
    put(out, "%s%s: %s: %s: %d of %d, at least %.1f%% are asked for", out->length ? "\n" : "", name,
        lens_of(rig), what, right, all, permille / 10.0);
    return 1;
}

static int check_none(struct json_text *out, const char *name, bool rig, const char *what,
                      int count)
{
    if (count == 0)
        return 0;
    put(out, "%s%s: %s: %s: %d, none is allowed", out->length ? "\n" : "", name, lens_of(rig), what,
        count);
    return 1;
}

static int check_family(struct json_text *out, const char *name, bool rig,
                        const struct verify_tally *tally)
{
    const struct floor *floor = strcmp(name, "x") == 0 ? &hard : &ordinary;
    int missed = check_share(out, name, rig, "seats in full view that were decided", tally->decided,
                             tally->full, floor->decided);
    missed += check_share(out, name, rig, "cells in view read right", tally->cells.right,
                          count_all(&tally->cells), floor->cells);
    missed += check_share(out, name, rig, "cards in view read right", tally->face_up.right,
                          count_all(&tally->face_up), floor->cards);
    missed += check_none(out, name, rig, "cells wrong above 0.9", tally->cells_sure_wrong);
    missed += check_none(out, name, rig, "cells above 0.9 where there is none", tally->cells_extra);
    missed += check_none(out, name, rig, "cards read wrong", tally->face_up.wrong);
    return missed;
}

int verify_floors(const struct verify_report *report, struct json_text *out)
{
    int missed = 0;
    for (int i = 0; i < report->families; i++)
        for (int rig = 1; rig >= 0; rig--)
            if (report->family[i].tally[rig].pictures)
                missed +=
                    check_family(out, report->family[i].name, rig, &report->family[i].tally[rig]);
    if (report->without_truth) {
        put(out, "%s%d pictures have no truth beside them", out->length ? "\n" : "",
            report->without_truth);
        missed++;
    }
    return missed;
}
