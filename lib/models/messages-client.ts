import Anthropic from '@anthropic-ai/sdk';
import type { Endpoint } from '@/lib/cards/models/endpoint';
import type { HttpTransport, IdleRequest } from './http-transport';
import { addressWithPath } from './openai';

type Built = Awaited<ReturnType<Anthropic['buildRequest']>>;
type Options = Parameters<Anthropic['buildRequest']>[0];

/** The version that takes `temperature` and that other servers of this format know. Later ones are for other models. */
const apiVersion = '2023-06-01';
/** Replaces the headers that the package would collect for its log, which is off. */
const unlisted = new Headers();

/**
 * An Anthropic client for many requests to one address that differ only in body and signal. It sends its own headers, because
 * the package would take keys and headers from the environment, which an address of a folder must not get. It creates no timer or
 * abort controller for each request, because the transport itself ends idle and aborted requests.
 */
export class MessagesClient extends Anthropic {
  private readonly url: string;
  private readonly sent: Headers;

  constructor(
    { address, key, headers }: Pick<Endpoint, 'address' | 'key' | 'headers'>,
    private readonly transport: HttpTransport,
  ) {
    // People write the address with and without the version.
    const base = address.replace(/\/v1(?=\?|$)/, '');
    super({
      apiKey: 'none',
      baseURL: base,
      maxRetries: 0,
      logLevel: 'off',
      openTelemetry: false,
      fetch: transport.fetch,
    });
    this.url = addressWithPath(base, '/v1/messages');
    this.sent = new Headers({
      accept: 'application/json',
      'anthropic-version': apiVersion,
      'content-type': 'application/json',
      'user-agent': 'callboard',
      ...(key !== undefined && { 'x-api-key': key }),
    });
    // A header of the folder replaces one of the same name in any case.
    for (const [name, value] of Object.entries(headers)) this.sent.set(name, value);
  }

  override async buildRequest({ method, body, signal, timeout: idleMs }: Options): Promise<Built> {
    if (typeof body !== 'string') throw new Error('Bug: a request whose body is not text');
    const request: IdleRequest = { method, body, signal, idleMs };
    return { req: { ...request, headers: unlisted }, url: this.url, timeout: 0 };
  }

  override fetchWithTimeout(url: string, init: IdleRequest = {}): Promise<Response> {
    const { method, body, signal, idleMs } = init;
    return this.transport.fetch(url, { method, headers: this.sent, body, signal, idleMs });
  }
}
