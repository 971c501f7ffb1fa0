import { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { parseExactJson, withDigits } from '@/lib/base/exact-json';
import { isJsonTooLarge } from '@/lib/base/json-size';
import { repeatedKeyOf } from '@/lib/base/repeated-key';
import { valueSentence } from '@/lib/base/value-advice';
import { cutText } from '@/lib/base/well-formed';
import { expectStrict, knownFields, unknownSentence } from './known-fields';

const KiB = 1024;
const MiB = 1024 * KiB;
export const maxBodyBytes = 25 * MiB;
/** Parsing takes time and memory for each value, and other requests wait meanwhile. A long text is one value. */
export const mostValues = 250_000;

/** Reads the body as it streams in and stops at the limit, whatever `Content-Length` claims. */
export async function readBytes(request: Request, limit = maxBodyBytes): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () =>
    new AppError('too_large', `The request is larger than ${sizeText(limit)}. Send fewer or smaller parts.`);
  if (Number(request.headers.get('content-length')) > limit) throw tooLarge();
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function sizeText(bytes: number): string {
  return bytes < MiB ? `${bytes / KiB} KiB` : `${bytes / MiB} MiB`;
}

/** Reads a JSON body and checks it; the error names the field. A field that is unknown or given twice is refused. */
export async function readJson<S extends z.ZodType>(
  request: Request,
  schema: S,
  limit = maxBodyBytes,
): Promise<z.infer<S>> {
  return checkJson(await readBytes(request, limit), schema);
}

/** Reads the body of a request that says everything in its address. Refuses any other body than none or `{}`. */
export async function readNoBody(request: Request): Promise<void> {
  const bytes = await readBytes(request, KiB);
  if (bytes.length > 0) checkJson(bytes, nothing);
}

const nothing = z.strictObject({});

export function checkJson<S extends z.ZodType>(bytes: Uint8Array, schema: S): z.infer<S> {
  expectStrict(schema);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('bad_request', 'The body is not valid UTF-8. Send JSON encoded as UTF-8.');
  }
  if (isJsonTooLarge(text, mostValues, Number.POSITIVE_INFINITY)) {
    const most = mostValues.toLocaleString('en-US');
    throw new AppError('too_large', `The body has more than ${most} values. Send fewer or smaller parts.`);
  }
  const value = parseExactJson(text);
  if (value === undefined) throw new AppError('bad_request', 'The body is not JSON.');
  const repeated = repeatedKeyOf(text);
  if (repeated !== undefined) {
    throw new AppError(
      'bad_request',
      `The body has the key ${JSON.stringify(cutText(repeated, 80))} twice in one object. Send each key once.`,
    );
  }
  return checkInput(withDigits(value), schema, value);
}

/**
 * Validates data from outside. Throws AppError `bad_request`, which names a field that is unknown, or the first one that is wrong.
 * `exact` is the value before large integers became text.
 */
export function checkInput<S extends z.ZodType>(value: unknown, schema: S, exact: unknown = value): z.infer<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const unknown = unknownIn(result.error.issues);
  const known = unknown === undefined ? [] : knownFields(schema, unknown.path);
  if (unknown !== undefined && !known.includes(unknown.name)) {
    throw refusalAt(unknown.path, unknownSentence('field', unknown.name, known));
  }
  const [issue] = result.error.issues;
  if (issue !== undefined && isTooLarge(issue, exact)) {
    throw refusalAt(issue.path, `Use a number between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.`);
  }
  throw refusalAt(issue?.path ?? [], issue === undefined ? 'The body cannot be read.' : valueSentence(issue));
}

function refusalAt(path: readonly PropertyKey[], sentence: string): AppError {
  return new AppError('bad_request', path.length === 0 ? sentence : `${path.join('.')}: ${sentence}`);
}

/** True if a number was expected and a number is there, but one whose digits a double does not hold. */
function isTooLarge(issue: z.core.$ZodIssue, exact: unknown): boolean {
  if (issue.code !== 'invalid_type' || !['number', 'int'].includes(issue.expected)) return false;
  const isHolder = (value: unknown) => typeof value === 'object' && value !== null;
  const found = issue.path.reduce<unknown>((value, key) => (isHolder(value) ? Reflect.get(value, key) : value), exact);
  return typeof found === 'bigint';
}

interface UnknownField {
  readonly path: readonly PropertyKey[];
  readonly name: string;
}

/** Finds a field that a schema refuses. Of a union, it looks at the alternatives whose other fields are right. */
function unknownIn(issues: readonly z.core.$ZodIssue[]): UnknownField | undefined {
  for (const { path, ...issue } of issues) {
    const [name] = issue.code === 'unrecognized_keys' ? issue.keys : [];
    if (name !== undefined) return { path, name };
    if (issue.code !== 'invalid_union') continue;
    for (const alternative of issue.errors) {
      const within = alternative.every(isAboutNames) ? unknownIn(alternative) : undefined;
      if (within !== undefined) return { path: [...path, ...within.path], name: within.name };
    }
  }
  return undefined;
}

function isAboutNames({ code }: z.core.$ZodIssue): boolean {
  return code === 'unrecognized_keys' || code === 'invalid_union';
}
