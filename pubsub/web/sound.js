// sound.js: a few soft tones, made here: three for the count, one for the start, others for rulings.
// A browser makes no sound before somebody has touched the page; the button says so.
import { recall, remember } from './prefs.js';

// Each note: Hz, when it begins, how long it is (s), how loud.
const TUNES = {
    count: [[660, 0, 0.12, 0.25]],
    start: [[990, 0, 0.5, 0.35]],
    match: [[659, 0, 0.16, 0.25], [988, 0.13, 0.4, 0.25]],
    error: [[233, 0, 0.22, 0.3], [185, 0.2, 0.45, 0.3]],
    unsure: [[440, 0, 0.14, 0.2], [440, 0.22, 0.14, 0.2]],
    end: [[523, 0, 0.2, 0.22], [659, 0.18, 0.2, 0.22], [784, 0.36, 0.2, 0.22], [1047, 0.54, 0.7, 0.25]],
};

let context = null;
export const muted = () => recall('muted') === 'yes';
export const ready = () => context !== null && context.state === 'running';

export function setMuted(silent) {
    remember('muted', silent ? 'yes' : null);
    if (!silent) wake();
}

// To be called from a touch or a key.
export function wake() {
    if (!context && window.AudioContext) context = new AudioContext();
    if (context && context.state === 'suspended') context.resume().catch(() => {});
}

function tone([hertz, begin, length, volume]) {
    const at = context.currentTime + begin;
    const source = context.createOscillator();
    const gain = context.createGain();
    source.type = 'triangle';
    source.frequency.value = hertz;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(volume, at + 0.012);
    gain.gain.exponentialRampToValueAtTime(0.001, at + length);
    source.connect(gain).connect(context.destination);
    source.start(at);
    source.stop(at + length + 0.05);
}

// `played` is for those who want to know what would be heard, tests above all.
export function play(name) {
    document.dispatchEvent(new CustomEvent('tableref-sound', { detail: muted() ? null : name }));
    if (muted()) return;
    wake();
    if (ready()) TUNES[name].forEach(tone);
}

export function listenForTouch(changed) {
    const touched = () => {
        if (!muted()) wake();
        setTimeout(changed, 100);
    };
    addEventListener('pointerdown', touched, { passive: true });
    addEventListener('keydown', touched, { passive: true });
}
