import { exactJson, parseExactJson } from '@/lib/base/exact-json';
import type { Json, JsonObject } from '@/lib/base/json';
import { jsonTrouble, troubleClause } from '@/lib/base/json-trouble';
import { withoutOptionalNullsWithin } from '@/lib/base/optional-nulls';
import { err, ok, type Result } from '@/lib/base/result';
import { answerProblem } from './check-input';

/**
 * Reads a child's answer by its `output_schema`. The answer is JSON, either bare or in the only code fence of the text.
 * Thoughts in `<think>` tags before it are cut off, which models write whose server does not read them. If the schema allows
 * a string, an answer that is not JSON counts as that string. The error names path and reason.
 */
export function parseAnswer(schema: JsonObject, answer: string): Result<Json, string> {
  const whole = unfenced(answer);
  const text = parseExactJson(whole) === undefined ? unfenced(withoutThoughts(answer)) : whole;
  const parsed = parseExactJson(text);
  if (parsed === undefined) {
    if (answerProblem(schema, text) === undefined) return ok(text);
    const trouble = jsonTrouble(text);
    return err(trouble === undefined ? 'it is not JSON' : troubleClause(trouble));
  }
  const problem = answerProblem(schema, parsed);
  if (problem === undefined) return ok(parsed);
  // Models write null for an optional property that they leave out.
  const shorter = withoutOptionalNullsWithin(schema, parsed);
  return answerProblem(schema, shorter) === undefined ? ok(shorter) : err(problem);
}

/** A structured answer as text for a model: a string unchanged, everything else as JSON. */
export function answerText(value: Json): string {
  return typeof value === 'string' ? value : exactJson(value);
}

/** Returns the text that is added to the instruction of a child whose answer is checked. */
export function outputInstruction(schema: JsonObject): string {
  return `\n\nAnswer with JSON that fits this JSON schema, and with nothing else:\n${JSON.stringify(schema)}`;
}

/** Cuts off thoughts in tags. Some templates write the opening tag into the request, so the answer has the closing one alone. */
function withoutThoughts(answer: string): string {
  const close = /<\/think(?:ing)?>/.exec(answer);
  return close === null ? answer : answer.slice(close.index + close[0].length);
}

/** The content of the answer's only code fence; the whole answer if it has none or several. */
function unfenced(answer: string): string {
  const fenced: string[] = [];
  let from: number | undefined;
  for (let start = 0; start < answer.length && fenced.length < 2; ) {
    const newline = answer.indexOf('\n', start);
    const next = newline === -1 ? answer.length : newline + 1;
    const line = answer.slice(start, next);
    if (from === undefined) {
      if (line.startsWith('```') && !line.includes('`', 3)) from = next;
    } else if (line.trim() === '```') {
      fenced.push(answer.slice(from, start));
      from = undefined;
    }
    start = next;
  }
  const [only] = fenced;
  return (only !== undefined && fenced.length === 1 ? only : answer).trim();
}
