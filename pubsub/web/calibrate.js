// calibrate.js: the page of a calibration. For a lens: where in the picture the board was already, and
// what is missing. For a table: the mat as it was found, drawn over the picture; its corners can be
// moved by hand, with the mouse, a finger or the keys.
import { draw, fill, make, setText, show } from './dom.js';
import { loadLanguage, t } from './i18n.js';
import { switches } from './page.js';
import { applyTheme, themeNow } from './prefs.js';
import { act, hasKey, look, lookPicture, takeKey } from './request.js';

const EVERY_MS = 400;
const CORNERS_MS = 150;
const SETTLE_MS = 2000; // until the table's answer to a move has come
const STEP_PX = 1;
const STRIDE_PX = 10;
const parts = {};
let held = null; // the corners while they are moved by hand: no newer outline takes them away
let holding = -1;
let movedAt = -Infinity;
let sending = null;
let kind = '';

const points = (outline) => outline.map((point) => point.join(',')).join(' ');
const polygon = (outline, name) => (outline ? draw('polygon', { points: points(outline), class: name }) : null);

async function button(what) {
    const answer = await act(what);
    setText(parts.said, answer.ok ? `✓ ${t('Done')}` : `✕ ${answer.text || answer.error}`);
    if (what === 'again') movedAt = -Infinity;
}

function buildSide() {
    const press = (text, what, main) => {
        const made = make('button', { type: 'button', 'data-do': what, class: main ? 'main' : null, text });
        made.addEventListener('click', () => button(what));
        return made;
    };
    parts.title = make('h1');
    parts.hint = make('p', { id: 'hint', role: 'status' });
    parts.says = make('ul', { id: 'says' });
    parts.facts = make('p', { id: 'facts' });
    parts.said = make('p', { id: 'said', class: 'quiet', role: 'status' });
    parts.camera = make('div', { class: 'row', hidden: true }, press(t('That is enough'), 'done', true));
    parts.table = make('div', { class: 'row', hidden: true },
        press(t('Yes, this grid is right'), 'right', true), press(t('Look again'), 'again', false));
    parts.how = make('p', { class: 'quiet', hidden: true,
        text: t('If the grid is not right, move the corners of the mat: drag them, or choose one with the Tab key and use the arrow keys (with Shift in larger steps).') });
    return make('section', { id: 'side', 'aria-label': t('Calibration') },
        switches({ sound: false }), parts.title, parts.hint, parts.camera, parts.table, parts.how, parts.said, parts.says, parts.facts);
}

function build() {
    parts.image = make('img', { id: 'picture', alt: t('The camera’s picture'), hidden: true });
    parts.lines = draw('svg', { id: 'outlines' });
    parts.shapes = draw('g', { 'aria-hidden': 'true' });
    parts.handles = draw('g', {});
    parts.lines.append(parts.shapes, parts.handles);
    document.getElementById('page').append(
        make('div', { class: 'frame' }, parts.image, parts.lines), buildSide());
    buildHandles();
}

// ---- the mat's corners ----

function placeHandles() {
    for (const [i, handle] of [...parts.handles.children].entries()) {
        handle.setAttribute('cx', held[i][0]);
        handle.setAttribute('cy', held[i][1]);
    }
}

function sendCorners() {
    clearTimeout(sending);
    sending = setTimeout(async () => {
        const answer = await act('corners', { px: held.map((point) => [...point]) });
        if (!answer.ok) setText(parts.said, `✕ ${answer.text || answer.error}`);
    }, CORNERS_MS);
}

function moveCorner(i, x, y) {
    movedAt = performance.now();
    held[i] = [Math.round(x * 10) / 10, Math.round(y * 10) / 10];
    placeHandles();
    sendCorners();
}

function pointOf(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(parts.lines.getScreenCTM().inverse());
    return [point.x, point.y];
}

function buildHandles() {
    const names = [t('Top left corner'), t('Top right corner'), t('Bottom right corner'), t('Bottom left corner')];
    for (let i = 0; i < 4; i++) {
        const handle = draw('circle', { class: 'handle', tabindex: '0', role: 'button', 'aria-label': names[i], r: 14 });
        handle.addEventListener('pointerdown', (event) => {
            holding = i;
            handle.setPointerCapture(event.pointerId);
            handle.focus();
            event.preventDefault();
        });
        handle.addEventListener('pointermove', (event) => holding === i && held && moveCorner(i, ...pointOf(event)));
        handle.addEventListener('pointerup', () => { holding = -1; });
        handle.addEventListener('keydown', (event) => {
            const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
            if (!way || !held) return;
            const step = event.shiftKey ? STRIDE_PX : STEP_PX;
            event.preventDefault();
            moveCorner(i, held[i][0] + way[0] * step, held[i][1] + way[1] * step);
        });
        parts.handles.append(handle);
    }
}

// ---- what is drawn over the picture ----

function fieldShapes(outline) {
    const [width, height] = outline.size;
    const rows = outline.fields.length;
    const cols = outline.fields[0].length;
    return outline.fields.flatMap((row, y) => row.map((count, x) => draw('rect', {
        x: x * width / cols, y: y * height / rows, width: width / cols, height: height / rows,
        class: count > 0 ? 'o-field full' : 'o-field',
    })));
}

function shapesOf(outline) {
    const shapes = outline.fields ? fieldShapes(outline) : [];
    const size = outline.size ? outline.size[0] / 250 : 4;
    for (const [x, y] of outline.points || []) shapes.push(draw('circle', { cx: x, cy: y, r: size, class: 'o-point' }));
    shapes.push(polygon(outline.mat, 'o-mat'));
    for (const slot of outline.slots || []) shapes.push(polygon(slot.outline, 'o-slot'));
    for (const seat of outline.seats || []) shapes.push(polygon(seat.outline, 'o-seat'));
    for (const [a, b] of outline.grid || [])
        shapes.push(draw('line', { x1: a[0], y1: a[1], x2: b[0], y2: b[1], class: 'o-grid' }));
    return shapes.filter((shape) => shape !== null);
}

function saysOf(outline) {
    return (outline.says || []).map((said) => make('li', { class: said.blocks ? 'blocks' : null, text: said.text }));
}

function update(outline) {
    const corners = outline.kind === 'table';
    kind = outline.kind;
    parts.lines.setAttribute('viewBox', `0 0 ${outline.size[0]} ${outline.size[1]}`);
    for (const handle of parts.handles.children) handle.setAttribute('r', outline.size[0] / 90);
    setText(parts.title, corners ? t('Is this grid right?') : t('The camera’s lens'));
    setText(parts.hint, outline.hint || '');
    setText(parts.facts, (outline.facts || []).join('\n'));
    fill(parts.shapes, { ...outline, frame: 0, hint: 0 }, () => shapesOf(outline));
    fill(parts.says, outline.says || [], () => saysOf(outline));
    show(parts.camera, !corners);
    show(parts.table, corners);
    show(parts.how, corners);
    parts.handles.setAttribute('visibility', corners ? 'visible' : 'hidden');
    if (!corners) return;
    // What a person moved stays where it was put; else the corners are where the eyes see them.
    const moved = holding >= 0 || outline.by_hand || performance.now() - movedAt < SETTLE_MS;
    if (!held || !moved) {
        const [width, height] = outline.size;
        const somewhere = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]].map(([x, y]) => [x * width, y * height]);
        held = (outline.mat || somewhere).map((point) => [...point]);
    }
    placeHandles();
}

async function refresh() {
    const outline = await look('/api/outline');
    const picture = outline && outline.ok ? await lookPicture('/api/picture') : null;
    if (!picture) {
        setText(parts.hint, kind ? t('The calibration has ended; look at the terminal.') : t('No picture yet'));
        return;
    }
    const address = URL.createObjectURL(picture.blob);
    const before = parts.image.src;
    parts.image.src = address;
    await parts.image.decode().catch(() => {});
    if (before.startsWith('blob:')) URL.revokeObjectURL(before);
    show(parts.image, true);
    update(outline);
}

async function begin() {
    applyTheme(themeNow());
    await loadLanguage();
    build();
    if (!hasKey()) setText(parts.hint, t('This page needs the key that stands in the address which the terminal shows.'));
    let busy = false;
    setInterval(() => {
        if (busy || !hasKey() || document.hidden) return;
        busy = true;
        refresh().finally(() => { busy = false; });
    }, EVERY_MS);
}

takeKey();
begin();
