// ruling.js: the bar that says what was ruled last, why, and on what.
import { fill, make } from './dom.js';
import { t } from './i18n.js';
import { cardPicture, gridPicture, rampPicture } from './kit.js';
import { nameFor } from './page.js';
import { consequenceText, headText, phaseText, reasonLine, toneOf, turnText } from './words.js';

const HEADS = new Set([
    'verdict', 'tie', 'set_aside', 'false_start', 'illegal', 'move', 'round', 'refused', 'end', 'win', 'penalty',
]);
const FOLLOWING = new Set(['win', 'out', 'penalty', 'asked', 'set_aside', 'tie']);

// The decision that the bar shows: the last that says something, and of what one claim brought out
// the verdict. Acts of people that fell on nothing are the desk's own affair.
export function headDecision(table) {
    const last = table.lastDecision((decision) => HEADS.has(decision.decision)
        && !(decision.decision === 'refused' && !decision.seat));
    if (!last || last.decision === 'verdict') return last;
    const verdict = table.lastDecision((decision) => decision.decision === 'verdict'
        && decision.cause === last.cause);
    return verdict && last.decision !== 'end' && last.decision !== 'tie' ? verdict : last;
}

// The layout that was ruled on, where it is still known.
export function gridOf(table, decision) {
    if (decision.layout && decision.layout.grid) return decision.layout.grid;
    const player = table.player(decision.seat);
    const settled = player && player.layout;
    return settled && settled.grid && settled.frame === decision.frame ? settled.grid : null;
}

// The card that was ruled on: in play, or won, or set aside.
export function cardOf(state, decision) {
    const all = [...state.piles.map((pile) => pile.card), ...state.won, ...state.set_aside];
    return decision.card ? all.find((card) => card && card.id === decision.card && card.grid) || null : null;
}

function pictures(table, decision) {
    if (decision.decision === 'illegal' && decision.seen)
        return [make('figure', {}, rampPicture(table.kit, { rows_from_bottom: decision.seen, points_by_row: [], last: null }, false),
            make('figcaption', { text: t('Seen') }))];
    if (decision.decision !== 'verdict') return [];
    const grid = gridOf(table, decision);
    const card = cardOf(table.state, decision);
    const figures = [];
    if (grid)
        figures.push(make('figure', {}, gridPicture(table.kit, grid, {
            wrong: decision.wrong_cells, label: t('Layout of {name}, wrong cells crossed', { name: decision.name }),
        }), make('figcaption', { text: turnText(decision.turn) || t('Layout') })));
    if (card) figures.push(make('figure', {}, cardPicture(table.kit, card), make('figcaption', { text: t('Card') })));
    return figures;
}

// The bar's words for a decision: head, reason, what follows.
export function rulingWords(table, decision) {
    const head = headText(decision, nameFor(table));
    const follows = decision.decision === 'verdict'
        ? table.consequences(decision).filter((other) => FOLLOWING.has(other.decision)
            && (other.seat === decision.seat || other.seat === null))
        : [];
    return { head, reason: reasonLine(decision), follows: follows.map(consequenceText).filter(Boolean) };
}

function bar(table, decision, signOf) {
    const { head, reason, follows } = rulingWords(table, decision);
    return [
        make('div', { class: 'ruling-sign' }, signOf(toneOf(decision))),
        make('div', { class: 'ruling-words arrives' },
            make('h2', { class: 'ruling-head', text: head }),
            make('p', { class: 'ruling-why', text: [reason, ...follows].filter(Boolean).join(' · ') })),
        make('div', { class: 'ruling-pictures' }, pictures(table, decision)),
    ];
}

function plainBar(text, why, signOf) {
    return [
        make('div', { class: 'ruling-sign' }, signOf('plain')),
        make('div', { class: 'ruling-words' }, make('h2', { class: 'ruling-head', text }),
            make('p', { class: 'ruling-why', text: why })),
    ];
}

export function rulingBar(table, element, signOf) {
    const decision = headDecision(table);
    const tone = table.withdrawn || !decision ? 'plain' : toneOf(decision);
    element.className = `tone-${tone}`;
    if (table.withdrawn) {
        const text = t('A ruling was taken back');
        fill(element, ['void', table.withdrawn.seq, table.withdrawn.index], () => plainBar(text, table.withdrawn.decision ? headText(table.withdrawn, nameFor(table)) : '', signOf));
    } else if (decision) {
        const follows = table.consequences(decision).map((other) => [other.seq, other.index]);
        fill(element, [decision, follows, Boolean(table.kit.set)], () => bar(table, decision, signOf));
    } else {
        fill(element, ['none', table.state.phase, table.state.paused], () => plainBar(phaseText(table.state), '', signOf));
    }
}
