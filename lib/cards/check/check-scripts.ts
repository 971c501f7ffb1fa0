import type { Issue } from '@/lib/base/issue';
import { isScript, readScript } from '@/lib/cards/code/read-script';
import { resolveImport } from '@/lib/cards/code/resolve-import';
import type { Folder } from '@/lib/cards/folder';
import { makeIssue } from '@/lib/cards/read/file-report';
import type { CodeUse } from './code-uses';

/**
 * Parses the JavaScript and TypeScript that agents load, with what it imports, and returns the first fault of each file. It parses with
 * the function that the sandbox asks, so a run that loads such a file does not begin. Nothing runs.
 */
export function checkScripts(folder: Folder, uses: readonly CodeUse[]): Issue[] {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  const waiting = uses.filter(({ file }) => isScript(file));
  for (const { file, agent } of waiting) {
    const content = folder.get(file);
    if (seen.has(file) || content?.kind !== 'text') continue;
    seen.add(file);
    const report = (message: string, line: number, column: number) =>
      issues.push(makeIssue('code-syntax', { file, line, column, agent }, message));
    const reading = readScript(file, content.text);
    if (!reading.ok) {
      report(reading.message, reading.line, reading.column);
      continue;
    }
    const targets = reading.imports.map((one) => ({ one, target: resolveImport(folder, file, one.specifier) }));
    for (const { one, target } of targets) if (!target.ok) report(target.message, one.line, one.column);
    for (const { target } of targets)
      if (target.ok && isScript(target.file)) waiting.push({ file: target.file, agent });
  }
  return issues;
}
