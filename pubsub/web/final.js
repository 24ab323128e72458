// final.js: how it ended: the table with ranks, and the record's digest, by which anyone can tell
// later that the record is still the same.
import { fill, make, nameText } from './dom.js';
import { t } from './i18n.js';
import { seatBadge } from './kit.js';
import { clockText } from './clock.js';
import { phaseText } from './words.js';

const byRank = (a, b) => (a.rank ?? 99) - (b.rank ?? 99) || b.points - a.points || a.seat - b.seat;

function columns(state) {
    const all = [{ head: t('Points'), value: (p) => p.points, class: 'large' }];
    if (state.make5) return all;
    all.push({ head: t('Cards'), value: (p) => p.cards });
    for (const level of [5, 4, 3, 2, 1]) all.push({ head: t('Level {level}', { level }), value: (p) => p.by_level[level - 1], class: 'small' });
    if (state.options.claims === 'called') all.push({ head: t('Errors'), value: (p) => p.errors, class: 'small' });
    return all;
}

function row(state, player, shown) {
    const shared = state.players.filter((other) => other.rank === player.rank).length > 1;
    const rank = player.rank === null ? '–' : `${player.rank}${shared ? ' =' : ''}`;
    return make('tr', { class: `seat-${player.seat}${player.rank === 1 ? ' winner' : ''}` },
        make('td', { class: 'rank', text: rank }),
        make('td', { class: 'sign-cell' }, seatBadge(player.seat)),
        make('th', { scope: 'row' }, nameText(player.name)),
        shown.map((column) => make('td', { class: column.class || '', text: column.value(player) })));
}

function roundsTable(make5, players) {
    const name = (seat) => (players.find((player) => player.seat === seat) || {}).name || '';
    return make('ol', { class: 'rounds' }, make5.rounds.map((round) => make('li', {},
        make('span', { text: t('Round {round}', { round: round.round }) }), nameText(name(round.maker)),
        make('strong', { text: round.points }))));
}

// The digest in groups, so that it can be compared by eye.
export const digestText = (digest) => (digest.match(/.{1,8}/g) || []).join(' ');

export const recordDigest = (table) => table.health.record || null;

export function finalTable(table, element) {
    const { state } = table;
    const digest = recordDigest(table);
    fill(element, [state.players, state.phase, digest, state.clock_ns], () => {
        const shown = columns(state);
        return [
            make('h2', { text: state.phase === 'over' ? t('Final table') : phaseText(state) }),
            make('table', {},
                make('thead', {}, make('tr', {}, make('th', { scope: 'col', text: t('Rank') }),
                    make('td', {}), make('th', { scope: 'col', class: 'left', text: t('Player') }),
                    shown.map((column) => make('th', { scope: 'col', class: column.class || '', text: column.head })))),
                make('tbody', {}, [...state.players].sort(byRank).map((player) => row(state, player, shown)))),
            state.make5 ? roundsTable(state.make5, state.players) : null,
            make('p', { class: 'final-note' },
                make('span', { text: t('Match clock: {time}', { time: clockText(state.clock_ns) }) }),
                digest ? make('span', { class: 'digest' }, `${t('Record')}: `, make('code', { text: digestText(digest) })) : null),
        ];
    });
}
