import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, vi } from 'vitest';

type Route = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

/**
 * Serves routes over HTTP, for programs that ask the app. A key is a method and an address, as `GET /api/v1/runs/[run]`. Call it at the
 * top of a file. The returned function has the address once the tests begin.
 */
export function routeServer(routes: Readonly<Record<string, Route>>): () => string {
  const table = Object.entries(routes).map(([name, route]) => ({ pattern: patternOf(name), route }));
  let address = '';
  const server = http.createServer(async (incoming, outgoing) => {
    const url = `${address}${incoming.url}`;
    const asked = `${incoming.method} ${new URL(url).pathname}`;
    const found = table.find(({ pattern }) => pattern.test(asked));
    if (found === undefined) {
      outgoing.writeHead(501).end(JSON.stringify({ error: { message: `The test has no route for ${asked}` } }));
      return;
    }
    const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, `${value}`]);
    const body = incoming.method === 'GET' ? null : new Uint8Array(await buffer(incoming));
    const request = new Request(url, { method: incoming.method ?? 'GET', headers, body });
    const params = { ...found.pattern.exec(asked)?.groups };
    const answer = await found.route(request, { params: Promise.resolve(params as never) });
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const bound = server.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    address = `http://127.0.0.1:${port}`;
    vi.stubEnv('PORT', `${port}`);
  });
  afterAll(() => void server.close());
  return () => address;
}

function patternOf(name: string): RegExp {
  return new RegExp(`^${name.replace(/\[(\w+)\]/g, '(?<$1>[^/]+)')}$`);
}
