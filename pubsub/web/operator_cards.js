// operator_cards.js: the cards in play, and what a person may do with them; in Make 5 the ramp.
import { fill, make } from './dom.js';
import { t } from './i18n.js';
import { cardPicture, noCard, rampPicture } from './kit.js';

let area = null;
const fields = new Map();

export function buildCards() {
    area = make('section', { id: 'cards', 'aria-label': t('Cards') });
    return area;
}

function setForm(desk, slot) {
    const field = make('input', { id: `card-${slot}`, maxlength: 40, autocomplete: 'off', spellcheck: 'false', placeholder: 'L4-01' });
    fields.set(slot, field);
    const form = make('form', { class: 'row' },
        make('label', { for: `card-${slot}`, text: t('Set card (its name or pattern)') }), field,
        make('button', { type: 'submit', text: t('Set') }));
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        const value = field.value.trim();
        desk.do('set_card', { slot, ...(value.includes('/') ? { grid: value } : { card: value }) });
    });
    return form;
}

function pileBox(table, desk, pile) {
    const { slot } = pile;
    const label = (text) => ({ 'aria-label': `${text}: ${t('Slot {slot}', { slot })}` });
    return make('div', { class: 'pile', 'data-slot': slot },
        pile.card ? cardPicture(table.kit, pile.card) : noCard(t('no card')),
        make('div', {},
            make('p', { text: pile.card ? t('Slot {slot}: {card}, level {level}', { slot, card: pile.card.id ?? '–', level: pile.card.level }) : t('Slot {slot}', { slot }) }),
            make('div', { class: 'row' },
                desk.button(t('Nobody gets it'), 'set_aside', { seat: null, slot }, label(t('Nobody gets it'))),
                desk.button(t('All give up'), 'give_up', { seat: null, slot }, label(t('All give up')))),
            table.state.options.cards === 'printed' ? setForm(desk, slot) : null));
}

function rampForm(desk, make5) {
    const rows = make5.rows_from_bottom.map((row, i) => make('input', {
        value: row, maxlength: 5, size: 6, class: 'ramp-row', 'aria-label': t('Row {row} from the bottom', { row: i + 1 }), autocomplete: 'off', spellcheck: 'false',
    }));
    const turn = make('select', { 'aria-label': t('Whose turn it is') },
        make('option', { value: 'maker', text: t('Maker'), selected: make5.turn === 'maker' }),
        make('option', { value: 'breaker', text: t('Breaker'), selected: make5.turn !== 'maker' }));
    const form = make('form', { class: 'ramp-form' }, [...rows].reverse(),
        make('div', { class: 'row' }, turn, make('button', { type: 'submit', text: t('Set the ramp') })));
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        desk.do('set_discs', { rows_from_bottom: rows.map((row) => row.value), turn: turn.value });
    });
    return form;
}

export function updateCards(table, desk) {
    const { state } = table;
    if (state.make5) {
        fill(area, [state.make5, Boolean(table.kit.ramp)], () => [rampPicture(table.kit, state.make5), rampForm(desk, state.make5)]);
        return;
    }
    const playing = state.phase === 'play';
    fill(area, [playing, state.piles.map((pile) => [pile.slot, pile.card]), Boolean(table.kit.set)], () =>
        (playing ? state.piles.map((pile) => pileBox(table, desk, pile)) : []));
}
