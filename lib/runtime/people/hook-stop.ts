import { brandAs, type CallId } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { ItemEnd } from '@/lib/base/pending';
import { pendingId } from '@/lib/base/pending-id';
import { err, ok, type Result } from '@/lib/base/result';
import { identityOf } from '@/lib/cards/hook-when';
import { shownArguments } from '@/lib/runtime/hooks/call-hooks';
import type { HookStop } from '@/lib/runtime/hooks/phase-hooks';
import { calledWorker } from '@/lib/runtime/instance/called-worker';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { Question } from '@/lib/runtime/instance/questions';
import type { RunError } from '@/lib/runtime/record/events';
import { contentBlock } from '@/lib/runtime/record/message-schema';
import {
  type AssistantMessage,
  type Message,
  type ToolCall,
  type ToolResult,
  textOf,
} from '@/lib/runtime/record/messages';
import { stepKey } from '@/lib/runtime/record/step-key';
import { answerOrAsk } from './answer-or-ask';
import { argumentsHashOf } from './arguments-hash';
import { reachesPeople } from './ask-person';
import { answerForm, textOfAnswer } from './human-input';
import { questionOf } from './pass-gate';
import { callsWords, stopSentence } from './sentence';

/**
 * A phase hook stopped the turn, and a person decides what follows:
 *
 *   after_llm_call    approve: the calls run     answer: its texts are the results of calls, and these do not run.
 *                                                        Without calls, its text replaces the answer
 *   after_tool_call   approve: the turn goes on  answer: the model reads its text next
 *   both              deny: the turn ends with the error `approval_denied`
 *
 * The question belongs to the step of the hook. A resumed run finds the stop in the hook's recorded changes and asks again only
 * if the log has no question.
 */

/** Returns the message to go on with. Results that the person gave are kept for the calls of the message. */
export async function decideAfterModel(
  instance: Instance,
  stop: HookStop,
  message: AssistantMessage,
): Promise<Result<AssistantMessage, RunError>> {
  const { toolCalls } = message;
  if (!reachesPeople(instance, 'hook')) return ok(withoutCalls(instance, stop, message));
  if (isPassed(instance, stop, toolCalls.length > 0 ? 't' : undefined)) return ok(message);
  const before = toolCalls.length > 0 ? callsWords(toolCalls.map(({ name }) => name)) : 'before it answers';
  const shown = toolCalls.map((call) => ({ id: call.id, tool: call.name, arguments: shownCall(instance, call) }));
  const end = await ask(instance, stop, {
    before,
    about: shown.length > 0 ? { calls: shown } : undefined,
    whole: toolCalls.map(({ id, name, argumentsText }) => [id, name, argumentsText]),
    form: toolCalls.length > 0 ? resultsForm(toolCalls) : answerForm,
  });
  const content = answerIn(end);
  if (content === undefined) return goesOn(instance, stop, end, message);
  if (toolCalls.length === 0) {
    const { fromProvider: _, ...rest } = message;
    return ok({ ...rest, content: [{ type: 'text', text: textOfAnswer(content) }] });
  }
  instance.turn.given = givenResults(toolCalls, content);
  return ok(message);
}

/** Returns the messages that the model reads next, or `ends` if the turn ends with what the model has said. */
export async function decideAfterTools(
  instance: Instance,
  stop: HookStop,
  results: readonly { readonly callId: CallId; readonly result: ToolResult }[],
): Promise<Result<readonly Message[] | 'ends', RunError>> {
  if (!reachesPeople(instance, 'hook')) {
    noteUnreached(instance, stop);
    return ok('ends');
  }
  if (isPassed(instance, stop, 'm')) return ok([]);
  const shown = results.map(({ callId, result }) => ({ id: callId, result: textOf(result.content) }));
  const end = await ask(instance, stop, {
    before: `after ${results.length === 1 ? 'a call' : `${results.length} calls`}`,
    about: { results: shown },
    whole: shown.map(({ id, result }) => [id, result]),
    form: answerForm,
  });
  const content = answerIn(end);
  if (content === undefined) return goesOn(instance, stop, end, []);
  return ok([{ role: 'user', content: [{ type: 'text', text: textOfAnswer(content) }] }]);
}

/**
 * A stop of a child whose parent takes over no questions ends the turn of the child, and what it has said is its answer
 * (docs/delegation.md). Its calls do not run, and the answer says so.
 */
function withoutCalls(instance: Instance, stop: HookStop, message: AssistantMessage): AssistantMessage {
  noteUnreached(instance, stop);
  const { fromProvider: _, ...rest } = message;
  const { toolCalls, content } = rest;
  if (toolCalls.length === 0) return message;
  const names = toolCalls.map(({ name }) => name).join(', ');
  const text = `(Hook '${stop.hook}' stopped here, and nobody could be asked. These calls did not run: ${names}.)`;
  return {
    ...rest,
    content: [...content, { type: 'text', text: `\n${text}` }],
    toolCalls: [],
    stopReason: 'end_turn',
  };
}

function noteUnreached({ run, spec }: Instance, { step, hook }: HookStop): void {
  const message = `Hook '${hook}' stopped '${spec.card.name}', and nobody could be asked, because a delegation does not hand on questions. Its turn ends. Set 'enable_hitl' and 'enable_sub_agent_hitl' in callboard.yaml.`;
  run.log({ level: 'warning', code: 'nobody_to_ask', message }, spec.path, step);
}

/**
 * True if nothing is to be asked, because the log has what comes after the stop: it was taken from another run, whose answer
 * counts, or the run is stopped and only closes what is open.
 */
function isPassed({ run, spec, scope, ...counts }: Instance, { step }: HookStop, next: 't' | 'm' | undefined): boolean {
  const { journal } = run;
  if (!scope.reason && journal.questions.has(pendingId(run.request.runId, step))) return false;
  if (journal.instanceEnd(spec.path)) return true;
  if (next === 't') return journal.nextAttempt(stepKey(spec.path, 't', counts.toolCalls + 1)) > 1;
  return next === 'm' && journal.modelEnd(stepKey(spec.path, 'm', counts.modelCalls + 1)) !== undefined;
}

interface Stopped {
  readonly before: string;
  /** What the person sees. */
  readonly about: Json | undefined;
  /** What the answer is for, before secrets are removed. */
  readonly whole: Json;
  readonly form: JsonObject;
}

function ask(instance: Instance, stop: HookStop, { before, about, whole, form }: Stopped): Promise<ItemEnd> {
  const { run, spec } = instance;
  const says = run.recordable(stop.says);
  const sentence = stopSentence(spec.card.name, before, typeof says === 'string' ? says : '');
  const question: Question = {
    ...questionOf(instance, 'hook', sentence, { why: { rule: stop.hook, level: 'agent' }, limit: undefined }),
    ...(about !== undefined && { arguments: run.recordable(about) }),
    argumentsHash: argumentsHashOf(whole, run.ports.hash?.now),
    form,
  };
  return answerOrAsk(instance, stop.step, question, undefined, undefined);
}

function answerIn(end: ItemEnd): Json | undefined {
  return end.outcome === 'answered' && end.answer.decision === 'answer' ? end.answer.content : undefined;
}

function goesOn<T>({ spec }: Instance, { hook }: HookStop, end: ItemEnd, value: T): Result<T, RunError> {
  if (end.outcome !== 'answered')
    return err({ code: 'cancelled', message: `Agent '${spec.card.name}' was cancelled.` });
  const { decision, by, note } = end.answer;
  if (decision === 'approve') return ok(value);
  const reason = note?.trim() ?? '';
  const who = by === 'policy' ? 'and nothing more ran' : 'and a person ended its turn';
  const why = reason === '' ? '' : by === 'policy' ? ` ${reason}` : ` Reason: ${reason}`;
  return err({ code: 'approval_denied', message: `Hook '${hook}' stopped agent '${spec.card.name}', ${who}.${why}` });
}

/** One text for each call. A call without a text runs. */
function resultsForm(calls: readonly ToolCall[]): JsonObject {
  const result = (name: string) => ({
    type: 'string',
    minLength: 1,
    title: `Result of '${name}', which then does not run`,
  });
  return {
    type: 'object',
    properties: Object.fromEntries(calls.map(({ id, name }) => [id, result(name)])),
    minProperties: 1,
    additionalProperties: false,
  };
}

/** Reads the results by call id. A text alone is the result of every call. */
function givenResults(calls: readonly ToolCall[], content: Json): ReadonlyMap<CallId, ToolResult> {
  const byId = isRecord(content) ? content : Object.fromEntries(calls.map(({ id }) => [id, content]));
  const known = new Set<string>(calls.map(({ id }) => id));
  return new Map(
    Object.entries(byId).flatMap(([id, given]) =>
      known.has(id) ? [[brandAs<CallId>(id), resultOf(given)] as const] : [],
    ),
  );
}

/** A program may give a whole result, `{content, isError}`. */
function resultOf(given: Json): ToolResult {
  if (isRecord(given)) {
    const content = contentBlock.array().safeParse(given.content);
    if (content.success) {
      return given.isError === true
        ? { content: content.data, isError: true, errorCode: 'APPROVAL_DENIED' }
        : { content: content.data, isError: false };
    }
  }
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return { content: [{ type: 'text', text }], isError: false };
}

/** Returns the arguments of a call without what is hidden. */
function shownCall(instance: Instance, { name, argumentsText }: ToolCall): Json {
  const route = instance.surface?.routes.get(name);
  const tool = route?.tool;
  const args = parseJson(argumentsText.trim() === '' ? '{}' : argumentsText) ?? argumentsText;
  const given = isRecord(args) ? objectOf(args) : argumentsText;
  const worker = route?.kind === 'workers' && isRecord(args) ? calledWorker(instance, args.worker) : undefined;
  const names = worker?.ok === true ? [name, worker.value.tool.name] : [name];
  return shownArguments(instance, identityOf(tool?.source ?? 'runtime', tool?.serverName, name), names, given);
}

function objectOf(value: Json): JsonObject {
  return isObject(value) ? value : {};
}

function isObject(value: Json): value is JsonObject {
  return isRecord(value);
}
