import type { Issue } from '@/lib/base/issue';
import type { Card } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { LineIndex } from '@/lib/cards/line-index';
import { textAt } from './document';

/** An issue of an instruction. */
export interface InstructionIssue {
  readonly issue: Issue;
  /** Its place in the instruction, counted from 0; `undefined` if the file has it in another form, such as a YAML string. */
  readonly at: number | undefined;
}

const ofInstructions: ReadonlySet<string> = new Set([
  'placeholder-unknown',
  'placeholder-file',
  'directive-ignored',
  'instruction-empty',
  'router-braces',
]);

/** Returns the issues that are about the instruction of a card, in the order of their places. */
export function instructionIssues(folder: Folder, card: Card, issues: readonly Issue[]): readonly InstructionIssue[] {
  const own = issues.filter(({ file, code }) => file === card.file && ofInstructions.has(code));
  if (own.length === 0) return [];
  const text = textAt(folder, card.file) ?? '';
  const instruction = card.instruction ?? '';
  const start = instruction === '' ? -1 : text.lastIndexOf(instruction);
  const lines = new LineIndex(text);
  return own
    .map((issue) => {
      const at = start < 0 ? -1 : lines.offsetOf(issue) - start;
      return { issue, at: at >= 0 && at <= instruction.length ? at : undefined };
    })
    .sort((a, b) => (a.at ?? Number.MAX_SAFE_INTEGER) - (b.at ?? Number.MAX_SAFE_INTEGER));
}
