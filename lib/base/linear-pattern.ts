import { RE2JS } from 're2js';
import { err, ok, type Result } from './result';

/**
 * Compiles a regular expression for RE2, which matches in linear time. JavaScript's own engine would need exponential time
 * for a pattern such as `(a+)+$`. RE2 supports neither lookahead, lookbehind nor backreferences; the error is a sentence
 * that says so.
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

/**
 * Patterns are limited, because matching takes time proportional to the length of the pattern times the length of the text.
 */
const longestPattern = 2_000;
