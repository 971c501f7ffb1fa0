import OpenAI, { type ClientOptions } from 'openai';
import type { HttpTransport } from './http-transport';

type Built = Awaited<ReturnType<OpenAI['buildRequest']>>;
type Options = Parameters<OpenAI['buildRequest']>[0];

/** The package lists the headers of each request for its log, which is off. */
const unlisted = new Headers();

/**
 * The openai client for one address to which the same kind of request goes again and again, without what it would do anew
 * for each: its URL and headers are those that the package built for the first one, and no timer or abort controller of
 * its own stands between the caller's signal and the transport, which ends an idle request and one that is aborted.
 * Requests must differ in body and signal alone.
 */
export class RepeatingClient extends OpenAI {
  private readonly transport: HttpTransport;
  private first: Promise<Built> | undefined;
  private headers: Headers | undefined;

  static {
    // The package sends the class's name as its user agent.
    Object.defineProperty(RepeatingClient, 'name', { value: OpenAI.name });
  }

  constructor(options: ClientOptions, transport: HttpTransport) {
    super({ ...options, maxRetries: 0, logLevel: 'off', fetch: transport.fetch });
    this.transport = transport;
  }

  override async buildRequest(options: Options, retry?: { retryCount?: number }): Promise<Built> {
    this.first ??= super.buildRequest({ ...options, signal: undefined }, retry);
    const { req, url, timeout } = await this.first;
    const { body, signal } = options;
    if (typeof body !== 'string') throw new Error('Bug: a request whose body is not text');
    this.headers ??= req.headers;
    return { req: { method: req.method, headers: unlisted, body, signal }, url, timeout };
  }

  override fetchWithTimeout(url: string, init: RequestInit = {}): Promise<Response> {
    return this.transport.fetch(url, {
      method: init.method,
      headers: this.headers,
      body: init.body,
      signal: init.signal,
    });
  }
}
