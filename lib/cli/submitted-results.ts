import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { answeredWith, approved, declined, edited, type InnerResult } from '@/lib/runtime/sub-agents/sub-agent-result';
import { readJsonFile } from './read-text';

/** A file of results may be at most this long. */
const mostBytes = 32 * 1024 * 1024;

/**
 * Reads the file of `--submit`, or stdin for `-`: what a program decides, by the id of a suspended result.
 *
 *   {"<id>": [{"id": "<inner call>", "text": "…"}, …]}
 *
 *   text        the result of the call, or the answer to the question; for other forms than a text as JSON
 *   declined    true: the call does not run. Its text is the reason
 *   approved    true: the call runs
 *   arguments   the call runs with these arguments
 *
 * Throws an Error with a sentence for a file that cannot be read or has another shape.
 */
export async function readSubmitted(file: string): Promise<readonly (readonly [string, readonly InnerResult[]])[]> {
  const name = file === '-' ? 'stdin' : file;
  const value = await readJsonFile(file, mostBytes);
  if (!isRecord(value)) {
    throw new Error(`${name}: results are one JSON object, {"<id>": [{"id": "<inner call>", "text": "…"}]}.`);
  }
  return Object.entries(value).map(([id, results]) => {
    if (!Array.isArray(results) || results.length === 0) {
      throw new Error(`${name}: '${id}' has no list of results. Write [{"id": "<inner call>", "text": "…"}].`);
    }
    return [id, results.map((result) => readResult(`${name}: a result of '${id}'`, result))] as const;
  });
}

function readResult(where: string, given: Json): InnerResult {
  if (!isRecord(given) || typeof given.id !== 'string') {
    throw new Error(`${where} has no 'id'. Copy the 'id' of the pending call from the reply.`);
  }
  const { id, text, declined: isDeclined, approved: isApproved, arguments: args } = given;
  const here = `${where}, '${id}',`;
  const known = new Set(['id', 'text', 'declined', 'approved', 'arguments']);
  const unknown = Object.keys(given).find((key) => !known.has(key));
  if (unknown !== undefined) throw new Error(`${here} has '${unknown}', which is not read. It takes ${parts}.`);
  if (text !== undefined && typeof text !== 'string') throw new Error(`${here} has a 'text' that is no text.`);
  for (const [key, flag] of [
    ['declined', isDeclined],
    ['approved', isApproved],
  ] as const) {
    if (flag !== undefined && flag !== true) throw new Error(`${here} has a '${key}' that is not true. Leave it out.`);
  }
  const said = [isDeclined, isApproved, args].filter((one) => one !== undefined);
  if (said.length > 1) throw new Error(`${here} says two things. It takes one of ${parts}.`);
  if (isDeclined === true) return declined({ id }, text);
  if (text !== undefined) {
    if (said.length > 0) throw new Error(`${here} says two things. It takes one of ${parts}.`);
    return answeredWith({ id }, text);
  }
  if (isApproved === true) return approved({ id });
  if (args === undefined) throw new Error(`${here} says nothing. It takes one of ${parts}.`);
  if (!isObject(args)) throw new Error(`${here} has 'arguments' that are no object.`);
  return edited({ id }, args);
}

const parts = "'text', 'declined', 'approved', 'arguments'";

function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
