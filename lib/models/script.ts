import type { Clock } from '@/lib/base/clock';
import { exactJson } from '@/lib/base/exact-json';
import { brandAs, type CallId } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { missingScript } from '@/lib/base/missing-script';
import type { ScriptedAgent, ScriptedTurn, Settings } from '@/lib/cards/settings';
import type { ModelPort, ModelRequest, ToolDescriptor } from '@/lib/runtime/ports';
import type { AssistantMessage, Message, ToolCall, Usage } from '@/lib/runtime/record/messages';
import { noUsage, textOf } from '@/lib/runtime/record/messages';
import { isRepairMessage } from '@/lib/runtime/record/repair-message';
import { resultForModel } from '@/lib/runtime/record/result-text';
import { cancelled, failed, textContent } from './response';

/**
 * Makes a model that answers from `scripts` of callboard.yaml. Turn n of an instance is turn n of its agent's script, so a
 * resumed run continues at the right turn. Token counts are estimates of four characters per token.
 */
export function scriptedModel(settings: Settings, clock: Clock): ModelPort {
  return {
    async complete(request, control) {
      const found = findTurn(settings.scripts, request);
      if (!found.ok) return found.failure;
      const { turn } = found;
      const begun = clock.now();
      if (turn.delay_ms) await clock.sleep(turn.delay_ms, control.signal);
      if (control.signal.aborted) return cancelled();
      if (turn.error !== undefined) return failed('model_failed', turn.error);

      const message = say(turn, request);
      const firstTokenMs = clock.now() - begun;
      for (const piece of textOf(message.content).match(/\S+\s*|\s+/g) ?? []) control.onDelta(piece);
      return { ok: true, message, usage: estimateUsage(request, message), firstTokenMs, requests: 0 };
    },
  };
}

type Found = { ok: true; turn: ScriptedTurn } | { ok: false; failure: ReturnType<typeof failed> };

function findTurn(scripts: Settings['scripts'], request: ModelRequest): Found {
  const { agentName } = request;
  const refuse = (code: string, message: string): Found => ({ ok: false, failure: failed(code, message) });
  const candidates: readonly ScriptedAgent[] | undefined = Object.hasOwn(scripts, agentName)
    ? scripts[agentName]
    : undefined;
  if (candidates === undefined) {
    return refuse('script_missing', missingScript(agentName));
  }
  const own = request.messages.findLastIndex(isOwn);
  const input = ownInput(request);
  const history = textIn(request.messages.slice(0, Math.max(0, own)));
  const script = candidates.find(
    ({ when_input_contains: part = '', when_history_contains: before = '', when_instances: instances }) =>
      input.includes(part) && history.includes(before) && (instances?.includes(instanceNumber(request)) ?? true),
  );
  if (script === undefined) {
    return refuse(
      'script_missing',
      `No script of agent '${agentName}' matches its input. Add one under scripts.${agentName} without a condition (when_…).`,
    );
  }
  const turn = script.turns[request.turn - 1];
  if (turn !== undefined) return { ok: true, turn };
  return refuse(
    'script_exhausted',
    `The script of agent '${agentName}' has ${script.turns.length} turns and was asked for turn ${request.turn}. ` +
      'Add a turn, or let an earlier one answer without calls.',
  );
}

/** Returns 3 for `Writer[3]` and for its second attempt `Writer[3.2]`, and 1 for the root of a run. */
function instanceNumber({ instanceName }: ModelRequest): number {
  return Number(/\[(\d+)[^[]*\]$/.exec(instanceName)?.[1] ?? 1);
}

function say(turn: ScriptedTurn, request: ModelRequest): AssistantMessage {
  const fill = placeholders(request);
  const toolCalls = (turn.calls ?? []).map(
    (call, index): ToolCall => ({
      id: brandAs<CallId>(`${request.instanceName}-t${request.turn}-c${index + 1}`),
      name: surfaceName(call.tool, request.tools),
      argumentsText: exactJson(fillJson(call.arguments, fill)),
    }),
  );
  return {
    role: 'assistant',
    content: textContent(fill(turn.text ?? '')),
    toolCalls,
    stopReason: toolCalls.length > 0 ? 'tool_use' : 'end_turn',
  };
}

/**
 * Finds the full name of a tool, since a script may omit the prefix. An unknown name is returned unchanged, and the run
 * reports it.
 */
function surfaceName(name: string, tools: readonly ToolDescriptor[]): string {
  if (tools.some((tool) => tool.name === name)) return name;
  const child = tools.find((tool) => tool.source === 'agent' && tool.name === `agent__${name}`);
  return (child ?? tools.find((tool) => tool.remoteName === name))?.name ?? name;
}

function placeholders(request: ModelRequest): (text: string) => string {
  const last = request.messages.findLast((message) => message.role === 'tool');
  const results = (last?.results ?? []).map(({ result }) =>
    result.isError ? resultForModel(result) : textOf(result.content),
  );
  return (text) =>
    text.replace(
      /\{\{\s*(input|instance|results|result|session_id)(?:\[(\d+)\])?\s*\}\}/g,
      (_, name: string, index?: string) => {
        if (name === 'input') return ownInput(request);
        if (name === 'instance') return request.instanceName;
        if (name === 'results') return results.join('\n');
        const number = Number(index ?? 1);
        const result = results[number - 1] ?? `[no result ${number}]`;
        return name === 'session_id' ? (sessionLine.exec(result)?.[1] ?? '') : result;
      },
    );
}

/** Matches the first line of a result from a delegation with sessions. */
const sessionLine = /^session_id: (\S+)/;

function fillJson(value: Json, fill: (text: string) => string): Json {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((item) => fillJson(item, fill));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillJson(item, fill)]));
  return value;
}

function isObject(value: Json): value is JsonObject {
  return isRecord(value);
}

/** Returns the text of the message from the caller, which is the last user message and not the earlier history. */
function ownInput({ messages }: ModelRequest): string {
  return textIn(messages.filter(isOwn).slice(-1));
}

/** Returns true for a message from a caller, not for one of the runtime that asks for a better answer. */
function isOwn(message: Message): boolean {
  return message.role === 'user' && !isRepairMessage(message);
}

function textIn(messages: readonly Message[]): string {
  return messages.map((message) => (message.role === 'tool' ? '' : textOf(message.content))).join('\n');
}

function estimateUsage(request: ModelRequest, message: AssistantMessage): Usage {
  let input = request.instruction.length;
  for (const sent of request.messages) {
    input +=
      sent.role === 'tool'
        ? sent.results.reduce((sum, { result }) => sum + textOf(result.content).length, 0)
        : textOf(sent.content).length;
  }
  const output = message.toolCalls.reduce(
    (sum, call) => sum + call.name.length + call.argumentsText.length,
    textOf(message.content).length,
  );
  return { ...noUsage, inputTokens: Math.ceil(input / 4), outputTokens: Math.ceil(output / 4), modelCalls: 1 };
}
