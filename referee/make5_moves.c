/* make5_moves.c: what may follow from a position of Make 5, and by which actions it came. */
#include "referee/make5.h"

#include <string.h>

void referee_make5_empty(struct make5_position *position)
{
    memset(position, 0, sizeof *position);
    memset(&position->grid, MAKE5_EMPTY, sizeof position->grid);
    position->turn = MAKE5_BREAKER;
    position->last[0] = position->last[1] = -1;
}

int referee_make5_height(const struct make5_grid *grid, int track)
{
    int height = RAMP_SIDE;
    while (height > 0 && grid->disc[height - 1][track] == MAKE5_EMPTY)
        height--;
    return height;
}

int referee_make5_count(const struct make5_grid *grid, char colour)
{
    int count = 0;
    for (int row = 0; row < RAMP_SIDE; row++)
        for (int track = 0; track < RAMP_SIDE; track++)
            count += grid->disc[row][track] == colour;
    return count;
}

bool referee_make5_same(const struct make5_grid *one, const struct make5_grid *other)
{
    return memcmp(one, other, sizeof *one) == 0;
}

bool referee_make5_known(const struct make5_grid *grid, const char *colours)
{
    for (int place = 0; place < MAKE5_DISCS; place++) {
        char disc = grid->disc[place / RAMP_SIDE][place % RAMP_SIDE];
        if (disc != MAKE5_EMPTY && memchr(colours, disc, RAMP_SIDE) == NULL)
            return false;
    }
    return true;
}

bool referee_make5_floats(const struct make5_grid *grid)
{
    for (int track = 0; track < RAMP_SIDE; track++)
        for (int row = 1; row < RAMP_SIDE; row++)
            if (grid->disc[row][track] != MAKE5_EMPTY && grid->disc[row - 1][track] == MAKE5_EMPTY)
                return true;
    return false;
}

/* The discs above the one taken roll down. */
static char disc_take(struct make5_grid *grid, int row, int track)
{
    char disc = grid->disc[row][track];
    for (int r = row; r + 1 < RAMP_SIDE; r++)
        grid->disc[r][track] = grid->disc[r + 1][track];
    grid->disc[RAMP_SIDE - 1][track] = MAKE5_EMPTY;
    return disc;
}

/* Puts a disc into a track that has room; those from its row up rise. */
static void disc_put(struct make5_grid *grid, int row, int track, char disc)
{
    for (int r = RAMP_SIDE - 1; r > row; r--)
        grid->disc[r][track] = grid->disc[r - 1][track];
    grid->disc[row][track] = disc;
}

static struct make5_action *action_add(struct make5_story *story, enum why kind, char disc)
{
    struct make5_action *action = &story->action[story->count++];
    memset(action, 0, sizeof *action);
    action->kind = kind;
    action->disc = disc;
    action->from[0] = action->from[1] = action->to[0] = action->to[1] = -1;
    action->turn = story->after.turn;
    return action;
}

static void act_pass(struct make5_story *story)
{
    story->after.turn = MAKE5_BREAKER;
    story->after.last_tracks = 0;
    action_add(story, WHY_PASS, 0);
}

/* A new disc into a row and track that have room. */
static void act_drop(struct make5_story *story, int row, int track, char disc)
{
    struct make5_position *after = &story->after;
    disc_put(&after->grid, row, track, disc);
    after->discs++;
    after->turn = MAKE5_MAKER;
    after->last[0] = (int8_t)row;
    after->last[1] = (int8_t)track;
    after->last_tracks = (uint8_t)(1U << track);
    struct make5_action *action = action_add(story, WHY_DROP, disc);
    action->to[0] = (int8_t)row;
    action->to[1] = (int8_t)track;
}

/* Keeps the place of BREAKER's last disc true while a disc is taken or put elsewhere. */
static void last_follow(struct make5_position *after, const int8_t from[2], const int8_t to[2])
{
    int8_t *last = after->last;
    if (last[0] < 0)
        return;
    if (last[0] == from[0] && last[1] == from[1]) {
        last[0] = to[0];
        last[1] = to[1];
        return;
    }
    if (last[1] == from[1] && last[0] > from[0])
        last[0]--;
    if (last[1] == to[1] && last[0] >= to[0])
        last[0]++;
}

static void act_move(struct make5_story *story, const int8_t from[2], const int8_t to[2])
{
    struct make5_position *after = &story->after;
    char disc = disc_take(&after->grid, from[0], from[1]);
    disc_put(&after->grid, to[0], to[1], disc);
    last_follow(after, from, to);
    after->turn = MAKE5_BREAKER;
    after->last_tracks = 0;
    struct make5_action *action = action_add(story, WHY_MOVE, disc);
    memcpy(action->from, from, sizeof action->from);
    memcpy(action->to, to, sizeof action->to);
}

/* Advanced: BREAKER's last disc has nothing above it while MAKER is to move. */
static bool may_take(const struct make5_position *position, int row, int track,
                     const struct make5_rules *rules)
{
    if (!rules->advanced || row == 0)
        return true;
    return (position->last_tracks >> track & 1U) != 0 &&
           row == referee_make5_height(&position->grid, track) - 1;
}

/* A search on its way: what it looks for and what it has found. */
struct search {
    const struct make5_grid *seen;
    const struct make5_rules *rules;
    char colour; /* of the one disc that is new; 0: none is */
    int found;
    bool unclear;
    struct make5_story *story; /* the first one found */
};

/* In BREAKER's turn nothing hangs on the last disc. */
static bool last_matters(const struct search *search, const struct make5_position *position)
{
    return search->rules->advanced && position->turn == MAKE5_MAKER;
}

static void search_take(struct search *search, const struct make5_story *story)
{
    if (!referee_make5_same(&story->after.grid, search->seen))
        return;
    if (search->found++ == 0) {
        *search->story = *story;
        return;
    }
    struct make5_position *first = &search->story->after;
    bool same_last = memcmp(first->last, story->after.last, sizeof first->last) == 0;
    if (first->turn != story->after.turn || (last_matters(search, first) && !same_last))
        search->unclear = true;
    if (!same_last) /* told only where it is sure */
        first->last[0] = first->last[1] = -1;
}

/* All drops of the new disc. */
static void search_drops(struct search *search, const struct make5_story *base)
{
    for (int track = 0; track < RAMP_SIDE; track++) {
        int height = referee_make5_height(&base->after.grid, track);
        if (height == RAMP_SIDE)
            continue;
        for (int row = search->rules->anywhere ? 0 : height; row <= height; row++) {
            struct make5_story story = *base;
            act_drop(&story, row, track, search->colour);
            search_take(search, &story);
        }
    }
}

/* Where a disc may go, the next place after `to`; false when there is none. `to` begins at -1. */
static bool move_next(const struct make5_position *before, const struct make5_rules *rules,
                      const int8_t from[2], int8_t to[2])
{
    for (int place = to[0] < 0 ? 0 : to[1] * RAMP_SIDE + to[0] + 1; place < MAKE5_DISCS; place++) {
        int row = place % RAMP_SIDE, track = place / RAMP_SIDE;
        int height = referee_make5_height(&before->grid, track);
        if (track == from[1]) /* the one in the hand is no longer there */
            height--;
        if (rules->anywhere ? row > height : row != height)
            continue;
        if (track == from[1] && (row == from[0] || !rules->same_track))
            continue;
        to[0] = (int8_t)row;
        to[1] = (int8_t)track;
        return true;
    }
    return false;
}

/* All moves, each followed by all drops when that is wanted. From the top down: of two discs that
 * look alike the upper one is the likelier to have been in the hand. */
static void search_moves(struct search *search, const struct make5_story *base, bool then_drop)
{
    const struct make5_position *before = &base->after;
    for (int place = MAKE5_DISCS - 1; place >= 0; place--) {
        const int8_t from[2] = {(int8_t)(place / RAMP_SIDE), (int8_t)(place % RAMP_SIDE)};
        if (before->grid.disc[from[0]][from[1]] == MAKE5_EMPTY ||
            !may_take(before, from[0], from[1], search->rules))
            continue;
        int8_t to[2] = {-1, -1};
        while (move_next(before, search->rules, from, to)) {
            struct make5_story story = *base;
            act_move(&story, from, to);
            if (then_drop)
                search_drops(search, &story);
            else
                search_take(search, &story);
        }
    }
}

/* All drops, each followed by all moves. */
static void search_drops_moves(struct search *search, const struct make5_story *base)
{
    for (int track = 0; track < RAMP_SIDE; track++) {
        int height = referee_make5_height(&base->after.grid, track);
        if (height == RAMP_SIDE)
            continue;
        for (int row = search->rules->anywhere ? 0 : height; row <= height; row++) {
            struct make5_story story = *base;
            act_drop(&story, row, track, search->colour);
            search_moves(search, &story, false);
        }
    }
}

/* The one colour of which there is one more; 0: the same discs as before; -1: other changes. */
static int colour_new(const struct make5_grid *before, const struct make5_grid *seen)
{
    int colour = 0;
    for (int row = 0; row < RAMP_SIDE; row++)
        for (int track = 0; track < RAMP_SIDE; track++) {
            char disc = seen->disc[row][track];
            int more = referee_make5_count(seen, disc) - referee_make5_count(before, disc);
            if (disc == MAKE5_EMPTY || more == 0)
                continue;
            if (more != 1 || (colour != 0 && colour != disc))
                return -1;
            colour = disc;
        }
    int fewer = referee_make5_count(before, MAKE5_EMPTY) - referee_make5_count(seen, MAKE5_EMPTY);
    return fewer == (colour != 0) ? colour : -1;
}

enum why referee_make5_search(const struct make5_position *before, const struct make5_grid *seen,
                              const struct make5_rules *rules, int hands, struct make5_story *story)
{
    memset(story, 0, sizeof *story);
    story->after = *before;
    int colour = colour_new(&before->grid, seen);
    if (colour < 0 || (colour > 0 && referee_make5_count(seen, (char)colour) > MAKE5_OF_COLOUR))
        return WHY_OUT_OF_TURN;

    struct search search = {seen, rules, (char)colour, 0, false, story};
    const struct make5_story still = *story;
    struct make5_story passed = still; /* BREAKER to move, with or without a pass */
    if (before->turn == MAKE5_MAKER)
        act_pass(&passed);

    if (colour > 0)
        search_drops(&search, &passed);
    else if (before->turn == MAKE5_MAKER)
        search_moves(&search, &still, false);
    if (search.found == 0 && hands > 1 && colour > 0) {
        search_drops_moves(&search, &passed);
        if (before->turn == MAKE5_MAKER)
            search_moves(&search, &still, true);
    }
    if (search.found == 0)
        return WHY_OUT_OF_TURN;
    return search.unclear ? WHY_TURN_UNCLEAR : WHY_NONE;
}
