import { errorResult } from '@/lib/runtime/calls/tool-error';
import type { ToolResult } from '@/lib/runtime/messages';
import type { InstanceOutcome, InstanceSpec } from '@/lib/runtime/run-state';
import { answerText, parseAnswer } from './child-output';

/** What the parent's model reads of a finished child (R-50, R-52). */
export function childResult(spec: InstanceSpec, outcome: InstanceOutcome): ToolResult {
  const text = `Error: ${outcome.error?.message ?? `Agent '${spec.card.name}' failed.`}`;
  switch (outcome.status) {
    case 'completed':
      return answerResult(spec, outcome.answer ?? '');
    case 'timeout':
      return errorResult('AGENT_TIMEOUT', text);
    case 'cancelled':
      return errorResult('AGENT_CANCELLED', text);
    case 'failed':
      return errorResult(spec.refusal?.code ?? 'AGENT_FAILED', text);
  }
}

/** A child's answer as its parent's model reads it, or why it does not fit. */
export function answerResult(spec: Pick<InstanceSpec, 'card' | 'outputSchema'>, answer: string): ToolResult {
  if (!spec.outputSchema) return { content: [{ type: 'text', text: answer }], isError: false };
  const parsed = parseAnswer(spec.outputSchema, answer);
  if (!parsed.ok) {
    const message = `Error: The answer of agent '${spec.card.name}' is not valid: ${parsed.error}.`;
    return errorResult('OUTPUT_VALIDATION', message);
  }
  const content = [{ type: 'text' as const, text: answerText(parsed.value) }];
  return { content, isError: false, structuredContent: parsed.value };
}
