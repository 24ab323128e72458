// scenes.mjs: matches for the pages' tests, as events that `tableref referee` then judges.

export const LONG = 'Wolfeschlegelsteinhausenbergerdorff von und zu der Hohenau IV';
export const NAMES = ['Ada Lindqvist', 'Bartholomew Ng', 'Čeněk Dvořák', 'Zoë Østergård'];
export const WILD = ['<svg/onload=alert(1)>', LONG.slice(0, 60), '🦊🎲 Fox &amp; <b>Co</b>', 'שָׁלוֹם בן־דוד'];

const setup = (game, names, options, slots, more = {}) => [
    { t_ms: 0, event: 'setup', game, players: names.map((name, i) => ({ seat: i + 1, name })), options, slots, deck: 'fixture', seed: '7', ...more },
];
const complete = (t_ms, seat, grid) => ({ t_ms, event: 'layout', seat, state: 'complete', grid });
const tick = (t_ms) => ({ t_ms, event: 'tick' });

// Four at Quick-Play: seat 1 takes a card, seat 2 errs on the second by a wrong symbol and is out.
export function quickPlay(names = NAMES) {
    return [
        ...setup('quick-play', names, { claims: 'called', rounds: 10 }, [3]),
        { t_ms: 0, event: 'start', countdown_ms: 3000 }, tick(3000),
        { t_ms: 4000, event: 'motion', seat: 1, blocks: true },
        complete(21000, 1, 'xx+*/#*#o/+*..'),
        { t_ms: 21500, event: 'claim', seat: 1 }, tick(21600), tick(22500),
        complete(34000, 3, '*+x./#x#./++x*'),
        { t_ms: 38000, event: 'layout', seat: 4, state: 'occluded', reasons: ['hand'] },
        complete(40000, 2, '*+x./#o#./++x*'),
        { t_ms: 41000, event: 'claim', seat: 2 }, tick(41100), tick(42000),
    ];
}

// As above, up to the start signal.
export const countdown = () => quickPlay().slice(0, 2);

// Called, with a person behind: an error waits to be agreed with.
export function asking() {
    const events = quickPlay();
    events[0].options.policy_error = 'confirm';
    return events;
}

export function tie() {
    return [
        ...setup('quick-play', NAMES, { claims: 'called', rounds: 10, tie: 'review' }, [3]),
        { t_ms: 0, event: 'start', countdown_ms: 0 },
        complete(9000, 1, 'xx+*/#*#o/+*..'), complete(9010, 3, 'xx+*/#*#o/+*..'),
        { t_ms: 9500, event: 'claim', seat: 1 }, { t_ms: 9505, event: 'claim', seat: 3 }, tick(9700), tick(10500),
    ];
}

// To the end: two cards, both of seat 1.
export function finished(names = NAMES.slice(0, 3)) {
    return [
        ...setup('quick-play', names, { claims: 'called', rounds: 2 }, [3]),
        { t_ms: 0, event: 'start', countdown_ms: 0 },
        complete(9000, 1, 'x#o/+oo/#*+/+..'), { t_ms: 9500, event: 'claim', seat: 1 }, tick(9700), tick(10500),
        complete(30000, 2, 'ox#+/.+x+/.*++'), { t_ms: 30500, event: 'claim', seat: 2 }, tick(30700), tick(32000),
        complete(50000, 1, 'ox#+/.*x+/.+++'), { t_ms: 50500, event: 'claim', seat: 1 }, tick(50700), tick(52000),
    ];
}

const LEVELS = ['*o*x/..++/.o+o/.x..', '**+#/o*../+o#o', 'x*#/x#*/o../++*', '*+x./#x#./++x*', 'xx+*/#*#o/+*..'];

// Four at Total Madness: an error with no card in hand is owed.
export function totalMadness(names = NAMES) {
    const cards = LEVELS.flatMap((grid, level) => [0, 1, 2, 3].map((n) => ({ id: `L${level + 1}-${n + 1}`, level: level + 1, grid })));
    return [
        ...setup('total-madness', names, { claims: 'called' }, [1, 2, 3, 4, 5], { deck: undefined, cards }),
        { t_ms: 0, event: 'start', countdown_ms: 0 },
        complete(9000, 1, LEVELS[2]), { t_ms: 9500, event: 'claim', seat: 1, slot: 3 }, tick(9700), tick(10500),
        complete(20000, 3, LEVELS[4]), { t_ms: 20500, event: 'claim', seat: 3, slot: 5 }, tick(20700), tick(21500),
        complete(30000, 2, '*o*x/..++/.x+o/.o..'), { t_ms: 30500, event: 'claim', seat: 2, slot: 1 }, tick(30700), tick(32000),
    ];
}

export function ownStacks() {
    return [
        ...setup('quick-play', NAMES.slice(0, 2), { claims: 'called', own_stacks: 'yes', rounds: 3 }, [3, 4]),
        { t_ms: 0, event: 'start', countdown_ms: 0 }, tick(5000),
    ];
}

const discs = (t_ms, rows) => ({ t_ms, event: 'discs', state: 'complete', rows_from_bottom: rows });

export function make5(names = NAMES.slice(0, 2)) {
    return [
        { t_ms: 0, event: 'setup', game: 'make5', players: names.map((name, i) => ({ seat: i + 1, name })), options: { opening: 'free' }, colours: 'rygbw' },
        { t_ms: 0, event: 'start', countdown_ms: 0 },
        discs(5000, ['rrrgb']), discs(9000, ['rrrgb', '.w...']), discs(14000, ['rrrgb', '.wy..']),
        discs(19000, ['rrrgb', '.wyb.']),
    ];
}

export function make5Illegal() {
    return [...make5(), discs(24000, ['rrrgb', '.wyb.', '....b'])];
}
