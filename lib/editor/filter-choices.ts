import { isWildcard, nameOfPattern, patternFor, patternOf } from '@/lib/cards/filter-patterns';
import type { Offered } from './server-listing';

/** A row of the picker of a filter: a name that the server lists, or a pattern that the card has. */
export interface FilterChoice {
  /** The pattern that the card gets. */
  readonly value: string;
  readonly label: string;
  readonly note?: string | undefined;
}

/**
 * Returns what a filter can be made of: what the server listed, in its order, then what the card has besides. `offered` is
 * `undefined` if the server was never tested, `patterns` if the card has no filter.
 */
export function filterChoices(
  offered: readonly Offered[] | undefined,
  patterns: readonly string[] | undefined,
): readonly FilterChoice[] {
  const written = patterns ?? [];
  const listed = (offered ?? []).map(({ name, title, description }): FilterChoice => {
    const wildcard = patternFor(written.filter(isWildcard), name);
    const told = [title, description].filter((text) => text !== undefined && text !== '').join(': ');
    const note = wildcard === undefined ? told : `Taken by ${wildcard}`;
    return { value: patternOf(name), label: name, ...(note === '' ? {} : { note }) };
  });
  const known = new Set(listed.map(({ value }) => value));
  const others = [...new Set(written)].filter((pattern) => !known.has(pattern));
  return [...listed, ...others.map((pattern) => ({ value: pattern, ...ownChoice(pattern, offered) }))];
}

/** Returns the words for a pattern of the card that is no name of the list. */
function ownChoice(pattern: string, offered: readonly Offered[] | undefined): Omit<FilterChoice, 'value'> {
  if (!isWildcard(pattern)) {
    const label = nameOfPattern(pattern);
    return offered === undefined ? { label } : { label, note: 'The server does not list it.' };
  }
  if (offered === undefined) return { label: pattern };
  const taken = offered.filter(({ name }) => patternFor([pattern], name) !== undefined);
  return { label: pattern, note: `Takes ${taken.length} of ${offered.length}` };
}

/** Returns the patterns of typed text, in which several are divided by spaces or commas. */
export function typedPatterns(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}
