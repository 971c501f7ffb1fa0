import { checkScripts } from '@/lib/cards/check/check-scripts';
import { codeUses } from '@/lib/cards/check/code-uses';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from './read-folder';

/**
 * Reads a folder as `readFolder` does, and parses the JavaScript and TypeScript that it loads. For checks outside pages, because the
 * parser is large.
 */
export function readWithCode(...given: Parameters<typeof readFolder>): ParsedFolder {
  const [folder] = given;
  const parsed = readFolder(...given);
  const found = checkScripts(folder, codeUses(parsed));
  return found.length === 0 ? parsed : { ...parsed, issues: [...parsed.issues, ...found] };
}
