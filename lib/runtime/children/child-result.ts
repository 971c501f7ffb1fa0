import { answerText, parseAnswer } from '@/lib/runtime/delegation/child-output';
import { toldToModel } from '@/lib/runtime/delegation/told-to-model';
import type { InstanceOutcome, InstanceSpec } from '@/lib/runtime/instance/instance-spec';
import type { RunError } from '@/lib/runtime/record/events';
import type { ToolErrorCode, ToolResult } from '@/lib/runtime/record/messages';
import { decidedCode, errorResult } from '@/lib/runtime/record/tool-error';

/** The error code of an instance whose answer does not fit its schema. */
const outputRefused = 'output_validation';

/** The tool result that the parent's model reads when a child has finished. */
export function childResult(spec: InstanceSpec, outcome: InstanceOutcome): ToolResult {
  switch (outcome.status) {
    case 'completed':
      return answerResult(spec, outcome.answer ?? '');
    case 'timeout':
      return failure('AGENT_TIMEOUT', spec, outcome);
    case 'cancelled':
      return failure('AGENT_CANCELLED', spec, outcome);
    case 'failed':
      if (outcome.error?.code === outputRefused)
        return errorResult('OUTPUT_VALIDATION', errorText(spec, outcome.error));
      return failure(spec.refusal?.code ?? decidedCode(outcome.error) ?? 'AGENT_FAILED', spec, outcome);
  }
}

/** The child's last text comes before its error, as in fast-agent. */
function failure(code: ToolErrorCode, spec: InstanceSpec, { error, answer }: InstanceOutcome): ToolResult {
  const result = errorResult(code, errorText(spec, error));
  return answer === undefined ? result : { ...result, content: [{ type: 'text', text: answer }, ...result.content] };
}

function errorText({ card, refusal }: InstanceSpec, error: RunError | undefined): string {
  if (error === undefined) return `Error: Agent '${card.name}' failed.`;
  return `Error: ${error.code === refusal?.code ? refusal.message : toldToModel(card.name, error)}`;
}

type AskedSpec = Pick<InstanceSpec, 'card' | 'outputSchema'>;

/** Says why an answer does not fit its agent's `output_schema`; returns `undefined` when it fits. */
export function answerRefusal(spec: AskedSpec, answer: string): RunError | undefined {
  const parsed = spec.outputSchema && parseAnswer(spec.outputSchema, answer);
  if (!parsed || parsed.ok) return undefined;
  return invalidAnswer(spec, parsed.error);
}

/** Returns the error of an instance whose answer is not accepted. `reason` is a clause without a full stop. */
export function invalidAnswer({ card }: Pick<AskedSpec, 'card'>, reason: string): RunError {
  return { code: outputRefused, message: `The answer of agent '${card.name}' is not valid: ${reason}.` };
}

/** Returns a child's answer as its parent's model reads it, or an error when it does not fit its schema. */
export function answerResult(spec: AskedSpec, answer: string): ToolResult {
  if (!spec.outputSchema) return { content: [{ type: 'text', text: answer }], isError: false };
  const parsed = parseAnswer(spec.outputSchema, answer);
  if (!parsed.ok) {
    const message = `Error: The answer of agent '${spec.card.name}' is not valid: ${parsed.error}.`;
    return errorResult('OUTPUT_VALIDATION', message);
  }
  const content = [{ type: 'text' as const, text: answerText(parsed.value) }];
  return { content, isError: false, structuredContent: parsed.value };
}
