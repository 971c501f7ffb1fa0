import type { Issue } from '@/lib/base/issue';
import { isRecord } from '@/lib/base/json';
import { nearName } from '@/lib/base/near-name';
import { agentView, asksModel } from '@/lib/cards/agent-view';
import type { Folder } from '@/lib/cards/folder';
import { LineIndex } from '@/lib/cards/line-index';
import { filledPlaceholders, foreignPlaceholders, includingPlaceholders } from '@/lib/cards/placeholders';
import { makeIssue } from '@/lib/cards/read/file-report';
import type { CardReading } from '@/lib/cards/read/read-card';

const filled: ReadonlySet<string> = new Set(filledPlaceholders.map(({ name }) => name));
const foreign: ReadonlySet<string> = new Set(foreignPlaceholders);
const including = includingPlaceholders.map(({ name }) => name);
/** Matches a name in double braces. Other text in braces may be a template that the agent writes about. */
const placeholder = /(\\?)\{\{[ \t]{0,8}([A-Za-z_]\w{0,63})[ \t]{0,8}\}\}/g;
/** Matches a name before a colon, such as `fil` in `{{fil:x.md}}`. */
const withArgument = /(\\?)\{\{[ \t]{0,8}([A-Za-z_]\w{0,63}):[^{}]{1,512}\}\}/g;

/** Reports unknown `{{names}}` in instructions, which the model would read as they are. */
export function checkPlaceholders(folder: Folder, cards: readonly CardReading[]): Issue[] {
  return cards.flatMap(({ card, name }) => {
    // In a router's instruction doubled braces stand for braces, so a name in them may be text.
    if (card === undefined || card.type === 'router') return [];
    if (!asksModel(card) || !card.instruction?.includes('{{')) return [];
    const file = folder.get(card.file);
    if (file?.kind !== 'text') return [];
    const { requestParams } = agentView(card);
    const values = requestParams.template_vars;
    const own = [...(isRecord(values) ? Object.keys(values) : []), ...(card.type === 'agent' ? [] : ['agents'])];
    const faults = faultsOf(card.instruction, own);
    if (faults.length === 0) return [];
    const lines = new LineIndex(file.text);
    return faults.map(({ word, end, text }) => {
      const at = file.text.search(new RegExp(`\\{\\{[ \\t]{0,8}${word}[ \\t]{0,8}${end}`));
      const place = { file: card.file, ...lines.positionOf(Math.max(0, at)), agent: name };
      return makeIssue('placeholder-unknown', place, text);
    });
  });
}

interface Fault {
  readonly word: string;
  /** The pattern of what follows the word. */
  readonly end: string;
  readonly text: string;
}

/** Returns the unknown placeholders of a text, each once. `own` are the names with values of the card's own. */
function faultsOf(instruction: string, own: readonly string[]): readonly Fault[] {
  const faults = new Map<string, Fault>();
  for (const [, backslash, word = ''] of instruction.matchAll(placeholder)) {
    if (backslash !== '' || filled.has(word) || own.includes(word) || faults.has(word)) continue;
    faults.set(word, { word, end: '\\}\\}', text: unknownText(word, own) });
  }
  for (const [, backslash, word = ''] of instruction.matchAll(withArgument)) {
    const meant = nearName(word, including);
    if (backslash !== '' || meant === undefined || faults.has(`${word}:`)) continue;
    const text = `Nothing fills in {{${word}:…}}: the model would read it as it is. Did you mean '{{${meant}:…}}'?`;
    faults.set(`${word}:`, { word, end: ':', text });
  }
  return [...faults.values()];
}

function unknownText(word: string, own: readonly string[]): string {
  if (foreign.has(word)) {
    return `{{${word}}} is filled in by fast-agent alone: here the model would read it as it is. Remove it, or give it a value in 'request_params.template_vars'.`;
  }
  const meant = nearName(word, [...own, ...filled]);
  const next =
    meant === undefined
      ? `Give it a value in 'request_params.template_vars', or write \\{{${word}}} for the text itself.`
      : `Did you mean '{{${meant}}}'?`;
  return `Nothing fills in {{${word}}}: the model would read it as it is. ${next}`;
}
