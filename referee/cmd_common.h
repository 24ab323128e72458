/* referee/cmd_common.h: what the verbs of the program share: options, loading the kit, reading a
 * picture, printing. Program layer: no library includes this. */
#ifndef REFEREE_CMD_COMMON_H
#define REFEREE_CMD_COMMON_H

#include "calib/blockset.h"
#include "calib/deck.h"
#include "calib/mat.h"
#include "calib/ramp.h"
#include "calib/rig.h"
#include "capture/frame.h"
#include "referee/cmd_text.h"
#include "vision/json_text.h"
#include "vision/layout.h"
#include "vision/pose.h"
#include "vision/table.h"

#include <stdbool.h>

#define TABLEREF_VERSION "0.1.0" /* the one place; `tableref --version` and the build read it */

enum cmd_status {
    CMD_DONE = 0,     /* whatever the verdicts */
    CMD_UNUSABLE = 1, /* something given could not be used, or a difference was found */
    CMD_WRONG_USE = 2
};

/* The verbs, as main's table holds them. argv[0] is the verb; each returns an exit status. */
int cmd_read(int argc, char **argv);
int cmd_judge(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_referee(int argc, char **argv);
int cmd_match(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_devices(int argc, char **argv);
int cmd_kit(int argc, char **argv);
int cmd_deck(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_vision(int argc, char **argv);
int cmd_watch(int argc, char **argv);
int cmd_keys(int argc, char **argv);
int cmd_scoreboard(int argc, char **argv);
int cmd_buttons(int argc, char **argv);
int cmd_calibrate(int argc, char **argv);

/* An option of a verb: help and parsing come from the same list, so neither can lack one. Every
 * verb has --help and --lang besides. */
struct cmd_option {
    const char *name;
    const char *value; /* what its value is called; NULL when it takes none */
    int key;           /* above 0 */
    const char *help; /* a message: shown in the language that is spoken */
};

struct cmd_verb {
    const char *name;
    const char *arguments;            /* behind the options: "IMAGE..." */
    const char *about;                /* lines for --help; a message, too */
    const struct cmd_option *options; /* ended by a name of NULL */
};

enum { CMD_OPTION_END = 0, CMD_OPTION_HELP = -1, CMD_OPTION_WRONG = -2 };

/* The next option's key with its *value, or CMD_OPTION_END with *first set to the index of the
 * first argument, or _HELP (help was printed), or _WRONG (said so on stderr). Start with *first
 * at 0. */
int cmd_options_next(const struct cmd_verb *verb, int argc, char **argv, int *first,
                     const char **value);

/* A whole number from `least` to `most`; says what is wrong and returns false otherwise. */
bool cmd_number(const struct cmd_verb *verb, const char *option, const char *text, int least,
                int most, int *out);

/* The same of a decimal, "12.5": a measure in mm, an angle. */
bool cmd_decimal(const struct cmd_verb *verb, const char *option, const char *text, double least,
                 double most, double *out);

#define CMD_LANG_HELP N_("the language to speak: en, sv, da, nb, fi, fr, de or es")

/* One line on stderr, "tableref: ...", with control characters replaced; said in the language that
 * is spoken, and so are values that a library says (struct calib_fault and its like). */
void cmd_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* From now on what cmd_error says is about that line of that file (lent), and begins with it; NULL:
 * no more. */
void cmd_error_place(const char *file, int line);

/* Prints the text and a newline, and frees it. False (with a line on stderr, once) when it could
 * not be written: the caller stops then. */
bool cmd_print(struct json_text *json);

/* Flushes standard output: the status, or CMD_UNUSABLE when what was printed did not arrive. */
int cmd_finish(int status);

/* The options of everything that reads pictures. */
struct cmd_source {
    const char *mat, *set, *deck, *rig; /* NULL when not given */
    const char *annotate;               /* folder, or NULL */
    bool mirrored;
};

enum {
    CMD_KEY_MAT = 1,
    CMD_KEY_SET,
    CMD_KEY_DECK,
    CMD_KEY_RIG,
    CMD_KEY_ANNOTATE,
    CMD_KEY_MIRRORED,
    CMD_KEY_RAMP,
    CMD_KEY_OWN = 300 /* above every character, which getopt gives back as such */
};

/* Their entries for a verb's list. */
#define CMD_SOURCE_OPTIONS                                                                         \
    {"mat", "NAME", CMD_KEY_MAT, "the printed mat (a1-four)"},                                     \
        {"set", "NAME", CMD_KEY_SET, "the blocks (match-madness)"},                                \
        {"deck", "NAME", CMD_KEY_DECK, "the cards (the set's own, if the kit has one; or none)"},  \
        {"rig", "FILE", CMD_KEY_RIG, "what calibration found of the camera"},                      \
        {"annotate", "DIR", CMD_KEY_ANNOTATE, "write each picture there with what was read"},      \
    {                                                                                              \
        "mirrored", NULL, CMD_KEY_MIRRORED, "the pictures are mirrored: flip them first"           \
    }

/* Takes one of those; false for another key. */
bool cmd_source_take(struct cmd_source *source, int key, const char *value);

/* All that was asked for, loaded. */
struct cmd_kit {
    struct mat *mat;
    struct blockset *set;
    struct deck *deck; /* NULL for none */
    struct cardstyle *style;
    struct rig *rig; /* NULL for none */
};

/* False after saying what is wrong. In both cases cmd_kit_free puts everything back. */
bool cmd_kit_load(const struct cmd_source *source, struct cmd_kit *kit);
void cmd_kit_free(struct cmd_kit *kit);
/* The rig of that file, the ramp of that name; false after saying what is wrong. */
bool cmd_rig_load(const char *path, struct rig **out);
bool cmd_ramp_load(const char *name, struct ramp **out);
/* A reader for it; says so when there is no memory. */
struct table_reader *cmd_reader_create(const struct cmd_kit *kit);

/* The deck that is meant when none is named: the built-in made for this set; when there is none
 * such, the built-in whose symbols this set all has. *out is NULL unless exactly one fits. */
bool cmd_deck_default(const struct blockset *set, struct deck **out);

/* Says what a parser found wrong; `what` is "mat", "rig" and so on. */
void cmd_fault(const char *what, const char *name, int error, const struct calib_fault *fault);

/* Decodes a picture. False with a line on stderr and the reason when it cannot be used; the
 * caller owns *out. */
bool cmd_frame_load(const char *path, struct frame **out, enum reason *reason);

/* What a rig calls a camera: its name and the place where it is plugged in. */
struct source_about;
void cmd_camera_identity(const struct source_about *about, char *out, size_t size);
/* Are two such cameras the same one? One that is plugged in elsewhere, or another of its kind, is
 * a twin: nobody can tell. */
enum cmd_camera_same { CMD_CAMERA_SAME, CMD_CAMERA_TWIN, CMD_CAMERA_OTHER };
enum cmd_camera_same cmd_camera_compare(const char *identity, const char *other);

/* The word for an error of vision_table_read. */
enum reason cmd_vision_reason(int error);

/* Says on stderr why a picture could not be read, and what to do. */
void cmd_vision_error(const char *path, int error, bool mirrored);

/* A picture and what was read from it. */
struct cmd_picture {
    const char *path;
    struct frame *frame; /* as given; NULL when it could not be decoded */
    bool ok;
    enum reason reason;   /* why not, unless ok */
    struct layout layout; /* places on the picture as given */
    struct mat_pose pose; /* of the picture as it was read, after flipping */
};

/* Decodes and reads. False with a line on stderr when it cannot be used (`ok` says so too).
 * cmd_picture_free in both cases. */
bool cmd_picture_read(struct table_reader *reader, const char *path, bool mirrored,
                      struct cmd_picture *out);
void cmd_picture_free(struct cmd_picture *picture);

/* What read and judge do alike: a kit, a reader, and where annotated pictures go. */
struct cmd_session {
    struct cmd_source source;
    struct cmd_kit kit;
    struct table_reader *reader;
    char **paths; /* the pictures given, lent */
    int count;
    int status; /* what the program will return */
};

/* False after saying what is wrong; cmd_session_close in both cases, which gives the status. */
bool cmd_session_open(const struct cmd_source *source, char **paths, int count,
                      struct cmd_session *out);
int cmd_session_close(struct cmd_session *session);

/* Writes picture number `index` with what was read, and the verdicts in `notes`, to the folder of
 * --annotate; nothing when that was not given. A fault is said and noted in the status. */
struct annotate_note;
struct annotate_picture;
void cmd_session_draw(struct cmd_session *session, int index, const struct annotate_picture *what);
/* Makes the folder of --annotate, unless it is there; says what is wrong. */
bool cmd_annotate_folder(const char *folder);
void cmd_session_annotate(struct cmd_session *session, int index, const struct cmd_picture *picture,
                          const struct annotate_note *notes, int note_count);

#endif
