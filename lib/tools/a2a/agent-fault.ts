import { A2AError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { RunError } from '@/lib/runtime/record/events';
import { AddressRefused } from '@/lib/tools/mcp/address-guard';
import { type AgentSpec, seal } from './agent-spec';

/** Codes of failed calls of remote agents, which docs/events.md explains. */
export type AgentFaultCode =
  | 'a2a_settings'
  | 'a2a_address'
  | 'a2a_unreachable'
  | 'a2a_auth'
  | 'a2a_card'
  | 'a2a_timeout'
  | 'a2a_lost'
  | 'a2a_task_unknown'
  | 'a2a_bad_answer'
  | 'a2a_answer_too_large'
  | 'a2a_refused';

/** A failure with a message for people. The message begins with a verb, because the agent's name is put before it. */
export class AgentFault extends Error {
  constructor(
    readonly code: AgentFaultCode,
    /** The end of a sentence that begins with the agent, and the next step. */
    message: string,
    /** False if asking for the task again may help. */
    readonly isFinal = true,
  ) {
    super(message);
  }
}

/** Converts any error of a call. The SDK's errors carry what the server said. */
export function faultOf(error: unknown): AgentFault {
  const known = causesOf(error).find((each) => each instanceof AgentFault);
  if (known !== undefined) return known;
  const refused = causesOf(error).find((each) => each instanceof AddressRefused);
  if (refused !== undefined) return new AgentFault('a2a_address', `is not called: ${refused.message}`);
  if (causesOf(error).some((each) => each instanceof TaskNotFoundError)) {
    return new AgentFault(
      'a2a_task_unknown',
      'does not know its task any more. It may have been restarted: run again.',
    );
  }
  const answered = causesOf(error).find((each): each is A2AError => each instanceof A2AError);
  if (answered !== undefined) {
    return new AgentFault('a2a_refused', `answered with an error: ${shortened(answered.message)}`, false);
  }
  if (isConnectionError(error)) {
    const why = causesOf(error).at(-1)?.message ?? 'the connection failed';
    return new AgentFault('a2a_unreachable', `cannot be reached: ${shortened(why)}. Check that it is running.`, false);
  }
  const said = error instanceof Error ? error.message : String(error);
  return new AgentFault('a2a_bad_answer', `sent an answer that is not A2A: ${shortened(said)}`, false);
}

/** Makes the error of a run, with the agent's name and without secrets. */
export function runErrorOf({ code, message }: AgentFault, spec: AgentSpec): RunError {
  return { code, message: seal(`Remote agent '${spec.name}' (${spec.shown}) ${message}`, spec.secrets) };
}

function isConnectionError(error: unknown): boolean {
  return error instanceof TypeError || causesOf(error).some((each) => 'code' in each && typeof each.code === 'string');
}

/** Returns the error and its causes, outermost first. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let each = error; each instanceof Error && causes.length < 10; each = each.cause) causes.push(each);
  return causes;
}

const maxSaid = 500;

export function shortened(text: string): string {
  return text.length <= maxSaid ? text : `${text.slice(0, maxSaid)}…`;
}
