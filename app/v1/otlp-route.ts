import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readBytes } from '@/app/api/read-body';
import { errorResponse, respond } from '@/app/api/respond';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { writeOtlpAnswer, writeOtlpStatus } from '@/lib/interop/otlp/write-otlp-answer';
import type { OtlpBody, OtlpEncoding } from '@/lib/server/importing/import-jobs';
import type { Receipt } from '@/lib/server/imports';
import { countRequest } from '@/lib/server/request-limits';

/** The limit that the OTLP specification recommends, for the body as it is sent and for the unpacked one. */
const maxBytes = 20 * 1024 * 1024;

/** Stores what a request has. `body` is unpacked, and `project` is the one that the request names. */
type Store = (actor: Actor, body: OtlpBody, project: string | undefined) => Promise<Receipt>;

/**
 * Makes the route of a signal of OpenTelemetry (OTLP/HTTP, https://opentelemetry.io/docs/specs/otlp/#otlphttp) in protobuf and JSON, plain
 * or gzipped. The answer has the type of the request; `rejectedName` is what the JSON of a partial success calls its count. The header
 * `Callboard-Project` names a project for the runs.
 */
export function otlpRoute(rejectedName: string, store: Store) {
  return respond(async (request, _params, actor) => {
    try {
      await countRequest(actor, 'traces');
      return await receive(request, actor, rejectedName, store);
    } catch (error) {
      // An exporter of protobuf reads the reason in its own encoding.
      if (!isProtobuf(request)) throw error;
      const refusal = errorResponse(error, request);
      const said = error instanceof AppError ? error.message : 'The request was not stored.';
      const headers = new Headers({ 'Content-Type': 'application/x-protobuf' });
      const retry = refusal.headers.get('Retry-After');
      if (retry !== null) headers.set('Retry-After', retry);
      return new Response(new Uint8Array(writeOtlpStatus(said)), { status: refusal.status, headers });
    }
  });
}

async function receive(request: Request, actor: Actor, rejectedName: string, store: Store): Promise<unknown> {
  const encoding = encodings[typeOf(request)];
  if (encoding === undefined) {
    throw new AppError('unsupported', 'Send OTLP as application/x-protobuf or application/json.');
  }
  const bytes = await unpacked(await readBytes(request, maxBytes), request.headers.get('content-encoding'));
  const project = request.headers.get('callboard-project') ?? undefined;
  const { rejected, problem } = await store(actor, { encoding, bytes }, project);
  if (isProtobuf(request)) {
    const body = new Uint8Array(writeOtlpAnswer({ rejected, problem }));
    return new Response(body, { headers: { 'Content-Type': 'application/x-protobuf' } });
  }
  return rejected === 0 ? {} : { partialSuccess: { [rejectedName]: String(rejected), errorMessage: problem ?? '' } };
}

function typeOf(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function isProtobuf(request: Request): boolean {
  return typeOf(request) === 'application/x-protobuf';
}

const encodings: Readonly<Record<string, OtlpEncoding>> = {
  'application/x-protobuf': 'protobuf',
  'application/json': 'json',
};

const unzip = promisify(gunzip);

async function unpacked(bytes: Uint8Array, encoding: string | null): Promise<Uint8Array> {
  if (encoding === null || encoding === '' || encoding === 'identity') return bytes;
  if (encoding.toLowerCase() !== 'gzip') {
    throw new AppError('unsupported', `The encoding "${encoding.slice(0, 40)}" is not known. Send gzip or none.`);
  }
  try {
    return await unzip(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError)
      throw new AppError('too_large', 'The unpacked body is larger than 20 MiB. Send less at once.');
    throw new AppError('bad_request', 'The body is not gzip, although Content-Encoding says so.');
  }
}
