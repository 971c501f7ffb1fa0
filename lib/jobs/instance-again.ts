import type { AgainRequest } from '@/lib/base/again';
import { brandAs, type RunId } from '@/lib/base/ids';
import { err, ok, type Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { RunError, RunEvent } from '@/lib/runtime/record/events';
import { type GiveAnswer, recordedAnswers } from '@/lib/runtime/record/given-answers';
import { type InstanceRecord, readInstanceRecord } from '@/lib/runtime/record/instance-record';
import type { ContentBlock, Message } from '@/lib/runtime/record/messages';
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
  const messages = firstMessages(record, log);
  const history = messages.slice(0, record.started.historyCount ?? 0);
  const instance = startOfInstance(record, history, asked.arguments, files);
  if (!instance.ok) return instance;
  // With other arguments the files are those that the arguments name.
  const attachments = asked.arguments === undefined ? filesOf(record, messages) : instance.value.attachments;
  return ok({ instance: { ...instance.value, attachments }, answers: recordedAnswers(record.calls, asked.tools) });
}

/** Returns the messages of the first model call of the instance. They begin with those that it was given before its input. */
function firstMessages({ firstCall }: InstanceRecord, log: readonly RunEvent[]): readonly Message[] {
  if (firstCall === undefined) return [];
  const resolved = resolveRequest(firstCall, log);
  return 'request' in resolved ? resolved.request.messages : [];
}

/** Returns the files that came with the input. */
function filesOf({ started }: InstanceRecord, messages: readonly Message[]): readonly ContentBlock[] {
  for (const message of messages.toReversed()) {
    const [text, ...files] = message.role === 'user' ? message.content : [];
    if (text?.type === 'text' && text.text === started.input) return files;
  }
  return [];
}
