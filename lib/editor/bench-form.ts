import { parseWithDigits } from '@/lib/base/exact-json';
import type { HookCase, HookChoice } from '@/lib/base/hook-report';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { RecordedCall } from '@/lib/trace/recorded-call';

/** What a person types: a call, the answer of its tool, and which hooks run. */
export interface BenchForm {
  readonly agent: string;
  readonly only: HookChoice | undefined;
  readonly tool: string;
  readonly source: HookCase['call']['source'];
  /** Used for source `mcp`. */
  readonly server: string;
  readonly arguments: string;
  readonly result: string;
  readonly state: string;
}

export const emptyForm: BenchForm = {
  agent: '',
  only: undefined,
  tool: '',
  source: 'function',
  server: '',
  arguments: '{}',
  result: '',
  state: '{}',
};

/** Reads the form. The error is a sentence that names the field. */
export function caseOf(form: BenchForm): Result<HookCase, string> {
  const tool = form.tool.trim();
  if (tool === '') return err('Choose a tool, or type the name of one.');
  const args = objectIn(form.arguments);
  if (args === undefined) return err('The arguments are not a JSON object, such as {"x": 1}.');
  const state = objectIn(form.state);
  if (state === undefined) return err('The state is not a JSON object, such as {"city": "Oslo"}.');
  const server = form.server.trim();
  return ok({
    agent: form.agent,
    ...(form.only && { only: form.only }),
    call: { tool, source: form.source, ...(form.source === 'mcp' && server !== '' && { server }), arguments: args },
    result: resultIn(form.result),
    ...(Object.keys(state).length > 0 && { state }),
  });
}

/** Returns the form that shows a case. */
export function formOf({ agent, only, call, result, state }: HookCase): BenchForm {
  const { tool, source, server = '' } = call;
  return {
    agent,
    only,
    tool,
    source,
    server,
    arguments: shownJson(call.arguments),
    result: shownResult(result),
    state: shownJson(state ?? {}),
  };
}

/** Returns the part of the form that a recorded call fills. */
export function partOfCall(call: RecordedCall): Partial<BenchForm> {
  const { tool, source, server = '' } = call;
  const result = call.result === undefined ? '' : shownResult(call.result);
  return { tool, source, server, arguments: shownJson(call.arguments), result };
}

/** Returns a JSON object, also for empty text. */
function objectIn(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  const value = parseWithDigits(text);
  return value !== undefined && isJsonObject(value) ? value : undefined;
}

/** A result is typed as text, or as JSON. */
function resultIn(text: string): Json {
  return /^\s*[[{]/.test(text) ? (parseWithDigits(text) ?? text) : text;
}

/** A result of one text is shown as that text. */
function shownResult(result: Json): string {
  if (typeof result === 'string') return result;
  if (isJsonObject(result) && result.isError !== true && result.structuredContent === undefined) {
    const [first, ...more] = Array.isArray(result.content) ? result.content : [];
    const isText =
      first !== undefined && isJsonObject(first) && first.type === 'text' && typeof first.text === 'string';
    if (isText && more.length === 0 && !/^\s*[[{]/.test(String(first.text))) return String(first.text);
  }
  return shownJson(result);
}

function shownJson(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function isJsonObject(value: Json): value is JsonObject {
  return isRecord(value);
}
