import type { KeyReport } from '@/lib/base/key-report';
import type { KeyEndpoint } from '@/lib/cards/models/key-endpoint';
import type { TransportGuard } from './http-transport';
import { addressWithPath } from './openai';
import { atList, clientFor, faultOf, listed } from './test-key';

/** More than a person looks through. */
const mostModels = 500;

interface ListOptions {
  /** How long the server is given, in milliseconds. */
  readonly waitMs?: number;
}

/**
 * Asks an address of one's own for its models (`GET /models` in OpenAI's format), with the key or without one. Never throws. What the server
 * says of the key is not repeated, because it may quote it.
 */
export async function listModels(
  { provider, endpoint: found }: KeyEndpoint,
  guard: TransportGuard,
  signal: AbortSignal,
  { waitMs }: ListOptions = {},
): Promise<KeyReport> {
  const endpoint = atList(found);
  const url = new URL(endpoint.address);
  const client = clientFor({ provider, endpoint }, guard, endpoint.key, waitMs);
  try {
    const { data } = listed.parse(await client.get(addressWithPath(endpoint.address, '/models'), { signal }));
    const count = `${data.length} ${data.length === 1 ? 'model' : 'models'}`;
    return {
      outcome: 'works',
      message: `${url.host} lists ${count}.`,
      models: data.slice(0, mostModels).map(({ id }) => id),
    };
  } catch (error) {
    const fault = faultOf(error, { host: url.host, title: "OpenAI's format", setting: '' });
    const wantsKey = fault.outcome === 'refused' && endpoint.key === undefined;
    const message = wantsKey ? `${url.host} wants a key. Give one.` : fault.message + hintFor(fault.outcome, url);
    return { outcome: fault.outcome, message, models: [] };
  }
}

/** The most frequent slip: the address of the server without the path of its API. */
function hintFor(outcome: KeyReport['outcome'], { pathname }: URL): string {
  return outcome === 'wrong address' && !/\/v\d/.test(pathname)
    ? ' Most servers want an address that ends in /v1.'
    : '';
}
