/* referee/cmd_match_words.h: reasons as words for people, as the pages have them. Program layer. */
#ifndef REFEREE_CMD_MATCH_WORDS_H
#define REFEREE_CMD_MATCH_WORDS_H

#include "referee/verdict.h"

#include <stddef.h>

/* "a symbol is wrong" and so on. */
const char *cmd_reason_words(enum reason reason);

/* Those of a set, "; " between them, as many as go into `size` bytes; "" for none. */
void cmd_reasons_words(uint64_t reasons, char *text, size_t size);

/* "MATCH", "NO MATCH", "CANNOT TELL". */
const char *cmd_ruling_words(enum ruling ruling);

#endif
