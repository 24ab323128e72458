/* referee/cmd_text.h: what the program says to people, in their language. Program layer.
 *
 * Messages are English in the code; pubsub/po has the other languages, and pubsub/po/README.md says
 * how a message gets there. What programs read never changes with the language: JSON, CSV, the
 * journal, words for reasons in them, options and their values, exit statuses.
 *
 * The language is the process's: chosen by main before anything is said, and by --lang; never while
 * other threads run. */
#ifndef REFEREE_CMD_TEXT_H
#define REFEREE_CMD_TEXT_H

#include "calib/mark.h"
#include "pubsub/lang.h"

#include <stdbool.h>
#include <stddef.h>

/* From LANGUAGE, LC_ALL, LC_MESSAGES and LANG; then from --lang, wherever it stands among the
 * arguments, for what is said of the others to be in that language. What is wrong with its value
 * is said where the option is taken. */
void cmd_lang_begin(int argc, char **argv);

/* By a code of pubsub_langs, as --lang does. False after saying which there are; `verb`: whose
 * option it is, or NULL. */
bool cmd_lang_set(const char *verb, const char *code);

const struct lang *cmd_lang(void);
/* Whether --lang said so. */
bool cmd_lang_given(void);

/* The message in the language that is spoken, or as it is; never NULL. Formats keep their values.
 */
const char *cmd_text(const char *message) __attribute__((format_arg(1)));
/* One of two by a number: cmd_text_n("%d card", "%d cards", n). */
const char *cmd_text_n(const char *one, const char *many, unsigned long n)
    __attribute__((format_arg(1), format_arg(2)));

/* A line of English that a library made, or another process, in the language that is spoken.
 * `format`: what it was made from, or NULL. Cut to `size`. */
void cmd_text_line(const char *format, const char *line, char *out, size_t size);

/* Columns that a text takes on a terminal: its characters, not its bytes. */
int cmd_text_width(const char *text);
/* How many bytes printf's "%-*s" has to fill so that the text takes `columns`. */
int cmd_text_pad(const char *text, int columns);

#endif
