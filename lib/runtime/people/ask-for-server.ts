import { brandAs, type StepKey } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { ItemEnd } from '@/lib/base/pending';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { Question } from '@/lib/runtime/instance/questions';
import type { CallSlot } from '@/lib/runtime/permits/call-slot';
import type { AskedByServer, PeoplePort, ToolCallContext } from '@/lib/runtime/ports';
import { callAround, serverQuestionKey } from '@/lib/runtime/record/step-key';
import { argumentsHashOf } from './arguments-hash';
import { reachesPeople } from './ask-person';
import { withHidden } from './hidden-arguments';
import { questionOf } from './pass-gate';
import { serverSentence } from './sentence';

/**
 * Returns the function with which the server of a call asks people; `undefined` where nobody can answer. `key` is the key of this
 * execution of the tool. While a server waits, the run stays in its worker; otherwise it may be suspended meanwhile, and then the
 * promise does not resolve.
 */
export function serverAskerOf(instance: Instance, key: StepKey, slot: CallSlot): ToolCallContext['ask'] {
  const { people } = instance.run.ports;
  if (!reachesPeople(instance, 'question')) return undefined;
  return people && ((asked) => askForServer(instance, people, key, asked, slot));
}

/**
 * Returns what is kept for a call. It is read only if the call was begun before the run went on here, or its server has asked: any other
 * call has kept nothing.
 */
export function keptFor({ run }: Instance, key: StepKey): ToolCallContext['kept'] {
  const kept = run.ports.people?.keptFor?.(key);
  if (!kept) return undefined;
  const step = serverQuestionKey(key);
  return {
    read: async () => {
      if (run.journal.nextAttempt(brandAs<StepKey>(callAround(key) ?? key)) > 1) return await kept.read();
      for (const question of run.journal.questions.values()) if (question.step === step) return await kept.read();
      return undefined;
    },
    write: (value) => kept.write(value),
  };
}

async function askForServer(
  instance: Instance,
  people: PeoplePort,
  key: StepKey,
  asked: AskedByServer,
  slot: CallSlot,
): Promise<ItemEnd> {
  const { run, spec, scope } = instance;
  const { server, arguments: args, signal } = asked;
  if (scope.reason || signal?.aborted) return withdrawn;
  const { question, shown } = questionFor(instance, asked);
  const isOpen = (step: StepKey) => !run.journal.toolReturned(executionOf(step)) && !isOver(instance, step);
  const { item, end: recorded } = run.questions.askForServer(spec.path, serverQuestionKey(key), question, isOpen);
  if (recorded) return whole(recorded, args, shown);
  run.scheduler.release(slot.permit);
  const unpark = scope.park();
  const leave = server.waits ? scope.hold() : () => {};
  const answered = people.answerOf(item, scope.signal);
  const end = await scope.race<ItemEnd>(untilGone(answered, signal), () => withdrawn);
  run.questions.end(item, end);
  // A tool that runs keeps running. One that is called again needs a permit like any other call. A call whose question was withdrawn may
  // have ended, and would keep the permit for ever.
  const isGone = scope.reason || signal?.aborted;
  const held = server.waits || isGone ? undefined : run.scheduler.acquirePermit(slot.permit);
  unpark();
  leave();
  if (held) await held;
  return whole(end, args, shown);
}

const withdrawn: ItemEnd = { outcome: 'withdrawn' };

function questionFor(instance: Instance, asked: AskedByServer): { readonly question: Question; readonly shown: Json } {
  const { what, server, form, arguments: args, editable, mark } = asked;
  const { run } = instance;
  const shown = run.recordable(args ?? {});
  const identity: Json = parseJson(JSON.stringify([server, form ?? null, args ?? null, mark ?? null])) ?? null;
  return {
    shown,
    question: {
      ...questionOf(instance, what, serverSentence(server), { why: undefined, limit: undefined }),
      server: { ...server, ...(server.message !== undefined && { message: textOf(run.recordable(server.message)) }) },
      argumentsHash: argumentsHashOf(identity, run.ports.hash?.now),
      ...(args && { arguments: shown }),
      ...(form && { form }),
      // A text stands for arguments that are too long to be shown whole.
      ...(editable && isRecord(shown) && { editable }),
    },
  };
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The key of the execution of the tool that a question belongs to. */
function executionOf(step: StepKey): StepKey {
  return brandAs<StepKey>(step.replace(/\.q$/, ''));
}

function isOver({ run }: Instance, step: StepKey): boolean {
  const call = callAround(step);
  return call === undefined || run.journal.toolEnd(brandAs<StepKey>(call)) !== undefined;
}

/** Resolves to a withdrawal when the signal aborts first. */
function untilGone(work: Promise<ItemEnd>, signal: AbortSignal | undefined): Promise<ItemEnd> {
  if (!signal) return work;
  return new Promise((resolve) => {
    const gone = () => resolve(withdrawn);
    if (signal.aborted) gone();
    signal.addEventListener('abort', gone, { once: true });
    void work.then((end) => {
      signal.removeEventListener('abort', gone);
      resolve(end);
    });
  });
}

/** Puts the values that the person could not see back into what the person edited. */
function whole(end: ItemEnd, args: JsonObject | undefined, shown: Json): ItemEnd {
  if (end.outcome !== 'answered' || end.answer.decision !== 'edit') return end;
  const edited = args && end.answer.arguments && withHidden(end.answer.arguments, shown, args);
  if (edited) return { ...end, answer: { ...end.answer, arguments: edited } };
  const note = 'The changes cannot be used: they cannot be told from what was hidden.';
  return { ...end, answer: { ...end.answer, decision: 'deny', note } };
}
