// evidence.js: the picture that a ruling rests on, and that of a photo finish, as the record has them.
import { make, setText, show } from './dom.js';
import { t } from './i18n.js';

// A ruling is said before its picture lies on the disk: it is asked for again.
const TRIES = 6;
const AGAIN_MS = 1200;
// All displays of a hall hear of a ruling at once, and need not ask at once.
const SPREAD_MS = 800;

// A replay's rulings are in a record that its server does not know.
export const hasEvidence = (table, decision) => Boolean(decision && decision.decision === 'verdict'
    && decision.digest && table.hello.recording && !table.replay);

export const evidenceAddress = (decision) => `/evidence/${decision.seq}-${decision.index}.png`;
export const finishAddress = (event) => `/finish/${event}.png`;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// A picture with what it shows written under it; the same element for one after the other.
export class RecordPicture {
    constructor(element, onClose) {
        this.image = make('img', { class: 'record-picture', alt: '', hidden: true });
        this.words = make('figcaption', { dir: 'auto' });
        this.close = make('button', { type: 'button', text: t('Close') });
        this.close.addEventListener('click', onClose);
        this.element = element;
        element.append(this.image, make('div', { class: 'row' }, this.words, this.close));
        this.shown = null;
    }

    // Whether it came. Another that is asked for meanwhile goes first.
    async load(address, words, spread = true) {
        this.shown = address;
        show(this.image, false);
        setText(this.words, t('The picture is being made …'));
        await pause(spread ? Math.random() * SPREAD_MS : 0);
        for (let i = 0; i < TRIES && this.shown === address; i++) {
            if (i > 0) await pause(AGAIN_MS);
            const image = new Image();
            image.src = address;
            const came = await image.decode().then(() => true, () => false);
            if (this.shown !== address) return false;
            if (!came) continue;
            this.image.src = image.src;
            this.image.alt = words;
            await this.image.decode().catch(() => {});
            show(this.image, true);
            setText(this.words, words);
            return true;
        }
        if (this.shown === address) setText(this.words, t('There is no picture of it'));
        return false;
    }

    forget() {
        this.shown = null;
    }
}
