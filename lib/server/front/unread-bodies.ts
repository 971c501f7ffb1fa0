import type http from 'node:http';

/** A shorter rest of a body is read, so that the connection can be used for further requests. */
const longestRest = 64 * 1024;
/** A client that is still sending has this time to read why its request was refused. */
const graceMs = 2_000;

/**
 * Ends the connection with the response if the request is refused before its body has arrived. Otherwise Node reads the body to its end,
 * however long it is, to get to the next request. The socket is closed for writing first and entirely a moment later, because a client
 * may lose a response that it has not read when its own data meets a closed socket (RFC 9112, section 9.6). Is called before the head of
 * the response is written.
 */
export function leaveBodyUnread(request: http.IncomingMessage, response: http.ServerResponse, status: number): void {
  if (status < 400 || request.complete || !isLong(request.headers)) return;
  const { socket } = request;
  response.setHeader('Connection', 'close');
  // Node calls it when a response with this header has been sent.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), graceMs);
    socket.once('close', () => clearTimeout(timer));
  };
}

function isLong(headers: http.IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > longestRest;
}
