/* make5_why.c: whether a change on the ramp of Make 5 is legal, and the name of what is wrong with
 * it; what a person may set; what may be dropped where; the points. */
#include "referee/make5.h"

#include <string.h>

/* Of a colour, the discs that there are more of than before; negative when some are gone. */
static int colour_more(const struct make5_grid *before, const struct make5_grid *seen, char colour)
{
    return referee_make5_count(seen, colour) - referee_make5_count(before, colour);
}

static bool colour_used_up(const struct make5_grid *grid, const char *colours)
{
    for (const char *colour = colours; *colour != '\0'; colour++)
        if (referee_make5_count(grid, *colour) > MAKE5_OF_COLOUR)
            return true;
    return false;
}

/* What is wrong with the discs themselves, wherever they lie; WHY_NONE: at most as many came as one
 * turn (or the rest of the opening) brings, and none went. A floating disc comes first: it is no
 * resting place, so all else may be misread. */
static enum why discs_why(const struct make5_position *before, const struct make5_grid *seen,
                          const char *colours)
{
    if (referee_make5_floats(seen))
        return WHY_FLOATING;
    int discs = MAKE5_DISCS - referee_make5_count(seen, MAKE5_EMPTY);
    if (discs < before->discs)
        return WHY_DISC_TAKEN;
    for (const char *colour = colours; *colour != '\0'; colour++)
        if (colour_more(&before->grid, seen, *colour) < 0)
            return WHY_DISC_CHANGED;
    int most = before->discs < MAKE5_OPENING ? MAKE5_OPENING : before->discs + 1;
    if (discs > most)
        return WHY_TOO_MANY_NEW;
    return colour_used_up(seen, colours) ? WHY_COLOUR_USED_UP : WHY_NONE;
}

/* Are the discs of a track all still there, in their order, whatever came between them? */
static bool track_holds(const struct make5_grid *before, const struct make5_grid *seen, int track)
{
    int row = 0;
    for (int r = 0; r < RAMP_SIDE; r++)
        if (row < RAMP_SIDE && before->disc[row][track] != MAKE5_EMPTY &&
            before->disc[row][track] == seen->disc[r][track])
            row++;
    return row == referee_make5_height(before, track);
}

/* The discs that lay in a track lie there as before. */
static bool track_kept(const struct make5_grid *before, const struct make5_grid *seen, int track)
{
    for (int row = 0; row < referee_make5_height(before, track); row++)
        if (before->disc[row][track] != seen->disc[row][track])
            return false;
    return true;
}

/* The opening: discs only come, on top. */
static enum why opening_why(const struct make5_position *before, const struct make5_grid *seen,
                            const struct make5_rules *rules)
{
    bool beneath = false;
    for (int track = 0; track < RAMP_SIDE; track++) {
        if (!track_holds(&before->grid, seen, track))
            return WHY_OUT_OF_TURN;
        beneath = beneath || !track_kept(&before->grid, seen, track);
    }
    if (beneath)
        return WHY_NOT_FROM_TOP;
    for (int track = 0; rules->one_per_track && track < RAMP_SIDE; track++)
        if (seen->disc[1][track] != MAKE5_EMPTY)
            return WHY_SECOND_IN_TRACK;
    return WHY_NONE;
}

/* Row by row, as they lie: in which order they came at once is not known, so with several any track
 * that got one may have got the last. */
static void opening_tell(const struct make5_position *before, const struct make5_grid *seen,
                         struct make5_story *story)
{
    struct make5_position *after = &story->after;
    after->grid = *seen;
    after->last_tracks = 0;
    for (int place = 0; place < MAKE5_DISCS; place++) {
        int row = place / RAMP_SIDE, track = place % RAMP_SIDE;
        if (seen->disc[row][track] == before->grid.disc[row][track])
            continue;
        after->discs++;
        after->turn = after->discs == MAKE5_OPENING ? MAKE5_MAKER : MAKE5_BREAKER;
        after->last_tracks = (uint8_t)(after->last_tracks | 1U << track);
        after->last[0] = (int8_t)row;
        after->last[1] = (int8_t)track;
        story->action[story->count++] = (struct make5_action){
            WHY_DROP, seen->disc[row][track], {-1, -1}, {(int8_t)row, (int8_t)track}, after->turn};
    }
    if (story->count > 1)
        after->last[0] = after->last[1] = -1;
    if (after->turn == MAKE5_BREAKER)
        after->last_tracks = 0;
}

/* The rule that is broken is the one without which the change is explained. Those of the fewest
 * discs in a hand are tried first, so that a slip is not told as a cunning plan. */
static enum why move_why(const struct make5_position *before, const struct make5_grid *seen,
                         const struct make5_rules *rules)
{
    static const struct {
        enum why why;
        int8_t hands;
        bool same_track, any_disc, other_turn, anywhere;
    } tries[] = {
        {WHY_SAME_TRACK, 1, true, false, false, false},
        {WHY_NOT_THAT_DISC, 1, false, true, false, false},
        {WHY_NOT_THAT_DISC, 1, true, true, false, false},
        {WHY_NOT_FROM_TOP, 1, true, true, false, true},
        {WHY_OUT_OF_TURN, 1, true, true, true, false},
        {WHY_SAME_TRACK, 2, true, false, false, false},
        {WHY_NOT_THAT_DISC, 2, false, true, false, false},
        {WHY_NOT_THAT_DISC, 2, true, true, false, false},
        {WHY_OUT_OF_TURN, 2, true, true, true, false},
        {WHY_NOT_FROM_TOP, 2, true, true, false, true},
    };
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        struct make5_rules looser = *rules;
        struct make5_position other = *before;
        struct make5_story story;
        looser.same_track = looser.same_track || tries[i].same_track;
        looser.advanced = looser.advanced && !tries[i].any_disc;
        looser.anywhere = tries[i].anywhere;
        if (tries[i].other_turn)
            other.turn = before->turn == MAKE5_MAKER ? MAKE5_BREAKER : MAKE5_MAKER;
        if (referee_make5_search(&other, seen, &looser, tries[i].hands, &story) != WHY_OUT_OF_TURN)
            return tries[i].why;
    }
    return WHY_OUT_OF_TURN; /* more went on than anybody's turn allows */
}

void referee_make5_explain(const struct make5_position *before, const struct make5_grid *seen,
                           const struct make5_rules *rules, const char *colours,
                           struct make5_story *story)
{
    memset(story, 0, sizeof *story);
    story->after = *before;
    if (referee_make5_same(&before->grid, seen))
        return;
    enum why why = discs_why(before, seen, colours);
    if (why == WHY_NONE && before->discs < MAKE5_OPENING) {
        why = opening_why(before, seen, rules);
        if (why == WHY_NONE)
            opening_tell(before, seen, story);
    } else if (why == WHY_NONE) {
        why = referee_make5_search(before, seen, rules, 2, story);
        if (why == WHY_OUT_OF_TURN)
            why = move_why(before, seen, rules);
    }
    if (why == WHY_NONE)
        return;
    memset(story, 0, sizeof *story);
    story->after = *before;
    story->why = why;
}

enum why referee_make5_check(const struct make5_grid *grid, int turn,
                             const struct make5_rules *rules, const char *colours)
{
    int discs = MAKE5_DISCS - referee_make5_count(grid, MAKE5_EMPTY);
    if (!referee_make5_known(grid, colours))
        return WHY_BAD_VALUE;
    if (referee_make5_floats(grid))
        return WHY_FLOATING;
    if (colour_used_up(grid, colours))
        return WHY_COLOUR_USED_UP;
    if (turn != MAKE5_BREAKER && (turn != MAKE5_MAKER || discs < MAKE5_OPENING))
        return WHY_BAD_VALUE;
    for (int track = 0; discs < MAKE5_OPENING && track < RAMP_SIDE; track++)
        if (rules->one_per_track && grid->disc[1][track] != MAKE5_EMPTY)
            return WHY_SECOND_IN_TRACK;
    return WHY_NONE;
}

uint32_t referee_make5_legal(const struct make5_position *position, const struct make5_rules *rules)
{
    uint32_t tracks = 0;
    bool opening = rules->one_per_track && position->discs < MAKE5_OPENING;
    if (position->turn != MAKE5_BREAKER)
        return 0;
    for (int track = 0; track < RAMP_SIDE; track++)
        if (referee_make5_height(&position->grid, track) < (opening ? 1 : RAMP_SIDE))
            tracks |= 1U << track;
    return tracks;
}

int referee_make5_points(const struct make5_grid *grid)
{
    int points = 0;
    for (int row = 0; row < RAMP_SIDE; row++) {
        int most = 0;
        for (int track = 0; track < RAMP_SIDE; track++) {
            int alike = 0;
            for (int other = 0; other < RAMP_SIDE; other++)
                alike += grid->disc[row][track] != MAKE5_EMPTY &&
                         grid->disc[row][other] == grid->disc[row][track];
            most = alike > most ? alike : most;
        }
        points += most >= 3 ? most : 0;
    }
    return points;
}
