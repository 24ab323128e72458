// tools.mjs: what the pages' tests stand on.
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { OUT } from './browser.mjs';
import { KEY, Mock, refereed } from './mock.mjs';

export { assert };

// How long a page may take to show what it was told. Generous: no test depends on speed.
export const patience = { ms: 8000 };

// A test's own server and pages, with whatever went wrong in them.
export class Stage {
    constructor(browser, options = {}) {
        this.browser = browser;
        this.options = options;
        this.faults = [];
        this.contexts = [];
    }

    // A server that has told a match as far as the events go.
    async serve(events, options = {}) {
        this.mock = new Mock({ ...this.options, ...options });
        if (this.options.files) this.mock.files = this.options.files;
        await this.mock.start();
        if (events) this.mock.play(refereed(events));
        return this.mock;
    }

    async open(path, { width = 1920, height = 1080, theme = 'dark', locale = 'en-GB', before } = {}) {
        const context = await this.browser.newContext({ viewport: { width, height }, colorScheme: theme, locale });
        this.contexts.push(context);
        const page = await context.newPage();
        page.setDefaultTimeout(patience.ms);
        page.on('pageerror', (error) => this.faults.push(`page: ${error.message}`));
        page.on('dialog', (dialog) => {
            this.faults.push(`a dialog: ${dialog.message()}`);
            dialog.dismiss();
        });
        page.on('console', (message) => {
            if (/Content Security Policy|Refused to/.test(message.text())) this.faults.push(message.text());
        });
        await page.addInitScript(() => {
            window.sounds = [];
            document.addEventListener('tableref-sound', (event) => window.sounds.push(event.detail));
        });
        if (before) await page.addInitScript(before);
        await page.goto(this.mock.address + path, { timeout: 30000 });
        return page;
    }

    desk(path = '/operator', options = {}) {
        return this.open(`${path}#${KEY}`, { width: 1600, height: 1000, ...options });
    }

    async close() {
        for (const context of this.contexts) await context.close();
        if (this.mock) await this.mock.stop();
        assert.deepEqual(this.faults, [], 'no page should have a fault');
    }
}

// Waits until `what` (in the page) is true.
export async function until(page, what, argument) {
    try {
        await page.waitForFunction(what, argument, { timeout: patience.ms, polling: 50 });
    } catch {
        const seen = await page.evaluate(() => document.body.innerText.slice(0, 600)).catch(() => '');
        throw new Error(`never came: ${JSON.stringify(argument) || what}\non: ${seen.replace(/\s+/g, ' ')}`);
    }
}

export const text = (page, selector) => page.locator(selector).first().innerText();

// A text without what keeps its directions apart.
export const plain = (words) => words.replace(/[\u2066-\u2069]/g, '');

export async function untilText(page, selector, words) {
    await until(page, ([where, what]) => [...document.querySelectorAll(where)].some((element) =>
        !element.hidden && element.textContent.replace(/[\u2066-\u2069]/g, '').includes(what)), [selector, words]);
}

export const keep = (page, name) => page.screenshot({ path: join(OUT, `${name}.png`) });

// Everything that is wider than the window, or hangs out of it at a side.
export const tooWide = (page) => page.evaluate(() => {
    const most = document.documentElement.clientWidth + 1;
    const out = document.documentElement.scrollWidth > most ? ['the page scrolls sideways'] : [];
    for (const element of document.querySelectorAll('.name, button, select, input, .mark, .score, h1, h2, p')) {
        const box = element.getBoundingClientRect();
        if (box.width && (box.right > most || box.left < -1)) out.push(`${element.tagName}.${element.className} at ${box.left}..${box.right}`);
    }
    return out;
});

// Controls that nobody could name by ear.
export const nameless = (page) => page.evaluate(() => {
    const named = (element) => (element.getAttribute('aria-label') || '').trim()
        || (element.labels && [...element.labels].some((label) => label.textContent.trim()))
        || (element.matches('button, a') && element.textContent.trim());
    return [...document.querySelectorAll('button, input, select, a')].filter((element) => !named(element))
        .map((element) => element.outerHTML.slice(0, 120));
});

// Texts whose contrast with their ground is below 4.5 (3 for large ones), by the formula of WCAG.
export const pale = (page) => page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const colour = (value) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = value;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const ground = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const back = colour(getComputedStyle(at).backgroundColor);
            if (back[3] > 250) return back;
        }
        return [255, 255, 255, 255];
    };
    const ratio = (one, other) => {
        const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
    };
    const faults = [];
    let seen = 0;
    const check = (element, ink, back) => {
        const style = getComputedStyle(element);
        const size = parseFloat(style.fontSize);
        const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        const found = ratio(ink, back);
        seen += 1;
        if (found < (large ? 3 : 4.5)) faults.push(`${element.tagName}.${element.getAttribute('class')} "${element.textContent.slice(0, 20)}" ${found.toFixed(2)}`);
    };
    for (const element of document.querySelectorAll('body *')) {
        if (element.closest('svg') || !element.checkVisibility()) continue;
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (own) check(element, colour(getComputedStyle(element).color), ground(element));
    }
    for (const number of document.querySelectorAll('.badge-number'))
        check(number, colour(getComputedStyle(number).fill), colour(getComputedStyle(number.previousElementSibling).fill));
    return seen ? faults : ['no text at all'];
});
