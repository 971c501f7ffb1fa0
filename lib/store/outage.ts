/**
 * Describes a temporary failure of a correct statement: the server is unreachable (stopping, starting, connection lost),
 * has no free connection or memory, or a disk is full.
 */
export type Outage = 'unreachable' | 'overloaded' | 'disk_full';

/** Returns the outage behind an error, if the same work may succeed later, and `undefined` for every other error. */
export function outageOf(error: unknown): Outage | undefined {
  if (!(error instanceof Error)) return undefined;
  for (const code of codesOf(error)) {
    const outage = byCode(code);
    if (outage !== undefined) return outage;
  }
  if (messages.test(error.message)) return 'unreachable';
  if (error instanceof AggregateError) {
    for (const each of error.errors) {
      const outage = outageOf(each);
      if (outage !== undefined) return outage;
    }
  }
  return error.cause === error ? undefined : outageOf(error.cause);
}

export function isOutage(error: unknown): boolean {
  return outageOf(error) !== undefined;
}

/** Looks up a code of Node, Postgres or Prisma. Appendix A of the PostgreSQL manual lists its codes (SQLSTATE). */
function byCode(code: string): Outage | undefined {
  if (full.has(code)) return 'disk_full';
  if (busy.has(code)) return 'overloaded';
  // Class 08: connection exceptions. 57P01 to 57P03: shut down, crashed, not accepting connections (yet). 57P05: idle session.
  if (away.has(code) || /^08[0-9A-Z]{3}$|^57P0[1235]$/.test(code)) return 'unreachable';
  return undefined;
}

const full = new Set(['53100', 'ENOSPC', 'EDQUOT']);
/** 53000, 53200, 53300, 53400: out of resources, memory, connections, or at a configured limit. P2024, P2028, P2037: Prisma's codes for the same. */
const busy = new Set(['53000', '53200', '53300', '53400', 'P2024', 'P2028', 'P2037', 'TooManyConnections']);
const away = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  // Prisma's codes: not reachable, timed out, took too long, closed.
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  // These are kinds of error of Prisma's driver adapters.
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
]);

/** `pg` gives these errors no code, so their messages are matched. */
const messages =
  /^Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable/;

/**
 * Returns the code of the error, then codes that Prisma's driver adapter wrapped: SQLSTATE 57P03 is inside a P2010 or
 * P2039.
 */
function codesOf(error: Error): readonly string[] {
  const adapterError = at(at(error, 'meta'), 'driverAdapterError');
  const inner = [at(error, 'cause'), at(adapterError, 'cause')];
  const found = [
    inner.map((each) => at(each, 'originalCode')),
    inner.map((each) => at(each, 'kind')),
    connectCode(error),
  ];
  return found.flat().filter((code) => typeof code === 'string');
}

/** ENOENT is an outage only for a socket. For a file it means that the file is missing. */
function connectCode(error: Error): unknown {
  const code = at(error, 'code');
  return code === 'ENOENT' && at(error, 'syscall') === 'connect' ? 'ECONNREFUSED' : code;
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
