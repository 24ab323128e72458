/* vision/survey.h: looks a table over before a match: where the camera is and how exactly that is
 * known, how large, sharp and bright things are, and whether the mat is printed at its size.
 *
 * It measures; what of it is a fault is decided by calib/certificate.h. Pictures may be one still or
 * a second or two of a camera. */
#ifndef VISION_SURVEY_H
#define VISION_SURVEY_H

#include "calib/certificate.h"
#include "vision/table.h"

#include <stdint.h>

struct survey;

/* Everything of the kit is lent for the survey's life. NULL for no memory. */
struct survey *vision_survey_create(const struct table_kit *kit);
void vision_survey_destroy(struct survey **survey);

/* Looks at one picture; time_ns of a source that has times, else -1; `lost` as struct picture has
 * it. 0, VISION_E_MEMORY, or why the mat was not found in it, which is kept for the certificate. */
int vision_survey_add(struct survey *survey, const struct frame *frame, int64_t time_ns,
                      uint64_t lost);

/* The pose of the last picture in which the mat was found, and what was read there; NULL before. */
const struct mat_pose *vision_survey_pose(const struct survey *survey);
const struct layout *vision_survey_layout(const struct survey *survey);

/* The paper around the tags of that picture, linear light. False before. */
bool vision_survey_white(const struct survey *survey, double rgb[3]);

/* Writes what was measured into *out: everything but made, camera, rig_made and the ruling, which are
 * the caller's. */
void vision_survey_result(const struct survey *survey, struct certificate *out);

#endif
