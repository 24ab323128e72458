/* pubsub/web_qr.c: QR codes. */
#include "pubsub/web_qr.h"

#include <qrencode.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The standard asks for four modules of white around it. */
#define QUIET 4
/* "M123 123h123v1h-123z" */
#define RUN_MAX 24
#define HEAD_MAX 256

static bool dark(const QRcode *code, int x, int y)
{
    return x < code->width && (code->data[y * code->width + x] & 1) != 0;
}

/* Dark modules that stand in a row make one rectangle. */
static char *runs_write(const QRcode *code, char *to, const char *end)
{
    for (int y = 0; y < code->width; y++)
        for (int x = 0; x < code->width; x++) {
            int begin = x;
            while (dark(code, x, y))
                x++;
            if (x > begin)
                to += snprintf(to, (size_t)(end - to), "M%d %dh%dv1h-%dz", begin + QUIET, y + QUIET,
                               x - begin, x - begin);
        }
    return to;
}

static char *svg_write(const QRcode *code, size_t *length)
{
    const int side = code->width + 2 * QUIET;
    /* Every second module can begin a rectangle. */
    const size_t most = HEAD_MAX + (size_t)code->width * ((size_t)code->width + 1) / 2 * RUN_MAX +
                        sizeof "\"/></svg>";
    char *svg = malloc(most);

    if (!svg)
        return NULL;
    char *to = svg + snprintf(svg, most,
                              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                              "shape-rendering=\"crispEdges\"><rect width=\"%d\" height=\"%d\" "
                              "fill=\"#fff\"/><path fill=\"#000\" d=\"",
                              side, side, side, side);
    to = runs_write(code, to, svg + most);
    to += snprintf(to, (size_t)(svg + most - to), "\"/></svg>");
    *length = (size_t)(to - svg);
    return svg;
}

char *pubsub_web_qr_svg(const char *text, size_t *length)
{
    if (text[0] == 0 || strlen(text) > WEB_QR_TEXT_MAX)
        return NULL;
    /* Level M: a seventh of it may be hidden, by a thumb or a lamp that the screen mirrors. */
    QRcode *code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M);
    if (!code)
        return NULL;
    char *svg = svg_write(code, length);
    QRcode_free(code);
    return svg;
}
