import type { AgentCard } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { CodePlace } from './host/protocol';

/**
 * Returns the line that names `file:function`: in the card, or otherwise in callboard.yaml, whose hooks wrap the tools of
 * every card.
 */
export function placeOfSpec(folder: Folder, card: AgentCard, spec: string): CodePlace {
  for (const name of [card.file, 'callboard.yaml']) {
    const file = folder.get(name);
    const lines = file?.kind === 'text' ? file.text.split('\n') : [];
    for (const [index, line] of lines.entries()) {
      const at = columnOf(line, spec);
      if (at !== undefined) return { file: name, line: index + 1, column: at };
    }
  }
  return { file: card.file, line: 1, column: 1 };
}

/** Returns the column of `spec` as a whole word, outside comments. */
function columnOf(line: string, spec: string): number | undefined {
  const text = line.replace(/(^|\s)#.*$/, '$1');
  for (let at = text.indexOf(spec); at >= 0; at = text.indexOf(spec, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + spec.length] ?? ' '];
    if (/[\s"'[{,:]/.test(before) && /[\s"'\]},:]/.test(after)) return at + 1;
  }
  return undefined;
}
