import { err, ok, type Result } from '@/lib/base/result';
import { withUniqueCallIds } from '@/lib/runtime/calls/call-ids';
import { refuseBatch, runBatch } from '@/lib/runtime/calls/tool-batch';
import {
  afterModel,
  afterTools,
  afterTurn,
  append,
  beforeModel,
  beforeTools,
  type HookedAnswer,
  replaceLast,
} from '@/lib/runtime/hooks/turn-hooks';
import { noteAnswer, noteResults } from '@/lib/runtime/hooks/turn-view';
import type { Instance } from '@/lib/runtime/instance/instance';
import { callModel } from '@/lib/runtime/model/model-step';
import { noteOddEnd } from '@/lib/runtime/model/odd-end';
import { decideAfterModel, decideAfterTools } from '@/lib/runtime/people/hook-stop';
import type { RunError } from '@/lib/runtime/record/events';
import { type AssistantMessage, type Message, orNoResponse, textOf } from '@/lib/runtime/record/messages';
import { errorResult } from '@/lib/runtime/record/tool-error';
import { type IterationLimit, iterationLimitOf } from '@/lib/runtime/request/limits';
import { hasCutCalls, refuseCutCalls } from './cut-calls';
import { judgeAnswer, requestRepair } from './judge-answer';

/**
 * Runs one instance: a model call, its tool calls in parallel with results in call order, the next model call, until the model
 * makes no more calls. Returns the answer or an error. If the scope was cancelled, the caller replaces that error.
 *
 *   user ▶ model ▶ assistant(t1,t2,t3) ▶ t1 ┐
 *                                        t2 ├▶ tool(r1,r2,r3) ▶ model ▶ assistant(text) ▶ answer
 *                                        t3 ┘
 *
 * An answer that does not fit the agent's `output_schema` is asked for once more with the reason, within the limit of calls.
 */
export async function runLoop(instance: Instance): Promise<Result<string, RunError>> {
  return afterTurn(instance, await runTurn(instance));
}

async function runTurn(instance: Instance): Promise<Result<string, RunError>> {
  const { messages } = instance;
  let lastText = '';
  let isRepaired = false;
  let isCutBefore = false;
  while (instance.modelCalls < iterationsOf(instance).modelCalls) {
    const ready = await beforeModel(instance);
    if (!ready.ok) return ready;
    const response = await callModel(instance);
    if (!response.ok) return response;
    const answered = withUniqueCallIds(response.value, instance.toolCalls);
    messages.push(answered);
    noteAnswer(instance, answered);
    const after = await afterModelAndPeople(instance, answered);
    if (!after.ok) return after;
    if (hasCutCalls(answered) && after.value.message.toolCalls.length > 0) {
      const ended = refuseCutCalls(instance, after.value, answered, isCutBefore);
      if (ended) return err(ended);
      isCutBefore = true;
      continue;
    }
    isCutBefore = false;
    const before = after.value.message.toolCalls.length > 0 ? await beforeTools(instance, after.value.message) : after;
    if (!before.ok) {
      const message = `Tool hook or execution failed during before_tool_call: ${before.error.message}`;
      refuseBatch(instance, after.value.message.toolCalls, errorResult('HOOK_FAILED', message));
      return before;
    }
    const { message } = before.value;
    // An empty last message does not replace the answer: the last message with content counts.
    lastText = textOf(message.content).trim() === '' ? lastText : textOf(message.content);
    if (message.toolCalls.length === 0) {
      if (answered.toolCalls.length === 0) noteOddEnd(instance, message);
      const refused = judgeAnswer(instance, lastText, message);
      if (!refused.ok) return refused;
      const mayRepair = !isRepaired && instance.modelCalls < iterationsOf(instance).modelCalls;
      if (refused.value === undefined || !mayRepair) return ok(orNoResponse(lastText));
      isRepaired = true;
      requestRepair(instance, refused.value, after.value.appended);
      continue;
    }
    // The scope is not checked here: a resumed run that was stopped still closes the instances that its log left open.
    const batch = await runBatch(instance, message.toolCalls);
    instance.turn.given = undefined;
    // The messages are inserted before the message with the calls, because no message may stand between a call and its
    // result.
    if (batch.merged.length > 0) messages.splice(-1, 0, ...batch.merged);
    messages.push({ role: 'tool', results: batch.results });
    noteResults(instance, batch);
    const stop = await afterTools(instance, batch.results);
    append(instance, [...after.value.appended, ...(before === after ? [] : before.value.appended)]);
    instance.turn.batches += 1;
    if (batch.end?.ok === false) return batch.end;
    const said = stop ? await decideAfterTools(instance, stop, batch.results) : nothingSaid;
    if (!said.ok) return said;
    const end = endAfter(batch.end, said.value, lastText);
    if (said.value !== 'ends') append(instance, said.value);
    if (end) {
      // The answer is added to the conversation, because a session may continue it.
      messages.push({
        role: 'assistant',
        content: [{ type: 'text', text: end.value }],
        toolCalls: [],
        stopReason: 'end_turn',
      });
      return end;
    }
  }
  return endOfIterations(instance, lastText);
}

const nothingSaid: Result<readonly Message[] | 'ends', RunError> = ok([]);

/** What a person says to the model is read by it, also where the results alone would be the answer. */
function endAfter(
  end: (Result<string, RunError> & { ok: true }) | undefined,
  said: readonly Message[] | 'ends',
  lastText: string,
): (Result<string, RunError> & { ok: true }) | undefined {
  if (said === 'ends') return end ?? { ok: true, value: orNoResponse(lastText) };
  return said.length === 0 ? end : undefined;
}

/** Runs the hook after a model call. If it stops the turn, a person decides whether and with what the turn goes on. */
async function afterModelAndPeople(
  instance: Instance,
  answered: AssistantMessage,
): Promise<Result<HookedAnswer, RunError>> {
  const after = await afterModel(instance, answered);
  if (!after.ok || !after.value.stop) return after;
  const { message } = after.value;
  const decided = await decideAfterModel(instance, after.value.stop, message);
  if (!decided.ok) {
    refuseBatch(instance, message.toolCalls, errorResult('APPROVAL_DENIED', `Error: ${decided.error.message}`));
    return decided;
  }
  if (decided.value !== message) replaceLast(instance, decided.value);
  return ok({ ...after.value, message: decided.value });
}

/** Returns the limit of the card, or of a phase hook that changed it. */
function iterationsOf({ run, spec, plan, turn }: Instance): IterationLimit {
  const isOwn = turn.requestParams === spec.card.requestParams;
  return isOwn ? plan.iterations : iterationLimitOf(turn.requestParams, run.limits);
}

function endOfIterations(instance: Instance, lastText: string): Result<string, RunError> {
  const { run, spec } = instance;
  const { modelCalls, keepsAnswer } = iterationsOf(instance);
  const what = `Agent '${spec.card.name}' made ${modelCalls} model calls without finishing.`;
  if (keepsAnswer && lastText !== '') {
    const message = `${what} Its last text is the answer, because its request_params set 'max_iterations'.`;
    run.log({ level: 'warning', code: 'max_iterations', message }, spec.path);
    return ok(lastText);
  }
  const next = "Raise 'limits.max_iterations' in callboard.yaml or 'max_iterations' in the card's request_params.";
  return err({ code: 'max_iterations', message: `${what} ${next}` });
}
