import http from 'node:http';
import { z } from 'zod';

export interface RequestTrap {
  readonly url: string;
  /** The requests as text: path, headers and body in lines. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Starts a server on loopback that records all requests. It serves a text at `/text…`, and an error with the whole request at `/echo…`. */
export async function startRequestTrap(): Promise<RequestTrap> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const asked = [request.url, JSON.stringify(request.rawHeaders), Buffer.concat(parts).toString()].join('\n');
      requests.push(asked);
      const isEcho = request.url?.startsWith('/echo') === true;
      const status = isEcho ? 500 : request.url?.startsWith('/text') ? 200 : 404;
      response.writeHead(status, { 'content-type': 'text/plain' }).end(isEcho ? asked : 'A text.');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
