/* vision/cmd_verify.h: the parts of `tableref verify`: scoring one reading against its truth, and
 * the report over all of them. Program layer. */
#ifndef VISION_CMD_VERIFY_H
#define VISION_CMD_VERIFY_H

#include "calib/deck.h"
#include "vision/json_text.h"
#include "vision/layout.h"
#include "vision/truth.h"

#include <stdbool.h>

#define VERIFY_FAMILY_MAX 32
#define VERIFY_TEXT_MAX 320
#define VERIFY_LABELS 96 /* printable characters, and "none" at 0 */

/* Counts of things that were right, wrong or not read. */
struct verify_count {
    int right, wrong, unread;
};

/* What was counted, over one reading or many. */
struct verify_tally {
    int pictures, unusable;       /* read; of them nothing could be made */
    int seats, full, decided;     /* in truth; in full view; of those decided against every card */
    struct verify_count verdicts; /* unread: cannot_tell */
    struct verify_count cells;    /* in view */
    int cells_under_hand; /* in view, but in a seat with a hand, and not read: none is asked for */
    int cells_sure_wrong; /* wrong with a confidence above 0.9 */
    int cells_extra;      /* read with such a confidence where the truth has none */
    struct verify_count face_up, face_down, empty; /* slots with 0.95 in view, by what lies there */
    int differences;
    int confusion[VERIFY_LABELS][VERIFY_LABELS]; /* truth, read: label - ' ', 0 for none */
};

void verify_tally_add(struct verify_tally *sum, const struct verify_tally *more);

/* A finding in one line: a difference makes verify fail, a miss is only listed. */
struct verify_finding {
    bool difference;
    char text[VERIFY_TEXT_MAX];
};

/* One reading of one picture. */
struct verify_result {
    const char *image; /* file's name, lent */
    bool rig;          /* the camera of the truth was given */
    bool ok;
    enum reason reason; /* why it could not be read, unless ok */
    struct verify_tally tally;
    int findings, capacity;
    struct verify_finding *finding;
    bool failed; /* there was no memory for a finding */
};

void verify_result_free(struct verify_result *result);
void verify_note(struct verify_result *result, bool difference, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Scores a reading; `layout` is NULL when the picture could not be read. */
void verify_score(const struct truth *truth, const struct deck *deck, const struct layout *layout,
                  struct verify_result *result);

/* Sums by family (a picture's name up to its last '-'), with and without rig. */
struct verify_family {
    char name[VERIFY_FAMILY_MAX];
    struct verify_tally tally[2]; /* [1]: with rig */
};

struct verify_report {
    int families, capacity;
    struct verify_family *family;
    int ramps;                 /* pictures of ramps, left out */
    int without_truth;         /* pictures with no truth beside them */
    int faults;                /* files that could not be used */
    int crashed;               /* of them: brought a worker down */
    int undone;                /* not come to: it was ended before */
    int matches, matches_same; /* judged again; of them came out the same */
    int64_t match_verdicts, match_layouts, match_differences;
};

/* Adds a result to its family; false for no memory. */
bool verify_report_add(struct verify_report *report, const struct verify_result *result);
void verify_report_free(struct verify_report *report);

/* The result as it goes to standard output: a JSON line, or lines of text for its findings. */
void verify_result_json(const struct verify_result *result, struct json_text *out);
void verify_result_text(const struct verify_result *result, struct json_text *out);

/* The whole, for people or as one JSON line; `floors` are the lines of verify_floors. */
void verify_report_text(const struct verify_report *report, struct json_text *out);
void verify_report_json(const struct verify_report *report, bool passed,
                        const struct json_text *floors, struct json_text *out);

/* Writes a line for each floor that is not met to `out`; returns how many. */
int verify_floors(const struct verify_report *report, struct json_text *out);

/* Differences in all, of pictures and matches. */
int64_t verify_report_differences(const struct verify_report *report);

#endif
