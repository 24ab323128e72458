/* vision/survey_parts.h: what the files of the survey share. Private to vision. */
#ifndef VISION_SURVEY_PARTS_H
#define VISION_SURVEY_PARTS_H

#include "vision/motion.h"
#include "vision/plane.h"
#include "vision/survey.h"
#include "vision/white.h"

#define SURVEY_TIMES_MAX 256
#define SURVEY_NEIGHBOURS_MAX 512

struct survey {
    struct table_kit kit;
    struct table_reader *reader;
    struct pyramid *pyramid;
    struct white_map *white;
    struct patch patch;
    float *whiteness;
    size_t whiteness_room;
    struct small small;
    int pictures, placed, banded;
    uint32_t found;       /* faults of pictures without a pose */
    uint64_t lost;
    int times;
    int64_t time_ns[SURVEY_TIMES_MAX];
    struct mat_pose pose; /* of the last placed picture */
    struct layout layout;
    /* distances from cells to their nearest neighbours on the plane of the tops, mm */
    int neighbours;
    double neighbour_mm[SURVEY_NEIGHBOURS_MAX];
    /* of the last placed picture */
    double edge_px, tag_scale;
    double white_least, white_most, burnt_share, paper[3];
    int glares;
    double glare_mm[CERTIFICATE_GLARES_MAX][3];
};

/* How wide the edges of the tags come out, in px: the median over all. 0 when none can be
 * measured. */
double vision_survey_edge(const struct frame *frame, const struct mat_pose *pose);

/* The sides of the tags by the pose, of what the mat says: the median. 0 without any. */
double vision_survey_tag_scale(const struct mat *mat, const struct mat_pose *pose);

/* Light on the paper, and lamps in it. VISION_E_MEMORY, VISION_E_POSE. */
int vision_survey_light(struct survey *survey, const struct frame *frame);

/* Are there bands of light over the paper? VISION_E_MEMORY or 0 or 1. */
int vision_survey_bands(struct survey *survey, const struct frame *frame);

#endif
