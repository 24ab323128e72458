/* referee/cmd_match_sheet.h: the picture that shows a ruling: the seat as it was seen, its cells as
 * they were read, the card, what is wrong, and all that the ruling says. Program layer. */
#ifndef REFEREE_CMD_MATCH_SHEET_H
#define REFEREE_CMD_MATCH_SHEET_H

#include "referee/cmd_match_case.h"

/* A PNG, which the caller frees. `match` with its kit. */
bool cmd_sheet_draw(const struct case_match *match, const struct match_case *found,
                    const struct case_picture *picture, unsigned char **png, size_t *length,
                    struct case_fault *fault);

/* A kept picture as a frame, and where its mat lies: what the seats are cut by. The finder is one
 * of vision/pose.h; without one (NULL) the mat is not looked for. False, and *frame NULL, when the
 * picture cannot be decoded; *known false when the mat is not found in it. The caller frees the
 * frame. */
bool cmd_sheet_frame(const struct case_match *match, struct tag_finder *finder,
                     const uint8_t *bytes, size_t length, struct frame **frame,
                     struct mat_pose *pose, bool *known);

/* The seat of that number on the match's mat, or NULL. */
const struct mat_seat *cmd_sheet_seat(const struct case_match *match, int seat);

#endif
