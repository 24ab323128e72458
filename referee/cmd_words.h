/* referee/cmd_words.h: what the formats' words mean, for people, in the language that is spoken.
 * Program layer. The words themselves ("not_aligned", "cannot_tell") never change. */
#ifndef REFEREE_CMD_WORDS_H
#define REFEREE_CMD_WORDS_H

#include "vision/reason.h"

#include <stddef.h>
#include <stdint.h>

/* Each takes a word of the formats and gives its text, lent; a word that it does not know comes
 * back as it is. A reason of the eyes that is also one of the rules has two texts: _reason gives
 * the eyes' first, _why the rules'. */
const char *cmd_word_reason(const char *word);
const char *cmd_word_why(const char *word);
const char *cmd_word_ruling(const char *word);
const char *cmd_word_game(const char *word);
const char *cmd_word_phase(const char *word);
const char *cmd_word_decision(const char *word);
/* The state of a seat or a slot. */
const char *cmd_word_place(const char *word);

/* The texts of a set of reasons, with `between` between them; as many as fit into `size` bytes. */
void cmd_words_reasons(uint64_t set, const char *between, char *out, size_t size);

#endif
