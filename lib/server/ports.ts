import { createServer } from 'node:net';

/** Returns a free port of this machine: the wanted one if it is free. */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted !== undefined && (await canListen('127.0.0.1', wanted)) !== undefined) return wanted;
  const found = await canListen('127.0.0.1', 0);
  if (found === undefined) throw new Error('No port of 127.0.0.1 is free. Stop a program that uses some.');
  return found;
}

/** Returns the port if this process can listen on it, and `undefined` if it is in use or not permitted. */
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
