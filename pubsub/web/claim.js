// claim.js: a phone's one button. It says at once that the press was taken, then that the table heard
// it, then what was ruled.
import { fill, make, nameText, setText, show } from './dom.js';
import { t } from './i18n.js';
import { cardPicture, gridPicture, seatBadge, signOf } from './kit.js';
import { beginPage, linkMark, switches, updateLink } from './page.js';
import { act, hasKey, setEpoch, takeKey } from './request.js';
import { gridOf, rulingWords } from './ruling.js';
import { asked } from './prefs.js';
import { TableTime } from './time.js';
import { toneOf, whyText } from './words.js';

const seat = Math.max(1, Math.min(8, Number.parseInt(asked.get('seat'), 10) || 1));
const clock = new TableTime();
const parts = {};
const call = { stage: 'none', seq: null, text: '' }; // none, sent, heard, failed, ruled
let slot = null;

takeKey();

function buzz(pattern) {
    if (navigator.vibrate) navigator.vibrate(pattern);
}

function build(table) {
    document.body.classList.add(`seat-${seat}`);
    parts.name = make('div', { id: 'player' });
    parts.piles = make('div', { id: 'piles', role: 'radiogroup', 'aria-label': t('Card'), hidden: true });
    parts.button = make('button', { id: 'match', type: 'button', text: t('MATCH!') });
    parts.why = make('p', { id: 'why', role: 'status' });
    parts.ruling = make('section', { id: 'said', 'aria-live': 'assertive', hidden: true });
    parts.give_up = make('button', { id: 'give-up', type: 'button', text: t('Give up this card') });
    parts.link = linkMark();
    document.getElementById('page').append(
        make('header', {}, parts.name, parts.link),
        make('main', {}, parts.piles, parts.button, parts.why, parts.ruling, parts.give_up),
        make('footer', {}, switches({ sound: false })));
    // A press counts when the finger comes down, not when it leaves.
    parts.button.addEventListener('pointerdown', (event) => event.button === 0 && press(table, event));
    parts.button.addEventListener('keydown', (event) => (event.key === 'Enter' || event.key === ' ') && !event.repeat && press(table, event));
    parts.give_up.addEventListener('click', () => giveUp(table));
    table.addEventListener('decision', (event) => ruled(event.detail.decision));
    let epoch = null;
    table.addEventListener('change', ({ detail: { kind, data } }) => {
        if (kind === 'joined') clock.forget();
        if (kind !== 'state' || data.epoch === epoch) return;
        setEpoch(data.epoch);
        if (epoch !== null) clock.forget();
        epoch = data.epoch;
    });
    clock.start();
    stayAwake();
}

// The phone's screen stays on, where it may.
function stayAwake() {
    let lock = null;
    const ask = async () => {
        if (document.visibilityState !== 'visible' || !navigator.wakeLock || (lock && !lock.released)) return;
        lock = await navigator.wakeLock.request('screen').catch(() => null);
    };
    document.addEventListener('visibilitychange', ask);
    document.addEventListener('pointerdown', ask);
    ask();
}

// Why the button does nothing now; null when it does.
function barredBy(table) {
    const { state } = table;
    if (table.replay) return t('This is a replay: nobody can call.');
    if (!hasKey()) return t('This page has no key: scan the code at the desk.');
    if (!state || table.stale()) return t('No signal from the table.');
    if (!table.player(seat)) return whyText('unknown_seat');
    if (state.make5) return whyText('not_in_this_game');
    if (state.phase === 'over' || state.phase === 'abandoned') return whyText('match_over');
    if (state.phase !== 'play') return whyText('not_started');
    if (state.paused) return whyText('paused');
    if (state.options.claims === 'auto') return whyText('claims_auto');
    const own = state.piles.filter((pile) => pile.card && (!pile.owner || pile.owner === seat));
    if (own.length === 0) return whyText('no_card_in_play');
    if (own.every((pile) => pile.out.includes(seat))) return whyText('out');
    if (state.claims.some((claim) => claim.seat === seat)) return whyText('already_claimed');
    return call.stage === 'sent' ? t('Sending …') : null;
}

// What the button claims: the pile that was chosen, or the only one.
function claimed(table) {
    const piles = table.state.piles.filter((pile) => pile.card && (!pile.owner || pile.owner === seat));
    const pile = piles.length === 1 ? piles[0] : piles.find((one) => one.slot === slot);
    return { seat, slot: pile ? pile.slot : null, attempt: pile ? pile.attempt : null };
}

async function press(table, event) {
    event.preventDefault();
    if (parts.button.getAttribute('aria-disabled') === 'true') return;
    const stamp = event.timeStamp;
    const what = claimed(table);
    Object.assign(call, { stage: 'sent', seq: null, decision: null, text: t('Called!') });
    buzz(30);
    redraw(table);
    // The press has its time already; only what that is on the table's clock may still be asked.
    if (!clock.at(stamp)) await clock.measure();
    const when = clock.at(stamp);
    const answer = when
        ? await act('claim', { ...what, ...when, by: 'phone' })
        : { ok: false, text: t('The table’s clock could not be asked. Call again.') };
    if (!answer.ok) Object.assign(call, { stage: 'failed', text: answer.why ? whyText(answer.why) : answer.text });
    else Object.assign(call, { stage: 'heard', seq: answer.seq, text: t('Heard. Being checked …') });
    for (const decision of answer.decisions || []) ruled(decision);
    for (const decision of table.decisions.values()) ruled(decision);
    redraw(table);
}

async function giveUp(table) {
    const answer = await act('give_up', { ...claimed(table), attempt: undefined, by: 'phone' });
    Object.assign(call, { stage: answer.ok ? 'none' : 'failed', text: answer.text || '' });
    redraw(table);
}

// A decision on this phone's claim.
function ruled(decision) {
    if (decision.seat !== seat) return;
    const own = call.seq !== null && decision.cause === call.seq;
    if (!own || !['verdict', 'refused'].includes(decision.decision)) return;
    if (call.decision && call.decision.seq === decision.seq && call.decision.index === decision.index) return;
    Object.assign(call, { stage: 'ruled', decision });
    buzz(decision.verdict === 'match' ? [60, 60, 200] : [250]);
}

function saidParts(table) {
    if (call.stage === 'ruled') {
        const { head, reason, follows } = rulingWords(table, call.decision);
        const grid = gridOf(table, call.decision);
        return [signOf(toneOf(call.decision)), make('h2', { text: head }),
            make('p', { text: [reason, ...follows].filter(Boolean).join(' · ') }),
            grid ? gridPicture(table.kit, grid, { wrong: call.decision.wrong_cells }) : null];
    }
    return [signOf(call.stage === 'failed' ? 'bad' : 'plain'), make('h2', { text: call.text })];
}

function updateSaid(table) {
    show(parts.ruling, call.stage !== 'none');
    if (call.stage === 'none') return;
    const tone = call.stage === 'ruled' ? toneOf(call.decision) : call.stage === 'failed' ? 'bad' : 'plain';
    parts.ruling.className = `tone-${tone}`;
    parts.ruling.dataset.stage = call.stage;
    const follows = call.decision ? table.consequences(call.decision).length : 0;
    fill(parts.ruling, [call.stage, call.text, call.decision, follows], () => saidParts(table));
}

// In Total Madness a claim names its card: touch it, or leave it to the referee.
function updatePiles(table) {
    const piles = table.state.piles.filter((pile) => pile.card && !pile.owner);
    show(parts.piles, piles.length > 1);
    if (slot !== null && !piles.some((pile) => pile.slot === slot)) slot = null;
    fill(parts.piles, [piles, slot, Boolean(table.kit.set)], () => piles.map((pile) => {
        const button = make('button', { type: 'button', role: 'radio', 'aria-checked': String(pile.slot === slot), 'data-slot': pile.slot, 'aria-label': t('Card of level {level}', { level: pile.card.level }) },
            cardPicture(table.kit, pile.card));
        button.addEventListener('click', () => {
            slot = slot === pile.slot ? null : pile.slot;
            updatePiles(table);
            const again = parts.piles.querySelector(`[data-slot="${pile.slot}"]`);
            if (again) again.focus();
        });
        return button;
    }));
}

function redraw(table) {
    updateLink(table, parts.link);
    const player = table.player(seat);
    fill(parts.name, [seat, player && player.name], () => [
        seatBadge(seat), make('h1', {}, nameText(player ? player.name : t('Seat {seat}', { seat })))]);
    const why = barredBy(table);
    // Not `disabled`: a button that is out of reach of the keyboard says no reason.
    parts.button.setAttribute('aria-disabled', String(why !== null));
    parts.button.setAttribute('aria-describedby', 'why');
    setText(parts.why, why || (clock.best ? '' : t('The clock is being measured …')));
    if (!table.state) return;
    updatePiles(table);
    updateSaid(table);
    const can = why === null && table.state.piles.some((pile) => pile.card && !pile.gave_up.includes(seat));
    show(parts.give_up, can);
}

beginPage(build, redraw);
