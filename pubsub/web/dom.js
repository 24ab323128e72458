// dom.js: how pages are built. Whatever comes from outside becomes text, never markup: there is no
// innerHTML here nor anywhere else (tests/browser looks for it).

const SVG = 'http://www.w3.org/2000/svg';

function give(element, properties, children) {
    for (const [name, value] of Object.entries(properties || {})) {
        if (value === null || value === undefined || value === false) continue;
        if (name === 'text') element.textContent = value;
        else if (name === 'on') for (const [kind, f] of Object.entries(value)) element.addEventListener(kind, f);
        else element.setAttribute(name, value === true ? '' : String(value));
    }
    for (const child of children.flat(3)) if (child !== null && child !== undefined) element.append(child);
    return element;
}

// make('p', {class: 'big', text: name}): an element; properties are attributes, but `text` is its text
// and `on` its listeners. Null and false leave a property or a child out.
export const make = (tag, properties, ...children) => give(document.createElement(tag), properties, children);
export const draw = (tag, properties, ...children) => give(document.createElementNS(SVG, tag), properties, children);

// A player's name: its own direction, cut by what can be seen of it (in the style sheet).
export const nameText = (name, className = 'name') =>
    make('bdi', { class: className, dir: 'auto', title: name, text: name });

// Fills `element` anew when what it is made of has changed. Says whether it did.
export function fill(element, key, build) {
    const text = typeof key === 'string' ? key : JSON.stringify(key);
    if (element.filledWith === text) return false;
    element.filledWith = text;
    element.replaceChildren(...[build()].flat(3).filter((child) => child !== null && child !== undefined));
    return true;
}

export function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

// Shows or hides; a hidden thing is not read aloud either.
export function show(element, visible) {
    if (element.hidden === visible) element.hidden = !visible;
}

export const byId = (id) => document.getElementById(id);
