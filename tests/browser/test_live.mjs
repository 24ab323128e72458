// test_live.mjs: the pages on the real program, one story from the first look to the end: board, two
// phones and the desk, with a referee and a scoreboard that die on the way.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUT } from './browser.mjs';
import { Live } from './live.mjs';
import { assert, keep, until, untilText } from './tools.mjs';

const LAYOUTS = ['x#o/+oo/#*+/+..', 'x#o/+oo/#*+/+..', '.+oo/.*o#/+#+x'];
const button = (page, name) => page.getByRole('button', { name });

async function callReady(page) {
    await until(page, () => document.getElementById('match') && document.getElementById('match').getAttribute('aria-disabled') === 'false'
        && document.getElementById('why').textContent === '');
}

async function story(stage, live) {
    stage.mock = { address: live.address, stop: () => live.stop() };
    const board = await stage.open('/');
    await untilText(board, '#game', 'Quick-Play Game');
    await until(board, () => document.querySelector('#on-table svg.card[data-card]'));
    assert.equal(await board.locator('#on-table svg.card').getAttribute('data-card'), 'L5-01');
    for (const [i, grid] of LAYOUTS.entries())
        await until(board, ([seat, wanted]) => document.querySelector(`.seat-${seat} svg.grid:not(.partial)`)?.dataset.grid === wanted, [i + 1, grid]);
    await until(board, () => document.querySelectorAll('.seat-4 svg.grid.partial .cell').length >= 5);

    // Referee and scoreboard die; the board finds both again. (A recording is read from its beginning
    // then, at its own speed: so this comes early.)
    process.kill(live.child('referee'), 'SIGKILL');
    process.kill(live.child('scoreboard'), 'SIGKILL');
    await live.taken(2);
    await live.askUntil('name', { seat: 4, name: 'Zoë again', by: 'test' });
    await untilText(board, '.seat-4 .name', 'Zoë again');
    await until(board, () => document.getElementById('link').hidden);
    await untilText(board, '#phase', 'In play');

    // A phone calls for a mirror image: no match, and out.
    const phone = await stage.open(`/claim?seat=3#${live.seatKey(3)}`, { width: 390, height: 844 });
    await callReady(phone);
    await phone.locator('#match').click();
    await untilText(phone, '#said', 'Čeněk: no match');
    await untilText(phone, '#said', 'it is the mirror image · out for this card');
    await untilText(board, '.ruling-head', 'Čeněk: no match');
    await untilText(board, '.seat-3 .mark', 'Out for this card');
    await keep(board, 'live-board');

    // The desk looks at it, and takes it back.
    const desk = await stage.open(`/operator#${live.key}`, { width: 1600, height: 1000 });
    await untilText(desk, '#timeline strong', 'Čeněk: no match');
    await until(desk, () => document.querySelectorAll('#outlines .o-cell').length >= 30 && !document.getElementById('outlines').classList.contains('unseen-lines'));
    await keep(desk, 'live-operator');
    await desk.getByRole('button', { name: 'Phone: Seat 2', exact: true }).click();
    await until(desk, () => document.querySelector('.qr') && document.querySelector('.qr').naturalWidth > 0);
    await desk.getByLabel('Reason').fill('the wrong seat');
    await desk.locator('#timeline li', { hasText: 'Čeněk' }).first().getByRole('button', { name: /^Undo/ }).click();
    await untilText(board, '.ruling-head', 'A ruling was taken back');
    await untilText(desk, '#timeline', 'the wrong seat');
    await until(board, () => !document.querySelector('.seat-3').classList.contains('is-out'));
    await desk.getByLabel('Name at seat 1').fill('<b>Ada</b>');
    await desk.getByLabel('Name at seat 1').press('Enter');
    await untilText(board, '.seat-1 .name', '<b>Ada</b>');
    await button(desk, 'Pause').click();
    await untilText(board, '#phase', 'Paused');
    await button(desk, 'Go on').click();
    await untilText(board, '#phase', 'In play');

    // The right layout takes the card.
    const other = await stage.open(`/claim?seat=1#${live.seatKey(1)}`, { width: 390, height: 844 });
    await callReady(other);
    await other.locator('#match').click();
    await untilText(other, '#said', 'it’s a match!');
    await untilText(board, '.ruling-head', '<b>Ada</b>: it’s a match!');
    await until(board, () => document.querySelector('.seat-1 .score').textContent === '1');
    await keep(other, 'live-claim');

    // The desk ends it; the digest that is shown is the record's.
    await button(desk, 'Abandon …').click();
    await button(desk, 'Abandon the match').click();
    await untilText(board, '#final h2', 'Match abandoned');
    await until(board, () => document.querySelector('.digest code'));
    const digest = (await board.locator('.digest code').innerText()).replaceAll(' ', '');
    const record = readFileSync(join(live.folder, 'match', 'journal.jsonl'), 'utf8');
    assert.match(digest, /^[0-9a-f]{64}$/);
    const lines = record.trim().split('\n');
    const head = createHash('sha256').update(lines.at(-1)).digest('hex');
    assert.ok(record.includes(`{"prev":"${digest}"`) || head === digest, 'the digest is of the record');
    assert.equal(await other.locator('#match').getAttribute('aria-disabled'), 'true');
}

export const tests = [
    {
        name: 'live: board, phones and desk on the real program, through a death of referee and scoreboard',
        async run(stage) {
            const live = await new Live(join(OUT, 'live')).start();
            try {
                await story(stage, live);
            } finally {
                if (!stage.mock) await live.stop();
            }
        },
    },
];
