/* referee/digest.h: SHA-256 as text, by libsodium. */
#ifndef REFEREE_DIGEST_H
#define REFEREE_DIGEST_H

#include "referee/event.h"

#include <stddef.h>

/* 64 hex digits of the bytes' SHA-256 and a closing 0. */
void referee_digest(const void *bytes, size_t length, char text[DIGEST_TEXT_MAX]);

#endif
