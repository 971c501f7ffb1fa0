import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import { makeIssue } from '@/lib/cards/read/file-report';
import type { CardReading } from '@/lib/cards/read/read-card';
import { joinPath } from '@/lib/cards/references';
import { LineIndex } from '@/lib/cards/yaml/line-index';

/**
 * Comments that fast-agent obeys when it finds them in an instruction (`<!-- fast-agent-subagents -->`, or that word alone on
 * a line): there they give the agent tools of its own. Callboard obeys none, wherever they come from; a model reads them as
 * text. Looked for in instructions and in the files that instructions include.
 */
export function checkDirectives(folder: Folder, cards: readonly CardReading[]): Issue[] {
  const texts = new Map<string, CardReading>();
  for (const reading of cards) {
    const { card } = reading;
    if (card?.instruction !== undefined && directiveIn(card.instruction)) texts.set(card.file, reading);
    for (const target of includesOf(reading)) {
      // As they are found at run time: from the project's folder, else beside the card.
      const near = [joinPath('', target.trim()), joinPath(card?.file ?? '', target.trim())];
      const path = near.find((one) => one !== undefined && folder.has(one));
      if (path !== undefined && !texts.has(path)) texts.set(path, reading);
    }
  }
  return [...texts].flatMap(([path, reading]) => {
    const file = folder.get(path);
    const found = file?.kind === 'text' ? directiveIn(file.text) : undefined;
    if (file?.kind !== 'text' || found === undefined) return [];
    const place = new LineIndex(file.text).positionOf(found.index);
    const text = `'${found[0].trim()}' is a directive to fast-agent, which gives the agent tools there. Here it is only text for the model. Remove it, or write 'subagents: true' in the card.`;
    return [makeIssue('directive-ignored', { file: path, ...place, agent: reading.name }, text)];
  });
}

/** `{{file:…}}` and, which no reference is kept of because it may be missing, `{{file_silent:…}}`. */
function includesOf({ card, references }: CardReading): readonly string[] {
  const named = references.flatMap((reference) => (reference.kind === 'include' ? [reference.target] : []));
  // The instruction of a card that has none of its own includes this file.
  const text = card?.instruction ?? '{{file_silent:AGENTS.md}}';
  const silent = text.includes('{{file_silent:') ? [...text.matchAll(/\{\{file_silent:([^{}]{1,512})\}\}/g)] : [];
  return [...named, ...silent.map(([, target = '']) => target)];
}

/** Every repetition has a limit: the search is linear, whatever the text. */
const directive = /<!--\s{0,20}fast-agent[- ][\w-]{1,60}|^[ \t]{0,20}fast-agent-subagents[ \t]{0,20}\r?$/m;

function directiveIn(text: string): RegExpExecArray | undefined {
  return text.includes('fast-agent') ? (directive.exec(text) ?? undefined) : undefined;
}
