import { type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import { answerProblem } from './check-input';

/**
 * A child's answer by its `output_schema`: JSON, bare or in the only code fence; where the schema takes a string, an
 * answer that is no JSON is that string. The error names path and reason.
 */
export function parseAnswer(schema: JsonObject, answer: string): Result<Json, string> {
  const text = unfenced(answer);
  const parsed = parseJson(text);
  if (parsed === undefined) {
    return answerProblem(schema, text) === undefined ? ok(text) : err('it is not JSON');
  }
  const problem = answerProblem(schema, parsed);
  return problem === undefined ? ok(parsed) : err(problem);
}

/** How a structured answer is put to a model: a string as it is, everything else as JSON (ADK-43). */
export function answerText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What a child whose answer is checked is told, after its own instruction. */
export function outputInstruction(schema: JsonObject): string {
  return `\n\nAnswer with JSON that fits this JSON schema, and with nothing else:\n${JSON.stringify(schema)}`;
}

function unfenced(answer: string): string {
  const fences = [...answer.matchAll(/^```[^\n`]*\n([\s\S]*?)^\s*```\s*$/gm)];
  return (fences.length === 1 ? (fences[0]?.[1] ?? '') : answer).trim();
}
