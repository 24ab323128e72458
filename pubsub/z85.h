/* pubsub/z85.h: 32 bytes as 40 printable characters, as ZeroMQ writes its keys (RFC 32/Z85). No
 * I/O. */
#ifndef PUBSUB_Z85_H
#define PUBSUB_Z85_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define Z85_KEY_BYTES 32
#define Z85_KEY_TEXT 41 /* with its 0 */

void pubsub_z85_print(const uint8_t bytes[Z85_KEY_BYTES], char out[Z85_KEY_TEXT]);

/* False when it is not 40 characters of that alphabet that stand for 32 bytes. */
bool pubsub_z85_parse(const char *text, size_t length, uint8_t out[Z85_KEY_BYTES]);

#endif
