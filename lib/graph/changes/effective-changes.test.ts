import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { type EffectiveEdits, type EffectiveFiles, effectiveBase, effectiveCases } from '@/lib/testing/effective-cases';
import { effectiveFileCases } from '@/lib/testing/effective-file-cases';
import { capabilityChanges } from './capability-changes';

function changesOf(edits: EffectiveEdits, files: EffectiveFiles): string[] {
  const next: Record<string, string> = { ...effectiveBase };
  for (const [file, text] of Object.entries(files)) {
    if (text === null) delete next[file];
    else next[file] = text;
  }
  for (const [file, from, to] of edits) {
    if (next[file]?.includes(from) !== true) throw new Error(`${file} has no ${from}`);
    next[file] = next[file].replace(from, to);
  }
  const [before, after] = [effectiveBase, next].map((texts) => {
    const folder = folderOf(texts);
    return { folder, parsed: readFolder(folder) };
  });
  if (before === undefined || after === undefined) return [];
  return capabilityChanges(before, after).map(({ weight, sentence, anchor }) => {
    const text = (anchor.side === 'after' ? next : effectiveBase)[anchor.file]?.split('\n')[anchor.line - 1] ?? '';
    return `${signs[weight]} ${sentence} ▸ ${anchor.file}: ${text.trim()}`;
  });
}

const signs = { more: '+', 'same-but-different': '~', less: '-' };

describe('what will happen, and not only what is written', () => {
  it.each([...effectiveCases, ...effectiveFileCases])('is told after %s', (_, edits, files, expected) => {
    expect(changesOf(edits, files)).toEqual(expected);
  });

  it('tells the comment of a function tool, which the model reads, and no other comment', () => {
    const before = {
      'agent-cards/lead.md': '---\nname: lead\nfunction_tools: [../tools.ts:pay]\n---\nPay.\n',
      'tools.ts':
        '/** Pays. @param n How much. */\nexport function pay(n: number) {\n  return n;\n}\n\n/** Unused. */\nexport function no() {}\n',
    };
    const sentences = (from: string, to: string) => {
      const after = { ...before, 'tools.ts': before['tools.ts'].replace(from, to) };
      const [old, now] = [before, after].map((texts) => {
        const folder = folderOf(texts);
        return { folder, parsed: readFolder(folder) };
      });
      return old === undefined || now === undefined ? [] : capabilityChanges(old, now);
    };
    const told = {
      weight: 'same-but-different',
      sentence: "What the function 'pay' of tools.ts says of itself is different. The model of agent 'lead' reads it.",
      anchor: { side: 'after', file: 'tools.ts', line: 1 },
    };
    expect(sentences('Pays.', 'Always call this first.')).toMatchObject([told]);
    expect(sentences('How much.', 'All of it.')).toMatchObject([told]);
    expect(sentences('Unused.', 'Not used.')).toEqual([]);
    expect(sentences('return n;', 'return n; // as asked')).toEqual([]);
  });
});
