import type { Issue } from '@/lib/base/issue';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { entryGuessed } from '@/lib/cards/project/entry';
import type { RunError } from '@/lib/runtime/record/events';
import { findUnscripted } from './find-unserved';
import { resolveModel } from './resolve-model';
import type { RunRequest } from './run-request';
import { firstAsked, runnable } from './validate';

/**
 * Returns everything that is wrong with a folder: the issues of its files, and if there is no error among them why a run would be
 * refused. The command line, the HTTP API and the check before publishing ask this function. None of it depends on an installation.
 */
export function folderProblems(parsed: ParsedFolder, request: Pick<RunRequest, 'agent' | 'model'>): readonly Issue[] {
  const { issues } = parsed;
  return issues.some(({ severity }) => severity === 'error') ? issues : [...issues, ...runProblems(parsed, request)];
}

/**
 * Finds out, without starting a run, why a run of the folder would be refused. A problem that depends on how the run is
 * started (no agent, no model) is a warning. All others are errors. Problems that the folder's own issues report are left
 * out.
 */
export function runProblems(parsed: ParsedFolder, request: Pick<RunRequest, 'agent' | 'model'>): Issue[] {
  const { agent } = request;
  const ready = runnable(parsed, request);
  if (ready.ok) {
    const { entry } = ready.value;
    const guessed = agent === undefined ? entryGuessed(parsed) : undefined;
    const missing = firstAsked(parsed, entry).flatMap((card) => {
      const model = resolveModel(card, parsed, request);
      return model.ok ? [] : [issueOf(model.error, 'warning', card.file)];
    });
    const unscripted = findUnscripted(parsed, request, entry);
    return [
      ...(guessed === undefined ? [] : [guessed]),
      ...missing.slice(0, 1),
      ...(unscripted === undefined ? [] : [issueOf(unscripted, 'error', parsed.settingsFile)]),
    ];
  }
  const { code } = ready.error;
  if (code === 'cards_invalid') return [];
  return [issueOf(ready.error, 'error', placeOfNoEntry(parsed, agent))];
}

function issueOf({ code, message }: RunError, severity: Issue['severity'], file = 'callboard.yaml'): Issue {
  return { code: code.replaceAll('_', '-'), severity, stage: 'callboard', file, line: 1, column: 1, message };
}

/** Returns the file to show for a missing agent: a card, or if there is none the file most like a card. */
function placeOfNoEntry(parsed: ParsedFolder, agent: string | undefined): string | undefined {
  if (agent === undefined && parsed.settings.entry !== undefined) return parsed.settingsFile;
  const documents = [...parsed.roles].flatMap(([file, role]) => (role === 'document' ? [file] : []));
  const near = documents.find((file) => /\.(?:md|markdown|ya?ml)$/i.test(file));
  return parsed.cards[0]?.file ?? near ?? documents[0];
}
