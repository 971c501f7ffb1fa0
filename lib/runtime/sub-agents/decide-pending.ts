import { decisionsFor } from '@/lib/base/answer-rules';
import { integersOfSchema, parseWithDigits } from '@/lib/base/exact-json';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { schemaCheck } from '@/lib/base/json-schema';
import type { PendingQuestion, PersonAnswer } from '@/lib/base/pending';
import { textOf } from '@/lib/runtime/record/messages';
import { stoppedCalls, stoppedId } from './pending-delegations';
import { declinedText, type InnerResult } from './sub-agent-result';

/**
 * Decides one question of a delegation from the results that were submitted for it. Returns `undefined` if it stays open.
 *
 *   results    every call has one      → they decide
 *              some calls have one     → with `confirms` the others run, otherwise the question stays open
 *              none                    → with `confirms` it is approved, if it can be
 *
 * A result for a call that waits for consent declines the call: its text is the reason. It never reads as success.
 */
export function decidePending(
  question: PendingQuestion,
  results: readonly InnerResult[],
  confirms: boolean,
): PersonAnswer | undefined {
  const calls = stoppedCalls(question);
  if (calls.length > 0) {
    const decided = calls.flatMap(({ callId }) => {
      const result = results.find(({ id }) => id === stoppedId(question, callId));
      return result ? [[callId, result] as const] : [];
    });
    if (decided.length === 0) return confirms ? approval : undefined;
    if (decided.length < calls.length && !confirms) return undefined;
    const given = decided.filter(([, { runs }]) => runs === undefined);
    if (given.length === 0) return approval;
    return { ...answer, content: Object.fromEntries(given.map(([callId, result]) => [callId, contentOf(result)])) };
  }
  const result = results.find(({ id }) => id === question.item);
  if (result) return answerOf(question, result);
  return confirms && decisionsFor(question).includes('approve') ? approval : undefined;
}

/** Says why a result cannot be used for its question, as the end of a sentence; `undefined` if it can. */
export function resultProblem(question: PendingQuestion, result: InnerResult): string | undefined {
  if (stoppedCalls(question).length > 0) {
    const edits = typeof result.runs === 'object';
    return edits ? 'A hook stopped before this call, so its arguments cannot be changed' : undefined;
  }
  const given = answerOf(question, result);
  const allowed = decisionsFor(question);
  if (!allowed.includes(given.decision)) {
    const words = allowed.map((each) => `'${each}'`).join(', ');
    return `It is '${given.decision}', but this question takes ${words}`;
  }
  const value = given.decision === 'edit' ? given.arguments : given.content;
  if (value === undefined || question.form === undefined) return undefined;
  const check = schemaCheck(question.form, 'draft-07');
  if (!check.ok) return `Its form cannot be used: ${check.error}`;
  const [problem] = check.value(integersOfSchema(question.form, value));
  return problem && `It does not fit: '${problem.instancePath.slice(1)}' ${problem.message ?? 'is not valid'}`;
}

const program = { by: 'program', via: 'runtime' } as const;
const approval: PersonAnswer = { decision: 'approve', ...program };
const answer = { decision: 'answer', ...program } as const;

function answerOf(question: PendingQuestion, result: InnerResult): PersonAnswer {
  if (result.runs === 'as-asked') return approval;
  if (result.runs !== undefined) return { decision: 'edit', arguments: result.runs.arguments, ...program };
  const text = textOf(result.content);
  // A text in place of consent declines it. More budget is an object, as its form says.
  const takesText = question.what !== 'budget' || isRecord(parseJson(text));
  const takesAnswer = decisionsFor(question).includes('answer') && takesText;
  if (result.isError !== true && takesAnswer) return { ...answer, content: contentFor(question.form, text) };
  return { decision: 'deny', ...program, ...(text !== '' && text !== declinedText && { note: text }) };
}

/** Puts a text into a form with one text field, or reads it as the JSON that another form asks for. */
function contentFor(form: JsonObject | undefined, text: string): Json {
  const properties = form?.properties;
  const [name, ...more] = isRecord(properties) ? Object.keys(properties) : [];
  const field = isRecord(properties) && name !== undefined ? properties[name] : undefined;
  if (name !== undefined && more.length === 0 && isRecord(field) && field.type === 'string') {
    const read = parseJson(text);
    return isRecord(read) && typeof read[name] === 'string' ? { [name]: read[name] } : { [name]: text };
  }
  return form === undefined || form.type === 'string' ? text : (parseWithDigits(text) ?? text);
}

/** A whole result, as a hook's question takes it. */
function contentOf({ content, isError = false }: InnerResult): Json {
  return parseJson(JSON.stringify({ content, isError })) ?? null;
}
