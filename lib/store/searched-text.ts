import { foldCase } from '@/lib/base/fold-case';
import { toPlainText } from './json-text';

/**
 * Returns the form in which the texts of a run are stored and searched. The case is folded here, because Postgres with the locale C knows
 * no letters but those of ASCII.
 */
export function searchedText(text: string): string {
  return toPlainText(foldCase(text));
}
