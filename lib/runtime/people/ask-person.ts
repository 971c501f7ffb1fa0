import { integersOfSchema } from '@/lib/base/exact-json';
import type { PendingId, StepKey } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { ItemEnd } from '@/lib/base/pending';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { Question } from '@/lib/runtime/instance/questions';
import type { Permit } from '@/lib/runtime/permits/call-scheduler';
import type { PeoplePort } from '@/lib/runtime/ports';

/**
 * Asks a person and waits for the end of the question. An end that the log has is returned at once. Otherwise the question is
 * recorded, once over all executions of the run, and its end is recorded before it is returned.
 *
 * `step` is the key of what asks, such as `lead#t7`, or `lead#t7.r2` for a call that a hook repeats. The questions of one step
 * must be asked in the same order in every execution. `permit` is the call's, which is released: whatever the call does next
 * acquires it again. The clocks of time limits stop while nothing but people is waited for.
 *
 * If the instance is cancelled, the question ends as withdrawn. So it does when the run is suspended meanwhile, but nothing that
 * happens in this execution after that has an effect.
 */
export async function askPerson(
  instance: Instance,
  step: StepKey,
  question: Question,
  permit?: Permit,
): Promise<ItemEnd> {
  const { run, spec, scope } = instance;
  const { people } = run.ports;
  if (scope.reason) return withdrawn;
  if (!people || !reachesPeople(instance, question.what)) return nobodyAnswers(instance, step);
  const { item, end: recorded } = run.questions.ask(spec.path, step, question);
  return withIntegers(question, recorded ?? (await endOfQuestion(instance, people, item, permit)));
}

/** Records and pages have integers beyond 2^53 as text. What the form wants as a number is one again. */
export function withIntegers({ form }: Question, end: ItemEnd): ItemEnd {
  if (form === undefined || end.outcome !== 'answered') return end;
  const { arguments: args, content } = end.answer;
  const exact = args && integersOfSchema(form, args);
  return {
    ...end,
    answer: {
      ...end.answer,
      ...(exact && isObject(exact) && { arguments: exact }),
      ...(content !== undefined && { content: integersOfSchema(form, content) }),
    },
  };
}

function isObject(value: Json): value is JsonObject {
  return isRecord(value);
}

/** Waits for the end of a question that the log has, and records it. */
export async function endOfQuestion(
  { run, scope }: Instance,
  people: PeoplePort,
  item: PendingId,
  permit: Permit | undefined,
): Promise<ItemEnd> {
  if (permit) run.scheduler.release(permit);
  const unpark = scope.park();
  const end = await scope.race<ItemEnd>(people.answerOf(item, scope.signal), () => withdrawn).finally(unpark);
  run.questions.end(item, end);
  return end;
}

/**
 * False if a delegation above the instance does not hand on its questions. A budget is the run's own question. Without people
 * nothing is handed on, and the answer is true.
 */
export function reachesPeople({ run, spec }: Pick<Instance, 'run' | 'spec'>, what: Question['what']): boolean {
  return run.ports.people?.isByDelegation !== true || spec.handsOn || what === 'budget';
}

const withdrawn: ItemEnd = { outcome: 'withdrawn' };

function nobodyAnswers({ run, spec }: Instance, step: StepKey): ItemEnd {
  const message = run.ports.people
    ? "Nobody can be asked here, because a delegation does not hand on questions. Set 'enable_hitl' and 'enable_sub_agent_hitl' in callboard.yaml."
    : "Nobody can be asked in this run. Run it in the app or with '--approve', or set 'approvals' in callboard.yaml.";
  run.log({ level: 'warning', code: 'nobody_to_ask', message }, spec.path, step);
  return { outcome: 'answered', answer: { decision: 'deny', note: message, by: 'policy', via: 'run' } };
}
