import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import { LineIndex } from '@/lib/cards/line-index';
import { makeIssue } from '@/lib/cards/read/file-report';
import type { CardReading } from '@/lib/cards/read/read-card';
import { joinPath } from '@/lib/cards/references';

/**
 * Reports directives in instructions and in files that instructions include: `<!-- fast-agent-subagents -->`, or that word
 * alone on a line. In fast-agent they give the agent more tools. Callboard ignores them; the model reads them as text.
 */
export function checkDirectives(folder: Folder, cards: readonly CardReading[]): Issue[] {
  const texts = new Map<string, CardReading>();
  for (const reading of cards) {
    const { card } = reading;
    if (card?.instruction !== undefined && directiveIn(card.instruction)) texts.set(card.file, reading);
    for (const target of includesOf(reading)) {
      // The lookup is the same as in a run: relative to the project's folder, otherwise to the card.
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

/**
 * Returns the paths in `{{file:…}}` and `{{file_silent:…}}`. The latter may be missing, so it is not among the references.
 */
function includesOf({ card, references }: CardReading): readonly string[] {
  const named = references.flatMap((reference) => (reference.kind === 'include' ? [reference.target] : []));
  // The default instruction includes this file.
  const text = card?.instruction ?? '{{file_silent:AGENTS.md}}';
  const silent = text.includes('{{file_silent:') ? [...text.matchAll(/\{\{file_silent:([^{}]{1,512})\}\}/g)] : [];
  return [...named, ...silent.map(([, target = '']) => target)];
}

/** Every repetition has a limit, so that the search takes linear time. */
const directive = /<!--\s{0,20}fast-agent[- ][\w-]{1,60}|^[ \t]{0,20}fast-agent-subagents[ \t]{0,20}\r?$/m;

function directiveIn(text: string): RegExpExecArray | undefined {
  return text.includes('fast-agent') ? (directive.exec(text) ?? undefined) : undefined;
}
