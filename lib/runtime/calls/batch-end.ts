import { err, ok, type Result } from '@/lib/base/result';
import type { Delegation } from '@/lib/runtime/delegation/delegation';
import type { InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import type { RunError } from '@/lib/runtime/record/events';
import { orNoResponse, type ToolResult, textOf } from '@/lib/runtime/record/messages';
import { sessionNotKept } from '@/lib/runtime/sessions/child-access';

/** Pairs a call of a batch with its result. */
export interface EndedCall {
  readonly delegation: Delegation | undefined;
  readonly result: ToolResult;
  /** True for a tool that changes what its agent is offered. Its result is for the model and never an answer. */
  readonly isControl: boolean;
}

/**
 * Decides whether a batch ends its agent's turn, once all its results are recorded:
 *
 *   - the first failure of a delegation that propagates failures ends the turn with that error, and so does a denial whose
 *     setting says so;
 *   - otherwise the successes of delegations that skip summarisation, joined in call order, are the answer;
 *   - with `tool_result_mode: passthrough` all results are the answer, unless every call failed.
 *
 * An agent whose answer must fit a schema always writes its answer itself.
 */
export function batchEnd(calls: readonly EndedCall[], spec: InstanceSpec): Result<string, RunError> | undefined {
  const answers: string[] = [];
  const isPassedThrough =
    spec.resultMode === 'passthrough' && calls.some(({ result, isControl }) => !result.isError && !isControl);
  for (const { delegation, result, isControl } of calls) {
    const options = delegation?.route.options;
    const endsTurn = options?.failure_mode === 'propagate' || result.meta?.endsTurn === true;
    if (result.isError && endsTurn) return err(errorOf(result));
    // With `passthrough` a failed result is part of the answer too.
    const isAnswer = (isPassedThrough && !isControl) || (!result.isError && options?.skip_summarization);
    if (isAnswer) answers.push(textOf(withoutSessionId(result)));
  }
  return answers.length > 0 && !spec.outputSchema ? ok(orNoResponse(answers.join('\n'))) : undefined;
}

/**
 * Removes the lines about the session and about changed arguments: they are meant for the model that called and are not part of
 * the child's answer.
 */
export function withoutSessionId({ content: told, meta }: ToolResult): ToolResult['content'] {
  const whole = meta?.edited ? told.slice(1) : told;
  const content = whole.filter((block) => block.type !== 'text' || block.text !== sessionNotKept);
  const [first, ...rest] = content;
  const isHeader = first?.type === 'text' && meta?.sessionId && first.text.startsWith(`session_id: ${meta.sessionId}`);
  return isHeader ? rest : content;
}

/** The error of a result as the error of an instance. */
export function errorOf({ errorCode = 'AGENT_FAILED', content }: ToolResult): RunError {
  // The error is the last text: the child's own words come before it and may begin in the same way.
  const error = content.findLast((block) => block.type === 'text' && block.text.startsWith('Error: '));
  return { code: errorCode.toLowerCase(), message: textOf(error ? [error] : content).replace(/^Error: /, '') };
}
