import OpenAI, { APIConnectionError, APIError } from 'openai';
import { z } from 'zod';
import { isRecord, parseJson } from '@/lib/base/json';
import type { KeyReport } from '@/lib/base/key-report';
import type { Endpoint } from '@/lib/cards/models/endpoint';
import type { KeyEndpoint } from '@/lib/cards/models/key-endpoint';
import { transportOf } from './create-models';
import type { HttpTransport, TransportGuard } from './http-transport';
import { addressWithPath, clientOptions } from './openai';

/** The provider is given so long for each request. */
const timeoutMs = 15_000;
const maxBytes = 4 * 1024 * 1024;
const mostModels = 12;

/** A list of models in OpenAI's format. */
export const listed = z.object({ data: z.array(z.object({ id: z.string() })) });

type Found = Omit<KeyReport, 'models'> & { readonly models?: readonly string[] };

/**
 * Tries a key at its provider: asks for the list of models, once with the key and once without. A provider that gives the list to
 * everybody, or has none, is asked for one token of an answer instead. Never throws. What the provider says is not repeated, because
 * it may quote the key.
 */
export async function testKey(
  { provider, endpoint: found }: KeyEndpoint,
  guard: TransportGuard,
  signal: AbortSignal,
): Promise<KeyReport> {
  const endpoint = atList(found);
  const { host } = new URL(endpoint.address);
  const target = { host, title: provider.title, setting: endpoint.addressSetting };
  const isOwn = endpoint.from === 'provider' && !provider.local;
  const client = clientFor({ provider, endpoint }, guard, endpoint.key);
  const modelsAt = addressWithPath(endpoint.address, '/models');
  const report = (some: Found): KeyReport => ({ models: [], ...some });
  const works = (models: readonly string[]) =>
    report({ outcome: 'works', message: `${host} takes the key.`, models: models.slice(0, mostModels) });
  const askForToken = async (models: readonly string[]): Promise<KeyReport> => {
    const body = { model: endpoint.model.name, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 };
    try {
      const path = endpoint.wire === 'messages' ? '/messages' : '/chat/completions';
      await client.post(addressWithPath(endpoint.address, path), { body, signal });
      return works(models);
    } catch (error) {
      const fault = faultOf(error, target);
      // The key is checked before the request is.
      const isTaken = fault.outcome === 'wrong address' && error instanceof APIError && (error.status ?? 0) >= 400;
      return isTaken ? works(models) : report(fault);
    }
  };
  let models: readonly string[];
  try {
    models = listed.parse(await client.get(modelsAt, { signal })).data.map(({ id }) => id);
  } catch (error) {
    const hasNoList = error instanceof APIError && (error.status === 404 || error.status === 405);
    if (hasNoList && isOwn && provider.firstModel !== undefined) return await askForToken([]);
    return report(faultOf(error, target));
  }
  const count = `${models.length} ${models.length === 1 ? 'model' : 'models'}`;
  if (!(await answersEverybody(clientFor({ provider, endpoint }, guard, undefined), modelsAt, signal))) {
    const message = `${host} takes the key and lists ${count}.`;
    return report({ outcome: 'works', message, models: models.slice(0, mostModels) });
  }
  if (isOwn && provider.firstModel !== undefined) return await askForToken(models);
  const message = `${host} answers, also without a key, and lists ${count}. So this does not show whether the key is right.`;
  return report({ outcome: 'unproved', message, models: models.slice(0, mostModels) });
}

/** Returns the endpoint at the address of its list of models. */
export function atList(found: Endpoint): Endpoint {
  // Azure lists its models beside the deployments. An address for Messages may be without the version.
  const listing = found.address.replace(/\/deployments\/[^/]+$/, '');
  return { ...found, address: found.wire === 'messages' ? `${listing.replace(/\/v1$/, '')}/v1` : listing };
}

async function answersEverybody(client: OpenAI, modelsAt: string, signal: AbortSignal): Promise<boolean> {
  try {
    listed.parse(await client.get(modelsAt, { signal }));
    return true;
  } catch {
    return false;
  }
}

/** Returns a client that asks once, and gives up after `timeoutMs`. */
export function clientFor(
  { provider, endpoint }: KeyEndpoint,
  guard: TransportGuard,
  key: string | undefined,
  waitMs = timeoutMs,
): OpenAI {
  const options = clientOptions({ ...endpoint, key });
  // Anthropic's list of models takes the key in a header of its own (https://docs.anthropic.com/en/api/models-list).
  const own = provider.name === 'anthropic' && key !== undefined ? { 'x-api-key': key } : {};
  const version = provider.name === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {};
  const noKey = key === undefined ? { authorization: null } : {};
  return new OpenAI({
    ...options,
    defaultHeaders: { ...options.defaultHeaders, ...own, ...version, ...noKey },
    ...{ maxRetries: 0, timeout: waitMs, logLevel: 'off' as const },
    fetch: wholeAnswers(transportOf(endpoint, guard)),
  });
}

/** The transport leaves the body of a good response to the caller. Here it is small, and is read at once. */
function wholeAnswers(transport: HttpTransport): typeof fetch {
  return async (input, init) => {
    const response = await transport.fetch(input, init);
    const body = transport.bodyOf(response);
    if (body === undefined) return await withoutList(response);
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of body) {
      if (!Buffer.isBuffer(part)) continue;
      parts.push(part);
      size += part.length;
      if (size > maxBytes) throw new TypeError('the answer is too long');
    }
    return new Response(Buffer.concat(parts), { headers: { 'content-type': 'application/json' } });
  };
}

/** Google puts an error into a list of one, which the client does not read. */
async function withoutList(response: Response): Promise<Response> {
  const { status, headers } = response;
  const text = await response.text();
  const body = parseJson(text);
  return new Response(Array.isArray(body) ? JSON.stringify(body[0]) : text, { status, headers });
}

export interface Target {
  readonly host: string;
  readonly title: string;
  /** The variable of the address. */
  readonly setting: string;
}

/** Says in words for users why a request failed. */
export function faultOf(error: unknown, { host, title, setting }: Target): Found {
  const check = setting === '' ? '' : ` Check ${setting}, if it is set.`;
  if (error instanceof APIConnectionError) return { outcome: 'not reached', message: whyNotReached(error, host) };
  if (!(error instanceof APIError) || error.status === undefined) {
    return { outcome: 'wrong address', message: `${host} answers, but not as the API of ${title}.${check}` };
  }
  const { status } = error;
  // Google answers a wrong key with 400.
  const isAboutKey = status === 400 && /api.?key/i.test(error.message);
  if (status === 401 || status === 403 || isAboutKey) {
    const message = `${host} refuses the key (status ${status}). Check that it is whole, and that nobody has revoked it.`;
    return { outcome: 'refused', message };
  }
  if (status === 402 || status === 429) {
    const message = `${host} knows the key, but its account is out of credit or at its limit (status ${status}).`;
    return { outcome: 'no credit', message };
  }
  if (status >= 500) return { outcome: 'failed', message: `${host} failed (status ${status}). Try again later.` };
  return { outcome: 'wrong address', message: `${host} has no list of models there (status ${status}).${check}` };
}

function whyNotReached(error: APIConnectionError, host: string): string {
  const { cause } = error;
  const code = isRecord(cause) && typeof cause.code === 'string' ? cause.code : undefined;
  if (code === 'ERR_ADDRESS_REFUSED' && cause instanceof Error) return `${host} is not called: ${cause.message}`;
  const why = code ?? (cause instanceof TypeError ? cause.message.replace(/\.$/, '') : 'no answer in time');
  return `${host} cannot be reached: ${why}.`;
}
