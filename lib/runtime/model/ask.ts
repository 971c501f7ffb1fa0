import type { Json, JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import { schemaFault } from '@/lib/runtime/delegation/check-input';
import { outputInstruction } from '@/lib/runtime/delegation/child-output';
import type { Instance } from '@/lib/runtime/instance/instance';
import type { ResponseFormat } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
import { type AssistantMessage, type Message, orNoResponse, textOf } from '@/lib/runtime/record/messages';
import { repairMessage } from '@/lib/runtime/record/repair-message';
import { modelStep } from './model-step';
import { noteOddEnd, noteRepair } from './odd-end';
import { type Misfit, readAnswer } from './read-answer';

/**
 * Model calls that an instance makes for itself, without tools, such as a router's choice or a planner's plan:
 *
 *   ask #m1 ─fits─▶ value
 *       └─does not fit─▶ ask #m2 with the answer and the reason ─fits─▶ value
 *                                                    └─does not fit─▶ answer_invalid
 *
 * Each call is a step of the instance like a call of the agent's loop: recorded, counted in the budgets, cancelled with the
 * scope. A resumed run takes recorded answers and decides the same. An instance makes one such call after the other.
 */

export interface Question {
  /** A function makes the instruction when there is a call to make; `undefined` means that the instance was cancelled. */
  readonly instruction: string | (() => Promise<string | undefined>);
  /** The whole conversation that the model reads. The instance's own messages stay as they are. */
  readonly messages: readonly Message[];
}

export interface JsonQuestion extends Question {
  /** The schema of the answer. Providers can hold a model to it if its root has `type: object`. */
  readonly schema: JsonObject;
  /** A narrower schema to ask for, such as one with the names that may be chosen, if the caller checks what it adds. */
  readonly narrower?: JsonObject | undefined;
  /** A short name of what is asked for, in requests and in errors: `route`. */
  readonly name: string;
}

/**
 * Asks for an answer that fits a JSON schema. The schema is asked of the provider and added to the instruction. An answer that
 * does not fit is asked for once more with the reason. Errors: `answer_invalid`, `answer_cut`, `answer_withheld`, or that of the
 * model call.
 */
export async function askForJson(instance: Instance, question: JsonQuestion): Promise<Result<Json, RunError>> {
  const { schema, name } = question;
  const fault = schemaFault(schema);
  if (fault !== undefined) return err(schemaError(instance, name, fault));
  const format: ResponseFormat = { name, schema: question.narrower ?? schema };
  const first = await ask(instance, question, format);
  if (!first.ok) return first;
  const answer = readMessage(schema, first.value);
  if (answer.ok) return answer;
  if (answer.error.code !== 'answer_invalid') return err(misfitError(instance, name, answer.error));
  noteRepair(instance, answer.error.reason);
  const messages = [...question.messages, readable(first.value), repairMessage(answer.error.reason)];
  const second = await ask(instance, { instruction: question.instruction, messages }, format);
  if (!second.ok) return second;
  const repaired = readMessage(schema, second.value);
  return repaired.ok ? repaired : err(misfitError(instance, name, repaired.error));
}

/** Asks for a text. Errors: `answer_withheld`, or that of the model call. A cut text is logged and returned. */
export async function askForText(instance: Instance, question: Question): Promise<Result<string, RunError>> {
  const answer = await ask(instance, question);
  if (!answer.ok) return answer;
  if (answer.value.stopReason === 'safety') {
    return err(misfitError(instance, undefined, { code: 'answer_withheld', reason: '' }));
  }
  noteOddEnd(instance, answer.value);
  return ok(orNoResponse(textOf(answer.value.content)));
}

function ask(instance: Instance, { instruction, messages }: Question, responseFormat?: ResponseFormat) {
  const { requestParams } = instance.turn;
  // The text of a structured answer is for the instance, not for those who read along.
  const isStreamed = responseFormat === undefined;
  return modelStep(instance, async () => {
    const text = typeof instruction === 'string' ? instruction : await instruction();
    if (text === undefined) return undefined;
    return {
      instruction: responseFormat ? text + outputInstruction(responseFormat.schema) : text,
      messages,
      tools: noTools,
      requestParams,
      responseFormat,
      isStreamed,
    };
  });
}

const noTools: readonly never[] = [];

function readMessage(schema: JsonObject, { content, stopReason }: AssistantMessage): Result<Json, Misfit> {
  return readAnswer(schema, textOf(content), stopReason);
}

/** An answer as part of a request: providers refuse empty messages, and calls of tools without their results. */
function readable({ content, stopReason }: AssistantMessage): AssistantMessage {
  const text = orNoResponse(textOf(content));
  return { role: 'assistant', content: [{ type: 'text', text }], toolCalls: [], stopReason };
}

function schemaError({ spec }: Instance, name: string, fault: string): RunError {
  const message = `Agent '${spec.card.name}' cannot ask for an answer (${name}): its schema cannot be used: ${fault}.`;
  return { code: 'answer_invalid', message };
}

function misfitError({ spec, model }: Instance, name: string | undefined, { code, reason }: Misfit): RunError {
  const answer = name === undefined ? 'answer' : `answer (${name})`;
  const whose = `${answer} of model '${model}' to agent '${spec.card.name}'`;
  switch (code) {
    case 'answer_invalid': {
      const next = 'The model was told why and asked once more. Choose a model that follows JSON schemas.';
      return { code, message: `The ${whose} is not valid: ${reason}. ${next}` };
    }
    case 'answer_cut': {
      const next = "Raise 'max_tokens' in the card's request_params.";
      return { code, message: `The ${whose} was cut at the limit of output tokens. ${next}` };
    }
    case 'answer_withheld': {
      const next = 'Change what it is asked, or choose another model.';
      return { code, message: `The ${whose} was withheld by the provider, or a part of it was. ${next}` };
    }
  }
}
