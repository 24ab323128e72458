// operator_asks.js: what wants a person now. A ruling that waits: agree or not. A tie: who. And the
// likely correction of what was just ruled, at one touch.
import { fill, make } from './dom.js';
import { t } from './i18n.js';
import { gridPicture, seatBadge, signOf } from './kit.js';
import { nameFor } from './page.js';
import { gridOf } from './ruling.js';
import { headText, reasonLine, rulingText, toneOf } from './words.js';

let area = null;

export function buildAsks() {
    area = make('section', { id: 'asks', 'aria-label': t('Waiting for you'), 'aria-live': 'polite' });
    return area;
}

function picture(table, decision) {
    const grid = decision && gridOf(table, decision);
    return grid ? gridPicture(table.kit, grid, { wrong: decision.wrong_cells }) : null;
}

function verdictOn(table, cause) {
    return table.lastDecision((decision) => decision.decision === 'verdict' && decision.cause === cause);
}

function askBox(table, desk, claim) {
    const verdict = verdictOn(table, claim.cause);
    const name = nameFor(table)(claim.seat);
    const right = rulingText(claim.verdict || 'no_match');
    return make('div', { class: 'ask tone-unsure', 'data-cause': claim.cause },
        make('h2', { class: `seat-${claim.seat}` }, seatBadge(claim.seat), make('bdi', { dir: 'auto', text: name })),
        make('p', { text: t('The referee says: {ruling}. Do you agree?', { ruling: right }) }),
        verdict ? make('p', { class: 'quiet', text: reasonLine(verdict) }) : null,
        picture(table, verdict),
        make('div', { class: 'row' },
            desk.button(t('Agree'), 'confirm', { cause: claim.cause, agree: true }, { class: 'main' }),
            desk.button(t('Do not agree'), 'confirm', { cause: claim.cause, agree: false })));
}

function tieBox(table, desk, claims) {
    const attempt = claims[0].attempt;
    const name = nameFor(table);
    const seats = claims.map((claim) => claim.seat);
    return make('div', { class: 'ask tone-unsure', 'data-attempt': attempt },
        make('h2', { text: t('Tie: who was first?') }),
        make('div', { class: 'row' },
            seats.map((seat) => desk.button(t('{name} was first', { name: name(seat) }), 'decide', { cause: attempt, seats: [seat] }, { class: 'main' })),
            desk.button(t('Shared'), 'decide', { cause: attempt, seats }),
            desk.button(t('Nobody: play on'), 'decide', { cause: attempt, seats: [] })));
}

// What a person most likely wants to change in the newest ruling.
function correctionBox(table, desk, decision) {
    const other = { match: ['no_match'], no_match: ['match'], cannot_tell: ['match', 'no_match'] }[decision.verdict] || [];
    const words = { match: t('It was right'), no_match: t('It was wrong') };
    return make('div', { class: `ask tone-${toneOf(decision)}`, 'data-cause': decision.cause },
        make('h2', {}, signOf(toneOf(decision)), make('span', { text: headText(decision, nameFor(table)) })),
        make('p', { class: 'quiet', text: reasonLine(decision) }),
        picture(table, decision),
        make('div', { class: 'row' }, other.map((ruling) =>
            desk.button(words[ruling], 'overrule', { event: decision.cause, ruling }, { 'data-ruling': ruling }))));
}

export function updateAsks(table, desk) {
    const { claims, phase, players } = table.state;
    const asking = claims.filter((claim) => claim.stage === 'asking');
    const tied = claims.filter((claim) => claim.stage === 'tied');
    const last = table.lastDecision((decision) => decision.decision === 'verdict');
    const lastFree = last && !claims.some((claim) => claim.cause === last.cause) ? last : null;
    fill(area, [asking, tied, lastFree, phase, players.map((player) => player.name), Boolean(table.kit.set)], () => [
        asking.map((claim) => askBox(table, desk, claim)),
        tied.length ? tieBox(table, desk, tied) : null,
        lastFree ? correctionBox(table, desk, lastFree) : null,
    ]);
}
