import type http from 'node:http';
import type { BlockList } from 'node:net';
import { clientHeader } from '@/lib/server/client-address';
import { plainAddress, type Sender, senderOf } from '@/lib/server/forwarded';
import { refuseAddress, refuseRequest, securityHeaders } from '@/lib/server/request-guard';
import { loopbackNetworks } from '@/lib/server/settings/bind';
import { appPort, publicAddress, trustedProxies } from '@/lib/server/settings/process-env';
import { listOf } from '@/lib/tools/mcp/address-kinds';
import { refusePageBody } from './page-bodies';
import { leaveBodyUnread } from './unread-bodies';

/** A connection without traffic for this time is closed, because its reader does not read the response. */
const idleMs = 120_000;

/** Node looks every 30 seconds for requests that take longer, answers 408 and closes the connection. */
const headersMs = 60_000;
const requestMs = 300_000;

/**
 * An unused connection stays open for longer than clients and proxies keep theirs: 60 s in nginx. A side that closes first may do so
 * while the other one sends, and that request is lost.
 */
const unusedMs = 75_000;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

interface ServerMaker {
  createServer(...given: unknown[]): http.Server;
}

/**
 * Wraps every HTTP server that this process creates from now on, including Next's own. The guard checks every path, an unknown
 * method gets a 405, and every response has the security headers, also those that Next writes itself: below `/_next/`,
 * redirects, and missing pages. An `Upgrade` header is ignored: Callboard has no WebSockets, and Node would hand such a request to
 * listeners that the guard does not stand before.
 */
export function standBefore(maker: ServerMaker): void {
  const create = maker.createServer.bind(maker);
  maker.createServer = (...given) => {
    const server = create(...given.map((each) => (isListener(each) ? before(each) : each)));
    server.timeout = idleMs;
    server.keepAliveTimeout = unusedMs;
    server.headersTimeout = headersMs;
    server.requestTimeout = requestMs;
    server.on('newListener', (name) => {
      // The event comes before the listener is there.
      if (name === 'upgrade') queueMicrotask(() => server.removeAllListeners('upgrade'));
    });
    return server;
  };
}

function isListener(value: unknown): value is http.RequestListener {
  return typeof value === 'function';
}

export function before(listener: http.RequestListener): http.RequestListener {
  return (request, response) => {
    const sender = senderOf(request.socket.remoteAddress ?? '', request.headers, proxies());
    addHeaders(request, response, isBehindTls(request, sender));
    const refusal = refuse(request, sender);
    if (refusal === undefined) {
      tellSender(request, sender);
      listener(request, response);
      return;
    }
    const { status, location, ...error } = refusal;
    const headers = { 'Content-Type': 'application/json', Allow: methods.join(', ') };
    response.writeHead(status, location === undefined ? headers : { ...headers, Location: location });
    response.end(request.method === 'HEAD' ? undefined : JSON.stringify({ error }));
  };
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly location?: string;
}

function refuse(request: http.IncomingMessage, sender: Sender): Refusal | undefined {
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
  const pathname = url.replace(/[?#].*$/s, '');
  const unreadable = refuseAddress(pathname);
  if (unreadable !== undefined) return { status: 400, code: 'bad_request', message: unreadable };
  return refuseWay(request, sender) ?? refusePageBody(pathname, request.headers);
}

/** Refuses a request that took another way than its Host says: a loopback name from elsewhere, or https without TLS. */
function refuseWay(request: http.IncomingMessage, sender: Sender): Refusal | undefined {
  const { method = '', url = '', headers, socket } = request;
  const open = publicAddress();
  if (headers.host?.toLowerCase() !== open?.host) {
    if (isOfThisMachine(sender.address, socket.localAddress)) return undefined;
    const where = open === undefined ? 'on the machine that runs it' : `at ${open.origin}`;
    const advice = sender.isProxied ? ' A reverse proxy must pass the Host header of the client on.' : '';
    return { status: 403, code: 'not_allowed', message: `Open Callboard ${where}.${advice}` };
  }
  if (open?.protocol !== 'https:') return undefined;
  if (!sender.isProxied) {
    const message =
      `This request came without TLS from ${sender.address}. If your reverse proxy has this address, name it in ` +
      'CALLBOARD_TRUSTED_PROXIES.';
    return { status: 403, code: 'not_allowed', message };
  }
  if (sender.proto !== 'http') return undefined;
  const message = `Use ${open.origin}: this request came without TLS.`;
  const mayRepeat = method === 'GET' || method === 'HEAD';
  // `//host` at the beginning would lead to another host.
  const location = `${open.origin}/${url.replace(/^[/\\]+/, '')}`;
  return { status: mayRepeat ? 308 : 403, code: 'not_allowed', message, ...(mayRepeat && { location }) };
}

const loopback = listOf(loopbackNetworks);

/** True for loopback, and for a connection of this machine to its own address. */
function isOfThisMachine(address: string, local: string | undefined): boolean {
  if (address === 'unknown') return false;
  return loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4') || address === plainAddress(local ?? '');
}

let known: { readonly text: string; readonly list: BlockList } = { text: '', list: listOf([]) };

function proxies(): BlockList {
  const networks = trustedProxies();
  const text = networks.join(',');
  if (known.text !== text) known = { text, list: listOf(networks) };
  return known.list;
}

/** Headers that tell of a request's way, and those by which Next tells itself something. No client may send them. */
const isOfWay = /^(?:forwarded$|x-forwarded-|x-real-ip$|x-middleware-|x-callboard-client$)/i;

/**
 * Replaces what the request says of its own way by what is known of it. Next takes the scheme of addresses from
 * `X-Forwarded-Proto`.
 */
function tellSender(request: http.IncomingMessage, sender: Sender): void {
  const { headers, rawHeaders } = request;
  for (const name of Object.keys(headers)) if (isOfWay.test(name)) delete headers[name];
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
    if (isOfWay.test(rawHeaders[at] ?? '')) rawHeaders.splice(at, 2);
  }
  const open = publicAddress();
  headers[clientHeader] = sender.address;
  headers['x-forwarded-for'] = sender.address;
  headers['x-forwarded-proto'] = open?.protocol === 'https:' && headers.host === open.host ? 'https' : 'http';
  if (headers.host !== undefined) headers['x-forwarded-host'] = headers.host;
}

/** True for a request at an `https` public address that came through TLS to a trusted proxy. */
function isBehindTls({ headers }: http.IncomingMessage, sender: Sender): boolean {
  const open = publicAddress();
  return (
    open?.protocol === 'https:' &&
    headers.host?.toLowerCase() === open.host &&
    sender.isProxied &&
    sender.proto !== 'http'
  );
}

/** A browser that has seen it asks for this name with TLS alone, for a year. Other names below it are not Callboard's. */
const onlyTls = 'max-age=31536000';

/** Below these addresses are pages of share links and of sign-ins at MCP servers. Their addresses open something, or have a code. */
const untold = /^\/(?:share|oauth)\//;

/** Adds headers that the response lacks when its head is written. */
function addHeaders(request: http.IncomingMessage, response: http.ServerResponse, behindTls: boolean): void {
  const isBuilt = request.url?.startsWith('/_next/static/') === true;
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status: number, ...rest: never[]) => {
    for (const [name, value] of Object.entries(securityHeaders)) {
      // A policy on a script would apply to web workers that are created from it.
      const isFree = name === 'Content-Security-Policy' && isBuilt && status < 400;
      if (!isFree && !response.hasHeader(name)) response.setHeader(name, value);
    }
    if (untold.test(request.url ?? '')) response.setHeader('Referrer-Policy', 'no-referrer');
    leaveBodyUnread(request, response, status);
    if (behindTls) response.setHeader('Strict-Transport-Security', onlyTls);
    return writeHead(status, ...rest);
  };
}
