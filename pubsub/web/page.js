// page.js: what all pages share: their beginning, the switches for theme, language and sound, and
// the mark that says how fresh what they show is.
import { draw, make, setText, show } from './dom.js';
import { LANGUAGES, languageNow, loadLanguage, t } from './i18n.js';
import { applyTheme, asked, remember, THEMES, themeNow } from './prefs.js';
import { listenForTouch, muted, ready, setMuted } from './sound.js';
import { Table } from './table.js';
import { ageText, speedText } from './words.js';

// Begins a page: draw(table) is called at most once a frame, after something has changed, and every
// quarter of a second besides, for clocks and ages.
export async function beginPage(build, redraw) {
    applyTheme(themeNow());
    await loadLanguage();
    const table = new Table();
    build(table);
    const replay = make('p', { id: 'replay', role: 'status', hidden: true });
    document.body.append(replay);
    let waiting = false;
    const frame = () => {
        waiting = false;
        updateReplay(table, replay);
        redraw(table);
    };
    const ask = () => {
        if (waiting) return;
        waiting = true;
        requestAnimationFrame(frame);
    };
    table.addEventListener('change', ask);
    setInterval(ask, 250);
    table.open();
    ask();
    return table;
}

function themeSwitch() {
    const words = { auto: () => t('Theme: as the system'), dark: () => t('Theme: dark'), light: () => t('Theme: light') };
    const signs = { auto: '◐', dark: '●', light: '○' };
    const button = make('button', { type: 'button', class: 'switch', id: 'theme' });
    const put = (theme) => {
        applyTheme(theme);
        button.dataset.value = theme;
        setText(button, signs[theme]);
        button.setAttribute('aria-label', words[theme]());
        button.title = words[theme]();
    };
    button.addEventListener('click', () => {
        const next = THEMES[(THEMES.indexOf(button.dataset.value) + 1) % THEMES.length];
        remember('theme', next);
        put(next);
    });
    put(themeNow());
    return button;
}

// A loudspeaker, with waves or a cross: drawn, for many machines have no font with such a sign.
const soundSign = (on) => draw('svg', { viewBox: '0 0 26 24', class: 'switch-sign', 'aria-hidden': 'true' },
    draw('path', { d: 'M3 9V15H8L14 20V4L8 9Z' }),
    draw('path', { class: 'switch-line', d: on ? 'M17.5 8Q20.5 12 17.5 16M20.5 5Q25.5 12 20.5 19' : 'M17.5 9L23.5 15M23.5 9L17.5 15' }));

function soundSwitch() {
    const button = make('button', { type: 'button', class: 'switch', id: 'sound' });
    const put = () => {
        const text = muted() ? t('Sound is off') : ready() ? t('Sound is on') : t('Sound: touch to allow it');
        button.replaceChildren(soundSign(!muted()));
        button.classList.toggle('waiting', !muted() && !ready());
        button.setAttribute('aria-label', text);
        button.setAttribute('aria-pressed', String(!muted()));
        button.title = text;
    };
    button.addEventListener('click', () => {
        setMuted(!muted());
        put();
    });
    listenForTouch(put);
    put();
    return button;
}

function languageSwitch() {
    const options = Object.entries(LANGUAGES).map(([code, name]) =>
        make('option', { value: code, text: name, lang: code, selected: code === languageNow() }));
    const select = make('select', { id: 'language', class: 'switch', 'aria-label': t('Language') }, options);
    select.addEventListener('change', () => {
        remember('lang', select.value);
        const address = new URL(location.href);
        address.searchParams.delete('lang');
        if (asked.has('lang')) location.replace(address);
        else location.reload();
    });
    return select;
}

export function switches({ sound = true } = {}) {
    return make('div', { class: 'switches', role: 'group', 'aria-label': t('Display') },
        sound ? soundSwitch() : null, themeSwitch(), languageSwitch());
}

// The mark of the link: hidden while all is well; else how old what is shown is.
export function linkMark() {
    return make('p', { id: 'link', class: 'mark stale', role: 'status', hidden: true });
}

export function updateLink(table, mark) {
    const stale = table.stale();
    show(mark, stale);
    document.body.classList.toggle('is-stale', stale);
    if (stale) setText(mark, ageText(table.stream.age()));
}

// Nobody may take a replay for a match that is played: every page says it, for as long as it is one.
function updateReplay(table, mark) {
    const { replay } = table;
    show(mark, replay !== null);
    document.body.classList.toggle('is-replay', replay !== null);
    if (!replay) return;
    const words = [replay.what_if ? t('Replay, not as it was played') : t('Replay')];
    if (replay.paused) words.push(t('paused'));
    else if (replay.speed_permille !== 1000) words.push(speedText(replay.speed_permille));
    setText(mark, words.join(' · '));
}

// A name for a seat, as it stands now.
export const nameFor = (table) => (seat) => {
    const player = table.player(seat);
    return player ? player.name : t('Seat {seat}', { seat });
};
