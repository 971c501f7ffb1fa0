import { checkScripts } from '@/lib/cards/check/check-scripts';
import { codeUses } from '@/lib/cards/check/code-uses';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { checkExpectations } from './expectations';
import { readFolder } from './read-folder';

/**
 * Reads a folder as `readFolder` does, and checks the JavaScript and TypeScript that it loads, and the patterns and schemas of its tests. For
 * checks outside pages, because what reads them is large.
 */
export function readWithCode(...given: Parameters<typeof readFolder>): ParsedFolder {
  const [folder] = given;
  const parsed = readFolder(...given);
  const found = [...checkScripts(folder, codeUses(parsed)), ...checkExpectations(folder)];
  return found.length === 0 ? parsed : { ...parsed, issues: [...parsed.issues, ...found] };
}
