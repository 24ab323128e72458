// bench.mjs [VERDICTS]: how long it takes from a published verdict to pixels on a board on this machine,
// by the real program. A phone's claim is ruled on and taken back, again and again; the message's
// `sent_ns` and the frame in which the ruling's words stand are on one clock, the machine's
// CLOCK_MONOTONIC: the page's own is set against it by questions that come back within a
// millisecond or so, the quickest of which counts.
import { join } from 'node:path';
import { launch, OUT } from './browser.mjs';
import { Live } from './live.mjs';

const VERDICTS = Math.max(1, Number(process.argv[2]) || 40);
const SEAT = 3; // has built the mirror image: no match, said at once
const WAIT_MS = 10000;
const WARM = 3; // a page's first frames cost more than all later ones
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const machine_ms = () => Number(process.hrtime.bigint()) / 1e6;

// All verdicts that are published, in order.
async function listen(live, verdicts, stopped) {
    const response = await fetch(`${live.address}/events`, { signal: stopped });
    let text = '';
    for await (const part of response.body) {
        text += Buffer.from(part).toString('utf8');
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
            const data = text.slice(0, end).split('\n').find((line) => line.startsWith('data: '));
            text = text.slice(end + 2);
            const message = JSON.parse(data.slice(6));
            if (message.decision && message.decision.verdict === 'no_match' && message.decision.decision === 'verdict' && !message.late)
                verdicts.push(message.sent_ns / 1e6);
        }
    }
}

// When the ruling's words are there, the frame that shows them is over at the next frame's start.
function watchRulings() {
    window.seen = [];
    let last = '';
    const look = () => {
        const head = document.querySelector('.ruling-head');
        const words = head ? head.textContent : '';
        if (words === last) return;
        last = words;
        if (!words.includes('no match')) return;
        requestAnimationFrame(() => setTimeout(() => window.seen.push(performance.now()), 0));
    };
    new MutationObserver(look).observe(document.getElementById('ruling'), { childList: true, subtree: true, characterData: true });
}

async function clockOffset(page) {
    let best = { way: Infinity, offset: 0 };
    for (let i = 0; i < 200; i++) {
        const before = machine_ms();
        const inPage = await page.evaluate(() => performance.now());
        const way = machine_ms() - before;
        if (way < best.way) best = { way, offset: before + way / 2 - inPage };
    }
    return best;
}

async function until(what) {
    const end = Date.now() + WAIT_MS;
    while (Date.now() < end) {
        const found = await what();
        if (found) return found;
        await pause(10);
    }
    throw new Error('bench: nothing came within ten seconds');
}

// One verdict, seen, and taken back, which is seen too: so no frame tells of two. Its delay in ms.
async function one(live, page, verdicts, offset) {
    const count = verdicts.length;
    const claim = await live.askUntil('claim', { seat: SEAT, ago_ns: 0, error_ns: 1000000, by: 'bench' });
    await until(() => verdicts.length > count);
    const seen = await until(() => page.evaluate((n) => window.seen[n] || null, count));
    await live.askUntil('undo', { event: claim.seq, by: 'bench', why: 'again' });
    await until(() => page.evaluate(() => !document.querySelector('.ruling-head').textContent.includes('no match')));
    await pause(50);
    return seen + offset - verdicts[count];
}

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

const browser = await launch();
const live = await new Live(join(OUT, 'bench'), 600).start();
const stopped = new AbortController();
try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    await page.goto(`${live.address}/`);
    await page.waitForSelector('#on-table svg.card[data-card]', { timeout: 60000 });
    const verdicts = [];
    listen(live, verdicts, stopped.signal).catch(() => {});
    await pause(500);
    await page.evaluate(watchRulings);
    const before = await clockOffset(page);
    for (let i = 0; i < WARM; i++) await one(live, page, verdicts, 0);
    const delays = [];
    for (let i = 0; i < VERDICTS; i++) delays.push(await one(live, page, verdicts, before.offset));
    const after = await clockOffset(page);
    delays.sort((a, b) => a - b);
    const off_ms = before.way / 2 + Math.abs(after.offset - before.offset);
    console.log(`from a published verdict to pixels on a local board, ${VERDICTS} verdicts: median ${at(delays, 0.5).toFixed(1)} ms, `
        + `90th percentile ${at(delays, 0.9).toFixed(1)} ms, longest ${at(delays, 1).toFixed(1)} ms (clocks agree within ${off_ms.toFixed(1)} ms; aim: median under 100 ms)`);
} finally {
    stopped.abort();
    await browser.close();
    await live.stop();
}
