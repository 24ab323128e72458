/* referee/results_text.h: the final table as lines for people, and as CSV. */
#ifndef REFEREE_RESULTS_TEXT_H
#define REFEREE_RESULTS_TEXT_H

#include "referee/results.h"

void referee_results_text(const struct match_state *state, const char *match, const char *head,
                          struct json_text *out);
void referee_results_csv(const struct match_state *state, struct json_text *out);

/* Make 5: rounds that are over. */
int referee_results_rounds(const struct match_state *state);

#endif
