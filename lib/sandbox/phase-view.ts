import { exactJson, parseExactJson, replaceIntegers, restoreIntegers, withNumbers } from '@/lib/base/exact-json';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { readResult } from './tool-result';

/**
 * Phase hooks get the arguments of tool calls as objects, while the runtime keeps them as the text of the model. These
 * functions convert between the two. The view of a message is one of:
 * `{role: 'user', content}`, `{role: 'assistant', content, toolCalls: [{id, name, arguments}], stopReason}`,
 * `{role: 'tool', results: [{callId, result}]}`.
 */
export function phaseView(context: JsonObject): JsonObject {
  const { message, ...rest } = context;
  const view: Record<string, Json> = { ...rest, ...(message !== undefined && { message: viewOf(message) }) };
  for (const key of ['messageHistory', 'deltaMessages', 'turnMessages']) {
    const messages = context[key];
    if (Array.isArray(messages)) view[key] = messages.map(viewOf);
  }
  return view;
}

/**
 * Compares the context after the hook with the context before it. With `ok: false`, the error names a value that is not a
 * message. `isExact`: the language of the hook holds integers of any size. Otherwise those of arguments that the hook left as they were
 * have their digits again.
 */
export function phaseChanges(
  context: JsonObject,
  left: Json,
  { isExact }: { readonly isExact: boolean },
): { readonly ok: true; readonly changes: JsonObject } | { readonly ok: false; readonly message: string } {
  const after = objectOf(left);
  const changes: Record<string, Json> = {};
  const { message, messageHistory } = context;
  const seen = (one: Json) => (isExact ? viewOf(one) : withNumbers(viewOf(one)));
  if (message !== undefined && after.message !== undefined && !isSame(seen(message), after.message)) {
    const read = messageOf(after.message, [message], isExact);
    if (read === undefined) return { ok: false, message: notMessage('message') };
    changes.message = read;
  }
  if (Array.isArray(messageHistory) && Array.isArray(after.messageHistory)) {
    if (!isSame(messageHistory.map(seen), after.messageHistory)) {
      const read = after.messageHistory.map((one) => messageOf(one, messageHistory, isExact));
      if (!read.every((one) => one !== undefined)) return { ok: false, message: notMessage('messageHistory') };
      changes.messageHistory = read;
    }
  }
  if (Array.isArray(after.appendMessages) && after.appendMessages.length > 0) {
    const read = after.appendMessages.map((one) =>
      typeof one === 'string' ? { role: 'user', content: [{ type: 'text', text: one }] } : messageOf(one, [], isExact),
    );
    if (!read.every((one) => one !== undefined)) return { ok: false, message: notMessage('appendMessages') };
    changes.appendMessages = read;
  }
  const { stop } = after;
  const runner = after.runner && withNumbers(after.runner);
  if (typeof stop === 'string') changes.stop = stop;
  if (runner !== undefined && isJsonObject(runner) && !isSame(context.runner ?? {}, runner)) changes.runner = runner;
  return { ok: true, changes };
}

function viewOf(message: Json): Json {
  if (!isJsonObject(message) || !Array.isArray(message.toolCalls)) return message;
  const toolCalls = message.toolCalls.map((call) => {
    const { id, name, argumentsText } = objectOf(call);
    return { id: id ?? null, name: name ?? null, arguments: parseArguments(argumentsText) };
  });
  return { ...message, toolCalls };
}

/** Only arguments of calls keep integers beyond 2^53. In results they are their digits in text, as in the context. */
function messageOf(view: Json, originals: readonly Json[], isExact: boolean): JsonObject | undefined {
  if (!isJsonObject(view)) return undefined;
  switch (view.role) {
    case 'user': {
      const content = readResult({ content: view.content ?? null })?.content;
      return content && { role: 'user', content: asJson(content) };
    }
    case 'assistant': {
      const content = readResult({ content: view.content ?? null })?.content;
      if (content === undefined || !Array.isArray(view.toolCalls)) return undefined;
      const known = originals.flatMap((one) => listOf(objectOf(one).toolCalls));
      const calls = view.toolCalls.map((call) => callOf(call, known, isExact));
      if (!calls.every((call) => call !== undefined)) return undefined;
      const { reasoning } = view;
      const stopReason = isStopReason(view.stopReason) ? view.stopReason : 'end_turn';
      return {
        role: 'assistant',
        content: asJson(content),
        toolCalls: calls,
        stopReason,
        ...(typeof reasoning === 'string' && { reasoning }),
      };
    }
    case 'tool': {
      if (!Array.isArray(view.results)) return undefined;
      const before = originals.flatMap((one) => listOf(objectOf(one).results));
      const results = view.results.map((entry) => {
        const { callId, result } = objectOf(entry);
        const read = readResult(result ?? null);
        if (typeof callId !== 'string' || read === undefined) return undefined;
        const original = objectOf(before.map(objectOf).find((one) => one.callId === callId)?.result);
        const given = objectOf(result).errorCode ?? original.errorCode;
        const isKept = read.isError && given !== undefined && given === original.errorCode;
        return { callId, result: { ...objectOf(asJson(read)), ...(isKept && { errorCode: given }) } };
      });
      return results.every((one) => one !== undefined) ? { role: 'tool', results } : undefined;
    }
    default:
      return undefined;
  }
}

/** A call with unchanged arguments keeps the text of the model, which may be invalid JSON. */
function callOf(view: Json, known: readonly Json[], isExact: boolean): JsonObject | undefined {
  const { id, name, arguments: args = {} } = objectOf(view);
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  const before = known.map(objectOf).find((call) => call.id === id);
  const written = parseArguments(before?.argumentsText);
  const untouched = before !== undefined && isSame(isExact ? written : withNumbers(written), args);
  const kept = untouched ? before.argumentsText : undefined;
  return { id, name, argumentsText: kept ?? exactJson(isExact ? args : restoreIntegers(written, args)) };
}

function parseArguments(text: Json | undefined): Json {
  return typeof text === 'string' ? objectOf(parseExactJson(text) ?? null) : {};
}

function isStopReason(value: Json | undefined): value is string {
  return typeof value === 'string' && ['end_turn', 'tool_use', 'max_tokens', 'stop_sequence', 'safety'].includes(value);
}

/** Compares without the order of keys, because the language of a hook may sort them. */
function isSame(a: Json, b: Json): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: Json): string {
  return JSON.stringify(replaceIntegers(value, largeInteger), (_, inner) => {
    // Python makes an integer of a double like 1e20.
    if (typeof inner === 'number' && Number.isInteger(inner) && !Number.isSafeInteger(inner))
      return largeInteger(BigInt(inner));
    return isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1))) : inner;
  });
}

/** An object, so that it differs from a text of the same digits. */
function largeInteger(integer: bigint): JsonObject {
  return { '': integer.toString() };
}

function notMessage(key: string): string {
  return `It left something in '${key}' that is not a message. See docs/code.md for the shapes.`;
}

/** Results and blocks hold only JSON, but their types have optional fields, which the type `Json` does not allow. */
function asJson(value: unknown): Json {
  return parseJson(JSON.stringify(value)) ?? null;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function isJsonObject(value: Json): value is JsonObject {
  return isRecord(value);
}
