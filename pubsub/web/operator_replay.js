// operator_replay.js: what winds a replay: to and fro by rulings or by the slider, slower and faster. Each
// is an act of its own; where the replay stands, the table says.
import { fill, make, setText, show } from './dom.js';
import { t } from './i18n.js';
import { clockText } from './clock.js';
import { speedText } from './words.js';

const SPEEDS = [250, 500, 1000, 2000, 4000, 8000, 16000, 0];
const STEP_NS = 1e8; // of the slider

const parts = {};
let held = false; // a finger or key is on the slider: it is not moved from here

export function buildReplay(desk) {
    parts.back = desk.button('|◀', 'seek', { rulings: -1 }, { 'aria-label': t('To the ruling before'), title: t('To the ruling before') });
    parts.play = desk.button(t('Play'), 'resume', {}, { class: 'main' });
    parts.pause = desk.button(t('Hold'), 'pause', {});
    parts.next = desk.button('▶|', 'seek', { rulings: 1 }, { 'aria-label': t('To the next ruling'), title: t('To the next ruling') });
    parts.place = make('input', { type: 'range', id: 'replay-place', step: STEP_NS, 'aria-label': t('Where the replay stands') });
    parts.time = make('output', { for: 'replay-place' });
    parts.speed = make('select', { id: 'replay-speed', 'aria-label': t('Speed') });
    parts.place.addEventListener('input', () => {
        held = true;
        showTime(Number(parts.place.value));
    });
    parts.place.addEventListener('change', async () => {
        await desk.do('seek', { t_ns: Number(parts.place.value) });
        held = false;
    });
    parts.speed.addEventListener('change', () => desk.do('speed', { speed_permille: Number(parts.speed.value) }));
    parts.all = make('div', { id: 'replay-controls', role: 'group', 'aria-label': t('Replay'), hidden: true },
        parts.back, parts.play, parts.pause, parts.next, parts.place, parts.time, parts.speed);
    return parts.all;
}

function showTime(t_ns) {
    const text = `${clockText(t_ns)} / ${clockText(Number(parts.place.max))}`;
    setText(parts.time, text);
    parts.place.setAttribute('aria-valuetext', text);
}

export function updateReplayControls(table) {
    const { replay } = table;
    show(parts.all, replay !== null);
    if (!replay) return;
    show(parts.play, replay.paused);
    show(parts.pause, !replay.paused);
    parts.place.min = replay.from_t_ns;
    parts.place.max = replay.to_t_ns;
    const speeds = SPEEDS.includes(replay.speed_permille) ? SPEEDS : [replay.speed_permille, ...SPEEDS];
    fill(parts.speed, speeds, () => speeds.map((speed) => make('option', { value: speed, text: speedText(speed) })));
    if (document.activeElement !== parts.speed) parts.speed.value = replay.speed_permille;
    if (held) return;
    const t_ns = Math.min(replay.to_t_ns, table.clock.timeAt(performance.now()) ?? replay.from_t_ns);
    parts.place.value = t_ns;
    showTime(t_ns);
}
