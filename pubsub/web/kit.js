// kit.js: cards, layouts and ramps as vectors, from the kit's data (symbols, shapes, colours) as the
// server sends them. Nothing is told by colour alone: symbols have shapes, wrong cells an outline
// and a cross, discs a mark.
import { draw } from './dom.js';
import { t } from './i18n.js';
import { colourText } from './words.js';

const WRONG = 'wrong-cell';

// A cell of side 1 at x, y. A symbol that the set does not have is drawn as its letter.
function cell(kit, letter, x, y, rim) {
    const symbol = kit.set && kit.set.symbols ? kit.set.symbols[letter] : null;
    const shape = symbol && kit.shapes && kit.shapes.shapes ? kit.shapes.shapes[symbol.shape] : null;
    const group = draw('g', { transform: `translate(${x} ${y})`, class: 'cell', 'data-symbol': letter });
    group.append(draw('rect', { width: 1, height: 1, fill: '#FFFFFF' }));
    group.append(draw('rect', {
        x: rim, y: rim, width: 1 - 2 * rim, height: 1 - 2 * rim, fill: symbol ? symbol.field : '#444444',
    }));
    if (shape)
        group.append(draw('path', {
            d: shape.path, 'fill-rule': shape.fill_rule || 'nonzero', fill: symbol.ink,
            transform: `translate(.5 .5) scale(${1 - 2 * rim})`,
        }));
    else
        group.append(draw('text', {
            x: 0.5, y: 0.72, 'font-size': 0.6, 'text-anchor': 'middle', fill: '#FFFFFF', text: letter,
        }));
    return group;
}

function wrongMark(x, y) {
    return draw('g', { class: WRONG, transform: `translate(${x} ${y})` },
        draw('rect', { class: 'wrong-halo', x: 0.03, y: 0.03, width: 0.94, height: 0.94 }),
        draw('rect', { class: 'wrong-line', x: 0.03, y: 0.03, width: 0.94, height: 0.94 }),
        draw('path', { class: 'wrong-halo', d: 'M.24 .24L.76 .76M.76 .24L.24 .76' }),
        draw('path', { class: 'wrong-line', d: 'M.24 .24L.76 .76M.76 .24L.24 .76' }));
}

export const rowsOf = (grid) => (grid || '').split('/').map((row) => [...row]);

// A grid as a picture whose edge is the grid's own. options: wrong [[row, col]], partial, label.
export function gridPicture(kit, grid, options = {}) {
    const rows = rowsOf(grid);
    const width = Math.max(1, ...rows.map((row) => row.length));
    const rim = (kit.set && kit.set.rim) || 0.07;
    const gap = 0.06;
    const picture = draw('svg', {
        viewBox: `${-gap} ${-gap} ${width + 2 * gap} ${rows.length + 2 * gap}`, role: 'img',
        class: options.partial ? 'grid partial' : 'grid', 'data-grid': grid,
        'aria-label': options.label || t('Layout'),
    });
    rows.forEach((row, y) => row.forEach((letter, x) => {
        if (letter !== '.') picture.append(cell(kit, letter, x, y, rim));
    }));
    for (const [row, col] of options.wrong || []) picture.append(wrongMark(col, row));
    return picture;
}

// The way from a seat's place on the mat to what its player sees: `up` points to the top.
function seatFrame(mat, number) {
    const seat = ((mat && mat.seats) || []).find((one) => one.seat === number);
    const [ux, uy] = seat && seat.up ? seat.up : [0, -1];
    return ([x, y]) => [-uy * x + ux * y, -ux * x - uy * y];
}

// A reading on the way: each cell where the camera sees it.
export function cellsPicture(kit, reading, options = {}) {
    const width_mm = (kit.set && kit.set.block && kit.set.block.width_mm) || 35;
    const place = seatFrame(kit.mat, reading.seat);
    const seen = reading.cells.filter((one) => one.center_mm).map((one) => {
        const [x, y] = place(one.center_mm);
        return { symbol: one.symbol, x: x / width_mm, y: y / width_mm };
    });
    const xs = seen.map((one) => one.x), ys = seen.map((one) => one.y);
    const left = Math.min(...xs) - 0.6, top = Math.min(...ys) - 0.6;
    const wide = Math.max(4, Math.max(...xs) + 0.6 - left), high = Math.max(4, Math.max(...ys) + 0.6 - top);
    const picture = draw('svg', {
        viewBox: `${left} ${top} ${wide} ${high}`, role: 'img', class: 'grid partial',
        'aria-label': options.label || t('Layout'),
    });
    for (const one of seen) picture.append(cell(kit, one.symbol, one.x - 0.5, one.y - 0.5, 0.07));
    return picture;
}

// A seat's reading as far as there is one; null when there is nothing to draw.
export function readingPicture(kit, reading, label) {
    if (!reading) return null;
    const partial = !reading.settled || reading.state !== 'complete';
    if (reading.grid) return gridPicture(kit, reading.grid, { partial, label });
    const cells = reading.cells || [];
    if (cells.some((one) => one.center_mm)) return cellsPicture(kit, reading, { label });
    return null;
}

function mixedWithWhite(colour, part) {
    const channels = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    return `rgb(${channels.map((value) => Math.round(value * part + 255 * (1 - part))).join(' ')})`;
}

function ticks(style, level, size, border) {
    const { width_mm: width, pitch_mm: pitch, inset_mm: inset, colour } = style.ticks;
    const marks = [];
    for (let side = 0; side < 4; side++)
        for (let i = 0; i < level; i++)
            marks.push(draw('rect', {
                x: size / 2 + (i - (level - 1) / 2) * pitch - width / 2, y: inset, width,
                height: border - 2 * inset, fill: colour, transform: `rotate(${90 * side} ${size / 2} ${size / 2})`,
            }));
    return marks;
}

const PLAIN_STYLE = {
    size_mm: 80, border_mm: 5, corner_mm: 3, cell_mm: 15, rim: 0.045,
    ticks: { width_mm: 1.2, pitch_mm: 3.2, inset_mm: 0.8, colour: '#FFFFFF' }, levels: {},
};

// A printed card, as it would lie there.
export function cardPicture(kit, card) {
    const style = { ...PLAIN_STYLE, ...kit.cardstyle };
    const { size_mm: size, border_mm: border, corner_mm: corner, cell_mm: side } = style;
    const colour = (style.levels[card.level] || {}).border || '#555555';
    const rows = rowsOf(card.grid);
    const width = Math.max(...rows.map((row) => row.length));
    const label = t('Pattern card {id}, level {level}', { id: card.id ?? '–', level: card.level ?? 0 });
    const picture = draw('svg', {
        viewBox: `0 0 ${size} ${size}`, role: 'img', class: 'card', 'aria-label': label,
        'data-card': card.id, 'data-grid': card.grid,
    });
    picture.append(draw('rect', { width: size, height: size, rx: corner, fill: colour }));
    picture.append(draw('rect', {
        x: border, y: border, width: size - 2 * border, height: size - 2 * border, rx: corner / 2,
        fill: mixedWithWhite(colour, 0.28),
    }));
    picture.append(...ticks(style, card.level || 0, size, border));
    const cells = draw('g', {
        transform: `translate(${(size - width * side) / 2} ${(size - rows.length * side) / 2}) scale(${side})`,
    });
    rows.forEach((row, y) => row.forEach((letter, x) => {
        if (letter !== '.') cells.append(cell(kit, letter, x, y, style.rim));
    }));
    picture.append(cells);
    return picture;
}

// A card's back, for a pile that is empty or a card that is still to come.
export function noCard(text) {
    return draw('svg', { viewBox: '0 0 80 80', role: 'img', class: 'card none', 'aria-label': text },
        draw('rect', { class: 'no-card', x: 1, y: 1, width: 78, height: 78, rx: 3 }),
        draw('text', { class: 'no-card-text', x: 40, y: 44, 'text-anchor': 'middle', 'font-size': 9, text }));
}

// Marks of the five colours, so that a disc is known without its colour.
const MARKS = {
    r: 'M0 -.24L.22 .15L-.22 .15Z',
    y: 'M-.2 -.05h.4v.1h-.4Z',
    g: 'M-.17 -.17h.34v.34h-.34Z',
    b: 'M-.06 -.22h.12v.16h.16v.12h-.16v.16h-.12v-.16h-.16v-.12h.16Z',
    w: '',
};
const MARK_INK = { y: '#3A2E00', w: '#333333' };

function disc(kit, letter, x, y, isLast) {
    const colours = (kit.ramp && kit.ramp.colours) || {};
    const fill = (colours[letter] && colours[letter].rgb) || '#888888';
    return draw('g', { class: isLast ? 'disc last' : 'disc', transform: `translate(${x} ${y})`, 'data-disc': letter },
        draw('circle', { r: 0.42, fill, class: 'disc-face' }),
        MARKS[letter] ? draw('path', { d: MARKS[letter], fill: MARK_INK[letter] || '#FFFFFF' }) : null,
        letter in MARKS ? null : draw('text', { y: 0.15, 'font-size': 0.5, 'text-anchor': 'middle', text: letter }),
        isLast ? draw('circle', { r: 0.47, class: 'disc-last' }) : null);
}

// The ramp, its foot at the bottom, with each row's points beside it unless they are left out.
export function rampPicture(kit, make5, withPoints = true) {
    const rows = make5.rows_from_bottom;
    const tracks = rows[0] ? [...rows[0]].length : 5;
    const words = rows.map((row, i) => `${i + 1}: ${[...row].map((one) => (one === '.' ? '–' : colourText(one))).join(' ')}`);
    const picture = draw('svg', {
        viewBox: `-.15 -.15 ${tracks + (withPoints ? 1.45 : 0.3)} ${rows.length + 0.75}`, role: 'img', class: 'ramp',
        'aria-label': t('Ramp, rows from the bottom: {rows}', { rows: words.join('; ') }),
    });
    picture.append(draw('rect', { class: 'ramp-board', x: -0.1, y: -0.1, width: tracks + 0.2, height: rows.length + 0.2, rx: 0.12 }));
    for (let track = 0; track < tracks; track++) {
        picture.append(draw('rect', { class: 'ramp-track', x: track + 0.06, y: 0, width: 0.88, height: rows.length, rx: 0.44 }));
        picture.append(draw('text', { class: 'ramp-number', x: track + 0.5, y: rows.length + 0.45, 'text-anchor': 'middle', 'font-size': 0.3, text: track + 1 }));
    }
    rows.forEach((row, i) => {
        const y = rows.length - 1 - i + 0.5;
        const points = make5.points_by_row[i] || 0;
        [...row].forEach((letter, track) => {
            const isLast = make5.last && make5.last[0] === i + 1 && make5.last[1] === track + 1;
            if (letter !== '.') picture.append(disc(kit, letter, track + 0.5, y, isLast));
        });
        if (withPoints) picture.append(draw('text', {
            class: points ? 'ramp-points some' : 'ramp-points', x: tracks + 0.7, y: y + 0.17,
            'text-anchor': 'middle', 'font-size': 0.5, text: points,
        }));
    });
    return picture;
}

// A seat's sign: a shape of its own, with its number.
const BADGES = [
    'M50 4A46 46 0 1 1 49.9 4Z',
    'M8 8H92V92H8Z',
    'M50 2L98 92H2Z',
    'M50 0L100 50L50 100L0 50Z',
    'M27 6H73L98 50L73 94H27L2 50Z',
    'M50 2L98 38L80 95H20L2 38Z',
    'M32 2H68V32H98V68H68V98H32V68H2V32H32Z',
    'M2 8H98L50 98Z',
];
const NUMBER_AT = [66, 66, 80, 66, 66, 70, 66, 52];

export function seatBadge(seat) {
    const at = (seat - 1) % BADGES.length;
    return draw('svg', { viewBox: '0 0 100 100', class: 'badge', role: 'img', 'aria-label': t('Seat {seat}', { seat }) },
        draw('path', { d: BADGES[at], class: 'badge-shape' }),
        draw('text', { x: 50, y: NUMBER_AT[at], 'text-anchor': 'middle', 'font-size': 46, class: 'badge-number', text: seat }));
}

// Signs of a ruling: a tick, a cross, a question, a bar.
const SIGNS = {
    good: 'M20 54L42 76L82 26',
    bad: 'M26 26L74 74M74 26L26 74',
    unsure: 'M32 38A18 18 0 1 1 56 55Q50 59 50 66M50 80V81',
    plain: 'M26 50H74',
};

export function signOf(tone) {
    return draw('svg', { viewBox: '0 0 100 100', class: 'sign', 'aria-hidden': 'true' },
        draw('path', { d: SIGNS[tone] || SIGNS.plain, class: 'sign-line' }));
}
