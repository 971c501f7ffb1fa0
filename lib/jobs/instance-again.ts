import type { AgainRequest } from '@/lib/base/again';
import { brandAs, type RunId } from '@/lib/base/ids';
import { err, ok, type Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { RunError, RunEvent } from '@/lib/runtime/record/events';
import { type GiveAnswer, recordedAnswers } from '@/lib/runtime/record/given-answers';
import { type InstanceRecord, readInstanceRecord } from '@/lib/runtime/record/instance-record';
import type { Message } from '@/lib/runtime/record/messages';
import { type InstanceStart, startOfInstance } from '@/lib/runtime/run/start-instance';
import type { Store } from '@/lib/store/database';
import { readAllEvents } from '@/lib/store/events';
import { resolveRequest } from '@/lib/trace/model-request';

/** Reads what a run needs that is one instance of another run. */
export async function readInstanceAgain(
  store: Store,
  asked: Extract<AgainRequest, { kind: 'instance' }>,
  files: { readonly folder: Folder; readonly parsed: ParsedFolder },
): Promise<Result<{ readonly instance: InstanceStart; readonly answers: GiveAnswer }, RunError>> {
  const log = await readAllEvents(store, brandAs<RunId>(asked.run));
  const record = readInstanceRecord(log, asked.path);
  if (record === undefined) {
    const message = `The record of the instance '${asked.path}' is gone, or it did not start. Start a new run.`;
    return err({ code: 'record_gone', message });
  }
  const instance = startOfInstance(record, historyOf(record, log), asked.arguments, files);
  if (!instance.ok) return instance;
  return ok({ instance: instance.value, answers: recordedAnswers(record.calls, asked.tools) });
}

/** Returns the messages that the instance was given before its input. The request of its first model call has them. */
function historyOf({ firstCall, started }: InstanceRecord, log: readonly RunEvent[]): readonly Message[] {
  const { historyCount = 0 } = started;
  if (historyCount === 0 || firstCall === undefined) return [];
  const resolved = resolveRequest(firstCall, log);
  return 'request' in resolved ? resolved.request.messages.slice(0, historyCount) : [];
}
