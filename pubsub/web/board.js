// board.js: the scoreboard that the hall sees.
import { fill, make, nameText, setText, show } from './dom.js';
import { t } from './i18n.js';
import { cardPicture, noCard, rampPicture, readingPicture, seatBadge, signOf } from './kit.js';
import { finalTable } from './final.js';
import { beginPage, linkMark, nameFor, switches, updateLink } from './page.js';
import { evidenceAddress, hasEvidence, RecordPicture } from './evidence.js';
import { headDecision, rulingBar } from './ruling.js';
import { soundFor, soundCount } from './cues.js';
import { asked } from './prefs.js';
import { clockText } from './clock.js';
import {
    cardsText, gameText, headText, healthText, phaseText, pointsText, reasonLine, reasonsText, recorderText, roleText, seatStateText,
    stageText, turnNow,
} from './words.js';

const parts = {};

function build(table) {
    parts.link = linkMark();
    parts.match = make('p', { id: 'match', dir: 'auto' });
    parts.phase = make('p', { id: 'phase', class: 'mark' });
    parts.health = make('p', { id: 'health', class: 'mark tone-unsure', role: 'status', hidden: true });
    parts.record = make('p', { id: 'record', class: 'mark', hidden: true });
    parts.round = make('p', { id: 'round' });
    parts.clock = make('p', { id: 'clock', role: 'timer', 'aria-label': t('Match clock') });
    parts.table = make('section', { id: 'on-table', 'aria-label': t('In play') });
    parts.players = make('ol', { id: 'players', 'aria-label': t('Players') });
    parts.ruling = make('section', { id: 'ruling', 'aria-live': 'polite', 'aria-label': t('Ruling') });
    parts.final = make('section', { id: 'final', 'aria-label': t('Final table'), hidden: true });
    parts.count = make('div', { id: 'count', role: 'alert', hidden: true });
    document.getElementById('page').append(
        make('header', { id: 'top' },
            make('h1', { id: 'game' }), parts.match, parts.phase, parts.health, parts.link,
            make('div', { class: 'space' }), parts.record, parts.round, parts.clock, switches()),
        make('main', { id: 'main' }, parts.table, parts.players, parts.final),
        parts.ruling, ...buildEvidence(table), parts.count);
    if (asked.has('kiosk')) document.body.classList.add('kiosk');
    table.addEventListener('decision', ({ detail }) => {
        soundFor(detail.decision);
        // Who built wrongly sees at once what was wrong.
        if (detail.decision.verdict === 'no_match' && asked.get('evidence') !== 'off') showEvidence(table, detail.decision, true);
        else if (detail.decision.decision === 'verdict') hideEvidence();
    });
}

// --- The picture of the last ruling: by itself for one that was wrong, else when it is asked for

const EVIDENCE_MS = 12000;
let evidenceTimer = null;

function buildEvidence(table) {
    parts.evidence = make('figure', { id: 'evidence', 'aria-label': t('The picture that was ruled on'), hidden: true });
    parts.picture = new RecordPicture(parts.evidence, () => hideEvidence());
    parts.ask = make('button', { id: 'ask-evidence', type: 'button', hidden: true, text: t('Show the picture') });
    parts.ask.addEventListener('click', () => showEvidence(table, headDecision(table), false));
    return [parts.evidence, parts.ask];
}

function hideEvidence() {
    clearTimeout(evidenceTimer);
    parts.picture.forget();
    show(parts.evidence, false);
}

async function showEvidence(table, decision, itself) {
    if (!hasEvidence(table, decision)) return;
    clearTimeout(evidenceTimer);
    const words = [headText(decision, nameFor(table)), reasonLine(decision)].filter(Boolean).join(' · ');
    // What nobody asked for is not announced before it is there.
    if (!itself) show(parts.evidence, true);
    const came = await parts.picture.load(evidenceAddress(decision), words, itself);
    if (came) show(parts.evidence, true);
    if (came && itself) evidenceTimer = setTimeout(hideEvidence, EVIDENCE_MS);
}

function updateEvidence(table) {
    const possible = !table.withdrawn && hasEvidence(table, headDecision(table));
    show(parts.ask, possible && parts.evidence.hidden);
    if (!possible && !parts.evidence.hidden) hideEvidence();
}

// --- What lies on the table

function pileNote(table, pile) {
    const options = table.state.options;
    if (options.own_stacks === 'yes') return t('{n} to go', { n: pile.left + (pile.card ? 1 : 0) });
    if (table.state.game === 'total-madness') return t('{n} below', { n: pile.left });
    return pile.card ? t('Level {level}', { level: pile.card.level }) : '';
}

function pileFigure(table, pile, countdown) {
    const hidden = countdown && table.state.options.cards === 'virtual';
    const card = pile.card && !hidden
        ? cardPicture(table.kit, pile.card) : noCard(pile.left || hidden ? t('to come') : t('no card'));
    const owner = pile.owner ? [seatBadge(pile.owner), nameText(nameFor(table)(pile.owner))] : [];
    return make('figure', { class: `pile seat-${pile.owner || 0}`, 'data-slot': pile.slot ?? '' },
        card, make('figcaption', {}, owner, make('span', { text: pileNote(table, pile) })));
}

function updatePiles(table) {
    const { state, kit } = table;
    const countdown = state.phase === 'ready' || state.phase === 'countdown';
    parts.table.className = `piles-${Math.min(state.piles.length, 5)}`;
    fill(parts.table, [state.piles, countdown, state.game, kit.set && kit.set.name, state.players.map((p) => p.name)],
        () => state.piles.map((pile) => pileFigure(table, pile, countdown)));
}

function updateRamp(table) {
    const { make5 } = table.state;
    parts.table.className = 'ramp-side';
    fill(parts.table, [make5, Boolean(table.kit.ramp)], () => [
        rampPicture(table.kit, make5),
        make('p', { class: 'ramp-note' },
            make('strong', { text: t('This round: {points}', { points: pointsText(make5.points) }) }),
            make('span', { text: make5.covered ? t('The ramp is covered') : make5.clearing ? t('Clear the ramp for the next round') : turnNow(make5) })),
    ]);
}

// --- Players

function readingFigure(table, player) {
    const reading = table.layout(player.seat);
    const picture = readingPicture(table.kit, reading, t('Layout of {name}', { name: player.name }));
    if (picture) return picture;
    const words = reading ? seatStateText(reading.state) : '';
    return make('span', { class: 'no-reading', text: words || '–' });
}

// More find no room beside a name.
const MARKS_MOST = 5;

function marksOf(table, player) {
    const { state } = table;
    const marks = [];
    const put = (text, tone) => text && marks.push(make('li', { class: `mark tone-${tone}`, text }));
    for (const claim of state.claims) if (claim.seat === player.seat) put(stageText(claim), 'unsure');
    if (state.piles.some((pile) => pile.out.includes(player.seat))) put(`✕ ${t('Out for this card')}`, 'bad');
    if (state.piles.some((pile) => pile.gave_up.includes(player.seat))) put(t('Gives up'), 'plain');
    if (player.owes) put(`▼ ${t('Owes a card')}`, 'bad');
    if (player.barred) put(`✕ ${t('Barred from the first card')}`, 'bad');
    if (player.next_void) put(t('Next claim does not count'), 'bad');
    if (player.handicap && player.handicap.min_level > 1) put(t('From level {level}', { level: player.handicap.min_level }), 'plain');
    if (player.finished_clock_ns) put(`✓ ${clockText(player.finished_clock_ns)}`, 'good');
    if (state.make5) put(`${roleText(state.make5, player.seat)}${isTurn(state.make5, player.seat) ? ' ◀' : ''}`, isTurn(state.make5, player.seat) ? 'good' : 'plain');
    if (state.make5) for (const round of state.make5.rounds) if (round.maker === player.seat) put(t('Round {round}: {points}', { round: round.round, points: round.points }), 'plain');
    if (!marks.length || state.claims.length) putReading(table, player, put);
    return marks.slice(0, MARKS_MOST);
}

function putReading(table, player, put) {
    const reading = table.layout(player.seat);
    if (reading && (reading.state === 'occluded' || reading.state === 'unreadable'))
        put(reasonsText(reading.reasons) || seatStateText(reading.state), 'plain');
}

const isTurn = (make5, seat) => seat === (make5.turn === 'maker' ? make5.maker : make5.breaker);

function scoreOf(state, player) {
    const points = state.game === 'quick-play' ? player.cards : player.points;
    const label = state.game === 'quick-play' ? cardsText(points) : pointsText(points);
    return make('p', { class: 'score', 'aria-label': label, text: points });
}

function playerRow(table, player) {
    return [
        seatBadge(player.seat),
        make('div', { class: 'who' }, nameText(player.name), make('ul', { class: 'marks' }, marksOf(table, player))),
        table.state.make5 ? null : make('div', { class: 'reading' }, readingFigure(table, player)),
        scoreOf(table.state, player),
    ];
}

function rowKey(table, player) {
    const { state } = table;
    const piles = state.piles.map((pile) => [pile.out.includes(player.seat), pile.gave_up.includes(player.seat)]);
    const claims = state.claims.filter((claim) => claim.seat === player.seat).map((claim) => claim.stage);
    const make5 = state.make5 && [state.make5.maker, state.make5.turn];
    return [player, table.layout(player.seat), piles, claims, make5, state.game, Boolean(table.kit.set)];
}

function updatePlayers(table) {
    const { state } = table;
    parts.players.className = `players-${Math.min(state.players.length, 8)}`;
    fill(parts.players, state.players.map((player) => player.seat), () => state.players.map((player) =>
        make('li', { class: `player seat-${player.seat}`, 'data-seat': player.seat })));
    state.players.forEach((player, i) => {
        const row = parts.players.children[i];
        const out = state.piles.length === 1 && state.piles[0].out.includes(player.seat);
        row.classList.toggle('is-out', out);
        fill(row, rowKey(table, player), () => playerRow(table, player));
    });
}

// --- The head

function roundText(state) {
    if (state.make5) return t('Round {round} of {rounds}', { round: state.make5.round, rounds: state.options.rounds || 6 });
    if (state.options.own_stacks === 'yes' || state.game === 'total-madness')
        return t('{n} cards left', { n: state.left + state.piles.filter((pile) => pile.card).length });
    const n = state.dealt - state.left;
    return n > 0 ? t('Card {n} of {all}', { n, all: state.dealt }) : '';
}

function updateHead(table) {
    const { state, hello, health } = table;
    setText(document.getElementById('game'), gameText(state && state.game) || 'tableref');
    setText(parts.match, [hello.table ? t('Table {table}', { table: hello.table }) : '', hello.match || ''].filter(Boolean).join(' · '));
    setText(parts.phase, phaseText(state));
    const words = [healthText(state, health), recorderText(health)].filter(Boolean).join(' · ');
    show(parts.health, words !== '');
    setText(parts.health, words ? `⚠︎ ${words}` : '');
    show(parts.record, Boolean(hello.recording));
    setText(parts.record, `● ${t('Recorded')}`);
    setText(parts.round, state ? roundText(state) : '');
}

function updateClock(table) {
    const now = performance.now();
    const stale = table.stale();
    setText(parts.clock, clockText(table.clock.clockAt(now, stale)));
    parts.clock.classList.toggle('rests', !table.clock.runs || stale);
    const left = stale ? null : table.clock.untilStart(now);
    const counts = left !== null && left > 0 && left <= 3000;
    show(parts.count, counts);
    if (counts) setText(parts.count, String(Math.ceil(left / 1000)));
    soundCount(table, left);
}

function redraw(table) {
    updateLink(table, parts.link);
    updateHead(table);
    updateClock(table);
    countFrames(table);
    const { state } = table;
    const over = Boolean(state) && (state.phase === 'over' || state.phase === 'abandoned');
    document.body.dataset.phase = state ? state.phase : 'none';
    document.body.dataset.game = state ? state.game || '' : '';
    if (!state || state.phase === 'none') return;
    show(parts.table, !over);
    show(parts.players, !over);
    show(parts.final, over);
    if (over) finalTable(table, parts.final);
    else if (state.make5) updateRamp(table);
    else updatePiles(table);
    if (!over) updatePlayers(table);
    rulingBar(table, parts.ruling, signOf);
    updateEvidence(table);
}

// While a count runs the page is drawn at each frame, so that its digits change on time.
let counting = false;

function countFrames(table) {
    if (counting || table.clock.start_t_ns === null) return;
    counting = true;
    const step = () => {
        updateClock(table);
        counting = table.clock.start_t_ns !== null;
        if (counting) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
}

beginPage(build, redraw);
