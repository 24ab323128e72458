// test_desk.mjs: the operator's page and the phones' claim page.
import { game, KEY, refereed } from './mock.mjs';
import * as scenes from './scenes.mjs';
import { assert, keep, nameless, pale, text, tooWide, until, untilText } from './tools.mjs';

const button = (page, name) => page.getByRole('button', { name, exact: true });
const asked = (mock, what) => mock.requests.filter((one) => one.do === what);

async function untilAsked(page, mock, what, count = 1) {
    for (let i = 0; i < 100 && asked(mock, what).length < count; i++) await page.waitForTimeout(50);
    assert.equal(asked(mock, what).length, count, `${what} was asked for ${asked(mock, what).length} times`);
    return asked(mock, what).at(-1);
}

const ready = (page) => until(page, () => document.querySelectorAll('.seat').length > 0);

// The history as the table would answer it, made of what the referee said.
function historyOf(messages) {
    const entries = new Map();
    for (const { decision } of messages) {
        if (!decision || !decision.decision) continue;
        const entry = entries.get(decision.cause) || { event: decision.cause, t_ns: decision.t_ns, kind: decision.decision === 'verdict' ? 'claim' : 'start', undone: false, by: null, why: null, seat: decision.seat, slot: null, words: [], decisions: [] };
        if (decision.decision === 'verdict') entry.kind = 'claim';
        entry.decisions.push(decision);
        entries.set(decision.cause, entry);
    }
    return [...entries.values()].sort((a, b) => a.event - b.event);
}

const OUTLINE = {
    frame: 139, t_ns: 1, size: [1920, 1080], mirrored: false,
    mat: [[620, 160], [1230, 150], [1250, 590], [650, 600]],
    seats: [{ seat: 1, outline: [[690, 180], [930, 170], [935, 330], [695, 345]], cells: [{ row: 0, col: 0, symbol: '+', confidence: 0.99, center_px: [820, 200], outline: [[806, 188], [832, 186], [834, 212], [808, 214]] }] }],
    slots: [{ slot: 3, outline: [[915, 355], [980, 353], [982, 418], [917, 420]] }],
};

export const tests = [
    {
        name: 'operator: start, pause and going on should be one touch each, by a fresh id', core: true,
        async run(stage) {
            const messages = refereed(scenes.quickPlay());
            const mock = await stage.serve(null);
            mock.play(messages.slice(0, 2)); // set up, ready
            const page = await stage.desk();
            await button(page, 'Start').click();
            const start = await untilAsked(page, mock, 'start');
            assert.equal(start.key, KEY);
            assert.ok(!('why' in start) && !('v' in start), JSON.stringify(start));
            mock.play(messages.slice(2));
            await page.getByLabel('Reason').fill('a block fell from the table');
            await button(page, 'Pause').click();
            const pause = await untilAsked(page, mock, 'pause');
            assert.equal(pause.why, 'a block fell from the table');
            assert.equal(pause.by, 'desk');
            assert.equal(pause.epoch, 1);
            await untilText(page, '#said', 'Done');
            assert.equal(await page.getByLabel('Reason').inputValue(), '', 'a reason is for one act');
            assert.match(start.id, /^[A-Za-z0-9_-]{10,64}$/);
            assert.notEqual(start.id, pause.id);
            mock.play(refereed([...scenes.quickPlay(), { t_ms: 43000, event: 'pause', by: 'desk' }]).slice(-3));
            await button(page, 'Go on').click();
            await untilAsked(page, mock, 'resume');
        },
    },
    {
        name: 'operator: a ruling and a photo finish should be shown from the record',
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay());
            mock.history = historyOf(refereed(scenes.quickPlay()));
            const win = mock.history.find((entry) => entry.decisions.some((decision) => decision.decision === 'win'));
            for (const entry of mock.history) for (const decision of entry.decisions) if (decision.decision === 'verdict') decision.digest = 'a'.repeat(64);
            mock.finishes = [{ event: win.event }];
            const page = await stage.desk();
            const ruled = win.decisions.find((decision) => decision.decision === 'verdict');
            const row = page.locator(`#timeline li[data-event="${win.event}"]`);
            await row.getByRole('button', { name: /^Picture/ }).click();
            await until(page, () => document.querySelector('dialog.record[open] img') && document.querySelector('dialog.record img').naturalWidth > 0);
            assert.deepEqual(mock.drawn, [`/evidence/${ruled.seq}-${ruled.index}.png`]);
            assert.deepEqual(await nameless(page), []);
            await keep(page, 'desk-evidence');
            await page.locator('dialog.record').getByRole('button', { name: 'Close' }).click();
            await until(page, () => !document.querySelector('dialog.record[open]'));
            await row.getByRole('button', { name: /^Photo finish/ }).click();
            await until(page, () => document.querySelector('dialog.record[open] img') && !document.querySelector('dialog.record img').hidden);
            assert.equal(mock.drawn.at(-1), `/finish/${win.event}.png`);
            assert.equal(await page.getByRole('button', { name: /^Photo finish/ }).count(), 1, 'only where one was near');
        },
    },
    {
        name: 'operator: the key should leave the address, stay with the tab, and be asked for when it is wrong',
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay());
            const page = await stage.desk();
            await ready(page);
            assert.equal(await page.evaluate(() => location.hash), '');
            await page.reload();
            await ready(page);
            await button(page, 'Pause').click();
            assert.equal((await untilAsked(page, mock, 'pause')).key, KEY);
            const other = await stage.open('/operator');
            await ready(other);
            await other.getByLabel('The operator’s key').fill('wrong');
            await button(other, 'Use').click();
            await button(other, 'Pause').click();
            await untilText(other, '#said', 'this needs the operator');
            await other.getByLabel('The operator’s key').fill(KEY);
            await button(other, 'Use').click();
            await button(other, 'Pause').click();
            await untilText(other, '#said', 'Done');
            const keys = await stage.open('/');
            assert.ok(!(await keys.content()).includes(KEY));
        },
    },
    {
        name: 'operator: an act without an answer should be asked for again by the same id, a refusal be told',
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay());
            const page = await stage.desk();
            await ready(page);
            mock.lose = 2;
            await button(page, 'Award the card: Seat 3').click();
            await untilAsked(page, mock, 'award', 3);
            assert.equal(new Set(mock.requests.map((one) => one.id)).size, 1);
            assert.equal(asked(mock, 'award')[0].seat, 3);
            mock.answer = () => ({ ok: false, error: 'refused', text: 'the act falls on nothing: out', why: 'out', decisions: [] });
            await button(page, 'Penalise: Seat 2').click();
            await untilText(page, '#said', 'out for this card');
            mock.answer = () => ({ ok: false, error: 'not_written', text: 'the journal cannot be written: it has not happened' });
            await button(page, 'Nobody gets it: Slot 3').click();
            await untilText(page, '#said', 'the journal cannot be written');
            const aside = asked(mock, 'set_aside')[0];
            assert.deepEqual([aside.seat, aside.slot], [null, 3]);
        },
    },
    {
        name: 'operator: names, claims, giving up and cards for each seat',
        async run(stage) {
            const events = scenes.totalMadness();
            const mock = await stage.serve(events);
            const page = await stage.desk();
            await ready(page);
            await page.getByLabel('Name at seat 2').fill('Bodil');
            await page.getByLabel('Name at seat 2').press('Enter');
            const name = await untilAsked(page, mock, 'name');
            assert.deepEqual([name.seat, name.name], [2, 'Bodil']);
            await page.getByLabel('Card for seat 1').selectOption('5');
            await button(page, 'Claim: Seat 1').click();
            const claim = await untilAsked(page, mock, 'claim');
            assert.deepEqual([claim.seat, claim.slot], [1, 5]);
            assert.ok(Math.abs(claim.claimed_t_ns - mock.now()) < 5e9 && claim.error_ns >= 3e8, JSON.stringify(claim));
            await button(page, 'Gives up: Seat 1').click();
            assert.deepEqual([(await untilAsked(page, mock, 'give_up')).slot], [5]);
            await button(page, 'All give up: Slot 2').click();
            const all = await untilAsked(page, mock, 'give_up', 2);
            assert.deepEqual([all.seat, all.slot], [null, 2]);
            await button(page, 'Abandon …').click();
            await button(page, 'No, play on').click();
            await button(page, 'Abandon …').click();
            await button(page, 'Abandon the match').click();
            await untilAsked(page, mock, 'abandon');
        },
    },
    {
        name: 'operator: the likely correction, a ruling that waits and a tie should be one touch', core: true,
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay());
            const page = await stage.desk();
            await button(page, 'It was right').click();
            const overrule = await untilAsked(page, mock, 'overrule');
            const verdict = [...mock.last.values()].map((one) => one.decision).find((one) => one && one.verdict === 'no_match');
            assert.deepEqual([overrule.event, overrule.ruling], [verdict.cause, 'match']);
            mock.hello.match = 'second';
            mock.last.clear();
            mock.play(refereed(scenes.asking()));
            for (const client of mock.clients) client.destroy();
            await untilText(page, '.ask', 'The referee says: No match. Do you agree?');
            await button(page, 'Do not agree').click();
            const confirm = await untilAsked(page, mock, 'confirm');
            assert.equal(confirm.agree, false);
            assert.equal(confirm.cause, mock.last.get('state').state.claims[0].cause);
            mock.hello.match = 'third';
            mock.last.clear();
            mock.play(refereed(scenes.tie()));
            for (const client of mock.clients) client.destroy();
            await untilText(page, '.ask', 'Tie: who was first?');
            await button(page, 'Shared').click();
            const decide = await untilAsked(page, mock, 'decide');
            assert.deepEqual(decide.seats, [1, 3]);
            assert.equal(decide.cause, mock.last.get('state').state.claims[0].attempt);
        },
    },
    {
        name: 'operator: the timeline should tell what was, take it back, put it back and rule otherwise', core: true,
        async run(stage) {
            const messages = refereed(scenes.quickPlay());
            const mock = await stage.serve(null);
            mock.play(messages);
            mock.history = historyOf(messages);
            const page = await stage.desk();
            const wrong = mock.history.find((one) => one.decisions.some((decision) => decision.verdict === 'no_match'));
            const row = page.locator(`#timeline [data-event="${wrong.event}"]`);
            await row.getByRole('button', { name: /^Undo/ }).click();
            assert.equal((await untilAsked(page, mock, 'undo')).event, wrong.event);
            await row.getByRole('button', { name: /^Overrule: .?Match/ }).click();
            const overrule = await untilAsked(page, mock, 'overrule');
            assert.deepEqual([overrule.event, overrule.ruling], [wrong.event, 'match']);
            mock.history = mock.history.map((one) => (one === wrong ? { ...one, undone: true, decisions: [], words: [{ do: 'undo', by: 'desk', why: 'the wrong table', after: 20 }] } : one));
            mock.say('void', { decision: { seq: wrong.event, index: 0 } });
            await untilText(page, `#timeline [data-event="${wrong.event}"]`, 'the wrong table');
            await row.getByRole('button', { name: /^Redo/ }).click();
            assert.equal((await untilAsked(page, mock, 'redo')).event, wrong.event);
        },
    },
    {
        name: 'operator: the camera’s picture should have its cells outlined, when they are of that picture', core: true,
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay());
            mock.outline = OUTLINE;
            const page = await stage.desk();
            await until(page, () => document.getElementById('picture') && document.getElementById('picture').naturalWidth === 1920);
            await until(page, () => document.querySelectorAll('#outlines .o-cell').length === 1);
            assert.equal(await text(page, '.o-symbol').catch(() => page.locator('.o-symbol').textContent()), '+');
            await page.evaluate(() => {
                window.asked = performance.now();
            });
            mock.history = historyOf(refereed(scenes.quickPlay()));
            await page.waitForTimeout(300);
            await keep(page, 'operator');
            mock.outline = { ...OUTLINE, frame: 140 };
            await until(page, () => document.getElementById('outlines').classList.contains('unseen-lines'));
        },
    },
    {
        name: 'operator: each seat should have a code for its phone',
        async run(stage) {
            await stage.serve(scenes.quickPlay());
            const page = await stage.desk();
            await button(page, 'Phone: Seat 2').click();
            const image = page.getByAltText('Code for the phone of seat 2');
            await until(page, () => document.querySelector('.qr') && document.querySelector('.qr').naturalWidth > 0);
            assert.ok((await image.boundingBox()).width >= 160);
            await button(page, 'Phone: Seat 2').click();
            assert.equal(await page.locator('.qr').count(), 0);
        },
    },
    {
        name: 'operator: Make 5: passing, the next round, and setting the ramp',
        async run(stage) {
            const mock = await stage.serve(scenes.make5());
            const page = await stage.desk();
            await until(page, () => document.querySelectorAll('.ramp-row').length === 5);
            await button(page, 'Maker passes').click();
            await untilAsked(page, mock, 'pass');
            await page.getByLabel('Row 2 from the bottom').fill('.w...');
            await page.getByLabel('Whose turn it is').selectOption('breaker');
            await button(page, 'Set the ramp').click();
            const set = await untilAsked(page, mock, 'set_discs');
            assert.deepEqual([set.turn, set.rows_from_bottom], ['breaker', ['rrrgb', '.w...', '.....', '.....', '.....']]);
        },
    },
    {
        name: 'operator: a printed card should be set by its name or its pattern',
        async run(stage) {
            const mock = await stage.serve(game('printed-cards'));
            const state = mock.last.get('state').state;
            mock.say('state', { state: { ...state, phase: 'play', piles: state.piles.map((pile) => ({ ...pile, card: { id: 'L1-02', level: 1, grid: 'xx+*/#*#o/+*..' } })) } });
            const page = await stage.desk();
            const field = page.getByLabel('Set card (its name or pattern)').first();
            await field.fill('L4-01');
            await field.press('Enter');
            assert.equal((await untilAsked(page, mock, 'set_card')).card, 'L4-01');
            await field.fill('x*#/x#*/o../++*');
            await field.press('Enter');
            assert.equal((await untilAsked(page, mock, 'set_card', 2)).grid, 'x*#/x#*/o../++*');
        },
    },
    {
        name: 'operator: all controls should have names and do without a mouse; texts stand out',
        async run(stage) {
            const mock = await stage.serve(scenes.asking());
            mock.history = historyOf(refereed(scenes.asking()));
            const page = await stage.desk();
            await ready(page);
            await until(page, () => document.querySelectorAll('#timeline li').length > 2);
            assert.deepEqual(await nameless(page), []);
            assert.deepEqual(await pale(page), []);
            const reached = new Set();
            for (let i = 0; i < 60; i++) {
                await page.keyboard.press('Tab');
                const focus = await page.evaluate(() => {
                    const one = document.activeElement;
                    return [one.getAttribute('aria-label') || one.textContent || one.id, getComputedStyle(one).outlineStyle, one.tagName];
                });
                if (focus[2] !== 'BODY' && focus[1] === 'none') throw new Error(`the focus on ${focus[0]} is not seen`);
                reached.add(focus[0]);
                if (focus[0] === 'Do not agree' && asked(mock, 'confirm').length === 0) await page.keyboard.press('Enter');
            }
            for (const name of ['Pause', 'Agree', 'Do not agree', 'Claim: Seat 1', 'Phone: Seat 4']) assert.ok(reached.has(name), `${name} is out of reach`);
            await untilAsked(page, mock, 'confirm');
            const light = await stage.desk('/operator', { theme: 'light' });
            await ready(light);
            assert.deepEqual(await pale(light), []);
            const phone = await stage.desk('/operator', { width: 390, height: 844 });
            await ready(phone);
            assert.deepEqual(await tooWide(phone), []);
        },
    },
    {
        name: 'claim: a press should be heard at once, with its time on the table’s clock, and be ruled', core: true,
        async run(stage) {
            const messages = refereed(scenes.quickPlay());
            const at = messages.findIndex((one) => one.decision && one.decision.verdict === 'no_match');
            const mock = await stage.serve(null);
            mock.play(messages.slice(0, at - 1));
            const page = await stage.open(`/claim?seat=2#${KEY}`, {
                width: 390, height: 844,
                before: () => {
                    window.buzzes = [];
                    navigator.vibrate = (pattern) => window.buzzes.push(pattern);
                },
            });
            const match = button(page, 'MATCH!');
            await until(page, () => document.getElementById('match') && document.getElementById('match').getAttribute('aria-disabled') === 'false' && document.getElementById('why').textContent === '');
            const { cause } = messages[at].decision;
            mock.answer = () => ({ ok: true, seq: cause, decisions: [] });
            const before = mock.now();
            await match.click();
            const after = mock.now();
            const claim = await untilAsked(page, mock, 'claim');
            assert.equal(claim.seat, 2);
            assert.equal(claim.attempt, mock.last.get('state').state.piles[0].attempt);
            const slack = claim.error_ns + 2e6;
            assert.ok(claim.claimed_t_ns > before - slack && claim.claimed_t_ns < after + slack, `${before} ${claim.claimed_t_ns} ${after} ${claim.error_ns}`);
            assert.ok(claim.error_ns > 0 && claim.error_ns < 500e6);
            await untilText(page, '#said', 'Heard');
            mock.play(messages.slice(at));
            await untilText(page, '#said', 'no match');
            await untilText(page, '#said', 'a symbol is wrong · out for this card');
            assert.ok(await page.evaluate(() => window.buzzes.length >= 2));
            assert.equal(await page.locator('#said .wrong-cell').count(), 1);
            await until(page, () => document.getElementById('match').getAttribute('aria-disabled') === 'true');
            assert.match(await text(page, '#why'), /out for this card/);
            await match.click({ force: true });
            assert.equal(asked(mock, 'claim').length, 1, 'who is out does not claim');
            assert.deepEqual(await pale(page), []);
            assert.deepEqual(await nameless(page), []);
            assert.deepEqual(await tooWide(page), []);
            await keep(page, 'claim');
        },
    },
    {
        name: 'claim: the button should say why it does nothing',
        async run(stage) {
            const mock = await stage.serve(scenes.quickPlay().slice(0, 1));
            const reason = async (what, words) => {
                const page = await stage.open(what, { width: 360, height: 640 });
                await untilText(page, '#why', words);
                assert.equal(await page.locator('#match').getAttribute('aria-disabled'), 'true');
                assert.equal(await page.locator('#match').getAttribute('aria-describedby'), 'why');
                return page;
            };
            await reason('/claim?seat=1', 'no key');
            const page = await reason(`/claim?seat=1#${KEY}`, 'the match has not started');
            await reason(`/claim?seat=7#${KEY}`, 'nobody plays at that seat');
            const events = scenes.quickPlay();
            events[0].options.claims = 'auto';
            mock.play(refereed(events.slice(0, 3)));
            await untilText(page, '#why', 'nobody needs to call');
            mock.silent = true;
            await untilText(page, '#why', 'No signal');
            assert.deepEqual(await tooWide(page), []);
        },
    },
    {
        name: 'replay: every page should say that it is one, and the desk wind it', core: true,
        async run(stage) {
            const mock = await stage.serve(null);
            mock.replay = { from_t_ns: 0, to_t_ns: 60e9, speed_permille: 2000, paused: true, what_if: false };
            mock.play(refereed(scenes.quickPlay()));
            const page = await stage.desk();
            await untilText(page, '#replay', 'Replay · paused');
            assert.equal(await page.locator('#flow').isVisible(), false, 'what was played is not played on');
            await button(page, 'Play').click();
            await untilAsked(page, mock, 'resume');
            await button(page, 'To the ruling before').click();
            assert.equal((await untilAsked(page, mock, 'seek')).rulings, -1);
            await page.getByLabel('Where the replay stands').fill('30000000000');
            assert.equal((await untilAsked(page, mock, 'seek', 2)).t_ns, 30e9);
            await page.getByRole('group', { name: 'Replay' }).getByLabel('Speed').selectOption('4×');
            assert.equal((await untilAsked(page, mock, 'speed')).speed_permille, 4000);
            mock.replay = { ...mock.replay, paused: false, what_if: true };
            mock.heartbeat();
            await untilText(page, '#replay', 'Replay, not as it was played · 2×');
            await button(page, 'Hold').click();
            await untilAsked(page, mock, 'pause');
            assert.deepEqual(await nameless(page), []);
            assert.deepEqual(await pale(page), []);
            await keep(page, 'replay-desk');
            for (const path of ['/', '/overlay', `/claim?seat=1#${KEY}`]) {
                const other = await stage.open(path);
                await untilText(other, '#replay', 'Replay, not as it was played');
                if (path.startsWith('/claim')) await untilText(other, '#why', 'This is a replay');
                await keep(other, `replay${path.replace(/\W.*/, '').slice(0, 8) || '-page'}${path.length}`);
            }
            mock.replay = null;
            mock.heartbeat();
            await until(page, () => document.getElementById('replay').hidden);
        },
    },
    {
        name: 'claim: a lost answer should be asked for again by the same id; a refusal be told; a key do as a finger',
        async run(stage) {
            const mock = await stage.serve(scenes.totalMadness());
            const page = await stage.open(`/claim?seat=3#${KEY}`, { width: 390, height: 844 });
            await until(page, () => document.getElementById('match') && document.getElementById('match').getAttribute('aria-disabled') === 'false' && document.getElementById('why').textContent === '');
            await page.getByRole('radio', { name: 'Card of level 4' }).click();
            assert.equal(await page.getByRole('radio', { name: 'Card of level 4' }).getAttribute('aria-checked'), 'true');
            mock.lose = 1;
            mock.answer = () => ({ ok: false, error: 'refused', why: 'late', text: 'the claim falls on nothing: late', decisions: [] });
            await page.locator('#match').focus();
            await page.keyboard.press('Enter');
            await untilAsked(page, mock, 'claim', 2);
            assert.equal(asked(mock, 'claim')[0].id, asked(mock, 'claim')[1].id);
            assert.equal(asked(mock, 'claim')[0].claimed_t_ns, asked(mock, 'claim')[1].claimed_t_ns);
            assert.equal(asked(mock, 'claim')[0].slot, 4);
            await untilText(page, '#said', 'that card was no longer in play');
            const size = await page.locator('#match').boundingBox();
            assert.ok(size.width > 250 && size.height > 150, 'a big button');
        },
    },
];
