import { err, ok, type Result } from '@/lib/base/result';
import type { A2aCard } from '@/lib/cards/card';
import { outputInstruction } from '@/lib/runtime/delegation/child-output';
import { deltaSink } from '@/lib/runtime/instance/forwarding';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { RemoteMessage, RemoteReply, RemoteTaskRef } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { orNoResponse } from '@/lib/runtime/record/messages';
import { stepKey } from '@/lib/runtime/record/step-key';
import { thrownMessage } from '@/lib/runtime/record/tool-error';
import { decide } from './decide';
import { ownRequest } from './request';

/**
 * Sends the request to an agent on another server and answers with what it answers. Each state of the remote task is a
 * recorded decision. A resumed run waits for the recorded task and sends no second message.
 *
 *   request ▶ message ▶ task: submitted ▶ working ▶ completed ▶ answer
 */
export async function runRemoteAgent(instance: Instance, card: A2aCard): Promise<Result<string, RunError>> {
  const { run, spec, scope } = instance;
  // The conversation of an instance that has ended is made from the log alone.
  const ended = run.journal.instanceEnd(spec.path);
  if (ended?.status === 'completed' && ended.answer !== undefined) return ok(ended.answer);
  const { remote } = run.ports;
  if (!remote) return err({ code: 'a2a_unavailable', message: `Remote agent '${card.name}' cannot be called here.` });

  const tasks = new TaskRecord(instance);
  const step = stepKey(spec.path, 'd', 1);
  const onText = deltaSink(instance, step);
  const sent = remote
    .send(card, messageOf(instance), {
      signal: scope.signal,
      messageId: `${run.request.runId}/${step}`,
      task: tasks.last,
      onTask: (task) => tasks.note(task),
      onText: (text) => scope.reason || onText(text),
      log: (body) => scope.reason || run.log(body, spec.path, step),
    })
    .catch((error: unknown): Result<RemoteReply, RunError> => {
      const message = `The call of remote agent '${card.name}' failed: ${thrownMessage(error)}`;
      return err({ code: 'a2a_failed', message });
    });
  const reply = await scope.race(sent, (): Result<RemoteReply, RunError> => err(cancelled));
  return reply.ok ? ok(orNoResponse(reply.value.text)) : reply;
}

const cancelled: RunError = { code: 'cancelled', message: 'The call of the remote agent was cancelled.' };

/** What the user side said before is part of the message: the remote agent knows no earlier conversation. */
function messageOf(instance: Instance): RemoteMessage {
  const { history, text, attachments } = ownRequest(instance);
  const earlier = history.flatMap((message) => (message.role === 'user' ? message.content : []));
  const texts = earlier.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const schema = instance.spec.outputSchema;
  return {
    text: [...texts, schema ? text + outputInstruction(schema) : text].join('\n\n'),
    attachments: [...earlier.filter((block) => block.type !== 'text'), ...attachments],
  };
}

/** The remote task of an instance, as recorded. */
class TaskRecord {
  last: (RemoteTaskRef & { readonly state: string }) | undefined;

  constructor(private readonly instance: Instance) {
    const { run, spec } = instance;
    for (const decision of run.journal.decisionsOf(spec.path)) {
      instance.decisions += 1;
      if (decision.what === 'remote_task') this.last = decision;
    }
  }

  /** Records a state that is not the last recorded one. */
  note(task: RemoteTaskRef & { readonly state: string }): void {
    const { taskId, contextId, state } = task;
    if (this.instance.scope.reason || (this.last?.taskId === taskId && this.last.state === state)) return;
    this.last = task;
    decide(this.instance, { what: 'remote_task', taskId, contextId, state });
  }
}
