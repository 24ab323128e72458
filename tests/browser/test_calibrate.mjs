// test_calibrate.mjs: the page of a calibration on the real program: the grid over a picture, its corners
// moved by key and by mouse, and the answer that it is right; a picture without a mat.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OUT } from './browser.mjs';
import { ROOT } from './mock.mjs';
import { assert, keep, nameless, pale, tooWide, until, untilText } from './tools.mjs';

class Calibration {
    constructor(kind, words) {
        const program = resolve(process.env.TABLEREF || join(ROOT, 'tableref'));
        this.run = spawn(program, ['calibrate', kind, ...words, '--listen', '127.0.0.1:0'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
        this.said = '';
        this.printed = '';
        this.run.stdout.on('data', (data) => { this.printed += data; });
        this.ended = new Promise((done) => this.run.on('close', done));
    }

    async start() {
        await new Promise((done, failed) => {
            this.run.stderr.on('data', (data) => {
                this.said += data;
                if (/calibrate#[0-9a-f]{32}\n/.test(this.said)) done();
            });
            this.run.on('exit', () => failed(new Error(`tableref calibrate ended: ${this.said}`)));
        });
        [, this.address, this.key] = this.said.match(/(http:\/\/\S+)\/calibrate#([0-9a-f]+)/);
        return this;
    }

    async stop() {
        if (this.run.exitCode === null) this.run.kill('SIGTERM');
        return this.ended;
    }
}

async function begin(stage, kind, words, options) {
    const calibration = await new Calibration(kind, words).start();
    stage.mock = { address: calibration.address, stop: () => calibration.stop() };
    return [calibration, await stage.open(`/calibrate#${calibration.key}`, options)];
}

const handle = (page, i) => page.locator('.handle').nth(i);
const placeOf = (page, i) => handle(page, i).evaluate((element) => [Number(element.getAttribute('cx')), Number(element.getAttribute('cy'))]);

async function askGrid(stage) {
    mkdirSync(OUT, { recursive: true });
    const truth = JSON.parse(readFileSync(join(ROOT, 'fixtures', 'a1-000.truth.json'), 'utf8'));
    const given = join(OUT, 'rig-given.json');
    const made = join(OUT, 'rig-made.json');
    const { size, K, dist } = truth.camera;
    writeFileSync(given, JSON.stringify({ format: 'tableref-rig/1', size, K, dist }));
    const [calibration, page] = await begin(stage, 'table', ['--rig', given, '--out', made, 'fixtures/a1-000.jpg']);
    await untilText(page, '#hint', 'The table is ready.');
    await until(page, () => document.querySelectorAll('.o-seat').length === 4 && document.querySelectorAll('.o-grid').length > 100);
    await untilText(page, '#says', 'the rig has no colours');
    await until(page, () => document.getElementById('picture').naturalWidth === 1920);
    await keep(page, 'calibrate-table');
    assert.deepEqual(await nameless(page), []);
    assert.deepEqual(await tooWide(page), []);
    assert.deepEqual((await pale(page)).faults ?? [], []);

    // By the keys, and with Shift farther.
    const before = await placeOf(page, 0);
    await handle(page, 0).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    const moved = await placeOf(page, 0);
    assert.ok(Math.abs(moved[0] - before[0] - 1) < 0.2 && Math.abs(moved[1] - before[1] - 10) < 0.2, `${before} to ${moved}`);
    await untilText(page, '#facts', 'px');
    await page.waitForTimeout(1200); // newer outlines leave it there
    assert.deepEqual(await placeOf(page, 0), moved);

    // By the mouse; and back to what the eyes see.
    const box = await handle(page, 2).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 - 40, box.y + box.height / 2 - 30, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(700);
    await keep(page, 'calibrate-corners');
    await page.getByRole('button', { name: 'Look again' }).click();
    await until(page, ([x, y]) => {
        const first = document.querySelector('.handle');
        return Math.abs(first.getAttribute('cx') - x) < 0.2 && Math.abs(first.getAttribute('cy') - y) < 0.2;
    }, before);
    await page.getByRole('button', { name: 'Yes, this grid is right' }).click();
    assert.equal(await calibration.ended, 0);
    assert.equal(JSON.parse(calibration.printed).ready, true);
    const rig = JSON.parse(readFileSync(made, 'utf8'));
    for (let k = 0; k < 3; k++) assert.ok(Math.abs(rig.t_mm[k] - truth.camera.t_mm[k]) < 5, `${rig.t_mm} is not ${truth.camera.t_mm}`);
    await untilText(page, '#hint', 'The calibration has ended');
}

async function askNothing(stage) {
    const [calibration, page] = await begin(stage, 'camera', ['--camera', 'test:640x480'], { width: 900, height: 900 });
    await untilText(page, '#hint', 'Hold the board before the camera');
    await until(page, () => document.querySelectorAll('.o-field').length === 48 && document.querySelectorAll('.o-field.full').length === 0);
    assert.equal(await page.locator('.handle:visible').count(), 0);
    assert.deepEqual(await tooWide(page), []);
    await keep(page, 'calibrate-camera');
    await page.getByRole('button', { name: 'That is enough' }).click();
    assert.equal(await calibration.ended, 1);
    assert.ok(/pictures show chess:9x6x25; three are needed/.test(calibration.said), calibration.said);
}

export const tests = [
    { name: 'calibration: the grid should be asked about, its corners moved by key and mouse, and the answer kept', run: askGrid },
    { name: 'calibration: a camera that sees no board should say what to do, and end without a lens', run: askNothing },
];
