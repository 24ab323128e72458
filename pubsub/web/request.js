// request.js: acts and questions to the table, with a key. The key comes in the address's fragment
// (which no server sees), is kept for this tab alone, and is taken out of the address bar.
import { t } from './i18n.js';
import { recallHere, rememberHere } from './prefs.js';

// An answer that took longer is not waited for: asked again with the same id, so nothing is done twice.
const PATIENCE_MS = 2500;
const TRIES = 4;
const PAUSE_MS = 300;

const SLOT = `key${location.pathname}${location.search}`;

// Call before anything else.
export function takeKey() {
    const key = decodeURIComponent(location.hash.slice(1));
    if (key) {
        rememberHere(SLOT, key);
        history.replaceState(null, '', location.pathname + location.search);
        held = key;
    }
}

let held = recallHere(SLOT);
export const hasKey = () => Boolean(held);
export function setKey(key) {
    held = key;
    rememberHere(SLOT, key);
}

const headers = (more) => ({ ...(held ? { 'X-Tableref-Key': held } : {}), ...more });

// The match as it was taken up last: an act is meant for that, and is not done anew after a restart.
let epoch = null;
export function setEpoch(number) {
    epoch = number;
}

// As much of a text as the table takes, in whole characters.
const BYTES = { by: 31, why: 160, name: 240 };
export function clipped(text, bytes) {
    const encoder = new TextEncoder();
    let kept = '';
    let size = 0;
    for (const letter of text) {
        size += encoder.encode(letter).length;
        if (size > bytes) break;
        kept += letter;
    }
    return kept;
}

function fitting(members) {
    const fitted = { ...members };
    for (const [name, bytes] of Object.entries(BYTES))
        if (typeof fitted[name] === 'string') fitted[name] = clipped(fitted[name], bytes);
    return fitted;
}

// Fresh for each act; the server knows by it that an act was asked for before.
export function freshId() {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    return `web-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

async function once(body) {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
        const response = await fetch('/api/command', {
            method: 'POST', cache: 'no-store', signal: patience.signal,
            headers: headers({ 'Content-Type': 'application/json' }), body,
        });
        if (response.status === 503) return null; // no answer from the table: the same again
        const answer = await response.json().catch(() => null);
        if (answer && typeof answer.ok === 'boolean') return answer;
        return { ok: false, error: String(response.status), text: t('The server answered {status}', { status: response.status }) };
    } catch {
        return null;
    } finally {
        clearTimeout(timer);
    }
}

// Asks; the answer always has `ok`, and `text` when it is false.
export async function act(what, members = {}) {
    const body = JSON.stringify({ id: freshId(), do: what, ...(epoch ? { epoch } : {}), ...fitting(members) });
    for (let attempt = 0; attempt < TRIES; attempt++) {
        if (attempt > 0) await new Promise((done) => setTimeout(done, PAUSE_MS * 2 ** attempt));
        const answer = await once(body);
        if (answer) return answer;
    }
    return { ok: false, error: 'no_answer', text: t('No answer from the table. It may or may not have happened: look at the timeline.') };
}

// GETs with the key: JSON, or null.
export async function look(address) {
    try {
        const response = await fetch(address, { cache: 'no-store', headers: headers() });
        return await response.json();
    } catch {
        return null;
    }
}

// A picture: its blob and the frame's number.
export async function lookPicture(address) {
    try {
        const response = await fetch(address, { cache: 'no-store', headers: headers() });
        if (!response.ok) return null;
        return { blob: await response.blob(), frame: response.headers.get('X-Tableref-Frame') };
    } catch {
        return null;
    }
}
