// overlay.js: a strip for a stream. ?pos=bottom|top|left|right, ?scale=0.5..4,
// ?show=names,score,card,clock,ruling: which parts; all when it is left out.
import { fill, make, nameText, setText, show } from './dom.js';
import { t } from './i18n.js';
import { cardPicture, rampPicture, seatBadge, signOf } from './kit.js';
import { beginPage, linkMark, updateLink } from './page.js';
import { headDecision, rulingWords } from './ruling.js';
import { asked } from './prefs.js';
import { clockText } from './clock.js';
import { toneOf } from './words.js';

const POSITIONS = ['bottom', 'top', 'left', 'right'];
const PARTS = ['names', 'score', 'card', 'clock', 'ruling'];
// A ruling is shown for as long as it takes to read it twice.
const SAID_MS = 8000;

const wanted = new Set((asked.get('show') || PARTS.join(',')).split(','));
const parts = {};
let saidUntil = 0;

function build(table) {
    const pos = POSITIONS.includes(asked.get('pos')) ? asked.get('pos') : 'bottom';
    const scale = Math.min(4, Math.max(0.5, Number(asked.get('scale')) || 1));
    document.body.classList.add(`pos-${pos}`);
    document.documentElement.style.fontSize = `${16 * scale}px`;
    if (!asked.has('theme')) document.documentElement.dataset.theme = 'dark';
    parts.seats = make('ol', { id: 'seats', 'aria-label': t('Players') });
    parts.cards = make('div', { id: 'cards' });
    parts.time = make('p', { id: 'time', class: 'box', role: 'timer', 'aria-label': t('Match clock') });
    parts.said = make('div', { id: 'said', class: 'box', 'aria-live': 'polite', hidden: true });
    parts.link = linkMark();
    parts.count = make('div', { id: 'count', hidden: true });
    document.getElementById('page').append(
        make('main', { id: 'strip' }, parts.time, parts.seats, parts.cards, parts.said, parts.link), parts.count);
    table.addEventListener('decision', () => { saidUntil = performance.now() + SAID_MS; });
}

function chip(table, player) {
    const quick = table.state.game === 'quick-play';
    return [
        seatBadge(player.seat),
        wanted.has('names') ? nameText(player.name) : null,
        wanted.has('score') ? make('span', { class: 'points', text: quick ? player.cards : player.points }) : null,
    ];
}

function updateSeats(table) {
    const { players, piles } = table.state;
    fill(parts.seats, players.map((player) => player.seat), () => players.map((player) =>
        make('li', { class: `box chip seat-${player.seat}` })));
    players.forEach((player, i) => {
        parts.seats.children[i].classList.toggle('is-out', piles.length === 1 && piles[0].out.includes(player.seat));
        fill(parts.seats.children[i], [player.name, player.cards, player.points], () => chip(table, player));
    });
}

function updateCards(table) {
    const { state, kit } = table;
    const running = state.phase === 'play';
    fill(parts.cards, [running, state.piles.map((pile) => pile.card), state.make5, Boolean(kit.set)], () => {
        if (!running) return [];
        if (state.make5) return [rampPicture(kit, state.make5)];
        return state.piles.filter((pile) => pile.card).map((pile) => cardPicture(kit, pile.card));
    });
}

function updateSaid(table) {
    const decision = headDecision(table);
    const visible = wanted.has('ruling') && decision !== null && performance.now() < saidUntil;
    show(parts.said, visible);
    if (!visible) return;
    const { head, reason, follows } = rulingWords(table, decision);
    parts.said.className = `box tone-${toneOf(decision)}`;
    fill(parts.said, [head, reason, follows], () => [signOf(toneOf(decision)), make('div', {},
        make('p', { text: head }), make('p', { class: 'why', text: [reason, ...follows].filter(Boolean).join(' · ') }))]);
}

function redraw(table) {
    updateLink(table, parts.link);
    const now = performance.now();
    const stale = table.stale();
    const { state } = table;
    const playing = Boolean(state) && state.phase !== 'none';
    show(parts.time, playing && wanted.has('clock'));
    show(parts.seats, playing && (wanted.has('names') || wanted.has('score')));
    show(parts.cards, playing && wanted.has('card'));
    const left = stale ? null : table.clock.untilStart(now);
    show(parts.count, left !== null && left > 0 && left <= 3000);
    if (left !== null) setText(parts.count, String(Math.ceil(left / 1000)));
    if (!playing) return;
    setText(parts.time, clockText(table.clock.clockAt(now, stale)));
    parts.time.classList.toggle('rests', !table.clock.runs || stale);
    updateSeats(table);
    updateCards(table);
    updateSaid(table);
}

beginPage(build, redraw);
