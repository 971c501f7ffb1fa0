import type { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { parseJson } from '@/lib/base/json';
import { isJsonTooLarge } from '@/lib/base/json-size';
import { repeatedKeyOf } from '@/lib/base/repeated-key';
import { cutText } from '@/lib/base/well-formed';

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

/** Reads a JSON body and checks it; the error names the field. An object that has a key twice is refused. */
export async function readJson<S extends z.ZodType>(
  request: Request,
  schema: S,
  limit = maxBodyBytes,
): Promise<z.infer<S>> {
  return checkJson(await readBytes(request, limit), schema);
}

export function checkJson<S extends z.ZodType>(bytes: Uint8Array, schema: S): z.infer<S> {
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
