// stream.js: the server's events, for every page. Opens the stream first and lets the snapshot come by
// it, so nothing falls between the two; opens it again by itself whenever it ends, in whatever way
// (an EventSource that got another answer than 200 never tries again); and says how old what it
// last heard is.
import { recallHere, rememberHere } from './prefs.js';

const KINDS = ['hello', 'kit', 'state', 'verdict', 'void', 'layout', 'health', 'joined', 'link'];
const RETRY_FIRST_MS = 250;
const RETRY_MOST_MS = 5000;
// The table is heard every second. After five without a word the line is dead, though nobody said so.
const SILENCE_MS = 5000;
export const STALE_MS = 2000;

export class Stream {
    // told(kind, data) for each event.
    constructor(told, address = '/events') {
        this.told = told;
        this.address = address;
        this.source = null;
        this.failures = 0;
        this.heard = performance.now(); // anything at all
        this.stateAt = null; // the newest state
        this.retry = null;
        addEventListener('online', () => this.again(0));
        addEventListener('pagehide', () => this.close());
        addEventListener('pageshow', (event) => event.persisted && this.again(0));
        document.addEventListener('visibilitychange', () => this.watch());
        setInterval(() => this.watch(), 500);
    }

    open() {
        this.close();
        this.heard = performance.now();
        this.greeted = false;
        const source = new EventSource(this.address);
        this.source = source;
        source.onerror = () => source === this.source && this.again();
        for (const kind of KINDS)
            source.addEventListener(kind, (event) => source === this.source && this.take(kind, event.data));
    }

    close() {
        if (this.source) this.source.close();
        this.source = null;
        clearTimeout(this.retry);
        this.retry = null;
    }

    // Opens it again, later each time, and not all displays of a hall at one moment.
    again(delay_ms = null) {
        this.close();
        const most = Math.min(RETRY_MOST_MS, RETRY_FIRST_MS * 2 ** this.failures);
        this.failures += 1;
        this.retry = setTimeout(() => this.open(), delay_ms ?? most * (0.5 + Math.random() / 2));
    }

    watch() {
        if (this.source && performance.now() - this.heard > SILENCE_MS) this.again();
    }

    take(kind, text) {
        let data;
        try {
            data = JSON.parse(text);
        } catch {
            return; // one spoilt event spoils no other
        }
        this.heard = performance.now();
        this.failures = 0;
        if (kind === 'hello') {
            if (reloadFor(data.build)) return;
            data.first = !this.greeted; // others tell what has changed
            this.greeted = true;
        }
        if (kind === 'state') this.stateAt = this.heard;
        if (kind === 'link' && data.ok === false)
            this.stateAt = Math.min(this.stateAt ?? Infinity, this.heard - (Number(data.age_ms) || STALE_MS + 1));
        this.told(kind, data);
    }

    // Milliseconds since the newest state; null before the first.
    age() {
        return this.stateAt === null ? null : performance.now() - this.stateAt;
    }

    stale() {
        const age = this.age();
        return age === null || age > STALE_MS;
    }
}

// The server is another build than this page: the page is loaded anew, once for each build.
function reloadFor(build) {
    const meta = document.querySelector('meta[name="build"]');
    const own = meta ? meta.content : '';
    if (!own || own.startsWith('@') || !build || own === build || recallHere('reloaded') === build) return false;
    rememberHere('reloaded', build);
    location.reload();
    return true;
}
