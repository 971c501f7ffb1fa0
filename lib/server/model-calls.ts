import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { RunId } from '@/lib/base/ids';
import type { Json } from '@/lib/base/json';
import type { EventOf, RunEvent } from '@/lib/runtime/record/events';
import type { Store } from '@/lib/store/database';
import { readCallContext, readEvent, readNamedEvents } from '@/lib/store/events';
import { type ConversationEntry, conversationOf, modelCallJson } from '@/lib/trace/model-conversation';
import { type ModelRequestRecord, resolveRequest } from '@/lib/trace/model-request';
import { oneAtATime } from './one-at-a-time';
import { withStore } from './services';

/** A model call as it went. */
export interface WholeModelCall {
  readonly entries: readonly ConversationEntry[];
  readonly request: ModelRequestRecord;
  readonly json: () => Json;
}

/** Requests name requests of other instances, and those name no others, so few rounds are needed. */
const mostRounds = 8;
/** The events of one call together have at most this many bytes. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Reads the request and the answer of the model call that an event starts. Throws AppError `not_found` for another event or a log
 * that does not have requests, and `too_large`.
 */
export async function readModelCall(
  actor: Actor,
  runId: RunId,
  seq: number,
  { withAnswer }: { readonly withAnswer: boolean },
): Promise<WholeModelCall> {
  return await withStore(actor, 'run.texts', { run: runId }, (store) =>
    oneAtATime(() => readCall(store, runId, seq, withAnswer)),
  );
}

async function readCall(store: Store, runId: RunId, seq: number, withAnswer: boolean): Promise<WholeModelCall> {
  const call = await readEvent(store, runId, seq);
  if (call?.kind !== 'model.started') throw new AppError('not_found', `Event ${seq} of the run starts no model call.`);
  const events = [...enough(await readCallContext(store, runId, call, mostBytes))];
  for (let round = 0; round < mostRounds; round += 1) {
    const resolved = resolveRequest(call, events);
    if ('unrecorded' in resolved) {
      const why = 'This run was recorded before Callboard kept whole requests. Run it again to see them.';
      throw new AppError('not_found', why);
    }
    if ('request' in resolved) {
      return wholeCall(call, resolved.request, withAnswer ? endOf(call, events) : undefined);
    }
    const found = enough(await readNamedEvents(store, runId, resolved.missing, seq, mostBytes));
    if (found.length === 0) break;
    for (const event of found) events.push(event);
  }
  throw new AppError('not_found', 'The log of the run does not have all messages of this call.');
}

function wholeCall(
  call: EventOf<'model.started'>,
  request: ModelRequestRecord,
  ended: EventOf<'model.ended'> | undefined,
): WholeModelCall {
  return {
    entries: conversationOf(request, ended),
    request,
    json: () => modelCallJson(call, request, ended),
  };
}

/** Returns the end of this very attempt, which a crash may have kept from ending, and not that of a later one. */
function endOf(call: EventOf<'model.started'>, events: readonly RunEvent[]): EventOf<'model.ended'> | undefined {
  const later = events
    .filter(({ seq }) => seq > call.seq)
    .flatMap((event) => (event.kind === 'model.started' || event.kind === 'model.ended' ? [event] : []))
    .sort((a, b) => a.seq - b.seq)
    .find(({ step }) => step === call.step);
  return later?.kind === 'model.ended' ? later : undefined;
}

function enough(read: readonly RunEvent[] | 'too_large'): readonly RunEvent[] {
  if (read !== 'too_large') return read;
  throw new AppError(
    'too_large',
    'The conversation of this call is larger than 64 MB. Export the event log to read it.',
  );
}
