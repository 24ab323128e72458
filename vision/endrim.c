/* vision/endrim.c: see endrim.h. */
#include "vision/endrim.h"

#include <math.h>

#define RIM_AT 0.47f /* in sides from the centre */
#define FIELD_AT 0.385f
#define ALONG 7           /* points along a side */
#define ALONG_REACH 0.38f /* from its middle */
#define INNER 4           /* points along an axis between the pips */
#define INNER_POINTS (INNER * INNER)
#define WHITE_MOST 1.3f /* a lamp's image counts as no more */
#define STEP_PX 1.0f
#define STEP_LEAST_PX 0.2f
#define TURN_PER_PX 0.06f /* moves a corner by as much as a step of a px does, nearly */
#define REACH_PX 3.0f
#define REACH_RAD 0.12f
/* What shows no more of an even rim where no whole px gains is none: parts of a px add little. */
#define HOPELESS_SHARE 0.4f

struct light {
    const float *whiteness;
    int width, height;
    float x, y, c, s; /* the place, and its side's length along the axes */
};

static float light_at(const struct light *l, float u, float v)
{
    float x = l->x + u * l->c - v * l->s, y = l->y + u * l->s + v * l->c;
    x = fminf(fmaxf(x, 0), (float)l->width - 1.001f);
    y = fminf(fmaxf(y, 0), (float)l->height - 1.001f);
    int ix = (int)x, iy = (int)y;
    float fx = x - (float)ix, fy = y - (float)iy;
    const float *a = l->whiteness + iy * l->width + ix, *b = a + l->width;
    float top = a[0] + fx * (a[1] - a[0]), low = b[0] + fx * (b[1] - b[0]);
    return fminf(top + fy * (low - top), WHITE_MOST);
}

static struct light light_of(const float *whiteness, int width, int height,
                             const struct cell_place *place)
{
    return (struct light){whiteness,
                          width,
                          height,
                          place->x,
                          place->y,
                          cosf(place->turn_rad) * place->side_px,
                          sinf(place->turn_rad) * place->side_px};
}

static void rim_measure(const struct light *l, struct end_rim *out)
{
    float sum = 0, square = 0;
    out->least = WHITE_MOST;
    for (int side = 0; side < 4; side++) {
        float own = 0, way = side & 2 ? -1 : 1;
        for (int i = 0; i < ALONG; i++) {
            float along = ALONG_REACH * (2 * (float)i / (ALONG - 1) - 1);
            float rim = way * RIM_AT, field = way * FIELD_AT;
            float step = side & 1 ? light_at(l, along, rim) - light_at(l, along, field)
                                  : light_at(l, rim, along) - light_at(l, field, along);
            own += step;
            square += step * step;
        }
        sum += own;
        out->least = fminf(out->least, own / ALONG);
    }
    out->depth = sum / (4 * ALONG);
    out->share = sum > 0 && square > 0 ? sum * sum / (4 * ALONG * square) : 0;
}

/* Standard deviation of the light between the pips' places about the smooth surface (of second
 * degree) that fits it best. */
static float rough_of(const struct light *l)
{
    static const float at[INNER] = {-0.36f, -0.12f, 0.12f, 0.36f};
    /* polynomials of degree 0, 1, 2 over four even places, each of length one */
    static const float wave[3][INNER] = {{0.5f, 0.5f, 0.5f, 0.5f},
                                         {-0.67082f, -0.22361f, 0.22361f, 0.67082f},
                                         {0.5f, -0.5f, -0.5f, 0.5f}};
    float value[INNER][INNER], rest = 0;
    for (int j = 0; j < INNER; j++)
        for (int i = 0; i < INNER; i++) {
            const float r = 0.04f;
            value[j][i] = (light_at(l, at[i] - r, at[j]) + light_at(l, at[i] + r, at[j]) +
                           light_at(l, at[i], at[j] - r) + light_at(l, at[i], at[j] + r)) /
                          4;
            rest += value[j][i] * value[j][i];
        }
    for (int a = 0; a < 3; a++)
        for (int b = 0; a + b < 3; b++) {
            float part = 0;
            for (int j = 0; j < INNER; j++)
                for (int i = 0; i < INNER; i++)
                    part += wave[a][i] * wave[b][j] * value[j][i];
            rest -= part * part;
        }
    return sqrtf(fmaxf(rest, 0) / (INNER_POINTS - 6));
}

void vision_end_rim_settle(const float *whiteness, int width, int height, struct cell_place *place,
                           struct end_rim *out)
{
    const struct cell_place start = *place;
    struct light light = light_of(whiteness, width, height, place);
    rim_measure(&light, out);
    for (float step = STEP_PX; step > STEP_LEAST_PX;) {
        bool moved = false;
        for (int k = 0; k < 6; k++) {
            struct cell_place trial = *place;
            struct end_rim rim;
            float by = k & 1 ? -step : step;
            trial.x += k / 2 == 0 ? by : 0;
            trial.y += k / 2 == 1 ? by : 0;
            trial.turn_rad += k / 2 == 2 ? by * TURN_PER_PX : 0;
            if (fabsf(trial.x - start.x) > REACH_PX || fabsf(trial.y - start.y) > REACH_PX ||
                fabsf(trial.turn_rad - start.turn_rad) > REACH_RAD)
                continue;
            light = light_of(whiteness, width, height, &trial);
            rim_measure(&light, &rim);
            if (rim.share * rim.depth <= out->share * out->depth)
                continue;
            *out = rim;
            *place = trial;
            moved = true;
        }
        step = moved ? step : step / 2;
        if (!moved && out->share < HOPELESS_SHARE) {
            out->rough = 1;
            return;
        }
    }
    light = light_of(whiteness, width, height, place);
    out->rough = out->depth > 0 ? rough_of(&light) / out->depth : 1;
}
