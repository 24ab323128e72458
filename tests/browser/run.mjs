// run.mjs [WORD]: all tests of the pages, or those whose name has that word, a line "ok - .." or
// "not ok - .." for each. Then the same tests on pages that are empty: there each of those that say
// what must be seen has to fail.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from './browser.mjs';
import { ROOT } from './mock.mjs';
import { assert, patience, Stage } from './tools.mjs';
import { tests as board } from './test_board.mjs';
import { tests as calibrate } from './test_calibrate.mjs';
import { tests as desk } from './test_desk.mjs';
import { tests as live } from './test_live.mjs';

const word = process.argv[2] || '';
const tests = [...live, ...board, ...desk, ...calibrate].filter((test) => test.name.includes(word));
const WEB = join(ROOT, 'pubsub', 'web');
let failed = 0;

function report(name, error) {
    console.log(`${error ? 'not ok' : 'ok'} - ${name}`);
    if (!error) return;
    failed += 1;
    for (const line of String(error.message || error).split('\n').slice(0, 12)) console.log(`# ${line}`);
}

async function faultOf(browser, test, options) {
    const stage = new Stage(browser, options);
    let fault = null;
    try {
        await test.run(stage);
    } catch (error) {
        fault = error;
    }
    try {
        await stage.close();
    } catch (error) {
        fault = fault || error;
    }
    return fault;
}

// No way by which a name could become markup, a style or a script; nothing from elsewhere.
function checkSources() {
    for (const name of readdirSync(WEB)) {
        const source = readFileSync(join(WEB, name), 'utf8');
        for (const word of ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'document.write', 'eval(', 'new Function', 'DOMParser', 'srcdoc'])
            assert.ok(!source.replace(/^\s*\/\/.*$/gm, '').includes(word), `${name} has ${word}`);
        for (const [address] of source.matchAll(/https?:\/\/[^\s"']*/g))
            assert.ok(address.startsWith('http://www.w3.org/'), `${name} names ${address}`);
        if (name.endsWith('.html')) assert.ok(!/<script(?![^>]*src=)|<style|\son\w+=|style=/.test(source), `${name} has a script or style of its own`);
    }
}

// Whatever the formats may say has words on the pages.
function checkWords() {
    const words = readFileSync(join(WEB, 'words.js'), 'utf8');
    const said = (list) => new Set([...words.slice(words.indexOf(`const ${list} = {`)).split('\n};')[0].matchAll(/^ {4}(\w+): \(\) =>/gm)].map((one) => one[1]));
    const code = (file, prefix) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(new RegExp(`\\[${prefix}_\\w+\\] = "(\\w+)"`, 'g'))].map((one) => one[1]);
    const reasons = code('vision/reason.c', 'REASON');
    const whys = code('referee/words.c', 'WHY').filter((word) => word !== 'none');
    assert.ok(reasons.length > 30 && whys.length > 40, 'the lists were not found');
    const known = said('REASONS');
    for (const word of reasons) assert.ok(known.has(word), `no words for the reason ${word}`);
    const both = new Set([...known, ...said('WHYS')]);
    for (const word of whys) assert.ok(both.has(word), `no words for why ${word}`);
}

async function check(name, what) {
    report(name, await Promise.resolve().then(what).then(() => null, (error) => error));
}

const browser = await launch();
try {
    await check('pages: no name should be able to become markup, and nothing come from elsewhere', checkSources);
    await check('pages: every reason of the formats should have words', checkWords);
    // Three at a time: much of a test is waiting.
    const waiting = [...tests];
    const worker = async () => {
        for (let test = waiting.shift(); test; test = waiting.shift()) {
            const began = Date.now();
            report(test.name, await faultOf(browser, test, {}));
            if (process.env.TIMES) console.log(`# ${Date.now() - began} ms`);
        }
    };
    await Promise.all([worker(), worker(), worker()]);
    patience.ms = 500;
    const files = Object.fromEntries(['board', 'overlay', 'operator', 'claim'].map((name) => [`${name}.js`, '']));
    await Promise.all(tests.filter((one) => one.core).map(async (test) => {
        const fault = await faultOf(browser, test, { files });
        report(`on an empty page this should fail: ${test.name}`, fault ? null : new Error('it passed'));
    }));
} finally {
    await browser.close();
}
process.exit(failed ? 1 : 0);
