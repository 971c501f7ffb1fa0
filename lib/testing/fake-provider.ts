import http from 'node:http';
import { isRecord, parseJson } from '@/lib/base/json';

/** A request that a provider got. */
interface ProviderRequest {
  /** Counts requests from 1, in order of arrival. */
  readonly number: number;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as it was sent. */
  readonly text: string;
}

/** What a provider sends back. */
export interface ProviderReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, in the pieces in which it is written. */
  readonly pieces: readonly (string | Buffer)[];
  /** Leaves the connection open after the last piece. */
  readonly isHanging?: boolean;
  /** Breaks the connection after the last piece. */
  readonly isCut?: boolean;
}

export interface FakeProvider {
  /** The address with `/v1`. */
  readonly url: string;
  readonly requests: readonly ProviderRequest[];
  close(): Promise<void>;
}

/** Starts a real HTTP server on loopback that answers each POST with what `respond` says, whatever its format. */
export async function startFakeProvider(
  respond: (request: ProviderRequest) => ProviderReply | Promise<ProviderReply>,
): Promise<FakeProvider> {
  const requests: ProviderRequest[] = [];
  const server = http.createServer((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8');
      const body = parseJson(text);
      const request = {
        number: requests.length + 1,
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: isRecord(body) ? body : {},
        text,
      };
      requests.push(request);
      void answer(request, outgoing);
    });
  });

  async function answer(request: ProviderRequest, outgoing: http.ServerResponse): Promise<void> {
    const { status = 200, headers, pieces, isHanging, isCut } = await respond(request);
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
    for (const piece of pieces) await new Promise((done) => outgoing.write(piece, done));
    if (isCut) outgoing.destroy();
    else if (!isHanging) outgoing.end();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = isRecord(address) ? Number(address.port) : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
