import { createServer } from 'node:net';

/** A port of this machine that nobody listens on: the wanted one when it is free. */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted !== undefined && (await canListen('127.0.0.1', wanted)) !== undefined) return wanted;
  const found = await canListen('127.0.0.1', 0);
  if (found === undefined) throw new Error('No port of 127.0.0.1 is free.');
  return found;
}

/** The port when it could be listened on, undefined when it is taken or not ours to take. */
export function canListen(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}
