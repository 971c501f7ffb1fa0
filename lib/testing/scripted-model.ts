import type { Clock } from '@/lib/base/clock';
import { brandAs, type CallId } from '@/lib/base/ids';
import type { ModelPort, ModelRequest, ModelResponse } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import type { AssistantMessage, Usage } from '@/lib/runtime/record/messages';

export interface TestCall {
  readonly tool: string;
  /** A string is sent unchanged, even if it is not JSON. */
  readonly arguments?: Readonly<Record<string, unknown>> | string;
  /** The id of the call; by default `<step>.<position>`. */
  readonly id?: string;
}

export interface TestTurn {
  readonly text?: string;
  readonly calls?: readonly TestCall[];
  readonly delayMs?: number;
  readonly error?: RunError;
  readonly usage?: Partial<Usage>;
  /** The whole message, for cases that the other fields cannot express. */
  readonly message?: AssistantMessage;
}

/** One turn of a script. A string is the text of the answer. A function returns the turn for a request. */
export type TestScript =
  | string
  | TestTurn
  | readonly (string | TestTurn)[]
  | ((request: ModelRequest) => string | TestTurn);

export interface ScriptedModel extends ModelPort {
  /** The requests in order, with copies of their messages. */
  readonly requests: ModelRequest[];
  /** Calls without a turn in a script. */
  readonly unexpected: string[];
}

/**
 * Makes a model that answers from a script per agent. A list has one turn per model call of each instance. A call without a
 * turn fails with `unscripted` and is added to `unexpected`. Each call reports 10 input and 5 output tokens.
 */
export function scriptedModel(scripts: Readonly<Record<string, TestScript>>, clock?: Clock): ScriptedModel {
  const requests: ModelRequest[] = [];
  const unexpected: string[] = [];
  return {
    requests,
    unexpected,
    async complete(request, { signal, onDelta }) {
      requests.push({ ...request, messages: [...request.messages] });
      const turn = turnOf(scripts[request.agentName], request);
      if (turn === undefined) {
        unexpected.push(request.step);
        return failure({ code: 'unscripted', message: `No turn ${request.turn} for '${request.agentName}'.` });
      }
      if (turn.delayMs !== undefined) await clock?.sleep(turn.delayMs, signal);
      if (signal.aborted) return failure({ code: 'cancelled', message: 'The call was cancelled.' });
      if (turn.error) return failure(turn.error);
      if (turn.text) onDelta(turn.text);
      return { ok: true, message: turn.message ?? messageOf(turn, request), usage: usageOf(turn), requests: 1 };
    },
  };
}

function turnOf(script: TestScript | undefined, request: ModelRequest): TestTurn | undefined {
  const turn =
    typeof script === 'function'
      ? script(request)
      : isList(script)
        ? script[request.turn - 1]
        : onlyOnce(script, request);
  return typeof turn === 'string' ? { text: turn } : turn;
}

function isList(script: TestScript | undefined): script is readonly (string | TestTurn)[] {
  return Array.isArray(script);
}

function onlyOnce<T>(turn: T, request: ModelRequest): T | undefined {
  return request.turn === 1 ? turn : undefined;
}

function messageOf(turn: TestTurn, request: ModelRequest): AssistantMessage {
  const toolCalls = (turn.calls ?? []).map((call, index) => ({
    id: brandAs<CallId>(call.id ?? `${request.step}.${index + 1}`),
    name: call.tool,
    argumentsText: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {}),
  }));
  return {
    role: 'assistant',
    content: turn.text === undefined ? [] : [{ type: 'text', text: turn.text }],
    toolCalls,
    stopReason: toolCalls.length > 0 ? 'tool_use' : 'end_turn',
  };
}

function usageOf(turn: TestTurn): Usage {
  return { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 1, ...turn.usage };
}

function failure(error: RunError): ModelResponse {
  const usage: Usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 1 };
  return { ok: false, error, usage, requests: 1 };
}
