// browser.mjs: Debian's Chromium, by playwright-core, which `make check` puts into build/browser.
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { ROOT } from './mock.mjs';

export const OUT = resolve(ROOT, process.env.B || 'build', 'browser');
const { chromium } = createRequire(join(OUT, 'index.js'))('playwright-core');

// In a container root has no sandbox; pages are our own.
export const launch = () => chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--autoplay-policy=no-user-gesture-required'],
});
