import type { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { parseJson } from '@/lib/base/json';
import { repeatedKeyOf } from '@/lib/base/repeated-key';
import { cutText } from '@/lib/base/well-formed';

const MiB = 1024 * 1024;
export const maxBodyBytes = 25 * MiB;

/** Reads the body as it streams in and stops at the limit, whatever `Content-Length` claims. */
export async function readBytes(request: Request, limit = maxBodyBytes): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () =>
    new AppError('too_large', `The request is larger than ${limit / MiB} MiB. Send fewer or smaller files.`);
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

/** Reads a JSON body and checks it; the error names the field. An object that has a key twice is refused. */
export async function readJson<S extends z.ZodType>(request: Request, schema: S): Promise<z.infer<S>> {
  return checkJson(await readBytes(request), schema);
}

export function checkJson<S extends z.ZodType>(bytes: Uint8Array, schema: S): z.infer<S> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('bad_request', 'The body is not valid UTF-8. Send JSON encoded as UTF-8.');
  }
  const value = parseJson(text);
  if (value === undefined) throw new AppError('bad_request', 'The body is not JSON.');
  const repeated = repeatedKeyOf(text);
  if (repeated !== undefined) {
    throw new AppError(
      'bad_request',
      `The body has the key ${JSON.stringify(cutText(repeated, 80))} twice in one object. Send each key once.`,
    );
  }
  return checkInput(value, schema);
}

/** Validates data from outside. Throws AppError `bad_request`, which names the first field that is wrong. */
export function checkInput<S extends z.ZodType>(value: unknown, schema: S): z.infer<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw new AppError('bad_request', field ? `${field}: ${issue?.message}` : (issue?.message ?? 'Invalid body.'));
}
