import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import { LineIndex } from '@/lib/cards/line-index';
import { makeIssue } from '@/lib/cards/read/file-report';
import type { CardReading } from '@/lib/cards/read/read-card';

/**
 * Reports braces in the instruction of a router. fast-agent fills in `{context}` with Python's `str.format`, which raises for every
 * other `{name}` and for a single brace (router_agent.py). `{{` stands for a brace.
 */
export function checkRouterBraces(folder: Folder, cards: readonly CardReading[]): Issue[] {
  return cards.flatMap(({ card, name }) => {
    if (card?.type !== 'router' || card.instruction === undefined) return [];
    const fault = braceFault(card.instruction);
    const file = folder.get(card.file);
    if (fault === undefined || file?.kind !== 'text') return [];
    const place = new LineIndex(file.text).positionOf(placeIn(file.text, card.instruction, fault));
    const text = `fast-agent takes '${fault.text}' in the instruction of a router for a value to fill in, and knows '{context}' only. Write '{{' and '}}' for braces in the text.`;
    return [makeIssue('router-braces', { file: card.file, ...place, agent: name }, text)];
  });
}

interface BraceFault {
  readonly index: number;
  /** The brace with what belongs to it, at most 40 characters. */
  readonly text: string;
}

/** Returns the first brace that `str.format(context=…)` refuses. `${NAME}` is filled in before. */
function braceFault(text: string): BraceFault | undefined {
  const braces = /[{}]/g;
  for (let found = braces.exec(text); found; found = braces.exec(text)) {
    const { index } = found;
    if (text[index + 1] === text[index]) braces.lastIndex = index + 2;
    else if (text[index] === '}') return { index, text: '}' };
    else {
      const end = text.indexOf('}', index);
      const field = end === -1 ? '' : text.slice(index + 1, end);
      const isKnown = /^context(?:$|[.[!:])/.test(field) || text[index - 1] === '$';
      if (end === -1 || !isKnown) return { index, text: shortened(end === -1 ? '{' : text.slice(index, end + 1)) };
      braces.lastIndex = end + 1;
    }
  }
  return undefined;
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/** The instruction stands in the file as it is, unless YAML folds or escapes it. */
function placeIn(file: string, instruction: string, { index, text }: BraceFault): number {
  const start = file.lastIndexOf(instruction);
  if (start !== -1) return start + index;
  return Math.max(0, file.indexOf(text.replace('…', '')));
}
