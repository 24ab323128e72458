// cues.js: which decisions and moments are heard. Sounds belong to what is new, never to a snapshot.
import { play } from './sound.js';

const VERDICTS = { match: 'match', no_match: 'error', cannot_tell: 'unsure' };
const CUES = { tie: 'unsure', false_start: 'error', illegal: 'error', end: 'end' };

export function soundFor(decision) {
    const cue = decision.decision === 'verdict' ? VERDICTS[decision.verdict] : CUES[decision.decision];
    if (cue) play(cue);
}

// The count: a tone with each digit, another with the start signal, once.
let counted = null;
let said = false;

export function soundCount(table, left_ms) {
    if (left_ms === null) {
        if (counted !== null && !said && table.state && table.state.phase === 'play') play('start');
        counted = null;
        said = false;
        return;
    }
    const digit = Math.ceil(left_ms / 1000);
    if (digit <= 0 && counted !== null && !said) {
        said = true;
        play('start');
    }
    if (digit <= 0 || digit > 3 || digit === counted) return;
    counted = digit;
    play('count');
}
