const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT']);
/** Prisma: not reachable, timed out, closed, no connection to be had in time. */
const prismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']);

/** True when the database could not be reached or went away, so that the same statement may work a moment later. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isConnectionError)) return true;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (networkCodes.has(code) || prismaCodes.has(code)) return true;
  // Class 08: connection exceptions. 57P01 to 57P03: shutting down, crashed, starting. 53300: too many connections.
  if (/^08|^57P0[1-3]$|^53300$/.test(code)) return true;
  if (
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      error.message,
    )
  )
    return true;
  if (
    /ConnectionClosed|DatabaseNotReachable|SocketTimeout|Server has closed the connection|Can't reach database/.test(
      error.message,
    )
  )
    return true;
  return error.cause !== undefined && error.cause !== error && isConnectionError(error.cause);
}
