// prefs.js: what a display remembers: its theme, its language, whether it is silent. Where storage is
// forbidden it forgets, and works.

const PREFIX = 'tableref.';

export function remember(name, value) {
    try {
        if (value === null) localStorage.removeItem(PREFIX + name);
        else localStorage.setItem(PREFIX + name, value);
    } catch { /* no storage: nothing is kept */ }
}

export function recall(name) {
    try {
        return localStorage.getItem(PREFIX + name);
    } catch {
        return null;
    }
}

// For as long as this tab lives.
export function rememberHere(name, value) {
    try {
        sessionStorage.setItem(PREFIX + name, value);
    } catch { /* as above */ }
}

export function recallHere(name) {
    try {
        return sessionStorage.getItem(PREFIX + name);
    } catch {
        return null;
    }
}

export const asked = new URLSearchParams(location.search);

export const THEMES = ['auto', 'dark', 'light'];

export function applyTheme(theme) {
    document.documentElement.dataset.theme = THEMES.includes(theme) ? theme : 'auto';
}

export function themeNow() {
    const theme = asked.get('theme') || recall('theme') || 'auto';
    return THEMES.includes(theme) ? theme : 'auto';
}
