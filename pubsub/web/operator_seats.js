// operator_seats.js: each seat: its name, what the camera reads there, and what a person may do for it.
import { fill, make, setText } from './dom.js';
import { t } from './i18n.js';
import { readingPicture, seatBadge } from './kit.js';
import { lookPicture } from './request.js';
import { TableTime } from './time.js';
import { cardsText, pointsText, reasonsText, seatStateText } from './words.js';

let area = null;
const clock = new TableTime();
const rows = new Map();

export function buildSeats() {
    clock.start();
    area = make('section', { id: 'seats', 'aria-label': t('Seats') });
    return area;
}

// The slot that acts on a seat are meant for: the one chosen; none: the only one.
function slotOf(seat) {
    const select = rows.get(seat).slot;
    return select.hidden || select.value === '' ? null : Number(select.value);
}

async function showCode(seat, box, button) {
    const open = button.getAttribute('aria-expanded') === 'true';
    button.setAttribute('aria-expanded', String(!open));
    box.replaceChildren();
    if (open) return;
    const answer = await lookPicture(`/api/qr?seat=${seat}`);
    if (!answer) {
        box.append(make('p', { text: t('The code cannot be had.') }));
        return;
    }
    const address = URL.createObjectURL(answer.blob);
    const image = make('img', { class: 'qr', src: address, alt: t('Code for the phone of seat {seat}', { seat }) });
    image.addEventListener('load', () => URL.revokeObjectURL(address));
    box.append(image);
}

function nameForm(desk, seat, row) {
    row.name = make('input', { class: 'name-field', dir: 'auto', maxlength: 60, 'aria-label': t('Name at seat {seat}', { seat }), autocomplete: 'off' });
    const form = make('form', { class: 'row' }, row.name, make('button', { type: 'submit', text: t('Rename') }));
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        desk.do('name', { seat, name: row.name.value });
    });
    return form;
}

// A person at the desk hears the call and then presses: what that takes is the claim's error.
const HEARING_NS = 300000000;

function claimButton(desk, seat, attributes) {
    const button = make('button', { type: 'button', 'data-do': 'claim', ...attributes, text: t('Claim') });
    button.addEventListener('click', (event) => {
        const when = clock.at(event.timeStamp) || { ago_ns: 0, error_ns: 0 };
        desk.do('claim', { seat, slot: slotOf(seat), ...when, error_ns: when.error_ns + HEARING_NS }, button);
    });
    return button;
}

function seatRow(desk, player) {
    const { seat } = player;
    const row = { slot: null };
    rows.set(seat, row);
    row.reading = make('div', { class: 'seat-reading' });
    row.state = make('p', { class: 'quiet' });
    row.slot = make('select', { 'aria-label': t('Card for seat {seat}', { seat }), hidden: true });
    const code = make('div', { class: 'code' });
    const label = (text) => ({ 'aria-label': `${text}: ${t('Seat {seat}', { seat })}` });
    const button = (text, what, members) => desk.button(text, what, () => ({ seat, slot: slotOf(seat), ...members }), label(text));
    row.claim = claimButton(desk, seat, label(t('Claim')));
    row.give_up = button(t('Gives up'), 'give_up');
    row.award = button(t('Award the card'), 'award');
    row.penalise = button(t('Penalise'), 'penalise');
    row.qr = make('button', { type: 'button', 'aria-expanded': 'false', ...label(t('Phone')), text: t('Phone') });
    row.qr.addEventListener('click', () => showCode(seat, code, row.qr));
    return make('div', { class: `seat seat-${seat}`, 'data-seat': seat },
        make('div', { class: 'seat-head' }, seatBadge(seat), nameForm(desk, seat, row)),
        make('div', { class: 'seat-body' }, row.reading, make('div', {}, row.state,
            make('div', { class: 'row' }, row.slot, row.claim, row.give_up, row.award, row.penalise, row.qr))),
        code);
}

function updateSlots(state, row, seat) {
    const piles = state.piles.filter((pile) => pile.card && (!pile.owner || pile.owner === seat));
    row.slot.hidden = piles.length < 2;
    const before = row.slot.value;
    const changed = fill(row.slot, piles.map((pile) => [pile.slot, pile.card.id]), () => [
        make('option', { value: '', text: t('which card?') }),
        ...piles.map((pile) => make('option', { value: pile.slot, text: t('Slot {slot}: {card}, level {level}', { slot: pile.slot, card: pile.card.id ?? '–', level: pile.card.level }) }))]);
    if (changed && [...row.slot.options].some((option) => option.value === before)) row.slot.value = before;
}

function updateSeat(table, player) {
    const { state } = table;
    const row = rows.get(player.seat);
    if (document.activeElement !== row.name && row.shown !== player.name) {
        row.name.value = player.name;
        row.shown = player.name;
    }
    const reading = table.layout(player.seat);
    fill(row.reading, [reading, Boolean(table.kit.set)], () =>
        [readingPicture(table.kit, reading, t('Layout of {name}', { name: player.name }))]);
    const words = reading ? [seatStateText(reading.state), reasonsText(reading.reasons)].filter(Boolean).join(': ') : '';
    setText(row.state, [state.game === 'quick-play' ? cardsText(player.cards) : pointsText(player.points), player.owes ? t('owes a card') : '', words].filter(Boolean).join(' · '));
    updateSlots(state, row, player.seat);
    const playing = state.phase === 'play' && !state.make5;
    row.claim.hidden = !playing || state.options.claims === 'auto';
    for (const button of [row.give_up, row.award]) button.hidden = !playing;
    row.penalise.hidden = !playing;
    row.qr.hidden = Boolean(state.make5) || state.options.claims === 'auto';
}

export function updateSeats(table, desk) {
    const { players } = table.state;
    fill(area, players.map((player) => player.seat), () => {
        rows.clear();
        return players.map((player) => seatRow(desk, player));
    });
    players.forEach((player) => updateSeat(table, player));
}
