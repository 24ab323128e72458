// mock.mjs: a web server that speaks the pages' protocol (pubsub/PROTOCOL.md), where the real program
// cannot be made to do what a test needs: to start again as another build, to fall silent while the
// connection stays, to repeat old messages, to lose an answer, to show names that no camera has. What it
// says is the program's own: decisions and states are those of `tableref referee` over
// fixtures/games, or over events that a test gives.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { dirname, join } from 'node:path';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const WEB = join(ROOT, 'pubsub', 'web');
const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml' };
const PAGES = { '/': 'board.html', '/overlay': 'overlay.html', '/operator': 'operator.html', '/claim': 'claim.html' };
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; media-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
export const KEY = '4f0c1d2e3b4a59687786950413223140';

const kitFile = (name) => JSON.parse(readFileSync(join(ROOT, 'calib', 'kit', name), 'utf8'));

// What the program says to events: {kind: 'verdict'|'void'|'state', decision|state} in order.
export function refereed(events) {
    const text = typeof events === 'string' ? events : events.map((event) => JSON.stringify(event)).join('\n');
    const program = process.env.TABLEREF || join(ROOT, 'tableref');
    const run = spawnSync(program, ['referee', '--events', '-', '--state', 'each'], { input: text, encoding: 'utf8', maxBuffer: 1 << 27 });
    if (run.status !== 0) throw new Error(`tableref referee: ${run.stderr}`);
    return run.stdout.trim().split('\n').map((line) => JSON.parse(line)).map((body) => {
        if (body.void) return { kind: 'void', decision: body.void };
        return body.decision ? { kind: 'verdict', decision: body } : { kind: 'state', state: body };
    });
}

// The strings of a language as the program gives them to pages, from its catalogue.
export function catalogue(code) {
    const strings = {};
    const said = (lines) => [...lines.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((one) => JSON.parse(`"${one[1]}"`)).join('');
    for (const entry of readFileSync(join(ROOT, 'pubsub', 'po', `${code}.po`), 'utf8').split('\n\n').slice(1)) {
        const part = (word) => (entry.match(new RegExp(`^${word} ((?:".*"\\n?)+)`, 'm')) || [null, ''])[1];
        const forms = [0, 1].map((n) => said(part(`msgstr\\[${n}\\]`)));
        strings[said(part('msgid'))] = forms[0] ? forms : said(part('msgstr'));
    }
    return strings;
}

export const game = (name) => readFileSync(join(ROOT, 'fixtures', 'games', `${name}.events.jsonl`), 'utf8');

export class Mock {
    constructor(options = {}) {
        this.build = options.build || 'aaaaaaaaaaaaaaaa';
        this.stamp = null; // what pages are stamped with, when it is another
        this.hello = { table: '4', match: 'final', langs: ['en', 'sv', 'da', 'nb', 'fi', 'fr', 'de', 'es'], lang: 'en', recording: true, keyed: true, ...options.hello };
        this.kit = {
            set: kitFile('sets/match-madness.json'), shapes: kitFile('shapes.json'), cardstyle: kitFile('cardstyle.json'),
            mat: kitFile('mats/a1-four.json'), ramp: kitFile('ramps/make5.json'),
        };
        this.languages = options.languages || {}; // by code; `table`: the code of --lang
        this.epoch = 1;
        this.source = options.source || '00c0ffee00c0ffee';
        this.seqs = {};
        this.last = new Map(); // what a snapshot has
        this.clients = new Set();
        this.requests = []; // of /api/command, as they came
        this.answer = () => ({ ok: true, seq: 1, decisions: [] });
        this.history = [];
        this.drawn = []; // pictures from the record that were asked for
        this.undrawn = 0; // how many of them are not there yet
        this.finishes = [];
        this.replay = null; // what every message says of a replay
        this.pages = new Map(); // loads of each page
        this.files = null; // other assets, for the negative controls
        this.beat = null;
    }

    async start(port = 0) {
        this.server = createServer((request, response) => this.handle(request, response).catch((error) => {
            response.destroy(error);
        }));
        await new Promise((done) => this.server.listen(port, '127.0.0.1', done));
        this.port = this.server.address().port;
        this.began = process.hrtime.bigint();
        this.beat = setInterval(() => this.heartbeat(), 1000);
        return this;
    }

    get address() {
        return `http://127.0.0.1:${this.port}`;
    }

    async stop() {
        clearInterval(this.beat);
        for (const client of this.clients) client.destroy();
        this.clients.clear();
        this.server.closeAllConnections();
        await new Promise((done) => this.server.close(done));
    }

    now() {
        return Number(process.hrtime.bigint() - this.began) + (this.t0 || 0);
    }

    // The heartbeat's state carries the clock on, as the referee's does.
    heartbeat() {
        const state = this.last.get('state');
        if (!state || this.silent) return;
        const clock = this.clockNow(state);
        this.say('state', { state: { ...state.state, ...clock }, clocks: clock });
    }

    clockNow(state) {
        const t_ns = this.now();
        const runs = state.state.clock_runs;
        return { t_ns, clock_ns: runs ? state.state.clock_ns + t_ns - state.state.t_ns : state.state.clock_ns, clock_runs: runs };
    }

    head(kind) {
        this.seqs[kind] = (this.seqs[kind] || 0) + 1;
        return {
            v: 1, table: this.hello.table, match: this.hello.match, source: this.source, epoch: this.epoch,
            seq: this.seqs[kind], t_ns: this.now(), sent_ns: Number(process.hrtime.bigint()),
            ...(this.replay ? { replay: this.replay } : {}),
        };
    }

    // Publishes a message.
    say(kind, members) {
        const message = { ...this.head(kind), ...members };
        if (kind === 'state') this.last.set('state', message);
        else if (kind === 'layout') this.last.set(`layout${members.layout.seat ? members.layout.seat.seat : `s${members.layout.slot.slot}`}`, message);
        else if (kind === 'health') this.last.set('health', message);
        else if (kind === 'verdict') this.last.set(`verdict${members.decision.seq}.${members.decision.index}`, message);
        else if (kind === 'void') this.last.delete(`verdict${members.decision.seq}.${members.decision.index}`);
        this.send(kind, message);
        return message;
    }

    send(kind, data) {
        for (const client of this.clients) this.write(client, kind, data);
    }

    write(client, kind, data) {
        client.write(`id: ${this.epoch}-${this.seqs[kind] || 0}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
    }

    // Says a whole course of a match: what refereed() gives. `until` may stop before a message. The
    // states' times are laid on this server's clock.
    play(messages, until = () => false) {
        for (const [i, message] of messages.entries()) {
            if (until(message, i)) return i;
            if (message.kind === 'state') {
                this.t0 = message.state.t_ns - Number(process.hrtime.bigint() - this.began);
                this.say('state', { state: message.state, clocks: { t_ns: message.state.t_ns, clock_ns: message.state.clock_ns, clock_runs: message.state.clock_runs } });
            } else this.say(message.kind, { decision: message.decision });
        }
        return messages.length;
    }

    snapshot(client) {
        this.write(client, 'hello', { ...this.hello, build: this.build });
        this.write(client, 'kit', this.kit);
        for (const [name, message] of this.last) {
            const kind = name.startsWith('verdict') ? 'verdict' : name.startsWith('layout') ? 'layout' : name;
            this.write(client, kind, { ...message, late: true });
        }
        this.write(client, 'joined', {});
    }

    async handle(request, response) {
        const url = new URL(request.url, this.address);
        const headers = { 'Cache-Control': 'no-store', 'Content-Security-Policy': POLICY, 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };
        const give = (status, type, body, more = {}) => {
            response.writeHead(status, { ...headers, 'Content-Type': type, ...more });
            response.end(body);
        };
        if (url.pathname === '/events') return this.events(response, headers);
        if (url.pathname === '/api/command') return this.command(request, give);
        if (url.pathname.startsWith('/api/')) return this.api(request, url, give);
        const drawn = url.pathname.match(/^\/(?:evidence\/\d+-\d+|finish\/\d+)\.png$/);
        if (drawn) {
            this.drawn.push(url.pathname);
            return this.undrawn-- > 0 ? give(404, 'application/json', '{"v":1,"ok":false,"error":"not_found","text":""}') : give(200, 'image/png', readFileSync(join(ROOT, 'tests', 'data', 'judged.png')));
        }
        const language = url.pathname.match(/^\/lang\/([a-z]+)\.json$/);
        if (language) {
            const code = language[1] === 'table' ? this.languages.table : language[1];
            if (!code) return give(200, 'application/json', '{"lang":null}');
            const catalogue = this.languages[code];
            return catalogue ? give(200, 'application/json', JSON.stringify({ lang: code, strings: catalogue })) : give(404, 'text/plain', '');
        }
        const page = PAGES[url.pathname];
        const name = page || (url.pathname.startsWith('/assets/') ? url.pathname.slice(8) : null);
        if (page) this.pages.set(url.pathname, (this.pages.get(url.pathname) || 0) + 1);
        if (!name || !/^[a-z0-9_]+\.[a-z]+$/.test(name)) return give(404, 'text/plain', 'no such page');
        let text;
        try {
            text = this.files && name in this.files ? this.files[name] : readFileSync(join(WEB, name), 'utf8');
        } catch {
            return give(404, 'text/plain', 'no such file');
        }
        return give(200, TYPES[name.split('.').pop()] || 'application/octet-stream', text.replaceAll('@BUILD@', this.stamp || this.build));
    }

    events(response, headers) {
        if (this.refuse) {
            response.writeHead(this.refuse, headers);
            return response.end();
        }
        response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' });
        response.on('close', () => this.clients.delete(response));
        this.snapshot(response);
        this.clients.add(response);
    }

    async command(request, give) {
        let text = '';
        for await (const part of request) text += part;
        const body = JSON.parse(text);
        this.requests.push({ ...body, key: request.headers['x-tableref-key'] });
        if (this.lose > 0) {
            this.lose -= 1;
            return give(503, 'application/json', JSON.stringify({ v: 1, ok: false, error: 'no_answer', text: 'no answer' }));
        }
        if (request.headers['x-tableref-key'] !== KEY)
            return give(403, 'application/json', JSON.stringify({ v: 1, id: body.id, ok: false, error: 'bad_key', text: 'this needs the operator\'s key' }));
        return give(200, 'application/json', JSON.stringify({ v: 1, id: body.id, ...this.answer(body) }));
    }

    api(request, url, give) {
        if (url.pathname === '/api/time') return give(200, 'application/json', JSON.stringify({ t_ns: this.now(), epoch: this.epoch }));
        if (request.headers['x-tableref-key'] !== KEY) return give(403, 'application/json', JSON.stringify({ ok: false, error: 'bad_key', text: 'this needs the operator\'s key' }));
        if (url.pathname === '/api/history') return give(200, 'application/json', JSON.stringify({ v: 1, ok: true, entries: this.history }));
        if (url.pathname === '/api/finishes') return give(200, 'application/json', JSON.stringify({ v: 1, ok: true, finishes: this.finishes }));
        if (url.pathname === '/api/picture') return give(200, 'image/jpeg', this.picture || readFileSync(join(ROOT, 'fixtures', 'a1-015.jpg')), { 'X-Tableref-Frame': '139' });
        if (url.pathname === '/api/outline') return give(200, 'application/json', JSON.stringify(this.outline || {}));
        if (url.pathname === '/api/qr')
            return give(200, 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 3"><path d="M0 0h1v1h-1zM2 0h1v1h-1zM1 2h1v1h-1z"/></svg>');
        return give(404, 'text/plain', '');
    }
}
