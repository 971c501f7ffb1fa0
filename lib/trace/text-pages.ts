import { cutText } from '@/lib/base/well-formed';

/** This many UTF-16 units of a text are shown at a time. */
export const pageUnits = 20_000;

/** A page of one part's text. */
export interface PartPage {
  readonly title: string;
  readonly text: string;
  /**
   * Where the page begins, in UTF-16 units. It differs by one from the requested offset if that is in the middle of a
   * character.
   */
  readonly offset: number;
  readonly total: number;
}

/** Returns the page that begins at `offset`, in whole characters. */
export function pageOf(whole: string, offset: number, units: number = pageUnits): Pick<PartPage, 'text' | 'offset'> {
  const from = Math.min(Math.max(0, offset), whole.length);
  const start = isLowSurrogate(whole, from) ? from - 1 : from;
  return { text: cutText(whole.slice(start, start + units + 1), units), offset: start };
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff;
}
