import type { AgainRequest } from '@/lib/base/again';
import { brandAs, type EpochMs, type RunId, type TreeHash } from '@/lib/base/ids';
import { err, ok, type Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { RunError, RunEvent } from '@/lib/runtime/record/events';
import { recordBefore } from '@/lib/runtime/record/record-before';
import { countAnswers, endsTaken, takeEvents, takenCode } from '@/lib/runtime/record/take-record';
import { type MatchingRecord, type Mismatch, matchingRecord, mismatchWords } from '@/lib/runtime/request/match-record';
import type { EventWriter } from '@/lib/store/event-writer';
import { readAllEvents } from '@/lib/store/events';
import { findTreeOfRun } from '@/lib/store/runs';
import type { TakenRun } from '@/lib/store/take-run';
import type { RunContext, RunReading } from './run-context';

type FromStep = Extract<AgainRequest, { kind: 'from' }>;

/** What of a worker is needed to read the old run and its files. */
export interface RecordSource extends Pick<RunContext, 'store' | 'clock' | 'readTree'> {
  readForRun(treeHash: TreeHash, folder: Folder): Promise<Result<Pick<RunReading, 'parsed'>, unknown>>;
}

/**
 * Writes the record of another run as the beginning of this one, and returns the whole log. A worker that died half-way is
 * continued: the same record is made again, and what is stored of it is left out. The times are moved, so that the record ends
 * when the run begins to live.
 */
export async function takeRecord(
  context: RecordSource,
  taken: TakenRun,
  asked: FromStep,
  parsed: ParsedFolder,
  writer: EventWriter,
): Promise<Result<readonly RunEvent[], RunError>> {
  const { store, clock } = context;
  const { runId } = taken.request;
  const own = taken.lastSeq === 0 ? [] : await readAllEvents(store, runId);
  if (own.some(endsTaken)) return ok(own);
  const old = await readAllEvents(store, brandAs<RunId>(asked.run));
  if (old.length === 0) return err(recordGone);
  const { kept, mismatch } = await recordFor(context, taken, asked, parsed, old);
  const copies = takeEvents(kept, taken.request);
  const [first, last] = [copies[0], copies.at(-1)];
  if (first === undefined || last === undefined) return ok(own);
  const shift = own[0] === undefined ? clock.now() - last.at : own[0].at - first.at;
  const all: RunEvent[] = [...own];
  for (const { body, at } of copies.slice(own.length)) all.push(writer.appendAt(body, brandAs<EpochMs>(at + shift)));
  const message = seamMessage(kept, mismatch);
  const body = { kind: 'log', level: mismatch ? 'warning' : 'info', code: takenCode, message } as const;
  all.push(writer.appendAt(body, brandAs<EpochMs>(last.at + shift)));
  await writer.flush();
  return ok(all);
}

const recordGone: RunError = {
  code: 'record_gone',
  message: 'The run that this one continues was deleted before this one began. Start a new run.',
};

/** Returns what comes before the step, as far as it matches the files of the new run. */
async function recordFor(
  context: RecordSource,
  taken: TakenRun,
  asked: FromStep,
  parsed: ParsedFolder,
  old: readonly RunEvent[],
): Promise<MatchingRecord> {
  const whole = () => ({ kept: recordBefore(old, asked.at), mismatch: undefined });
  const treeHash = await findTreeOfRun(context.store, brandAs<RunId>(asked.run));
  if (treeHash === taken.treeHash) return whole();
  const reading = await context.readForRun(treeHash, await context.readTree(treeHash));
  return reading.ok ? matchingRecord(old, asked.at, { before: reading.value.parsed, now: parsed }) : whole();
}

function seamMessage(kept: readonly RunEvent[], mismatch: Mismatch | undefined): string {
  const { modelCalls, toolCalls } = countAnswers(kept);
  const calls = `${counted(modelCalls, 'model call')} and ${counted(toolCalls, 'tool call')}`;
  const said = `${calls} are answered from the record of the other run. From here on the run is live.`;
  return mismatch === undefined ? said : `${mismatchWords(mismatch)} ${said}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
