import type { Issue } from '@/lib/base/issue';
import { entryGuessed, findEntry } from '@/lib/cards/entry';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { RunError } from '@/lib/runtime/record/events';
import { resolveModel } from './resolve-model';
import type { RunRequest } from './run-request';
import { runnable } from './validate';

/**
 * Why a run of the folder would be refused or might surprise, as issues: what a run is told before it begins, for whoever asks
 * without starting one. What depends on how it is started is a warning (no agent, no model), and so is a workflow that cannot run
 * yet; everything else is an error. Without what the folder's own issues say already.
 */
export function runProblems(parsed: ParsedFolder, request: Pick<RunRequest, 'agent' | 'model'>): Issue[] {
  const { agent } = request;
  const ready = runnable(parsed, request);
  if (ready.ok) {
    const { entry } = ready.value;
    const guessed = agent === undefined ? entryGuessed(parsed) : undefined;
    const model = resolveModel(entry, parsed, request);
    return [
      ...(guessed === undefined ? [] : [guessed]),
      ...(model.ok ? [] : [issueOf(model.error, 'warning', entry.file)]),
    ];
  }
  const { code } = ready.error;
  if (code === 'cards_invalid') return [];
  if (code !== 'unsupported_card_type') return [issueOf(ready.error, 'error', placeOfNoEntry(parsed, agent))];
  return [issueOf(ready.error, 'warning', entryFile(parsed, agent))];
}

function issueOf({ code, message }: RunError, severity: Issue['severity'], file = 'callboard.yaml'): Issue {
  return { code: code.replaceAll('_', '-'), severity, stage: 'callboard', file, line: 1, column: 1, message };
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
