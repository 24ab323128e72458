// words.js: what the formats' words mean, for people. Functions, for the language is chosen later.
import { oneDecimal, seconds, t, tn } from './i18n.js';

const REASONS = {
    hand: () => t('a hand or something else is over the layout'),
    glare: () => t('glare hides a symbol'),
    blur: () => t('the picture is not sharp'),
    dark: () => t('it is too dark'),
    no_colour: () => t('the picture has no colour'),
    too_small: () => t('the camera is too far away'),
    out_of_view: () => t('part of it is out of the camera’s view'),
    coarse_pose: () => t('too few of the mat’s tags are seen'),
    damaged_frame: () => t('the picture is damaged'),
    no_mat: () => t('the mat is not seen'),
    mirrored: () => t('the picture is mirrored'),
    mat_moved: () => t('the mat or the camera was moved'),
    stale: () => t('no new picture comes'),
    not_aligned: () => t('the blocks are not quite in line'),
    not_one_grid: () => t('the blocks are not on one grid'),
    wrong_symbol: () => t('a symbol is wrong'),
    wrong_shape: () => t('the outline is wrong'),
    mirror_image: () => t('it is the mirror image'),
    standing_block: () => t('a block stands on end'),
    block_apart: () => t('a block lies apart'),
    missing_block: () => t('a block is missing'),
    extra_block: () => t('there is a block too many'),
    unsure_symbol: () => t('a symbol cannot be told for sure'),
    unknown_thing: () => t('something unknown lies there'),
    no_card: () => t('there is no card to compare with'),
    card_unreadable: () => t('the card cannot be read'),
    unreadable_file: () => t('the file cannot be read'),
    empty_file: () => t('the file is empty'),
    not_a_picture: () => t('the file is no picture'),
    too_large: () => t('the picture is too large'),
    unsupported: () => t('this kind of picture is not read'),
    rig_size: () => t('the camera was calibrated at another size'),
    bad_pose: () => t('the tags seen fit no camera'),
    internal: () => t('a fault in the program'),
    several_cards: () => t('more than one card lies face up'),
    rig_lens: () => t('the calibration is of another lens'),
    compressed: () => t('the picture is compressed too much'),
    moved_after_claim: () => t('blocks were moved after the claim'),
    not_settled: () => t('nothing came to rest in time'),
    low_contrast: () => t('the picture has too little contrast'),
    false_colour: () => t('the colours are not those of the blocks'),
    light_changing: () => t('the light is changing'),
    banding: () => t('the lamps flicker'),
    second_mat: () => t('two mats are in the picture'),
    rolling: () => t('a disc is rolling'),
    between_rows: () => t('a disc lies in no row'),
    floating: () => t('a disc lies above an empty place'),
    unsure_colour: () => t('a disc’s colour is not clear'),
    disc_count: () => t('there are too many discs of a colour'),
};

const WHYS = {
    no_match: () => t('no match is set up'),
    already_set_up: () => t('a match is set up already'),
    bad_setup: () => t('the set-up does not go together'),
    deck_too_small: () => t('the deck has too few cards'),
    not_started: () => t('the match has not started'),
    already_started: () => t('the match has started already'),
    paused: () => t('play is paused'),
    not_paused: () => t('play is not paused'),
    match_over: () => t('the match is over'),
    clock_backward: () => t('its time lies before the last event'),
    unknown_seat: () => t('nobody plays at that seat'),
    unknown_slot: () => t('there is no such pile'),
    no_card_in_play: () => t('no card is in play there'),
    late: () => t('that card was no longer in play'),
    void: () => t('that card’s turn was taken back'),
    out: () => t('out for this card'),
    barred: () => t('barred from the first card'),
    below_level: () => t('the card’s level is too low for this player'),
    already_claimed: () => t('a claim of this player is being checked'),
    moved_during_check: () => t('blocks were moved during a check'),
    claims_auto: () => t('nobody needs to call in this match'),
    nothing_asked: () => t('no ruling waits for a person'),
    not_in_this_game: () => t('not in this game'),
    card_used: () => t('that card was played before'),
    card_differs: () => t('another card lies there than the one in play'),
    not_in_deck: () => t('there is no such card'),
    deck_empty: () => t('no card is left'),
    bad_value: () => t('a value makes no sense'),
    all_out: () => t('everybody is out'),
    given_up: () => t('given up'),
    time: () => t('time is up'),
    person: () => t('by a person’s word'),
    tied: () => t('tied: another card is dealt'),
    owed: () => t('the next card won is owed'),
    lost: () => t('the last card won is lost'),
    drop: () => t('a disc was placed'),
    move: () => t('a disc was moved'),
    pass: () => t('passed'),
    round_opened: () => t('the round begins'),
    too_many_new: () => t('more discs came than one turn brings'),
    disc_taken: () => t('a disc left the ramp'),
    disc_changed: () => t('a disc changed its colour'),
    colour_used_up: () => t('more than five discs of a colour'),
    floating: () => t('a disc lies above an empty place'),
    not_from_top: () => t('a disc came between others'),
    out_of_turn: () => t('it was the other player’s turn'),
    not_that_disc: () => t('that disc may not be moved'),
    same_track: () => t('a disc went back on its own track'),
    second_in_track: () => t('the opening puts one disc into each track'),
    turn_unclear: () => t('whose turn it is cannot be told'),
};

export function reasonText(word) {
    return REASONS[word] ? REASONS[word]() : whyText(word);
}

export function whyText(word) {
    if (!word) return '';
    if (WHYS[word]) return WHYS[word]();
    return REASONS[word] ? REASONS[word]() : String(word).replaceAll('_', ' ');
}

export const reasonsText = (words) => (words || []).map(reasonText).join('; ');

export function gameText(game) {
    if (game === 'quick-play') return t('Quick-Play Game');
    if (game === 'total-madness') return t('Total Madness Game');
    return game === 'make5' ? t('Make 5') : '';
}

export function phaseText(state) {
    if (!state || state.phase === 'none') return t('No match yet');
    if (state.phase === 'ready') return t('Ready');
    if (state.phase === 'over') return t('Match over');
    if (state.phase === 'abandoned') return t('Match abandoned');
    if (state.paused) return t('Paused');
    if (state.phase === 'countdown') return t('Get ready');
    return state.health.length ? t('Rulings frozen') : t('In play');
}

export function rulingText(ruling) {
    if (ruling === 'match') return t('Match');
    return ruling === 'no_match' ? t('No match') : t('Cannot tell');
}

// What a seat's reading is, when there is no layout to draw.
export function seatStateText(state) {
    if (state === 'empty') return t('No blocks');
    if (state === 'occluded') return t('Covered');
    if (state === 'unreadable') return t('Cannot be read');
    return state === 'incomplete' ? t('Building') : '';
}

// A picture of how a layout may lie against its card.
export function turnText(turn) {
    return turn ? t('turned by {degrees}°', { degrees: turn }) : '';
}

export const roleText = (make5, seat) => (seat === make5.maker ? t('Maker') : t('Breaker'));
export const turnNow = (make5) => (make5.turn === 'maker' ? t('Maker to move') : t('Breaker to move'));
export const pointsText = (n) => tn('{n} point', '{n} points', n);
export const cardsText = (n) => tn('{n} card', '{n} cards', n);

const COLOURS = {
    r: () => t('red'), y: () => t('yellow'), g: () => t('green'), b: () => t('blue'), w: () => t('white'),
};
export const colourText = (letter) => (COLOURS[letter] ? COLOURS[letter]() : letter);

// Kinds of ruling for signs and sounds: good, bad, unsure, plain.
export function toneOf(decision) {
    if (decision.decision === 'verdict' || decision.decision === 'asked') {
        if (decision.verdict === 'match') return 'good';
        return decision.verdict === 'no_match' ? 'bad' : 'unsure';
    }
    const tones = {
        win: 'good', out: 'bad', penalty: 'bad', illegal: 'bad', false_start: 'bad', tie: 'unsure',
        refused: 'unsure', health: 'unsure', round: 'good', end: 'good',
    };
    return tones[decision.decision] || 'plain';
}

function namesOf(decision, nameFor) {
    return (decision.seats || []).map(nameFor).join(', ');
}

function verdictHead(decision) {
    if (decision.verdict === 'match') return t('{name}: it’s a match!', { name: decision.name });
    if (decision.verdict === 'no_match') return t('{name}: no match', { name: decision.name });
    return t('{name}: cannot tell', { name: decision.name });
}

function roundHead(decision) {
    if (decision.why === 'round_opened') return t('Round {round} begins', { round: decision.round });
    return t('Round {round} is over', { round: decision.round });
}

function phaseHead(decision) {
    if (decision.phase === 'over') return t('The match is over');
    if (decision.phase === 'abandoned') return t('The match was abandoned');
    if (decision.paused) return t('Play is paused');
    if (decision.phase === 'countdown') return t('Get ready');
    return decision.phase === 'ready' ? t('All is set up') : t('Play!');
}

function moveHead(decision) {
    const { name, why, disc, to } = decision;
    const colour = disc ? colourText(disc) : '';
    if (why === 'pass') return name ? t('{name} passes', { name }) : t('Passed');
    if (!to || !disc) return t('The ramp was set by a person');
    if (why === 'drop') return t('{name} drops {colour} into track {track}', { name, colour, track: to[1] });
    return t('{name} moves {colour} to track {track}', { name, colour, track: to[1] });
}

function endHead(decision, nameFor) {
    if ((decision.seats || []).length === 0) return t('The match is over');
    if (decision.seats.length > 1) return t('Shared win: {names}', { names: namesOf(decision, nameFor) });
    return t('{name} wins the match', { name: nameFor(decision.seats[0]) });
}

// The line in large letters.
export function headText(decision, nameFor) {
    const { name, level } = decision;
    switch (decision.decision) {
    case 'verdict': case 'asked': return verdictHead(decision);
    case 'win': return decision.seats && decision.seats.length > 1
        ? t('The card is shared: {names}', { names: namesOf(decision, nameFor) })
        : t('{name} wins the card', { name: name || namesOf(decision, nameFor) });
    case 'out': return t('{name} is out for this card', { name });
    case 'penalty': return t('{name} pays for an error', { name });
    case 'set_aside': return t('The card is set aside');
    case 'tie': return t('Tie: {names}', { names: namesOf(decision, nameFor) });
    case 'refused': return name ? t('{name}: not counted', { name }) : t('Not possible');
    case 'false_start': return t('{name}: false start', { name });
    case 'health': return decision.reasons.length ? t('Rulings are frozen') : t('Rulings go on');
    case 'move': return moveHead(decision);
    case 'illegal': return t('That is no legal move');
    case 'round': return roundHead(decision);
    case 'end': return endHead(decision, nameFor);
    case 'phase': return phaseHead(decision);
    case 'card': return t('A card of level {level}', { level });
    default: return decision.decision;
    }
}

function verdictWhy(decision) {
    const parts = [reasonsText(decision.reasons)];
    if (decision.forced) parts.push(t('a person overruled; it was: {ruling}', { ruling: rulingText(decision.was) }));
    if (decision.policy === 'log') parts.push(t('only said, without effect'));
    return parts.filter(Boolean).join(' · ');
}

function tracksText(decision) {
    const tracks = decision.legal_tracks || [];
    return tracks.length ? t('legal tracks: {tracks}', { tracks: tracks.join(', ') }) : '';
}

// Why, in words: the line below.
export function reasonLine(decision) {
    switch (decision.decision) {
    case 'verdict': case 'asked': return verdictWhy(decision);
    case 'health': return reasonsText(decision.reasons);
    case 'illegal': return [whyText(decision.why), reasonsText(decision.reasons), tracksText(decision)]
        .filter(Boolean).join(' · ');
    case 'tie': return t('within {ms} ms, too close to tell', { ms: Math.round((decision.error_ns || 0) / 1e6) });
    case 'false_start': return t('blocks were moved before the start signal');
    case 'round': return decision.why === 'round_opened' ? '' : pointsText(decision.points);
    case 'win': return winLine(decision);
    case 'end': return '';
    default: return whyText(decision.why);
    }
}

function winLine(decision) {
    const parts = [t('after {time}', { time: seconds(decision.took_ns || 0) })];
    if (decision.margin_ns !== null && decision.margin_ns !== undefined)
        parts.push(t('first by {time}', { time: seconds(decision.margin_ns) }));
    return parts.join(' · ');
}

// What follows from a verdict, each in a few words.
export function consequenceText(decision) {
    switch (decision.decision) {
    case 'win': return [t('wins the card'), winLine(decision)].join(' · ');
    case 'out': return t('out for this card');
    case 'penalty': return whyText(decision.why);
    case 'asked': return t('waits for the desk');
    case 'set_aside': return t('card set aside: {why}', { why: whyText(decision.why) });
    case 'tie': return t('tie');
    default: return '';
    }
}

// How a claim that is being looked at stands.
export function stageText(claim) {
    if (claim.stage === 'asking') return t('Waits for the desk');
    if (claim.stage === 'tied') return t('Tie: waits for the desk');
    return claim.stage === 'matched' ? t('Matched: was anyone earlier?') : t('Being checked …');
}

export function kindText(kind) {
    const KINDS = {
        setup: () => t('Set-up'), start: () => t('Start'), layout: () => t('Layout'), card: () => t('Card'),
        claim: () => t('Claim'), pause: () => t('Pause'), resume: () => t('Go on'), health: () => t('Health'),
        give_up: () => t('Give up'), confirm: () => t('Confirmed'), decide: () => t('Decided'),
        set_card: () => t('Card set'), award: () => t('Awarded'), penalise: () => t('Penalty'),
        set_aside: () => t('Set aside'), abandon: () => t('Abandoned'), name: () => t('Name'),
        discs: () => t('Discs'), pass: () => t('Passed'), set_discs: () => t('Discs set'),
        motion: () => t('Motion'), tick: () => t('Time'), overrule: () => t('Overruled'),
    };
    return KINDS[kind] ? KINDS[kind]() : kind;
}

export function ageText(age_ms) {
    if (age_ms === null) return t('No signal yet');
    return t('No signal · {seconds} s', { seconds: oneDecimal(age_ms / 1000) });
}

// How well the table is seen and kept, in words; empty when all is well.
export function healthText(state, health) {
    const words = new Set([...((state && state.health) || []), ...((health && health.reasons) || [])]);
    return reasonsText([...words]);
}

export function recorderText(health) {
    const lost = health && health.recorder;
    if (!lost) return '';
    return typeof lost === 'string' ? t('The recording has a gap: {what}', { what: lost }) : t('The recording has a gap');
}

// How fast a replay goes: thousandths, 0 for as fast as can be.
export const speedText = (permille) => (permille === 0 ? t('as fast as can be') : `${permille / 1000}×`);
