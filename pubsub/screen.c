/* pubsub/screen.c: a screen of character cells in memory. */
/* For wcwidth. */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#include "pubsub/screen.h"

#include <stdlib.h>
#include <string.h>
#include <wctype.h>

#define REPLACEMENT L'\xFFFD'
#define LEFT_TO_RIGHT L'\x200E'
#define CUT L'\x2026'

struct range {
    wchar_t first, last;
};

/* What no cell takes: joiners, directions, variants, fillers, tags, skin tones. */
static const struct range left_out[] = {
    {0xAD, 0xAD},     {0x34F, 0x34F},   {0x61C, 0x61C},   {0x115F, 0x1160},   {0x180B, 0x180F},
    {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164},   {0xFE00, 0xFE0F},
    {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB}, {0x1F3FB, 0x1F3FF}, {0xE0000, 0xE0FFF},
};

static const struct range right_to_left[] = {
    {0x590, 0x8FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFE}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF},
};

static bool is_in(wchar_t c, const struct range *range, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (c >= range[i].first && c <= range[i].last)
            return true;
    return false;
}

/* One character on its way into a cell. */
struct piece {
    wchar_t text[SCREEN_CELL_MAX];
    int marks, width;
    bool turned; /* written from right to left */
};

/* The next code point; a byte that begins none is a replacement. False at the end. */
static bool next_point(const char **at, wchar_t *out)
{
    const unsigned char *c = (const unsigned char *)*at;
    static const wchar_t least[] = {0, 0x80, 0x800, 0x10000};
    int more = c[0] < 0x80 ? 0 : c[0] >= 0xF0 ? 3 : c[0] >= 0xE0 ? 2 : c[0] >= 0xC0 ? 1 : -1;
    wchar_t point = c[0];

    if (c[0] == 0)
        return false;
    if (more > 0)
        point = c[0] & (0x3F >> more);
    for (int i = 1; i <= more; i++) {
        if ((c[i] & 0xC0) != 0x80) {
            more = -1;
            break;
        }
        point = (point << 6) | (c[i] & 0x3F);
    }
    bool well = more >= 0 && point >= least[more] && point <= 0x10FFFF &&
                !(point >= 0xD800 && point <= 0xDFFF);
    *out = well ? point : REPLACEMENT;
    *at += well ? more + 1 : 1;
    return true;
}

/* What is shown of a code point; 0: nothing. */
static wchar_t shown(wchar_t point)
{
    if (is_in(point, left_out, sizeof left_out / sizeof left_out[0]))
        return 0;
    return wcwidth(point) < 0 ? REPLACEMENT : point;
}

/* Punctuation that messages use has a likeness on every terminal; letters of names have none. */
static wchar_t plain(const struct screen *screen, wchar_t point)
{
    static const wchar_t like[][2] = {{0xB7, L'-'},    {0x2013, L'-'}, {0x2014, L'-'},
                                      {0x2019, L'\''}, {0x2026, L'~'}, {0xB0, L' '}};

    if (!screen->ascii || point < 0x7F)
        return point;
    for (size_t i = 0; i < sizeof like / sizeof like[0]; i++)
        if (point == like[i][0])
            return like[i][1];
    return L'?';
}

/* The next character with the marks that lie on it. False at the end. */
static bool next_piece(const struct screen *screen, const char **at, struct piece *out)
{
    const char *behind = *at;
    wchar_t point;

    memset(out, 0, sizeof *out);
    while (next_point(&behind, &point)) {
        wchar_t sign = shown(point);
        int width = sign ? wcwidth(sign) : 0;
        if (sign && width == 0 && out->width == 0) {
            /* A mark at the beginning has nothing to lie on. */
            out->text[0] = L' ';
            out->width = 1;
        }
        if (sign && width == 0) {
            if (!screen->ascii && out->marks < SCREEN_MARKS_MAX)
                out->text[1 + out->marks++] = sign;
        } else if (sign && out->width > 0) {
            break;
        } else if (sign) {
            out->text[0] = plain(screen, sign);
            out->width = out->text[0] == sign ? width : 1;
            out->turned =
                is_in(sign, right_to_left, sizeof right_to_left / sizeof right_to_left[0]);
        }
        *at = behind;
    }
    if (out->width == 0)
        *at = behind;
    return out->width > 0;
}

struct screen *pubsub_screen_create(int rows, int cols, bool ascii)
{
    struct screen *screen = NULL;

    if (rows < 1 || cols < 1 || rows > SCREEN_ROWS_MAX || cols > SCREEN_COLS_MAX)
        return NULL;
    screen = calloc(1, sizeof *screen);
    if (!screen || !(screen->cell = calloc((size_t)rows * (size_t)cols, sizeof *screen->cell))) {
        free(screen);
        return NULL;
    }
    screen->rows = rows;
    screen->cols = cols;
    screen->ascii = ascii;
    for (int row = 0; row < rows; row++)
        pubsub_screen_fill(screen, row, 0, cols, PAINT_PLAIN, L' ');
    return screen;
}

void pubsub_screen_destroy(struct screen **screen)
{
    if (!screen || !*screen)
        return;
    free((*screen)->cell);
    free(*screen);
    *screen = NULL;
}

static struct screen_cell *cell_at(struct screen *screen, int row, int col)
{
    return &screen->cell[(size_t)row * (size_t)screen->cols + (size_t)col];
}

/* Half of a wide character may not stay: a blank takes its place. */
static void neighbours_mend(struct screen *screen, int row, int col, int width)
{
    struct screen_cell *first = cell_at(screen, row, col);

    if (first->text[0] == 0 && col > 0)
        memcpy(cell_at(screen, row, col - 1)->text, L" ", 2 * sizeof(wchar_t));
    if (col + width < screen->cols) {
        struct screen_cell *behind = cell_at(screen, row, col + width);
        if (behind->text[0] == 0)
            memcpy(behind->text, L" ", 2 * sizeof(wchar_t));
    }
}

static void piece_put(struct screen *screen, int row, int col, const struct piece *piece,
                      unsigned look)
{
    neighbours_mend(screen, row, col, piece->width);
    for (int i = 0; i < piece->width; i++) {
        struct screen_cell *cell = cell_at(screen, row, col + i);
        memset(cell, 0, sizeof *cell);
        cell->look = look;
        if (i == 0)
            memcpy(cell->text, piece->text, sizeof cell->text);
    }
}

void pubsub_screen_fill(struct screen *screen, int row, int col, int cols, unsigned look,
                        wchar_t character)
{
    const struct piece piece = {.text = {character}, .width = 1};

    if (row < 0 || row >= screen->rows)
        return;
    for (int i = col < 0 ? 0 : col; i < col + cols && i < screen->cols; i++)
        piece_put(screen, row, i, &piece, look);
}

int pubsub_screen_width(const struct screen *screen, const char *text)
{
    struct piece piece;
    int width = 0;

    while (next_piece(screen, &text, &piece))
        width += piece.width;
    return width;
}

static void cut_put(struct screen *screen, int row, int col, unsigned look)
{
    const struct piece piece = {.text = {screen->ascii ? L'~' : CUT}, .width = 1};

    piece_put(screen, row, col, &piece, look);
}

/* Behind writing from right to left: what follows keeps its place. */
static void direction_close(struct screen *screen, int row, int col)
{
    struct screen_cell *cell = cell_at(screen, row, col);
    size_t length = 0;

    while (col > 0 && cell->text[0] == 0)
        cell = cell_at(screen, row, --col);
    while (length < SCREEN_CELL_MAX && cell->text[length])
        length++;
    if (length > 0 && length + 1 < SCREEN_CELL_MAX)
        cell->text[length] = LEFT_TO_RIGHT;
}

int pubsub_screen_put(struct screen *screen, int row, int col, int most, unsigned look,
                      const char *text)
{
    struct piece piece;
    int used = 0;
    bool turned = false;

    if (row < 0 || row >= screen->rows || col < 0 || col >= screen->cols)
        return 0;
    if (most > screen->cols - col)
        most = screen->cols - col;
    bool cut = pubsub_screen_width(screen, text) > most;
    while (next_piece(screen, &text, &piece) && used + piece.width <= most - cut) {
        piece_put(screen, row, col + used, &piece, look);
        used += piece.width;
        turned = turned || piece.turned;
    }
    if (cut && used < most)
        cut_put(screen, row, col + used++, look);
    if (turned && !screen->ascii)
        direction_close(screen, row, col + used - 1);
    return used;
}

int pubsub_screen_put_right(struct screen *screen, int row, int end, int most, unsigned look,
                            const char *text)
{
    int width = pubsub_screen_width(screen, text);

    if (width > most)
        width = most;
    return pubsub_screen_put(screen, row, end - width, width, look, text);
}

/* One code point as UTF-8: its length. */
static size_t point_bytes(wchar_t point, char out[4])
{
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        out[0] = (char)(0xC0 | (point >> 6));
        out[1] = (char)(0x80 | (point & 0x3F));
        return 2;
    }
    if (point < 0x10000) {
        out[0] = (char)(0xE0 | (point >> 12));
        out[1] = (char)(0x80 | ((point >> 6) & 0x3F));
        out[2] = (char)(0x80 | (point & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | (point >> 18));
    out[1] = (char)(0x80 | ((point >> 12) & 0x3F));
    out[2] = (char)(0x80 | ((point >> 6) & 0x3F));
    out[3] = (char)(0x80 | (point & 0x3F));
    return 4;
}

void pubsub_screen_line(const struct screen *screen, int row, char *out, size_t size)
{
    size_t length = 0, kept = 0;
    char bytes[4];

    for (int col = 0; row >= 0 && row < screen->rows && col < screen->cols; col++) {
        const wchar_t *text = screen->cell[(size_t)row * (size_t)screen->cols + (size_t)col].text;
        for (; *text; text++) {
            size_t more = point_bytes(*text, bytes);
            if (length + more >= size)
                break;
            memcpy(out + length, bytes, more);
            length += more;
            if (*text != L' ')
                kept = length;
        }
    }
    if (size > 0)
        out[kept] = 0;
}
