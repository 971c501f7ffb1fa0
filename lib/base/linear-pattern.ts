import { RE2JS } from 're2js';
import { err, ok, type Result } from './result';

/**
 * A regular expression that is matched in linear time, whatever the text: RE2's engine instead of JavaScript's, which a
 * pattern such as `(a+)+$` keeps busy for ever. Fails with a sentence for what RE2 has no answer to: looking ahead or behind,
 * and referring back to a group.
 */
export function linearPattern(source: string): Result<RE2JS, string> {
  if (source.length > longestPattern) {
    return err(`the pattern has ${source.length} characters; at most ${longestPattern} are read`);
  }
  try {
    return ok(RE2JS.compile(RE2JS.translateRegExp(source)));
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '');
    const shown = source.length > 60 ? `${source.slice(0, 59)}…` : source;
    return err(`the pattern '${shown}' cannot be read by RE2, which matches in linear time: ${why}`);
  }
}

/** Its program is as long as the pattern, and the time is the product of that and the text's length. */
const longestPattern = 2_000;
