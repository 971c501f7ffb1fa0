import OpenAI, { APIError, type ClientOptions } from 'openai';
import type { HttpTransport, IdleRequest } from './http-transport';

type Built = Awaited<ReturnType<OpenAI['buildRequest']>>;
type Options = Parameters<OpenAI['buildRequest']>[0];

/** An answer with an error status, with its whole body. The package keeps the member `error` alone. */
export class StatusError extends APIError {
  constructor(
    status: number,
    /** Parsed JSON, or text. */
    readonly body: unknown,
    headers: Headers,
  ) {
    super(status, undefined, undefined, headers);
  }
}

/** Replaces the headers that the package would collect for its log, which is off. */
const unlisted = new Headers();

/**
 * An openai client for many requests to one address that differ only in body and signal. It builds the URL and headers
 * once. It creates no timer or abort controller for each request, because the transport itself ends idle and aborted
 * requests.
 */
export class RepeatingClient extends OpenAI {
  private readonly transport: HttpTransport;
  private first: Promise<Built> | undefined;
  private headers: Headers | undefined;

  static {
    // The package sends the name of the class as the user agent, so this class takes the name of its base class.
    Object.defineProperty(RepeatingClient, 'name', { value: OpenAI.name });
  }

  constructor(options: ClientOptions, transport: HttpTransport) {
    super({ ...options, maxRetries: 0, logLevel: 'off', fetch: transport.fetch });
    this.transport = transport;
  }

  override makeStatusError(status: number, body: object, text: string | undefined, headers: Headers): APIError {
    return new StatusError(status, body ?? text, headers);
  }

  override async buildRequest(options: Options, retry?: { retryCount?: number }): Promise<Built> {
    this.first ??= super.buildRequest({ ...options, signal: undefined }, retry);
    const { req, url, timeout } = await this.first;
    const { body, signal, timeout: idleMs } = options;
    if (typeof body !== 'string') throw new Error('Bug: a request whose body is not text');
    this.headers ??= req.headers;
    const request: IdleRequest = { method: req.method, body, signal, idleMs };
    return { req: { ...request, headers: unlisted }, url, timeout };
  }

  override fetchWithTimeout(url: string, init: IdleRequest = {}): Promise<Response> {
    return this.transport.fetch(url, {
      method: init.method,
      headers: this.headers,
      body: init.body,
      signal: init.signal,
      idleMs: init.idleMs,
    });
  }
}
