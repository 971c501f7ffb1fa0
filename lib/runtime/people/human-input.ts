import { exactJson } from '@/lib/base/exact-json';
import type { StepKey } from '@/lib/base/ids';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { ItemEnd } from '@/lib/base/pending';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { CallSlot } from '@/lib/runtime/permits/call-slot';
import type { ToolDescriptor } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { cancelledResult, errorResult } from '@/lib/runtime/record/tool-error';
import { argumentsHashOf } from './arguments-hash';
import { askPerson } from './ask-person';
import { humanInputName, questionOf, shownOf } from './pass-gate';
import { questionSentence } from './sentence';
import { pendingToolOf } from './tool-identity';

/** True for the tool with which an agent asks a person (`human_input: true` in its card). */
export function isHumanInput({ source, name }: ToolDescriptor): boolean {
  return source === 'runtime' && name === humanInputName;
}

/** Asks a person what the agent wants to know. The answer is the result of the call. */
export async function askHuman(
  instance: Instance,
  step: StepKey,
  tool: ToolDescriptor,
  args: JsonObject,
  slot: CallSlot,
): Promise<ToolResult> {
  const { run, spec } = instance;
  const message = typeof args.message === 'string' ? args.message.trim() : '';
  if (message === '') return errorResult('INPUT_VALIDATION', "Error: 'message' must be the question, as text.");
  const shown = shownOf(instance, tool, args);
  const question = {
    ...questionOf(instance, 'input', questionSentence(spec.card.name, textIn(shown)), {
      why: undefined,
      limit: undefined,
    }),
    tool: pendingToolOf(tool, run),
    arguments: shown,
    argumentsHash: argumentsHashOf(args, run.ports.hash?.now),
    form: answerForm,
  };
  return resultOf(await askPerson(instance, step, question, slot.permit));
}

/** The form has one field. What is sent instead of it is passed on as JSON. */
export const answerForm: JsonObject = {
  type: 'object',
  properties: { answer: { type: 'string', title: 'Answer', minLength: 1 } },
  required: ['answer'],
  additionalProperties: false,
};

/** Returns what a person answered as the result of a call. A refusal is an error, which never reads as success. */
export function resultOf(end: ItemEnd): ToolResult {
  if (end.outcome !== 'answered') {
    return end.outcome === 'expired'
      ? errorResult('APPROVAL_DENIED', 'Error: Nobody answered in time. Continue with what you know.')
      : cancelledResult;
  }
  const { decision, content, note = '' } = end.answer;
  if (decision !== 'answer' || content === undefined) {
    const reason = note.trim() === '' ? '' : ` Reason: ${note.trim()}`;
    return errorResult('APPROVAL_DENIED', `Error: The person did not answer.${reason} Continue with what you know.`);
  }
  return { content: [{ type: 'text', text: textOfAnswer(content) }], isError: false };
}

/** The text that a person typed into a form with one field, or the whole answer as JSON. */
export function textOfAnswer(content: Json): string {
  const answer = isRecord(content) && 'answer' in content ? content.answer : content;
  return typeof answer === 'string' ? answer : exactJson(answer);
}

function textIn(shown: Json): string {
  const message = isRecord(shown) ? shown.message : shown;
  return typeof message === 'string' ? message : '';
}
