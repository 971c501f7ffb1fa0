import { isRecord, type JsonObject } from '@/lib/base/json';
import { mendSchema } from './tool-schema';

/** What a server lists, as far as it is used here. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations: { readonly readOnlyHint?: boolean; readonly idempotentHint?: boolean };
  /** Whether the tool must, or may, be called as a task. `undefined` if it may not. */
  readonly taskSupport?: 'required' | 'optional';
}

export interface ListedPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface ListedTemplate extends Omit<ListedResource, 'uri'> {
  readonly uriTemplate: string;
}

/** An item that can be used, what was repaired of it, or the reason why it cannot be used. Reasons follow a colon. */
export type ReadItem<T> =
  | { readonly item: T; readonly repaired: readonly string[] }
  | { readonly name: string | undefined; readonly why: string };

/**
 * Reads a tool of a list. Members that are optional are left out if they are `null` or of another type, because servers in Go and
 * others write them so.
 */
export function readTool(raw: unknown): ReadItem<ListedTool> {
  if (!isRecord(raw)) return leftOut(undefined, 'it is not an object');
  const { name, inputSchema, outputSchema } = raw;
  if (!isText(name)) return leftOut(undefined, 'it has no name');
  const schema = mendSchema(inputSchema);
  if ('refused' in schema) return leftOut(name, schema.refused);
  const hints = isRecord(raw.annotations) ? raw.annotations : {};
  const taskSupport = isRecord(raw.execution) ? raw.execution.taskSupport : undefined;
  const item: ListedTool = {
    name,
    ...textsOf(raw, 'title', 'description'),
    inputSchema: schema.schema,
    ...(isJsonObject(outputSchema) && { outputSchema }),
    annotations: { readOnlyHint: hints.readOnlyHint === true, idempotentHint: hints.idempotentHint === true },
    ...((taskSupport === 'required' || taskSupport === 'optional') && { taskSupport }),
  };
  return { item, repaired: schema.faults };
}

export function readPrompt(raw: unknown): ReadItem<ListedPrompt> {
  if (!isRecord(raw)) return leftOut(undefined, 'it is not an object');
  const { name } = raw;
  if (!isText(name)) return leftOut(undefined, 'it has no name');
  const given: unknown[] = Array.isArray(raw.arguments) ? raw.arguments : [];
  const named = given.flatMap((one) => {
    if (!isRecord(one) || !isText(one.name)) return [];
    return [{ name: one.name, ...textsOf(one, 'description'), ...(one.required === true && { required: true }) }];
  });
  const repaired = named.length === given.length ? [] : ['an argument without a name is left out'];
  return { item: { name, ...textsOf(raw, 'title', 'description'), arguments: named }, repaired };
}

export function readResource(raw: unknown): ReadItem<ListedResource> {
  return readLocated(raw, 'uri', (uri, rest) => ({ uri, ...rest }));
}

export function readTemplate(raw: unknown): ReadItem<ListedTemplate> {
  return readLocated(raw, 'uriTemplate', (uriTemplate, rest) => ({ uriTemplate, ...rest }));
}

function readLocated<T>(
  raw: unknown,
  key: string,
  make: (address: string, rest: Omit<ListedResource, 'uri'>) => T,
): ReadItem<T> {
  if (!isRecord(raw)) return leftOut(undefined, 'it is not an object');
  const { [key]: address, name } = raw;
  if (!isText(address)) return leftOut(isText(name) ? name : undefined, `it has no ${key}`);
  const rest = { name: isText(name) ? name : address, ...textsOf(raw, 'description', 'mimeType') };
  return { item: make(address, rest), repaired: [] };
}

function leftOut(name: string | undefined, why: string) {
  return { name, why };
}

function textsOf<K extends string>(
  raw: Record<string, unknown>,
  ...keys: readonly K[]
): { readonly [key in K]?: string } {
  const texts: { [key in K]?: string } = {};
  for (const key of keys) {
    const value = raw[key];
    if (typeof value === 'string') texts[key] = value;
  }
  return texts;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The SDK parsed the value from JSON, although its type is wider. */
function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
