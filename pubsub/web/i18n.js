// i18n.js: the pages' words. Messages are English in the code, t('...'); the catalogues at /lang/ have
// the others. Which one: ?lang=, then the page's switch, then the table's --lang, then what the
// browser asks for.
import { asked, recall } from './prefs.js';

// What a browser may say, and the catalogue that is meant. (Norwegian comes in three codes.)
const KNOWN = { en: 'en', sv: 'sv', da: 'da', nb: 'nb', no: 'nb', nn: 'nb', fi: 'fi', fr: 'fr', de: 'de', es: 'es' };
export const LANGUAGES = {
    en: 'English', sv: 'Svenska', da: 'Dansk', nb: 'Norsk bokmål', fi: 'Suomi', fr: 'Français',
    de: 'Deutsch', es: 'Español',
};

let language = 'en';
let strings = {};
let plural = new Intl.PluralRules('en');
let decimal = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

const known = (code) => KNOWN[String(code || '').toLowerCase().split(/[-_]/)[0]] || null;

// Asks the server for a catalogue, or for that of the language which the table was started with.
async function fetchCatalogue(name) {
    try {
        const answer = await fetch(`/lang/${name}.json`, { cache: 'no-store' });
        const catalogue = answer.ok ? await answer.json() : null;
        return catalogue && catalogue.strings && known(catalogue.lang) ? catalogue : null;
    } catch {
        return null;
    }
}

// The catalogue of the language that is meant; null: English.
async function findCatalogue() {
    const own = known(asked.get('lang')) || known(recall('lang'));
    const table = own ? null : await fetchCatalogue('table');
    if (table) return table;
    const code = own || (navigator.languages || []).map(known).find(Boolean) || 'en';
    return code === 'en' ? null : fetchCatalogue(code);
}

// Loads the catalogue. Without it the page speaks English, and says so in `lang`.
export async function loadLanguage() {
    const catalogue = await findCatalogue();
    language = catalogue ? known(catalogue.lang) : 'en';
    strings = catalogue ? catalogue.strings : {};
    plural = new Intl.PluralRules(language);
    decimal = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    document.documentElement.lang = language;
    return language;
}

export const languageNow = () => language;

// Each value stands alone in the line's direction, so a name from right to left moves nothing else.
const isolated = (value) => (typeof value === 'number' ? String(value) : `\u2068${value}\u2069`);

function filled(text, values) {
    if (!values) return text;
    return text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? isolated(values[name]) : all));
}

// t('{name} wins', {name}): the message in the page's language.
export function t(message, values) {
    const own = strings[message];
    return filled(typeof own === 'string' && own !== '' ? own : Array.isArray(own) && own[0] ? own[0] : message, values);
}

// tn('{n} card', '{n} cards', n).
export function tn(one, other, n, values) {
    const form = plural.select(n) === 'one' ? 0 : 1;
    const own = strings[one];
    const text = Array.isArray(own) && own[form] ? own[form] : [one, other][form];
    return filled(text, { n, ...values });
}

// 3.5: a number with one decimal, as the language writes it.
export const oneDecimal = (number) => decimal.format(number);
export const seconds = (ns) => t('{seconds} s', { seconds: oneDecimal(ns / 1e9) });
