// test_board.mjs: the scoreboard and the overlay.
import { catalogue, KEY, refereed } from './mock.mjs';
import * as scenes from './scenes.mjs';
import { assert, keep, pale, plain, text, tooWide, until, untilText } from './tools.mjs';

const shown = (page) => until(page, () => document.querySelectorAll('.player').length > 0);

// The negative controls run those marked `core`: on an empty page each must fail.
export const tests = [
    {
        name: 'board: names, scores, card, layouts and the ruling with its reason should be seen', core: true,
        async run(stage) {
            await stage.serve(scenes.quickPlay());
            const page = await stage.open('/');
            await untilText(page, '.ruling-head', 'Bartholomew Ng: no match');
            assert.deepEqual(await page.locator('.player .name').allInnerTexts(), scenes.NAMES);
            assert.deepEqual(await page.locator('.player .score').allInnerTexts(), ['1', '0', '0', '0']);
            assert.equal(await page.locator('#on-table svg.card').getAttribute('data-card'), 'L4-02');
            assert.equal(await page.locator('#on-table svg.card .cell').count(), 10);
            assert.match(await text(page, '.ruling-why'), /a symbol is wrong.*out for this card/);
            assert.equal(await page.locator('#ruling .grid .wrong-cell').count(), 1, 'a wrong cell is marked');
            assert.equal(await page.locator('.seat-2 svg.grid').getAttribute('data-grid'), '*+x./#o#./++x*');
            await untilText(page, '.seat-2 .mark', 'Out for this card');
            await untilText(page, '.seat-4 .mark', 'a hand or something else');
            assert.equal(await text(page, '#round'), 'Card 2 of 10');
            await untilText(page, '#record', 'Recorded');
            await keep(page, 'board');
        },
    },
    {
        name: 'board: names should be as large as can be read from eight metres', core: true,
        async run(stage) {
            await stage.serve(scenes.quickPlay());
            const page = await stage.open('/');
            await shown(page);
            const sizes = await page.locator('.player .name').evaluateAll((all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize)));
            assert.ok(sizes.length === 4 && sizes.every((size) => size >= 64), `sizes ${sizes}`);
        },
    },
    {
        name: 'board: a name should be text, whatever it holds, and cut by its width', core: true,
        async run(stage) {
            await stage.serve(scenes.quickPlay(scenes.WILD));
            for (const size of [{}, { width: 390, height: 844 }]) {
                const page = await stage.open('/', size);
                await shown(page);
                assert.deepEqual(await page.locator('.player .name').evaluateAll((all) => all.map((one) => one.textContent)), scenes.WILD);
                assert.equal(await page.locator('[onload], .name svg, .name b').count(), 0);
                assert.deepEqual(await tooWide(page), []);
                const cut = await page.locator('.player .name').nth(1).evaluate((one) => [one.scrollWidth > one.clientWidth, getComputedStyle(one).textOverflow]);
                assert.deepEqual(cut, [true, 'ellipsis']);
                assert.equal(await page.locator('.player .name').nth(3).evaluate((one) => getComputedStyle(one).direction), 'rtl');
            }
            await keep(stage.contexts[0].pages()[0], 'board-names');
        },
    },
    {
        name: 'board: the picture of a wrong layout should come by itself, of others when it is asked for',
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay());
            const page = await stage.open('/');
            await untilText(page, '.ruling-head', 'Bartholomew Ng: no match');
            assert.ok(await page.locator('#ask-evidence').isHidden(), 'no picture was kept of it');
            const last = refereed(scenes.quickPlay()).filter((one) => one.decision && one.decision.decision === 'verdict').at(-1).decision;
            const digest = 'a'.repeat(64);
            mock.undrawn = 1; // it is not on the disk yet
            mock.say('verdict', { decision: { ...last, seq: 900, digest, frame: 7 } });
            await until(page, () => !document.getElementById('evidence').hidden && document.querySelector('#evidence img').naturalWidth > 0);
            assert.deepEqual(mock.drawn, ['/evidence/900-0.png', '/evidence/900-0.png']);
            await untilText(page, '#evidence figcaption', 'a symbol is wrong');
            assert.match(await page.locator('#evidence img').getAttribute('alt'), /no match/);
            assert.deepEqual(await tooWide(page), []);
            const [shown, card] = [await page.locator('#evidence').boundingBox(), await page.locator('#on-table').boundingBox()];
            assert.ok(shown.x >= card.x + card.width, 'the card in play stays in view');
            await keep(page, 'board-evidence');
            await page.locator('#evidence button').click();
            await until(page, () => document.getElementById('evidence').hidden);
            mock.say('verdict', { decision: { ...last, seq: 901, digest, frame: 8, verdict: 'match', reasons: [], wrong_cells: [] } });
            await until(page, () => !document.getElementById('ask-evidence').hidden);
            assert.ok(await page.locator('#evidence').isHidden());
            assert.equal(mock.drawn.length, 2);
            await page.locator('#ask-evidence').click();
            await until(page, () => document.querySelector('#evidence img').naturalWidth > 0 && !document.querySelector('#evidence img').hidden);
            assert.equal(mock.drawn.at(-1), '/evidence/901-0.png');
            mock.say('void', { decision: { seq: 901, index: 0 } });
            await until(page, () => document.getElementById('evidence').hidden && document.getElementById('ask-evidence').hidden);
            const quiet = await stage.open('/?evidence=off');
            await untilText(quiet, '.ruling-head', 'no match');
            const before = mock.drawn.length;
            mock.say('verdict', { decision: { ...last, seq: 902, digest, frame: 9 } });
            await until(quiet, () => !document.getElementById('ask-evidence').hidden);
            await until(page, () => !document.getElementById('evidence').hidden);
            assert.equal(mock.drawn.length, before + 1, 'one of both pages asks');
        },
    },
    {
        name: 'board: the count should be seen and heard, and then the start',
        async run(stage) {
            const mock = await stage.serve(null);
            const page = await stage.open('/');
            await untilText(page, '#match', 'Table 4');
            await page.evaluate(() => {
                const count = document.getElementById('count');
                window.digits = [];
                const look = () => !count.hidden && count.textContent !== window.digits.at(-1) && window.digits.push(count.textContent);
                new MutationObserver(look).observe(count, { childList: true, attributes: true, characterData: true, subtree: true });
            });
            mock.play(refereed(scenes.countdown()));
            await until(page, () => window.sounds.at(-1) === 'start');
            const messages = refereed([...scenes.countdown(), { t_ms: 3000, event: 'tick' }]);
            mock.play(messages.slice(-2));
            await untilText(page, '#phase', 'In play');
            await until(page, () => document.getElementById('count').hidden);
            // A machine that stands still for a second may miss a digit, but mixes none up.
            const digits = await page.evaluate(() => window.digits);
            assert.match(digits.join(''), /^(32?1?|21?)$/, `digits ${digits}`);
            assert.deepEqual(await page.evaluate(() => window.sounds), [...digits.map(() => 'count'), 'start']);
        },
    },
    {
        name: 'board: rulings should be heard once, not those of a snapshot; silence is remembered',
        async run(stage) {
            const messages = refereed(scenes.quickPlay());
            const at = messages.findIndex((one) => one.decision && one.decision.verdict === 'no_match');
            const mock = await stage.serve(null);
            mock.play(messages.slice(0, at));
            const page = await stage.open('/');
            await shown(page);
            assert.deepEqual(await page.evaluate(() => window.sounds), []);
            mock.send('hello', { ...mock.hello, build: mock.build, recording: false }); // something has changed
            await until(page, () => document.getElementById('record').hidden);
            mock.play(messages.slice(at));
            await untilText(page, '.ruling-head', 'no match');
            assert.deepEqual(await page.evaluate(() => window.sounds), ['error']);
            await page.locator('#sound').click();
            await page.reload();
            await shown(page);
            assert.equal(await page.locator('#sound').getAttribute('aria-pressed'), 'false');
            mock.say('verdict', { decision: { ...messages[at].decision, seq: 999 } });
            await until(page, () => window.sounds.length === 1 && window.sounds[0] === null);
        },
    },
    {
        name: 'board: the clock should run on, rest in a pause, and never run on a stale link',
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay());
            const page = await stage.open('/');
            await shown(page);
            const clock = () => text(page, '#clock');
            const before = await clock();
            await until(page, (then) => document.getElementById('clock').textContent !== then, before);
            mock.silent = true;
            await until(page, () => !document.getElementById('link').hidden);
            const stale = await clock();
            await page.waitForTimeout(1300);
            assert.equal(await clock(), stale, 'a stale clock stands');
            mock.silent = false;
            mock.heartbeat();
            await until(page, () => document.getElementById('link').hidden);
            mock.play(refereed([...scenes.quickPlay(), { t_ms: 43000, event: 'pause', by: 'desk' }]).slice(-3));
            await untilText(page, '#phase', 'Paused');
            const paused = await clock();
            await page.waitForTimeout(1300);
            assert.equal(await clock(), paused, 'a paused clock stands');
            assert.ok(await page.locator('#clock.rests').count());
        },
    },
    {
        name: 'board: messages that are older than what is shown should be passed over',
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay());
            const page = await stage.open('/');
            await shown(page);
            const newest = mock.last.get('state');
            const changed = (more) => ({ ...newest, ...more, state: { ...newest.state, players: newest.state.players.map((one) => ({ ...one, cards: 99 })) } });
            mock.send('state', changed({ seq: 1 }));
            mock.send('state', changed({ epoch: 0, seq: 5000 }));
            mock.send('state', changed({ v: 2, seq: 6000 }));
            mock.send('verdict', { ...mock.head('verdict'), epoch: 0, decision: { seq: 900, index: 0, decision: 'tie', seats: [1, 2] } });
            mock.heartbeat();
            await page.waitForTimeout(400);
            assert.deepEqual(await page.locator('.player .score').allInnerTexts(), ['1', '0', '0', '0']);
            assert.match(plain(await text(page, '.ruling-head')), /no match/);
            mock.epoch = 2;
            mock.seqs = {};
            mock.source = 'feedfacefeedface';
            mock.say('state', { state: { ...newest.state, players: newest.state.players.map((one) => ({ ...one, cards: 7 })) } });
            await until(page, () => document.querySelector('.score').textContent === '7');
        },
    },
    {
        name: 'board: a lost link should be seen, with its age, and be found again',
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay());
            const page = await stage.open('/');
            await shown(page);
            const { port } = mock;
            await mock.stop();
            await untilText(page, '#link', 'No signal');
            const age = async () => Number((await text(page, '#link')).match(/([\d.]+)\D*$/)[1]);
            const first = await age();
            await page.waitForTimeout(700);
            assert.ok(await age() > first, 'the age grows');
            await mock.start(port);
            mock.refuse = 503; // up, but not ready: an EventSource by itself would give up for good
            await page.waitForTimeout(900);
            mock.refuse = 0;
            await until(page, () => document.getElementById('link').hidden);
            mock.play(refereed([...scenes.quickPlay(), { t_ms: 43000, event: 'name', seat: 1, name: 'Adele', by: 'desk' }]).slice(-2));
            await untilText(page, '.seat-1 .name', 'Adele');
            mock.send('link', { ok: false, age_ms: 4000 });
            await untilText(page, '#link', 'No signal · 4');
        },
    },
    {
        name: 'board: a server of another build should make the page load anew, once',
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay());
            const page = await stage.open('/');
            await shown(page);
            const { port } = mock;
            await mock.stop();
            mock.build = 'bbbbbbbbbbbbbbbb';
            mock.stamp = 'aaaaaaaaaaaaaaaa'; // as if something between served the old page: no loop
            await mock.start(port);
            await until(page, () => performance.getEntriesByType('navigation')[0].type === 'reload');
            await shown(page);
            await page.waitForTimeout(1500);
            assert.equal(mock.pages.get('/'), 2, 'loaded twice in all');
        },
    },
    {
        name: 'board: what was ruled while the link was away should be there, and what was taken back not',
        async run(stage) {
            const messages = refereed([...scenes.quickPlay()]);
            const mock = await stage.serve(null);
            mock.play(messages.slice(0, 8));
            const page = await stage.open('/');
            await shown(page);
            for (const client of mock.clients) client.destroy();
            mock.play(messages.slice(8));
            await untilText(page, '.ruling-head', 'Bartholomew Ng: no match');
            const last = messages.filter((one) => one.decision).map((one) => one.decision).findLast((one) => one.decision === 'verdict');
            mock.say('void', { decision: { seq: last.seq, index: last.index } });
            await untilText(page, '.ruling-head', 'A ruling was taken back');
            await page.reload();
            await shown(page);
            assert.doesNotMatch(plain(await text(page, '#ruling')), /symbol is wrong/);
        },
    },
    {
        name: 'board: the final table should have ranks, and the digest of the record', core: true,
        async run(stage) {
            const mock = await stage.serve(scenes.finished());
            mock.say('health', { health: { reasons: [], recorder: null, record: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' } });
            const page = await stage.open('/');
            await untilText(page, '#final h2', 'Final table');
            assert.deepEqual(await page.locator('#final tbody .rank').allInnerTexts(), ['1', '2 =', '2 =']);
            assert.match(await text(page, '#final tbody tr'), /Ada Lindqvist/);
            assert.match(await text(page, '.digest'), /9f86d081 884c7d65/);
            await untilText(page, '.ruling-head', 'Ada Lindqvist wins the match');
            await keep(page, 'board-final');
        },
    },
    {
        name: 'board: Total Madness should show five cards and who owes one', core: true,
        async run(stage) {
            await stage.serve(scenes.totalMadness());
            const page = await stage.open('/', { theme: 'light' });
            await untilText(page, '.seat-2 .mark', 'Owes a card');
            assert.equal(await page.locator('#on-table svg.card').count(), 5);
            assert.deepEqual(await page.locator('.score').allInnerTexts(), ['2', '0', '3', '0']);
            await untilText(page, '.ruling-why', 'the next card won is owed');
            assert.deepEqual(await pale(page), []);
            await keep(page, 'board-madness-light');
        },
    },
    {
        name: 'board: Make 5 should show the ramp, its points, the last disc and what was no legal move', core: true,
        async run(stage) {
            await stage.serve(scenes.make5Illegal());
            const page = await stage.open('/');
            await untilText(page, '.ruling-head', 'That is no legal move');
            await untilText(page, '.ruling-why', 'a disc lies above an empty place');
            assert.equal(await page.locator('#on-table .disc').count(), 8);
            assert.equal(await page.locator('#on-table .disc.last').count(), 1);
            assert.deepEqual(await page.locator('#on-table .ramp-points').allTextContents(), ['3', '0', '0', '0', '0']);
            assert.equal(await page.locator('#ruling .disc').count(), 9, 'what was seen is shown');
            await untilText(page, '.seat-1 .mark', 'Maker');
            await keep(page, 'board-make5');
        },
    },
    {
        name: 'board: with own stacks each player should have a card',
        async run(stage) {
            await stage.serve(scenes.ownStacks());
            const page = await stage.open('/');
            await until(page, () => document.querySelectorAll('#on-table .pile .card').length === 2);
            assert.deepEqual(await page.locator('.pile .name').allInnerTexts(), scenes.NAMES.slice(0, 2));
        },
    },
    {
        name: 'board: a reading on its way should be lighter, and in its place',
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay());
            const page = await stage.open('/');
            await shown(page);
            const cells = [['x', 200, 100], ['+', 235, 100], ['o', 200, 140]].map(([symbol, x, y]) => ({ row: null, col: null, symbol, confidence: 0.9, second: 'x', center_px: [0, 0], center_mm: [x, y] }));
            mock.say('layout', { layout: { settled: false, seat: { seat: 1, state: 'incomplete', grid: null, turned_deg: 0, confidence: 0.9, cells, reasons: ['missing_block'] }, slot: null } });
            await until(page, () => document.querySelectorAll('.seat-1 .grid.partial .cell').length === 3);
            const light = await page.locator('.seat-1 .cell').first().evaluate((one) => Number(getComputedStyle(one).opacity));
            assert.ok(light < 0.7);
            // Seat 1 of the mat faces down: its player sees the first cell at the right, and the third above.
            const places = await page.locator('.seat-1 .cell').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map((box) => [box.x, box.y]));
            assert.ok(places[1][0] < places[0][0] && places[2][1] < places[0][1], JSON.stringify(places));
        },
    },
    {
        name: 'board: health and the recorder should be told in words',
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay());
            const page = await stage.open('/');
            await shown(page);
            assert.ok(await page.locator('#health').isHidden());
            mock.say('health', { health: { reasons: ['mat_moved'], recorder: 'the disk is full' } });
            await untilText(page, '#health', 'the mat or the camera was moved · The recording has a gap: the disk is full');
            mock.say('health', { health: { reasons: [], recorder: null } });
            await until(page, () => document.getElementById('health').hidden);
        },
    },
    {
        name: 'board: texts should stand out from their ground, in both themes; the switch is remembered',
        async run(stage) {
            await stage.serve(scenes.quickPlay());
            const page = await stage.open('/');
            await shown(page);
            assert.deepEqual(await pale(page), []);
            await page.locator('#theme').click();
            await page.locator('#theme').click();
            assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
            assert.deepEqual(await pale(page), []);
            await page.reload();
            await shown(page);
            assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
        },
    },
    {
        name: 'board: it should fit a phone, and a large screen without scrolling',
        async run(stage) {
            await stage.serve(scenes.totalMadness());
            const phone = await stage.open('/', { width: 360, height: 740 });
            await shown(phone);
            assert.deepEqual(await tooWide(phone), []);
            await keep(phone, 'board-phone');
            const wall = await stage.open('/', { width: 3840, height: 2160 });
            await shown(wall);
            assert.ok(await wall.evaluate(() => document.documentElement.scrollHeight <= innerHeight && document.getElementById('ruling').getBoundingClientRect().bottom <= innerHeight));
        },
    },
    {
        name: 'board: it should speak the browser’s language, the address’s, and the switch’s',
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay(), { languages: { sv: catalogue('sv'), fi: catalogue('fi'), de: catalogue('de') } });
            const page = await stage.open('/', { locale: 'sv-SE' });
            await untilText(page, '.ruling-head', 'Bartholomew Ng: fel mönster');
            await untilText(page, '.ruling-why', 'en symbol är fel');
            await untilText(page, '#game', 'Snabbspel');
            assert.equal(await page.evaluate(() => document.documentElement.lang), 'sv');
            await page.goto(`${stage.mock.address}/?lang=fi`);
            await untilText(page, '.ruling-head', 'Bartholomew Ng: kuvio väärin');
            assert.equal(await page.evaluate(() => document.documentElement.lang), 'fi');
            // The language that the table was started with goes before the browser's.
            mock.languages.table = 'de';
            await page.goto(stage.mock.address);
            await untilText(page, '.ruling-head', 'Bartholomew Ng: falsches Muster');
            await page.locator('#language').selectOption('en');
            await untilText(page, '.ruling-head', 'Bartholomew Ng: no match');
            await page.reload();
            await untilText(page, '#game', 'Quick-Play Game');
            assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
        },
    },
    {
        name: 'all pages: the words of every language should fit, on a wall and on a phone', core: true,
        async run(stage) {
            const codes = ['sv', 'da', 'nb', 'fi', 'fr', 'de', 'es'];
            await stage.serve(scenes.quickPlay(), { languages: Object.fromEntries(codes.map((code) => [code, catalogue(code)])) });
            const wall = await stage.open('/');
            const desk = await stage.open(`/operator#${KEY}`, { width: 1600, height: 1000 });
            const phone = await stage.open(`/claim?seat=1#${KEY}`, { width: 390, height: 844 });
            for (const code of codes) {
                const words = catalogue(code);
                await Promise.all([[wall, '/', ''], [desk, '/operator', `#${KEY}`], [phone, '/claim', `#${KEY}`]].map(([page, path, key]) =>
                    page.goto(`${stage.mock.address}${path}?lang=${code}&seat=1${key}`)));
                await untilText(wall, '.ruling-head', plain(words['{name}: no match']).replace('{name}', 'Bartholomew Ng'));
                await untilText(phone, '#match', words['MATCH!']);
                await untilText(desk, 'h2, h3, legend, label, button', words.Timeline);
                for (const page of [wall, desk, phone]) assert.deepEqual(await tooWide(page), [], code);
            }
            await keep(wall, 'board-es');
            await keep(desk, 'desk-es');
        },
    },
    {
        name: 'overlay: it should be transparent, lie where it is asked to, and show what is asked for', core: true,
        async run(stage) {
            await stage.serve(scenes.quickPlay());
            const page = await stage.open('/overlay?pos=bottom&scale=1.5');
            await until(page, () => document.querySelectorAll('.chip').length === 4);
            const picture = await page.screenshot({ omitBackground: true });
            const alpha = await page.evaluate(async (base64) => {
                const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
                const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
                const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
                canvas.drawImage(bitmap, 0, 0);
                const at = (x, y) => canvas.getImageData(x, y, 1, 1).data[3];
                const chip = document.querySelector('.chip').getBoundingClientRect();
                return [at(960, 200), at(20, 500), at(chip.x + chip.width / 2, chip.y + 6)];
            }, picture.toString('base64'));
            assert.deepEqual(alpha, [0, 0, 255]);
            const top = async () => (await page.locator('.chip').first().boundingBox()).y;
            assert.ok(await top() > 800);
            assert.deepEqual(await page.locator('.chip .points').allInnerTexts(), ['1', '0', '0', '0']);
            assert.ok(await page.locator('#cards svg.card').count() === 1);
            await page.goto(`${stage.mock.address}/overlay?pos=top&show=names,clock`);
            await until(page, () => document.querySelectorAll('.chip').length === 4);
            assert.ok(await top() < 100);
            assert.equal(await page.locator('.points').count(), 0);
            assert.ok(await page.locator('#cards').isHidden());
            assert.match(await text(page, '#time'), /^\d+:\d\d$/);
        },
    },
    {
        name: 'overlay: a ruling should be shown as it is made, and long names stay within',
        async run(stage) {
            const messages = refereed(scenes.quickPlay(scenes.WILD));
            const at = messages.findIndex((one) => one.decision && one.decision.verdict === 'no_match');
            const mock = await stage.serve(null);
            mock.play(messages.slice(0, at));
            const page = await stage.open('/overlay', { width: 1280, height: 720 });
            await until(page, () => document.querySelectorAll('.chip').length === 4);
            assert.ok(await page.locator('#said').isHidden());
            mock.play(messages.slice(at));
            await untilText(page, '#said', 'no match');
            await untilText(page, '#said', 'a symbol is wrong');
            assert.deepEqual(await tooWide(page), []);
            await keep(page, 'overlay');
        },
    },
];
