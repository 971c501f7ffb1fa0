import type { StepKey } from '@/lib/base/ids';
import { err, ok, type Result } from '@/lib/base/result';
import type { A2aCard } from '@/lib/cards/card';
import { outputInstruction } from '@/lib/runtime/delegation/child-output';
import { deltaSink } from '@/lib/runtime/instance/forwarding';
import type { Instance } from '@/lib/runtime/instance/instance';
import { askForRemote, canAskForRemote } from '@/lib/runtime/people/ask-for-remote';
import type { RemoteContext, RemoteMessage, RemoteReply, RemoteTaskRef } from '@/lib/runtime/ports';
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
 *                                           └ input-required ▶ people asked ┄ suspended ┄ any worker ▶ their answer, to the same task ▶ …
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
  const first = `${run.request.runId}/${step}`;
  const send = (message: RemoteMessage, more: Pick<RemoteContext, 'messageId' | 'isReply'>) => {
    const sent = remote
      .send(card, message, {
        signal: scope.signal,
        ...more,
        task: tasks.last,
        takesQuestions: canAskForRemote(instance),
        onTask: tasks.noter(more.isReply === true),
        onText: (text) => scope.reason || onText(text),
        log: (body) => scope.reason || run.log(body, spec.path, step),
      })
      .catch((error: unknown): Result<RemoteReply, RunError> => {
        const message = `The call of remote agent '${card.name}' failed: ${thrownMessage(error)}`;
        return err({ code: 'a2a_failed', message });
      });
    return scope.race(sent, (): Result<RemoteReply, RunError> => err(cancelled));
  };
  let reply = await send(messageOf(instance), { messageId: first });
  while (reply.ok && reply.value.asks) {
    const asking = tasks.lastStep;
    const given = await askForRemote(instance, card, asking, reply.value, reply.value.asks);
    // A call that is stopped asks the agent to cancel its task, also if the task waits. A suspended run calls no port.
    if (scope.reason) {
      await send(messageOf(instance), { messageId: first });
      return err(cancelled);
    }
    if (!given.ok) return given;
    const messageId = `${run.request.runId}/${asking}.answer`;
    reply = await send({ text: given.value, attachments: [] }, { messageId, isReply: true });
  }
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

  /** The key of the last recorded state. */
  get lastStep(): StepKey {
    return stepKey(this.instance.spec.path, 'd', this.instance.decisions);
  }

  /**
   * Returns a function that records states that are not the last recorded one. The first state after a reply is recorded whatever it
   * is, so that each question of the task belongs to a state of its own.
   */
  noter(isReply: boolean): (task: RemoteTaskRef & { readonly state: string }) => void {
    let isNew = isReply;
    return (task) => {
      const { taskId, contextId, state } = task;
      const isKnown = this.last?.taskId === taskId && this.last.state === state;
      if (this.instance.scope.reason || (isKnown && !isNew)) return;
      isNew = false;
      this.last = task;
      decide(this.instance, { what: 'remote_task', taskId, contextId, state });
    };
  }
}
