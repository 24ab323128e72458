// operator_timeline.js: what people, claims and layouts brought about, newest first, each to be taken
// back, put back or ruled otherwise.
import { fill, make } from './dom.js';
import { t } from './i18n.js';
import { clockText } from './clock.js';
import { evidenceAddress, finishAddress, hasEvidence, RecordPicture } from './evidence.js';
import { nameFor } from './page.js';
import { hasKey, look } from './request.js';
import { headText, kindText, reasonLine, rulingText, toneOf } from './words.js';

const EVERY_MS = 5000;
const PAGES_MOST = 20;
const SHOWN_MOST = 200;
const MAJOR = ['verdict', 'tie', 'win', 'set_aside', 'penalty', 'refused', 'illegal', 'move', 'round', 'phase'];

let list = null;
let desk = null;
let asked = -Infinity;
let wanted = false;
let entries = [];
let finishes = []; // the events of photo finishes
let won = '';      // the cards that were had when they were asked for
let record = null; // the dialog with a picture from the record
let picture = null;

// Who was second may come after the card was had.
const FINISH_MS = 2500;

export function buildTimeline(owner) {
    desk = owner;
    list = make('ol', { id: 'timeline', 'aria-label': t('Timeline') });
    record = make('dialog', { class: 'record', 'aria-label': t('From the record') });
    picture = new RecordPicture(record, () => record.close());
    record.addEventListener('close', () => picture.forget());
    return make('section', {}, make('h2', { text: t('Timeline') }), list, record);
}

// All pages of the history.
async function ask() {
    const all = [];
    let from = 1;
    for (let page = 0; page < PAGES_MOST; page++) {
        const answer = await look(`/api/history?from=${from}`);
        if (!answer || !answer.ok) return page === 0 ? null : all;
        all.push(...answer.entries);
        if (!answer.more || answer.entries.length === 0) return all;
        from = answer.entries.at(-1).event + 1;
    }
    return all;
}

function headOf(entry) {
    const decisions = entry.decisions || [];
    for (const kind of MAJOR) {
        const found = decisions.find((decision) => decision.decision === kind);
        if (found) return found;
    }
    return decisions[0] || null;
}

function wordsOf(entry) {
    return (entry.words || []).map((word) => {
        const what = word.do === 'overrule' ? t('overruled: {ruling}', { ruling: rulingText(word.ruling) })
            : word.do === 'undo' ? t('taken back') : t('put back');
        return [what, word.by, word.why].filter(Boolean).join(' · ');
    });
}

// In a replay one looks, and changes nothing: how it came is worth seeing, too.
const LEAD_NS = 3e9;

function pictureButton(text, address, entry, words) {
    const button = make('button', { type: 'button', 'aria-label': `${text}: ${t('event {event}', { event: entry.event })}`, text });
    button.addEventListener('click', () => {
        record.showModal();
        picture.load(address, words, false);
    });
    return button;
}

// What the record can show of it, before what may be done about it.
function recordButtons(table, entry, line) {
    const verdicts = (entry.decisions || []).filter((decision) => hasEvidence(table, decision));
    return [...verdicts.map((decision) => pictureButton(t('Picture'), evidenceAddress(decision), entry, line)),
        finishes.includes(entry.event) ? pictureButton(t('Photo finish'), finishAddress(entry.event), entry, t('Photo finish')) : null];
}

async function askFinishes(table) {
    const had = JSON.stringify(entries.filter((entry) => (entry.decisions || []).some((decision) => decision.decision === 'win' || decision.decision === 'tie')).map((entry) => [entry.event, entry.undone]));
    if (had === won || !table.hello.recording || table.replay) return;
    won = had;
    await new Promise((done) => setTimeout(done, FINISH_MS));
    const answer = await look('/api/finishes');
    if (!answer || !answer.ok) return;
    finishes = answer.finishes.map((finish) => finish.event);
    drawTimeline(table);
}

function buttonsOf(entry, verdict) {
    const { event } = entry;
    if (desk.table.replay) return [desk.button(t('Show'), 'seek', { t_ns: Math.max(0, entry.t_ns - LEAD_NS) }, { 'aria-label': `${t('Show')}: ${t('event {event}', { event })}` })];
    const label = (text) => ({ 'aria-label': `${text}: ${t('event {event}', { event })}` });
    if (entry.undone) return [desk.button(t('Redo'), 'redo', { event }, label(t('Redo')))];
    if (entry.kind === 'setup') return [];
    const others = verdict ? ['match', 'no_match', 'cannot_tell'].filter((ruling) => ruling !== verdict.verdict) : [];
    return [desk.button(t('Undo'), 'undo', { event }, label(t('Undo'))),
        ...others.map((ruling) => desk.button(`→ ${rulingText(ruling)}`, 'overrule', { event, ruling },
            label(t('Overrule: {ruling}', { ruling: rulingText(ruling) }))))];
}

function row(table, entry) {
    const head = headOf(entry);
    const verdict = (entry.decisions || []).find((decision) => decision.decision === 'verdict');
    const who = entry.seat ? nameFor(table)(entry.seat) : '';
    const line = head ? headText(head, nameFor(table)) : [kindText(entry.kind), who].filter(Boolean).join(': ');
    const notes = [head && reasonLine(head), [entry.by, entry.why].filter(Boolean).join(': '), ...wordsOf(entry)].filter(Boolean);
    return make('li', { class: `tone-${head ? toneOf(head) : 'plain'}${entry.undone ? ' undone' : ''}`, 'data-event': entry.event },
        make('span', { class: 'when', text: clockText(entry.t_ns) }),
        make('div', { class: 'what' }, make('strong', { text: line }),
            make('span', { class: 'quiet', text: [`#${entry.event} ${kindText(entry.kind)}`, ...notes].join(' · ') })),
        make('div', { class: 'row' }, recordButtons(table, entry, line), buttonsOf(entry, verdict)));
}

function drawTimeline(table) {
    const focused = document.activeElement && list.contains(document.activeElement)
        ? document.activeElement.getAttribute('aria-label') : null;
    fill(list, [entries, finishes, Boolean(table.hello.recording), table.replay !== null, table.state && table.state.players.map((player) => player.name)], () =>
        entries.slice(-SHOWN_MOST).reverse().map((entry) => row(table, entry)));
    if (!focused) return;
    const again = [...list.querySelectorAll('button')].find((button) => button.getAttribute('aria-label') === focused);
    if (again && document.activeElement !== again) again.focus();
}

export async function updateTimeline(table, now) {
    if (now) asked = -Infinity;
    if (wanted || !hasKey() || performance.now() - asked < EVERY_MS) return;
    wanted = true;
    asked = performance.now();
    // Several decisions come at once: one question is enough.
    await new Promise((done) => setTimeout(done, 80));
    wanted = false;
    const answer = await ask();
    if (answer) entries = answer;
    drawTimeline(table);
    askFinishes(table);
}
