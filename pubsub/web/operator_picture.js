// operator_picture.js: what the camera sees, with what was read drawn over it.
import { draw, fill, make, setText, show } from './dom.js';
import { t } from './i18n.js';
import { look, lookPicture, hasKey } from './request.js';

const EVERY_MS = 1000;
const TRIES = 3;
const parts = {};
let busy = false;
let asked = -Infinity;

export function buildPicture() {
    parts.image = make('img', { id: 'picture', alt: t('The camera’s picture'), hidden: true });
    parts.lines = draw('svg', { id: 'outlines', 'aria-hidden': 'true' });
    parts.note = make('p', { class: 'quiet', text: t('No picture yet') });
    parts.on = make('input', { id: 'picture-on', type: 'checkbox', checked: true });
    return make('section', { id: 'camera', 'aria-label': t('Camera') },
        make('div', { class: 'frame' }, parts.image, parts.lines),
        make('div', { class: 'row' }, parts.on, make('label', { for: 'picture-on', text: t('Live picture') }), parts.note));
}

const points = (outline) => outline.map((point) => point.join(',')).join(' ');

function cellMarks(cell) {
    const middle = cell.center_px || middleOf(cell.outline || []);
    const unsure = (cell.confidence ?? 1) < 0.9;
    return [
        cell.outline ? draw('polygon', { points: points(cell.outline), class: unsure ? 'o-cell unsure' : 'o-cell' }) : null,
        middle ? draw('text', { x: middle[0], y: middle[1], class: 'o-symbol', text: cell.symbol }) : null,
    ];
}

function middleOf(outline) {
    if (outline.length === 0) return null;
    return [0, 1].map((axis) => outline.reduce((sum, point) => sum + point[axis], 0) / outline.length);
}

const outlineOf = (thing) => (Array.isArray(thing) ? thing : thing && thing.outline) || null;

function drawOutlines(outline) {
    const [width, height] = outline.size || [parts.image.naturalWidth, parts.image.naturalHeight];
    parts.lines.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const shapes = [];
    const put = (thing, kind) => outlineOf(thing) && shapes.push(draw('polygon', { points: points(outlineOf(thing)), class: kind }));
    put(outline.mat, 'o-mat');
    for (const slot of outline.slots || []) put(slot, 'o-slot');
    for (const seat of outline.seats || []) {
        put(seat, `o-seat seat-${seat.seat}`);
        for (const cell of seat.cells || []) shapes.push(...cellMarks(cell));
    }
    fill(parts.lines, outline, () => shapes);
}

// A picture with the lines that were read in it. The server keeps both for a moment, so the small one
// is asked for first; where a newer picture came between all the same, both are asked for again.
async function lookBoth() {
    let picture = null;
    for (let i = 0; i < TRIES; i++) {
        const outline = await look('/api/outline');
        picture = await lookPicture('/api/picture');
        if (!picture) return { picture: null, outline: null };
        if (outline && outline.frame !== undefined && String(outline.frame) === picture.frame) return { picture, outline };
    }
    return { picture, outline: null };
}

async function refresh() {
    const { picture, outline } = await lookBoth();
    if (!picture) {
        setText(parts.note, t('No picture'));
        show(parts.image, false);
        parts.lines.replaceChildren();
        parts.lines.filledWith = undefined;
        return;
    }
    const address = URL.createObjectURL(picture.blob);
    const before = parts.image.src;
    parts.image.src = address;
    await parts.image.decode().catch(() => {});
    if (before.startsWith('blob:')) URL.revokeObjectURL(before);
    show(parts.image, true);
    // Lines over another picture than they were read in would mislead.
    if (outline) drawOutlines(outline);
    parts.lines.classList.toggle('unseen-lines', !outline);
    if (outline && outline.light_changed) setText(parts.note, t('The light has changed since the colours were taken'));
    else setText(parts.note, picture.frame ? t('Picture {frame}', { frame: picture.frame }) : '');
}

export function updatePicture() {
    const now = performance.now();
    if (busy || !parts.on.checked || !hasKey() || document.hidden || now - asked < EVERY_MS) return;
    busy = true;
    asked = now;
    refresh().finally(() => { busy = false; });
}
