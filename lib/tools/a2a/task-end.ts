import { err, ok, type Result } from '@/lib/base/result';
import type { RemoteReply } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { shortened } from './agent-fault';
import { type AgentSpec, seal } from './agent-spec';
import type { RemoteAnswer, TaskWord } from './remote-answer';

type Unfinished = Exclude<TaskWord, 'completed'>;

/** What a state means for the caller, and the next step. */
const ends: Readonly<
  Partial<Record<Unfinished, { readonly code: string; readonly said: string; readonly next: string }>>
> = {
  failed: { code: 'a2a_failed', said: 'failed', next: 'Look at that agent, then run again.' },
  rejected: { code: 'a2a_rejected', said: 'rejected its task', next: 'Change the message, or choose another agent.' },
  canceled: { code: 'a2a_canceled', said: 'cancelled its task', next: 'Run again.' },
  'input-required': {
    code: 'a2a_input_required',
    said: 'asks for more input (input-required)',
    next: 'Put what it asks for into the message.',
  },
  'auth-required': {
    code: 'a2a_auth_required',
    said: 'asks for a sign-in (auth-required)',
    next: 'Sign in at that agent, or add headers: to its card.',
  },
};

/** Returns the answer of a task that is over, what it asks if the caller takes questions, or an error that names its state. */
export function endOf(answer: RemoteAnswer, spec: AgentSpec, takesQuestions: boolean): Result<RemoteReply, RunError> {
  const { task } = answer;
  const text = seal(answer.text || answer.status, spec.sealed);
  if (task === undefined) return ok({ text });
  const { taskId, contextId, state } = task;
  const ref = { taskId, ...(contextId !== undefined && { contextId }) };
  if (state === 'completed') return ok({ text, ...ref });
  const { code, said, next } = ends[state] ?? { code: 'a2a_bad_answer', said: `ended as ${state}`, next: 'Run again.' };
  const words = shortened(seal(answer.status || answer.text, spec.secrets));
  const reason = words === '' ? '' : ` It says: ${words}`;
  const error = { code, message: `Remote agent '${spec.name}' ${said}.${reason} Task ${taskId}. ${next}` };
  const waits = state === 'input-required' || state === 'auth-required';
  if (!takesQuestions || !waits) return err(error);
  return ok({ text: seal(answer.status || answer.text, spec.sealed), ...ref, asks: { state, error } });
}
