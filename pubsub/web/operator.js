// operator.js: the desk. Everything that a person may do to a match, each act with a fresh id and the
// reason that stands beside it; the table's answer is shown as it came.
import { make, setText, show } from './dom.js';
import { t } from './i18n.js';
import { clockText } from './clock.js';
import { buildAsks, updateAsks } from './operator_asks.js';
import { buildCards, updateCards } from './operator_cards.js';
import { buildPicture, updatePicture } from './operator_picture.js';
import { buildReplay, updateReplayControls } from './operator_replay.js';
import { buildSeats, updateSeats } from './operator_seats.js';
import { buildTimeline, updateTimeline } from './operator_timeline.js';
import { beginPage, linkMark, switches, updateLink } from './page.js';
import { recall, remember } from './prefs.js';
import { act, hasKey, setEpoch, setKey, takeKey } from './request.js';
import { gameText, healthText, phaseText, recorderText, whyText } from './words.js';

const parts = {};
takeKey();

function say(text, tone = 'plain') {
    parts.said.className = `tone-${tone}`;
    show(parts.said, Boolean(text));
    setText(parts.said, text || '');
}

// Every act goes through here. `why` is the reason's field unless the act has its own.
const desk = {
    async do(what, members = {}, button = null) {
        const reason = parts.why.value.trim() || null;
        const needs = what !== 'claim' && what !== 'start';
        if (button) button.setAttribute('aria-busy', 'true');
        const answer = await act(what, { by: parts.by.value.trim() || 'desk', ...(needs ? { why: reason } : {}), ...members });
        if (button) button.removeAttribute('aria-busy');
        if (answer.ok) say(`✓ ${t('Done')}`, 'good');
        else say(`✕ ${answer.why ? whyText(answer.why) : answer.text || answer.error}`, 'bad');
        if (answer.ok && needs) parts.why.value = '';
        if (answer.error === 'bad_key') show(parts.keys, true);
        updateTimeline(desk.table, true);
        return answer;
    },
    // A button that does one thing.
    button(text, what, members, attributes = {}) {
        const button = make('button', { type: 'button', 'data-do': what, ...attributes, text });
        button.addEventListener('click', () => desk.do(what, typeof members === 'function' ? members() : members, button));
        return button;
    },
    say,
    table: null,
};

function keyForm() {
    const field = make('input', { id: 'key', type: 'password', autocomplete: 'off', spellcheck: 'false' });
    const form = make('form', { id: 'keys', hidden: true },
        make('label', { for: 'key', text: t('The operator’s key') }), field,
        make('button', { type: 'submit', text: t('Use') }));
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        setKey(field.value.trim());
        show(form, false);
        say('');
        updateTimeline(desk.table, true);
    });
    return form;
}

// What ends a match asks twice.
function abandonDialog() {
    const dialog = make('dialog', { 'aria-labelledby': 'abandon-head' });
    const no = make('button', { type: 'button', text: t('No, play on') });
    const yes = make('button', { type: 'button', class: 'danger', text: t('Abandon the match') });
    no.addEventListener('click', () => dialog.close());
    yes.addEventListener('click', () => {
        dialog.close();
        desk.do('abandon', {});
    });
    dialog.append(make('h2', { id: 'abandon-head', text: t('End the match without a result?') }),
        make('p', { text: t('It can be taken back in the timeline.') }), make('div', { class: 'row' }, no, yes));
    return dialog;
}

function buildFlow() {
    const dialog = abandonDialog();
    parts.start = desk.button(t('Start'), 'start', { countdown_ms: null }, { class: 'main' });
    parts.pause = desk.button(t('Pause'), 'pause', {});
    parts.resume = desk.button(t('Go on'), 'resume', {}, { class: 'main' });
    parts.pass = desk.button(t('Maker passes'), 'pass', {});
    parts.abandon = make('button', { type: 'button', class: 'danger', text: t('Abandon …') });
    parts.abandon.addEventListener('click', () => dialog.showModal());
    return make('div', { class: 'row', id: 'flow', role: 'group', 'aria-label': t('The match') },
        parts.start, parts.pause, parts.resume, parts.pass, parts.abandon, dialog);
}

function buildReason() {
    parts.by = make('input', { id: 'by', maxlength: 31, value: recall('by') || 'desk', autocomplete: 'off' });
    parts.by.addEventListener('change', () => remember('by', parts.by.value));
    parts.why = make('input', { id: 'why', maxlength: 160, list: 'reasons', autocomplete: 'off', placeholder: t('as it will stand on record') });
    const reasons = [t('glare on a cell'), t('seen by the judge'), t('the wrong button'), t('blocks of a neighbour'), t('all players agree')];
    return make('div', { class: 'row', id: 'reason' },
        make('label', { for: 'why', text: t('Reason') }), parts.why,
        make('datalist', { id: 'reasons' }, reasons.map((value) => make('option', { value }))),
        make('label', { for: 'by', text: t('By') }), parts.by);
}

function build(table) {
    desk.table = table;
    parts.keys = keyForm();
    parts.game = make('h1', {});
    parts.phase = make('p', { id: 'phase', class: 'mark' });
    parts.clock = make('p', { id: 'clock', role: 'timer', 'aria-label': t('Match clock') });
    parts.health = make('p', { id: 'health', class: 'mark', role: 'status', hidden: true });
    parts.link = linkMark();
    parts.said = make('p', { id: 'said', role: 'alert', hidden: true });
    show(parts.keys, !hasKey());
    document.getElementById('page').append(
        make('header', { id: 'top' }, parts.game, parts.phase, parts.clock, parts.health, parts.link,
            make('div', { class: 'space' }), switches({ sound: false })),
        make('main', {},
            make('div', { id: 'bar' }, parts.keys, buildReplay(desk), buildFlow(), buildReason(), parts.said),
            make('div', { id: 'left' }, buildAsks(desk), buildSeats(desk)),
            make('div', { id: 'middle' }, buildPicture(), buildCards(desk)),
            make('div', { id: 'right' }, buildTimeline(desk))));
    table.addEventListener('decision', () => updateTimeline(table, true));
    table.addEventListener('change', ({ detail }) => {
        if (detail.kind === 'state') setEpoch(detail.data.epoch);
        if (detail.kind === 'void' || detail.kind === 'joined') updateTimeline(table, true);
    });
}

function updateFlow(state) {
    const phase = state ? state.phase : 'none';
    const playing = phase === 'play' || phase === 'countdown';
    const nextRound = Boolean(state && state.make5 && phase === 'play');
    show(parts.start, phase === 'ready' || nextRound);
    setText(parts.start, nextRound ? t('Next round') : t('Start'));
    show(parts.pause, playing && !state.paused);
    show(parts.resume, Boolean(state && state.paused));
    show(parts.pass, nextRound && state.make5.turn === 'maker');
    show(parts.abandon, playing || phase === 'ready');
}

function redraw(table) {
    const { state, health, hello } = table;
    updateLink(table, parts.link);
    setText(parts.game, [gameText(state && state.game) || 'tableref', hello.table ? t('Table {table}', { table: hello.table }) : ''].filter(Boolean).join(' · '));
    setText(parts.phase, phaseText(state));
    setText(parts.clock, clockText(table.clock.clockAt(performance.now(), table.stale())));
    const words = [healthText(state, health), recorderText(health)].filter(Boolean).join(' · ');
    show(parts.health, words !== '');
    setText(parts.health, `⚠︎ ${words}`);
    updateReplayControls(table);
    updateFlow(table.replay ? null : state);
    updatePicture(table);
    if (!state || state.phase === 'none') return;
    updateAsks(table, desk);
    updateSeats(table, desk);
    updateCards(table, desk);
    updateTimeline(table, false);
}

beginPage(build, redraw);
