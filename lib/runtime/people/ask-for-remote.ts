import type { StepKey } from '@/lib/base/ids';
import { ok, type Result } from '@/lib/base/result';
import type { A2aCard } from '@/lib/cards/card';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { RemoteReply } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { argumentsHashOf } from './arguments-hash';
import { askPerson, reachesPeople } from './ask-person';
import { answerForm, textOfAnswer } from './human-input';
import { questionOf } from './pass-gate';
import { remoteSentence } from './sentence';

/** True if somebody can answer what a remote agent asks in this instance. */
export function canAskForRemote(instance: Instance): boolean {
  return instance.run.ports.people !== undefined && reachesPeople(instance, 'question');
}

/**
 * Asks people what the task of a remote agent needs. Returns the text for the task, or the error of the call if nobody gives it.
 * The question is the same in each execution of the run if `step` and the words of the agent are the same.
 */
export async function askForRemote(
  instance: Instance,
  card: A2aCard,
  step: StepKey,
  { text }: RemoteReply,
  { state, error }: NonNullable<RemoteReply['asks']>,
): Promise<Result<string, RunError>> {
  const { run } = instance;
  const agent = URL.canParse(card.url) ? `${card.name} (${new URL(card.url).host})` : card.name;
  const recordable = run.recordable(text);
  const message = typeof recordable === 'string' ? recordable : JSON.stringify(recordable);
  const isSignIn = state === 'auth-required';
  const end = await askPerson(instance, step, {
    ...questionOf(instance, 'question', remoteSentence(agent, message, isSignIn), { why: undefined, limit: undefined }),
    server: { serverName: agent, ...(message !== '' && { message }) },
    argumentsHash: argumentsHashOf({ state, text }, run.ports.hash?.now),
    form: answerForm,
  });
  if (end.outcome === 'answered' && end.answer.decision === 'answer' && end.answer.content !== undefined) {
    return ok(textOfAnswer(end.answer.content));
  }
  const note = end.outcome === 'answered' ? (end.answer.note ?? '').trim() : '';
  const why = end.outcome === 'answered' ? 'The person that was asked did not answer.' : 'Nobody answered in time.';
  return { ok: false, error: { ...error, message: `${error.message} ${why}${note === '' ? '' : ` Reason: ${note}`}` } };
}
