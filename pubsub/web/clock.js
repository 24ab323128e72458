// clock.js: the match's clock between two states. It runs on only while the referee says that it runs
// and the link is fresh; it never runs by itself beyond that, and never back by a trifle.

// Differences of the way a state took, which are not worth a step back on a running clock.
const JITTER_NS = 300e6;

export class MatchClock {
    constructor() {
        this.at = null; // performance.now() of the newest state
        this.t_ns = 0;
        this.clock_ns = 0;
        this.runs = false;
        this.start_t_ns = null;
        this.speed = 1; // of the match's time: other than 1 in a replay
    }

    anchor(message, now) {
        const state = message.state;
        const clocks = message.clocks || {};
        const shown = this.at === null ? null : this.clockAt(now, false);
        const ran = this.runs;
        this.at = now;
        this.speed = speedOf(message.replay);
        this.t_ns = clocks.t_ns ?? message.t_ns ?? state.t_ns;
        this.clock_ns = clocks.clock_ns ?? state.clock_ns ?? 0;
        this.runs = Boolean(clocks.clock_runs ?? clocks.runs ?? state.clock_runs);
        this.start_t_ns = state.phase === 'countdown' && !state.paused
            ? clocks.start_t_ns ?? state.started_t_ns : null;
        const back = shown === null ? 0 : shown - this.clock_ns;
        if (ran && this.runs && back > 0 && back < JITTER_NS) this.clock_ns = shown;
    }

    // The match's clock, in ns. `stale`: it stands where it was last known.
    clockAt(now, stale) {
        if (this.at === null || !this.runs || stale) return this.clock_ns;
        return this.clock_ns + (now - this.at) * 1e6 * this.speed;
    }

    timeAt(now) {
        return this.at === null ? null : this.t_ns + (now - this.at) * 1e6 * this.speed;
    }

    // Milliseconds to the start signal, below 0 after it; null when none is to come.
    untilStart(now) {
        return this.start_t_ns === null || this.at === null ? null : (this.start_t_ns - this.timeAt(now)) / 1e6;
    }
}

function speedOf(replay) {
    if (!replay) return 1;
    return replay.paused ? 0 : replay.speed_permille / 1000;
}

// 75.4 s -> "1:15". With hours when there are any.
export function clockText(ns) {
    const all = Math.floor(Math.max(0, ns) / 1e9);
    const hours = Math.floor(all / 3600);
    const two = (number) => String(number).padStart(2, '0');
    const rest = `${hours ? two(Math.floor(all / 60) % 60) : Math.floor(all / 60)}:${two(all % 60)}`;
    return hours ? `${hours}:${rest}` : rest;
}
