import type http from 'node:http';
import { refuseRequest, securityHeaders } from './request-guard';
import { appPort } from './settings/process-env';

/** A connection without traffic for this time is closed, because its reader does not read the response. */
const idleMs = 120_000;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

interface ServerMaker {
  createServer(...given: unknown[]): http.Server;
}

/**
 * Wraps every HTTP server that this process creates from now on, including Next's own. The guard checks every path, an unknown
 * method gets a 405, and every response has the security headers, also those that Next writes itself: below `/_next/`,
 * redirects, and missing pages.
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
  const foreign = refuseRequest({ method, headers: { get } }, appPort());
  if (foreign !== undefined) return { status: 403, code: 'not_allowed', message: foreign };
  if (!methods.includes(method)) {
    return {
      status: 405,
      code: 'bad_request',
      message: `Callboard does not support the method ${method}. It supports ${methods.join(', ')}.`,
    };
  }
  if (!url.startsWith('/'))
    return { status: 400, code: 'bad_request', message: 'The path of a request must begin with "/".' };
  return undefined;
}

/** Adds headers that the response lacks when its head is written. */
function addHeaders(request: http.IncomingMessage, response: http.ServerResponse): void {
  const isBuilt = request.url?.startsWith('/_next/static/') === true;
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status: number, ...rest: never[]) => {
    for (const [name, value] of Object.entries(securityHeaders)) {
      // A policy on a script would apply to web workers that are created from it.
      const isFree = name === 'Content-Security-Policy' && isBuilt && status < 400;
      if (!isFree && !response.hasHeader(name)) response.setHeader(name, value);
    }
    return writeHead(status, ...rest);
  };
}
