import type { Issue } from '@/lib/base/issue';
import { entryGuessed, findEntry } from '@/lib/cards/entry';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { runnable } from './validate';

/**
 * Why a run of the folder would be refused, as an issue: what `runnable` says before a run begins, for whoever asks without
 * starting one. `agent` as in a run's request. A workflow that cannot run yet is a warning, and so is an entry that nobody
 * names; everything else is an error. Undefined when a run would begin where the folder says, and when the folder's own issues say already why not.
 */
export function runProblem(parsed: ParsedFolder, agent: string | undefined): Issue | undefined {
  const ready = runnable(parsed, { agent });
  if (ready.ok) return agent === undefined ? entryGuessed(parsed) : undefined;
  const { code, message } = ready.error;
  if (code === 'cards_invalid') return undefined;
  const file = code === 'unsupported_card_type' ? entryFile(parsed, agent) : placeOfNoEntry(parsed, agent);
  return {
    code: code.replaceAll('_', '-'),
    severity: code === 'unsupported_card_type' ? 'warning' : 'error',
    stage: 'callboard',
    file: file ?? 'callboard.yaml',
    line: 1,
    column: 1,
    message,
  };
}

function entryFile(parsed: ParsedFolder, agent: string | undefined): string | undefined {
  const entry = findEntry(parsed);
  const name = agent ?? (entry.is === 'named' ? entry.name : undefined);
  if (name !== undefined) return parsed.cards.find((card) => card.name === name)?.file;
  return entry.is === 'card' || entry.is === 'first' ? entry.card.file : undefined;
}

/** Where somebody would look for the agent that is not there; without any card, the file that comes nearest to one. */
function placeOfNoEntry(parsed: ParsedFolder, agent: string | undefined): string | undefined {
  if (agent === undefined && parsed.settings.entry !== undefined) return parsed.settingsFile;
  const documents = [...parsed.roles].flatMap(([file, role]) => (role === 'document' ? [file] : []));
  const near = documents.find((file) => /\.(?:md|markdown|ya?ml)$/i.test(file));
  return parsed.cards[0]?.file ?? near ?? documents[0];
}
