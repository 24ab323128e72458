/* SVG path text to polygons. Own number reader: strtod follows the locale's decimal comma. */
#include "calib/mark.h"
#include "calib/shape.h"

#include <math.h>
#include <string.h>

/* How far a chord may lie from its curve: 0.01 mm on a block of 35 mm. */
#define FLAT_CELLS 3e-4
/* Rounding in hand-written paths may lead this far over the field's edge. */
#define FIELD_HALF (0.5 + 1e-3)
#define NUMBER_MAX 1e6 /* keeps the arithmetic of curves finite */
#define CURVE_STEPS_MAX 256

struct pen {
    const char *text;
    size_t length, at;
    struct shape *shape;
    const char *why;
    int points;              /* set so far, those of the contour in work included */
    double x, y;             /* where the pen is */
    double start_x, start_y; /* of the contour */
    bool open;               /* the contour's first point is set */
    int error;
};

static int pen_fail(struct pen *pen, int error, const char *why)
{
    if (!pen->error) {
        pen->error = error;
        pen->why = why;
    }
    return pen->error;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char pen_peek(const struct pen *pen)
{
    return pen->at < pen->length ? pen->text[pen->at] : 0;
}

static void pen_space(struct pen *pen)
{
    while (pen->at < pen->length && memchr(" \t\r\n", pen->text[pen->at], 4)) {
        pen->at++;
    }
}

/* White space with at most one comma in it. */
static void pen_separator(struct pen *pen)
{
    pen_space(pen);
    if (pen_peek(pen) == ',') {
        pen->at++;
        pen_space(pen);
    }
}

static bool pen_number_next(const struct pen *pen)
{
    char c = pen_peek(pen);

    return is_digit(c) || c == '+' || c == '-' || c == '.';
}

/* The digits here, added to *value; returns how many. */
static int pen_digits(struct pen *pen, double *value)
{
    int digits = 0;

    for (; is_digit(pen_peek(pen)); pen->at++, digits++) {
        *value = *value * 10.0 + (pen->text[pen->at] - '0');
    }
    return digits;
}

/* An exponent, if one stands here: "e" must be followed by a number to be one. */
static double pen_exponent(struct pen *pen)
{
    size_t before = pen->at;
    double value = 0.0, sign = 1.0;

    if (pen_peek(pen) != 'e' && pen_peek(pen) != 'E') {
        return 0.0;
    }
    pen->at++;
    if (pen_peek(pen) == '+' || pen_peek(pen) == '-') {
        sign = pen_peek(pen) == '-' ? -1.0 : 1.0;
        pen->at++;
    }
    if (pen_digits(pen, &value) == 0) {
        pen->at = before;
        return 0.0;
    }
    return sign * value;
}

static double pen_number(struct pen *pen)
{
    double value = 0.0, sign = 1.0;
    int digits, decimals = 0;

    pen_separator(pen);
    if (pen_peek(pen) == '+' || pen_peek(pen) == '-') {
        sign = pen_peek(pen) == '-' ? -1.0 : 1.0;
        pen->at++;
    }
    digits = pen_digits(pen, &value);
    if (pen_peek(pen) == '.') {
        pen->at++;
        decimals = pen_digits(pen, &value);
    }
    if (digits + decimals == 0) {
        pen_fail(pen, CALIB_E_VALUE, N_("a number is missing"));
        return 0.0;
    }
    value *= pow(10.0, pen_exponent(pen) - decimals);
    if (!(value <= NUMBER_MAX)) {
        pen_fail(pen, CALIB_E_VALUE, N_("a number is too large"));
        return 0.0;
    }
    return sign * value;
}

/* An arc's flag: one digit, which need not be set apart from what follows. */
static bool pen_flag(struct pen *pen)
{
    pen_separator(pen);
    char c = pen_peek(pen);
    if (c != '0' && c != '1') {
        pen_fail(pen, CALIB_E_VALUE, N_("an arc's flag is 0 or 1"));
        return false;
    }
    pen->at++;
    return c == '1';
}

static void pen_point(struct pen *pen, double x, double y)
{
    if (pen->error) {
        return;
    }
    if (!(fabs(x) <= FIELD_HALF && fabs(y) <= FIELD_HALF)) {
        pen_fail(pen, CALIB_E_VALUE, N_("the path leaves the field of side 1"));
    } else if (pen->points >= SHAPE_POINTS_MAX) {
        pen_fail(pen, CALIB_E_SIZE, N_("too many points"));
    } else {
        pen->shape->x[pen->points] = (float)x;
        pen->shape->y[pen->points] = (float)y;
        pen->points++;
    }
}

/* Draws to a point; the contour's first point is set only now, so that a lone M leaves nothing. */
static void pen_line(struct pen *pen, double x, double y)
{
    if (!pen->open) {
        pen->start_x = pen->x;
        pen->start_y = pen->y;
        pen_point(pen, pen->x, pen->y);
        pen->open = true;
    }
    pen_point(pen, x, y);
    pen->x = x;
    pen->y = y;
}

/* Ends the contour in work; fewer than three points cover nothing and are forgotten. */
static void pen_finish(struct pen *pen)
{
    struct shape *shape = pen->shape;
    int first = shape->start[shape->contours];

    if (pen->error || !pen->open) {
        return;
    }
    pen->open = false;
    if (pen->points - first < 3) {
        pen->points = first;
    } else if (shape->contours == SHAPE_CONTOURS_MAX) {
        pen_fail(pen, CALIB_E_SIZE, N_("too many contours"));
    } else {
        shape->start[++shape->contours] = pen->points;
    }
}

static int curve_steps(double wanted)
{
    if (!(wanted > 1.0)) {
        return 1;
    }
    return wanted >= CURVE_STEPS_MAX ? CURVE_STEPS_MAX : (int)ceil(wanted);
}

static void pen_cubic(struct pen *pen, const double c1[2], const double c2[2], const double end[2])
{
    const double p0[2] = {pen->x, pen->y}, p3[2] = {end[0], end[1]};
    double bend1 = hypot(p0[0] - 2 * c1[0] + c2[0], p0[1] - 2 * c1[1] + c2[1]);
    double bend2 = hypot(c1[0] - 2 * c2[0] + p3[0], c1[1] - 2 * c2[1] + p3[1]);
    /* a chord over 1/n of the curve lies at most 6 bend / (8 n n) from it */
    int steps = curve_steps(sqrt(0.75 * fmax(bend1, bend2) / FLAT_CELLS));

    for (int i = 1; i < steps && !pen->error; i++) {
        double t = (double)i / steps, s = 1.0 - t;
        double a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
        pen_line(pen, a * p0[0] + b * c1[0] + c * c2[0] + d * p3[0],
                 a * p0[1] + b * c1[1] + c * c2[1] + d * p3[1]);
    }
    pen_line(pen, p3[0], p3[1]);
}

static void pen_quadratic(struct pen *pen, const double control[2], const double end[2])
{
    double c1[2] = {pen->x + 2.0 / 3.0 * (control[0] - pen->x),
                    pen->y + 2.0 / 3.0 * (control[1] - pen->y)};
    double c2[2] = {end[0] + 2.0 / 3.0 * (control[0] - end[0]),
                    end[1] + 2.0 / 3.0 * (control[1] - end[1])};

    pen_cubic(pen, c1, c2, end);
}

/* Draws the arc of an ellipse from `from` over `sweep` radians, and then exactly to `end`. */
static void arc_draw(struct pen *pen, const double center[2], const double radius[2],
                     const double turn[2], const double from_sweep[2], const double end[2])
{
    double largest = fmax(radius[0], radius[1]);
    double step = 2.0 * acos(fmax(0.0, 1.0 - FLAT_CELLS / largest));
    /* an even number: a circle of two arcs then has corners on its quarter turns */
    int steps = 2 * curve_steps(fabs(from_sweep[1]) / fmax(step, 1e-6) / 2.0);

    for (int i = 1; i < steps && !pen->error; i++) {
        double angle = from_sweep[0] + from_sweep[1] * i / steps;
        double x = radius[0] * cos(angle), y = radius[1] * sin(angle);
        pen_line(pen, center[0] + turn[0] * x - turn[1] * y, center[1] + turn[1] * x + turn[0] * y);
    }
    pen_line(pen, end[0], end[1]);
}

/* An SVG arc: the ellipse through both ends is found, then drawn. `radius` is grown where it
 * cannot span them, as SVG says. */
static void pen_arc(struct pen *pen, double radius[2], double turn_deg, bool large, bool sweep,
                    const double end[2])
{
    double turn[2] = {cos(turn_deg * M_PI / 180.0), sin(turn_deg * M_PI / 180.0)};
    double half[2] = {(pen->x - end[0]) / 2, (pen->y - end[1]) / 2};

    radius[0] = fabs(radius[0]);
    radius[1] = fabs(radius[1]);
    if (pen->error || radius[0] < 1e-9 || radius[1] < 1e-9 || hypot(half[0], half[1]) < 1e-12) {
        pen_line(pen, end[0], end[1]);
        return;
    }
    /* half the chord on the unit circle: u from the middle to the start */
    double u[2] = {(turn[0] * half[0] + turn[1] * half[1]) / radius[0],
                   (-turn[1] * half[0] + turn[0] * half[1]) / radius[1]};
    double length = hypot(u[0], u[1]);
    if (length > 1.0) {
        for (int i = 0; i < 2; i++) {
            radius[i] *= length;
            u[i] /= length;
        }
        length = 1.0;
    }
    /* the centre lies across the chord, on the side the flags choose */
    double away = sqrt(fmax(0.0, 1.0 - length * length)) / length * (large != sweep ? 1.0 : -1.0);
    double c[2] = {away * u[1], -away * u[0]};
    double from = atan2(u[1] - c[1], u[0] - c[0]);
    double angle = atan2(-u[1] - c[1], -u[0] - c[0]) - from;
    if (sweep && angle <= 0.0) {
        angle += 2 * M_PI;
    } else if (!sweep && angle >= 0.0) {
        angle -= 2 * M_PI;
    }
    double cx = radius[0] * c[0], cy = radius[1] * c[1];
    double center[2] = {(pen->x + end[0]) / 2 + turn[0] * cx - turn[1] * cy,
                        (pen->y + end[1]) / 2 + turn[1] * cx + turn[0] * cy};
    arc_draw(pen, center, radius, turn, (double[2]){from, angle}, end);
}

/* A pair of coordinates, made absolute for a small letter. */
static void pen_pair(struct pen *pen, bool relative, double pair[2])
{
    pair[0] = pen_number(pen) + (relative ? pen->x : 0.0);
    pair[1] = pen_number(pen) + (relative ? pen->y : 0.0);
}

static void pen_move(struct pen *pen, bool relative)
{
    double to[2];

    pen_pair(pen, relative, to);
    pen_finish(pen);
    pen->x = pen->start_x = to[0];
    pen->y = pen->start_y = to[1];
}

static void pen_arc_read(struct pen *pen, bool relative)
{
    double radius[2], end[2];

    radius[0] = pen_number(pen);
    radius[1] = pen_number(pen);
    double turn_deg = pen_number(pen);
    bool large = pen_flag(pen);
    bool sweep = pen_flag(pen);
    pen_pair(pen, relative, end);
    if (!pen->error) {
        pen_arc(pen, radius, turn_deg, large, sweep, end);
    }
}

/* One drawing command with its numbers. */
static void pen_command(struct pen *pen, char command)
{
    bool relative = command >= 'a';
    double a[2], b[2], c[2];

    switch (relative ? (char)(command - 'a' + 'A') : command) {
    case 'L':
        pen_pair(pen, relative, a);
        pen_line(pen, a[0], a[1]);
        break;
    case 'H':
        a[0] = pen_number(pen) + (relative ? pen->x : 0.0);
        pen_line(pen, a[0], pen->y);
        break;
    case 'V':
        a[1] = pen_number(pen) + (relative ? pen->y : 0.0);
        pen_line(pen, pen->x, a[1]);
        break;
    case 'C':
        pen_pair(pen, relative, a);
        pen_pair(pen, relative, b);
        pen_pair(pen, relative, c);
        pen_cubic(pen, a, b, c);
        break;
    case 'Q':
        pen_pair(pen, relative, a);
        pen_pair(pen, relative, b);
        pen_quadratic(pen, a, b);
        break;
    case 'A':
        pen_arc_read(pen, relative);
        break;
    default:
        pen_fail(pen, CALIB_E_VALUE,
                 N_("unknown command; M L H V A C Q Z and their small letters are"));
    }
}

/* A letter and all the sets of numbers behind it. */
static void pen_letter(struct pen *pen)
{
    char letter = pen_peek(pen);

    pen->at++;
    if (letter == 'Z' || letter == 'z') {
        pen_finish(pen);
        pen->x = pen->start_x;
        pen->y = pen->start_y;
        return;
    }
    if (letter == 'M' || letter == 'm') {
        pen_move(pen, letter == 'm');
        letter = letter == 'm' ? 'l' : 'L'; /* further pairs are lines */
        pen_separator(pen);
        if (!pen_number_next(pen)) {
            return;
        }
    }
    do {
        pen_command(pen, letter);
        pen_separator(pen);
    } while (!pen->error && pen_number_next(pen));
}

int calib_shape_parse(const char *path, size_t length, bool even_odd, struct shape *shape,
                      const char **why)
{
    struct pen pen = {.text = path, .length = length, .shape = shape};

    memset(shape, 0, sizeof *shape);
    shape->even_odd = even_odd;
    pen_space(&pen);
    if (pen_peek(&pen) != 'M' && pen_peek(&pen) != 'm') {
        pen_fail(&pen, CALIB_E_VALUE, N_("a path begins with M"));
    }
    while (!pen.error && pen.at < length) {
        pen_letter(&pen);
        pen_space(&pen);
    }
    pen_finish(&pen);
    if (!pen.error && shape->contours == 0) {
        pen_fail(&pen, CALIB_E_VALUE, N_("the path covers nothing"));
    }
    if (pen.error) {
        memset(shape, 0, sizeof *shape);
    }
    if (why) {
        *why = pen.error ? pen.why : "";
    }
    return pen.error;
}
