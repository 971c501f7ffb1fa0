import type { Clock } from '@/lib/base/clock';
import { hiderOf } from '@/lib/base/hider';
import { err, type Result } from '@/lib/base/result';
import type { A2aCard } from '@/lib/cards/card';
import type { RemoteContext, RemoteMessage, RemoteReply } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import type { GuardedFetch } from '@/lib/tools/mcp/guarded-fetch';
import { faultOf, runErrorOf } from './agent-fault';
import { type AgentSpec, seal } from './agent-spec';
import { type FoundAgent, findAgent } from './find-agent';
import { RemoteAnswer } from './remote-answer';
import { followTask, sendMessage } from './talk';
import { endOf } from './task-end';

export interface AgentCall {
  readonly card: A2aCard;
  readonly spec: AgentSpec;
  readonly message: RemoteMessage;
  readonly context: RemoteContext;
  readonly http: GuardedFetch;
  readonly clock: Clock;
  readonly maxChars: number;
  /** Called when the call stops before the end of its task, with a function that asks the remote agent to cancel it. */
  onLeft(cancelTask: () => Promise<void>): void;
}

/** A remote agent that does not take a cancellation within this time keeps its task. The end of the run waits no longer. */
const cancelMs = 2_000;

/** Makes one call of a remote agent. Does not throw. */
export async function callAgent(call: AgentCall): Promise<Result<RemoteReply, RunError>> {
  const { card, spec, message, context, http, clock } = call;
  const { signal, task: known } = context;
  const { answer, passOnRest } = answerOf(call);
  let agent: FoundAgent | undefined;
  try {
    agent = await findAgent(card, spec, http, signal);
    const talk = { card, agent, answer, clock, signal };
    if (known && !context.isReply) await followTask(talk, known.taskId);
    else await sendMessage(talk, context.messageId, message, known);
    if (!signal.aborted) {
      passOnRest();
      return endOf(answer, spec, context.takesQuestions === true);
    }
  } catch (error) {
    if (!signal.aborted) return err(runErrorOf(faultOf(error), spec));
  }
  const id = answer.task?.taskId ?? known?.taskId;
  if (id !== undefined && !answer.isOver) {
    call.onLeft(async () => {
      const limit = AbortSignal.timeout(cancelMs);
      const { client } = agent ?? (await findAgent(card, spec, http, limit));
      await client.cancelTask({ tenant: '', id, metadata: undefined }, { signal: limit });
    });
  }
  return err({ code: 'cancelled', message: `The call of remote agent '${card.name}' was cancelled.` });
}

function answerOf({ spec, context, maxChars }: AgentCall): { readonly answer: RemoteAnswer; passOnRest(): void } {
  const hider = hiderOf(spec.sealed);
  /** The end of the text so far, which may be the beginning of a secret. */
  let rest = { held: '', covered: 0 };
  const answer = new RemoteAnswer(
    {
      onTask: (task) => context.onTask(task),
      onText: (text) => {
        const { clean, ...next } = hider.split(rest.held + text, rest.covered);
        rest = next;
        if (clean !== '') context.onText(clean);
      },
      onStatus: (text) => context.log({ level: 'info', code: 'a2a_status', message: seal(text, spec.secrets) }),
    },
    maxChars,
  );
  return {
    answer,
    passOnRest() {
      const text = hider.hide(rest.held, rest.covered);
      rest = { held: '', covered: 0 };
      if (text !== '') context.onText(text);
    },
  };
}
