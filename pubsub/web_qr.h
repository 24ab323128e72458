/* pubsub/web_qr.h: a QR code as an SVG picture, by libqrencode. No I/O. */
#ifndef PUBSUB_WEB_QR_H
#define PUBSUB_WEB_QR_H

#include <stddef.h>

#define WEB_QR_TEXT_MAX 1000

/* The text's code, black on white with the quiet edge that scanners need, which the caller frees;
 * it stretches to whatever size it is given. NULL: the text is longer than WEB_QR_TEXT_MAX or
 * empty, or there is no memory. */
char *pubsub_web_qr_svg(const char *text, size_t *length);

#endif
