import { brandAs, type RunId } from '@/lib/base/ids';
import { ok, type Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { RunError, RunEvent } from '@/lib/runtime/record/events';
import { firstAnswer, type GiveAnswer, pinnedAnswers } from '@/lib/runtime/record/given-answers';
import type { InstanceStart } from '@/lib/runtime/run/start-instance';
import type { EarlierConversation } from '@/lib/runtime/sessions/conversation';
import type { Store } from '@/lib/store/database';
import type { EventWriter } from '@/lib/store/event-writer';
import { findOpenedConversation } from '@/lib/store/events';
import { pinsOfRun } from '@/lib/store/pins';
import type { TakenRun } from '@/lib/store/take-run';
import { readInstanceAgain } from './instance-again';
import type { RunContext } from './run-context';
import { takeRecord } from './take-record';

/** What a run begins with that other runs have recorded, or that people have pinned. */
export interface RunBeginning {
  /** The run's own log so far. */
  readonly log: readonly RunEvent[];
  readonly instance?: InstanceStart;
  /** The conversation of the run that this one is made from, as it was then. */
  readonly earlier?: EarlierConversation | undefined;
  readonly answers: GiveAnswer | undefined;
}

/** Prepares the beginning of a run, or of another attempt. `recorded` is its own log so far. */
export async function beginningOf(
  context: RunContext,
  taken: TakenRun,
  recorded: readonly RunEvent[],
  files: { readonly folder: Folder; readonly parsed: ParsedFolder },
  writer: EventWriter,
): Promise<Result<RunBeginning, RunError>> {
  const { again, hasPins } = taken;
  const pinned = hasPins ? pinnedAnswers(await pinsOfRun(context.store, taken.request.runId)) : undefined;
  switch (again?.kind) {
    case 'from': {
      const log = await takeRecord(context, taken, again, files.parsed, writer);
      return log.ok ? ok({ log: log.value, answers: pinned, earlier: await earlierOf(context.store, again.run) }) : log;
    }
    case 'again':
      return ok({ log: recorded, answers: pinned, earlier: await earlierOf(context.store, again.run) });
    case 'instance': {
      const read = await readInstanceAgain(context.store, again, files);
      if (!read.ok) return read;
      const { instance, answers } = read.value;
      return ok({ log: recorded, instance, answers: firstAnswer(answers, pinned) });
    }
    default:
      return ok({ log: recorded, answers: pinned });
  }
}

/** Returns what the old run began with, if it was a turn of a conversation, or was itself made from one. */
async function earlierOf(store: Store, run: string): Promise<EarlierConversation | undefined> {
  const opened = await findOpenedConversation(store, brandAs<RunId>(run));
  if (opened?.content === undefined) return undefined;
  const { sessionId, version, content } = opened;
  return { id: sessionId, version, ...content };
}
