// live.mjs: the real program: `tableref run` over one picture shown for a few minutes, so that nothing
// hangs on when a page is ready. In it seats 1 and 2 have built the card, seat 3 its mirror image, and
// seat 4 lies apart.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { ROOT } from './mock.mjs';

const PICTURE = join(ROOT, 'fixtures', 'a1-015.jpg');
const RATE = 5;

// A port that is free now. (A scoreboard that is started again must have the one it had.)
function freePort() {
    return new Promise((done) => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => done(port));
        });
    });
}

export class Live {
    // A run of its own in `folder`, for at most so many seconds.
    constructor(folder, seconds = 240) {
        this.folder = resolve(folder);
        rmSync(this.folder, { recursive: true, force: true });
        mkdirSync(join(this.folder, 'pictures'), { recursive: true });
        for (let i = 0; i < seconds * RATE; i++) symlinkSync(PICTURE, join(this.folder, 'pictures', `${String(i).padStart(5, '0')}.jpg`));
    }

    async start(names = 'Ada Lindqvist,Bo,Čeněk,Zoë') {
        const program = resolve(process.env.TABLEREF || join(ROOT, 'tableref'));
        const port = await freePort();
        this.run = spawn(program, ['run', '--images', join(this.folder, 'pictures'), '--rate', String(RATE), '--paced',
            '--mat', 'a1-four', '--deck', 'fixture', '--rounds', '2', '--seed', '1', '--claims', 'called', '--players', names,
            '--record', join(this.folder, 'match'), '--rundir', join(this.folder, 'run'), '--listen', `127.0.0.1:${port}`],
        { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] });
        this.said = '';
        this.ended = new Promise((done) => this.run.on('exit', done));
        await new Promise((done, failed) => {
            this.run.stderr.on('data', (data) => {
                this.said += data;
                if (/operator's page at \S+#[0-9a-f]{32}\n/.test(this.said)) done();
            });
            this.run.on('exit', () => failed(new Error(`tableref run ended: ${this.said}`)));
        });
        [, this.address] = this.said.match(/scoreboard at (http:\/\/\S+)\//);
        [, this.key] = this.said.match(/operator#([0-9a-f]+)/);
        this.keys = JSON.parse(readFileSync(join(this.folder, 'run', 'keys.json'), 'utf8'));
        return this;
    }

    seatKey(seat) {
        return this.keys.seats.find((one) => one.seat === seat).key;
    }

    // One of the run's own processes: "referee", "scoreboard", "vision".
    child(name) {
        const children = readFileSync(`/proc/${this.run.pid}/task/${this.run.pid}/children`, 'utf8').trim().split(' ');
        return Number(children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] === name));
    }

    // Waits until the match was taken up for the so-manyeth time, and is shown.
    async taken(epoch) {
        for (let i = 0; i < 200; i++) {
            const time = await fetch(`${this.address}/api/time`).then((response) => response.json()).catch(() => ({}));
            if (time.epoch === epoch) return;
            await new Promise((done) => setTimeout(done, 100));
        }
        throw new Error(`the match was not taken up again: ${this.said}`);
    }

    async ask(what, members = {}, id = `t-${process.hrtime.bigint()}`) {
        const response = await fetch(`${this.address}/api/command`, {
            method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Tableref-Key': this.key },
            body: JSON.stringify({ id, do: what, ...members }),
        });
        return response.json();
    }

    // The same, until the table is ready for it.
    async askUntil(what, members) {
        let answer = null;
        for (let i = 0; i < 400; i++) {
            answer = await this.ask(what, members).catch((error) => ({ ok: false, text: error.message }));
            if (answer.ok) return answer;
            await new Promise((done) => setTimeout(done, 100));
        }
        throw new Error(`${what}: ${answer.text}`);
    }

    async stop() {
        if (this.run && this.run.exitCode === null) this.run.kill('SIGTERM');
        await this.ended;
        rmSync(this.folder, { recursive: true, force: true });
    }
}
