// table.js: what is known of the table: the newest state, each seat's reading, the decisions that
// stand. Takes the stream's events and keeps what is newer; lower numbers are passed over. It
// computes nothing of the game.
import { MatchClock } from './clock.js';
import { Stream } from './stream.js';

// Decisions that a page may look back at; more stand in the record.
const KEPT = 400;

const nameOf = (decision) => `${decision.seq}.${decision.index}`;

export class Table extends EventTarget {
    constructor() {
        super();
        this.hello = {};
        this.kit = {};
        this.state = null;
        this.health = { reasons: [], recorder: null };
        this.seats = new Map(); // a seat's newest layout message
        this.slots = new Map();
        this.decisions = new Map(); // by name, in the order they were heard
        this.replay = null; // what a replay says of itself; null: the match is played now
        this.withdrawn = null; // the decision that was taken back last, until the next comes
        this.joined = false;
        this.clock = new MatchClock();
        this.heads = new Map();
        this.epoch = 0;
        this.sources = new Set();
        this.fresh = false; // a snapshot is coming; none of its decisions was heard yet
        this.stream = new Stream((kind, data) => this.take(kind, data));
    }

    open() {
        this.stream.open();
    }

    stale() {
        return this.stream.stale();
    }

    take(kind, data) {
        if (kind === 'hello') this.begin(data);
        else if (kind === 'kit') this.kit = data;
        else if (kind === 'joined') this.join();
        else if (kind === 'link') this.dispatchEvent(new CustomEvent('link', { detail: data }));
        else if (!this.takeMessage(kind, data)) return;
        this.dispatchEvent(new CustomEvent('change', { detail: { kind, data } }));
    }

    // A connection begins: what follows, until `joined`, is how things stand.
    begin(hello) {
        const had = this.hello.match;
        if (had && (had !== hello.match || this.hello.table !== hello.table)) {
            this.heads.clear();
            this.epoch = 0;
            this.seats.clear();
            this.slots.clear();
            this.decisions.clear();
            this.state = null;
        }
        this.hello = hello;
        if (!hello.first) return;
        this.joined = false;
        this.fresh = true;
    }

    // The snapshot is here: what it did not have does not stand.
    join() {
        if (this.fresh) this.decisions.clear();
        this.fresh = false;
        this.joined = true;
    }

    takeMessage(kind, message) {
        if (!message || typeof message !== 'object' || (message.v ?? 1) !== 1) return false;
        // The match was set up anew under the same name: another process, that counts from 1.
        if (message.source && !this.sources.has(message.source)) {
            this.sources.add(message.source);
            this.heads.clear();
            if (this.fresh) this.epoch = 0;
        }
        // A match that was taken up again counts anew: nothing of before belongs to it.
        const { epoch = 0 } = message;
        if (epoch < this.epoch) return false;
        this.epoch = epoch;
        this.replay = message.replay || null;
        if (message.late && kind === 'verdict') return this.takeLate(message);
        if (!this.isNewer(kind, message)) return false;
        if (kind === 'state') this.takeState(message);
        else if (kind === 'verdict') this.takeDecision(message.decision);
        else if (kind === 'void') this.takeVoid(message.decision);
        else if (kind === 'layout') this.takeLayout(message);
        else if (kind === 'health') this.health = message.health || this.health;
        return true;
    }

    // Layouts of a snapshot are of several seats under one topic: those are taken by their own order.
    isNewer(kind, message) {
        const head = this.heads.get(kind);
        const { epoch = 0, seq = 0 } = message;
        const before = head && (epoch < head.epoch || (epoch === head.epoch && seq < head.seq));
        const again = head && epoch === head.epoch && seq === head.seq && !message.late;
        if (kind === 'layout' && message.late) return !this.joined || !before;
        if (before || again) return false;
        this.heads.set(kind, { epoch, seq });
        return true;
    }

    takeState(message) {
        this.state = message.state;
        this.clock.anchor(message, performance.now());
        this.sent_ns = message.sent_ns;
    }

    takeLate(message) {
        if (this.fresh) this.decisions.clear();
        this.fresh = false;
        this.decisions.set(nameOf(message.decision), message.decision);
        return true;
    }

    takeDecision(decision) {
        const known = this.decisions.get(nameOf(decision));
        if (known && JSON.stringify(known) === JSON.stringify(decision)) return; // the snapshot had it
        this.decisions.delete(nameOf(decision));
        this.decisions.set(nameOf(decision), decision);
        this.withdrawn = null;
        while (this.decisions.size > KEPT) this.decisions.delete(this.decisions.keys().next().value);
        if (this.joined) this.dispatchEvent(new CustomEvent('decision', { detail: { decision } }));
    }

    takeVoid(name) {
        const decision = this.decisions.get(nameOf(name));
        this.decisions.delete(nameOf(name));
        this.withdrawn = decision || name;
    }

    takeLayout(message) {
        const { seat, slot, settled } = message.layout || {};
        if (seat) this.seats.set(seat.seat, { ...seat, settled });
        if (slot) this.slots.set(slot.slot, { ...slot, settled });
    }

    player(seat) {
        return this.state ? this.state.players.find((player) => player.seat === seat) : undefined;
    }

    // What is known of a seat's layout: as the camera reads it; else what the referee has settled on.
    layout(seat) {
        const player = this.player(seat);
        const settled = player && player.layout ? { ...player.layout, settled: true } : null;
        const heard = this.seats.get(seat);
        if (heard && settled && settled.grid === heard.grid) return { ...heard, settled: true };
        return heard || settled;
    }

    lastDecision(wanted) {
        let found = null;
        for (const decision of this.decisions.values()) if (wanted(decision)) found = decision;
        return found;
    }

    // What else the same claim or act brought out.
    consequences(decision) {
        return [...this.decisions.values()].filter(
            (other) => other !== decision && other.cause === decision.cause);
    }
}
