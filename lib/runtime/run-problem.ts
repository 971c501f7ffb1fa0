import type { Issue } from '@/lib/base/issue';
import { entryGuessed } from '@/lib/cards/entry';
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
  const [first] = parsed.cards;
  const file = parsed.settings.entry === undefined ? first?.file : parsed.settingsFile;
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
