// cues.js: which decisions and moments are heard. Sounds belong to what is new, never to a snapshot.
import { play } from './sound.js';

const VERDICTS = { match: 'match', no_match: 'error', cannot_tell: 'unsure' };
const CUES = { tie: 'unsure', false_start: 'error', illegal: 'error', end: 'end' };

export function soundFor(decision) {
    const cue = decision.decision === 'verdict' ? VERDICTS[decision.verdict] : CUES[decision.decision];
    if (cue) play(cue);
}

// The count: a tone with each digit, another with the start signal.
let counted = null;

export function soundCount(table, left_ms) {
    if (left_ms === null) {
        if (counted !== null && counted <= 1 && table.state && table.state.phase === 'play') play('start');
        counted = null;
        return;
    }
    const digit = Math.ceil(left_ms / 1000);
    if (digit === counted || digit > 3) return;
    const before = counted;
    counted = digit;
    if (digit > 0) play('count');
    else if (before !== null) {
        play('start');
        counted = 2; // said: not again when the state follows
    }
}
