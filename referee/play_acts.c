/* referee/play_acts.c: what people do to the cards in play. A person's act works in a pause and
 * with a picture that is not to be trusted, too: somebody must always be able to go on. Pure. */
#include "referee/play.h"

#include <string.h>

/* The player of an act; refused by name when there is none. */
static int act_player(struct step *step)
{
    int seat = step->event->act.seat;
    int player = referee_player_at(step->state, seat);
    if (player < 0)
        referee_refuse(step, seat, WHY_UNKNOWN_SEAT);
    return player;
}

/* The pile of an act with a card in play; refused by name when there is none. */
static int act_pile(struct step *step, int player)
{
    const struct event_act *act = &step->event->act;
    enum why why;
    int pile = referee_pile_meant(step->state, act->slot, player, &why);
    if (pile < 0)
        referee_refuse(step, act->seat, why)->slot = act->slot;
    return pile;
}

void referee_give_up(struct step *step)
{
    struct match_state *state = step->state;
    int seat = step->event->act.seat;
    int player = seat == 0 ? -1 : act_player(step);
    if (seat != 0 && player < 0)
        return;
    if (player >= 0 && state->paused) {
        referee_refuse(step, seat, WHY_PAUSED);
        return;
    }
    int pile = act_pile(step, player);
    if (pile < 0)
        return;
    struct pile *on = &state->pile[pile];
    if (player < 0) {
        referee_card_set_aside(step, pile, WHY_GIVEN_UP, step->event->seq);
    } else if (on->owner >= 0 && on->owner != player) {
        referee_refuse(step, seat, WHY_NO_CARD_IN_PLAY)->slot = on->slot;
    } else {
        on->gave_up |= (uint8_t)(1U << player);
        on->gave_up_seq = step->event->seq;
        referee_play_given_up(step, pile, step->event->seq);
    }
}

static void award(struct step *step)
{
    int player = act_player(step);
    int pile = player < 0 ? -1 : act_pile(step, player);
    if (pile < 0)
        return;
    struct pile *on = &step->state->pile[pile];
    if (on->owner >= 0 && on->owner != player) {
        referee_refuse(step, step->event->act.seat, WHY_NO_CARD_IN_PLAY)->slot = on->slot;
        return;
    }
    struct decision won;
    memset(&won, 0, sizeof won);
    won.cause = step->event->seq;
    won.why = WHY_PERSON;
    won.at_t_ns = step->state->t_ns;
    won.margin_ns = -1;
    referee_card_win(step, pile, (uint8_t)(1U << player), &won);
}

/* In Total Madness an error costs the same whatever card it was made on. */
static void penalise(struct step *step)
{
    const struct match_state *state = step->state;
    int player = act_player(step);
    int pile = -1;
    if (player < 0)
        return;
    if (state->game != GAME_TOTAL_MADNESS || step->event->act.slot != 0) {
        pile = act_pile(step, player);
        if (pile < 0)
            return;
        if (state->pile[pile].out >> player & 1) {
            referee_refuse(step, step->event->act.seat, WHY_OUT);
            return;
        }
    }
    referee_player_err(step, player, pile, step->event->seq);
}

static void set_aside(struct step *step)
{
    int pile = act_pile(step, referee_player_at(step->state, step->event->act.seat));
    if (pile >= 0)
        referee_card_set_aside(step, pile, WHY_PERSON, step->event->seq);
}

static void rename_player(struct step *step)
{
    int player = act_player(step);
    if (player < 0)
        return;
    struct player *who = &step->state->player[player];
    if (step->event->act.name[0])
        referee_text_copy(who->name, sizeof who->name, step->event->act.name);
    else
        referee_refuse(step, who->seat, WHY_BAD_VALUE);
}

void referee_act(struct step *step)
{
    switch ((int)step->event->kind) {
    case EVENT_AWARD:
        award(step);
        break;
    case EVENT_PENALISE:
        penalise(step);
        break;
    case EVENT_SET_ASIDE:
        set_aside(step);
        break;
    default: /* EVENT_NAME */
        rename_player(step);
        break;
    }
}
