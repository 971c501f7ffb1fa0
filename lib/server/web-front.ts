import type http from 'node:http';
import { refuseRequest, securityHeaders } from './request-guard';

/** A connection on which nothing moves for this long is closed: a reader that takes nothing of its answer. */
const idleMs = 120_000;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

interface ServerMaker {
  createServer(...given: unknown[]): http.Server;
}

/**
 * Stands before every server that this process makes from now on, as Next makes its own. The guard is asked for whatever
 * address, a method that nobody uses is a 405, and each answer has the security headers, also where Next writes it by
 * itself: below `/_next/`, a redirect, a page that is not there.
 */
export function standBefore(maker: ServerMaker): void {
  const create = maker.createServer.bind(maker);
  maker.createServer = (...given) => {
    const server = create(...given.map((each) => (isListener(each) ? before(each) : each)));
    server.timeout = idleMs;
    return server;
  };
}

function isListener(value: unknown): value is http.RequestListener {
  return typeof value === 'function';
}

export function before(listener: http.RequestListener): http.RequestListener {
  return (request, response) => {
    addHeaders(request, response);
    const refusal = refuse(request);
    if (refusal === undefined) {
      listener(request, response);
      return;
    }
    const { status, ...error } = refusal;
    response.writeHead(status, { 'Content-Type': 'application/json', Allow: methods.join(', ') });
    response.end(request.method === 'HEAD' ? undefined : JSON.stringify({ error }));
  };
}

function refuse(request: http.IncomingMessage): { status: number; code: string; message: string } | undefined {
  const { method = '', url = '' } = request;
  const get = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : null;
  };
  const foreign = refuseRequest({ method, headers: { get } }, Number(process.env.PORT) || 3000);
  if (foreign !== undefined) return { status: 403, code: 'not_allowed', message: foreign };
  if (!methods.includes(method)) {
    return {
      status: 405,
      code: 'bad_request',
      message: `${method} is no method of Callboard. It knows ${methods.join(', ')}.`,
    };
  }
  if (!url.startsWith('/')) return { status: 400, code: 'bad_request', message: 'An address begins with "/".' };
  return undefined;
}

/** Those that the answer does not have by itself, at the moment when its head is written. */
function addHeaders(request: http.IncomingMessage, response: http.ServerResponse): void {
  const isBuilt = request.url?.startsWith('/_next/static/') === true;
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status: number, ...rest: never[]) => {
    for (const [name, value] of Object.entries(securityHeaders)) {
      // A policy on a script of ours would hold for the worker that is made of it.
      const isFree = name === 'Content-Security-Policy' && isBuilt && status < 400;
      if (!isFree && !response.hasHeader(name)) response.setHeader(name, value);
    }
    return writeHead(status, ...rest);
  };
}
