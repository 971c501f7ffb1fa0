import type { Issue } from '@/lib/base/issue';
import { asksModel } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { entryGuessed } from '@/lib/cards/project/entry';
import { membersOf } from '@/lib/cards/read/members';
import type { RunError } from '@/lib/runtime/record/events';
import { resolveModel } from './resolve-model';
import type { RunRequest } from './run-request';
import { cardsByName, runnable } from './validate';

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
    return [...(guessed === undefined ? [] : [guessed]), ...missing.slice(0, 1)];
  }
  const { code } = ready.error;
  if (code === 'cards_invalid') return [];
  return [issueOf(ready.error, 'error', placeOfNoEntry(parsed, agent))];
}

/** The entry, or if it asks no model itself the steps that are asked first; none of them has a caller with a model. */
function firstAsked(parsed: ParsedFolder, entry: Card): Card[] {
  const cards = cardsByName(parsed);
  const seen = new Set([entry]);
  for (const card of seen) {
    if (asksModel(card)) continue;
    for (const name of membersOf(card)) {
      const member = cards.get(name);
      if (member) seen.add(member);
    }
  }
  return [...seen].filter(asksModel);
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
