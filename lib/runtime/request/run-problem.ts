import type { Issue } from '@/lib/base/issue';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { entryGuessed, findEntry } from '@/lib/cards/project/entry';
import type { RunError } from '@/lib/runtime/record/events';
import { resolveModel } from './resolve-model';
import type { RunRequest } from './run-request';
import { runnable } from './validate';

/**
 * Finds out, without starting a run, why a run of the folder would be refused. A problem that depends on how the run is
 * started (no agent, no model) is a warning, and so is a workflow, which cannot run yet. All others are errors. Problems
 * that the folder's own issues report are left out.
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

/** Returns the file to show for a missing agent: a card, or if there is none the file most like a card. */
function placeOfNoEntry(parsed: ParsedFolder, agent: string | undefined): string | undefined {
  if (agent === undefined && parsed.settings.entry !== undefined) return parsed.settingsFile;
  const documents = [...parsed.roles].flatMap(([file, role]) => (role === 'document' ? [file] : []));
  const near = documents.find((file) => /\.(?:md|markdown|ya?ml)$/i.test(file));
  return parsed.cards[0]?.file ?? near ?? documents[0];
}
