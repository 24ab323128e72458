// time.js: the table's time on this machine's clock. Asked a few times; the answer that came quickest
// says it best, for half of its way is all that it can be off.

const SAMPLES = 5;
const AGAIN_MS = 20000;
const SOON_MS = 1000; // while nothing is known
// Two clocks of quartz drift apart by less than this.
const DRIFT = 200e-6;
// Browsers give times in steps of up to a millisecond, and say when a finger came, not when it began.
const COARSE_MS = 2;

export class TableTime {
    constructor() {
        this.best = null;
        this.running = null;
    }

    start() {
        this.measure();
        setInterval(() => this.measure(), AGAIN_MS);
        setInterval(() => this.best || this.measure(), SOON_MS);
    }

    forget() {
        this.best = null;
        return this.measure();
    }

    async sample() {
        const sent = performance.now();
        const response = await fetch('/api/time', { cache: 'no-store' });
        const { t_ns } = await response.json();
        const came = performance.now();
        if (!response.ok || typeof t_ns !== 'number') return null;
        return { offset_ms: t_ns / 1e6 - (sent + came) / 2, error_ms: (came - sent) / 2, at: came };
    }

    measure() {
        this.running = this.running || this.sampleAll().finally(() => { this.running = null; });
        return this.running;
    }

    async sampleAll() {
        for (let i = 0; i < SAMPLES; i++) {
            try {
                const sample = await this.sample();
                if (sample && (!this.best || sample.error_ms <= this.errorAt(sample.at))) this.best = sample;
            } catch { /* the link's mark says it */ }
        }
    }

    errorAt(now) {
        return this.best.error_ms + Math.abs(now - this.best.at) * DRIFT;
    }

    // The table's time at `stamp` (of performance.now()) in ns, and how far it may be off; null while
    // nothing is known.
    at(stamp) {
        if (!this.best) return null;
        return {
            claimed_t_ns: Math.round((stamp + this.best.offset_ms) * 1e6),
            error_ns: Math.ceil((this.errorAt(stamp) + COARSE_MS) * 1e6),
        };
    }
}
