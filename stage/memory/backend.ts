import type { ActionResult } from '@/app/action';
import { FakeStream } from './streams';

/**
 * Services in memory. A screen reaches them as it reaches the server: by server actions (each is the service `<file below app>.<name>`) and by
 * `fetch` of the HTTP API (each is the service `<method> <path>`). A scene answers them; a test decides when, and whether at all.
 *
 *     screen ── action, fetch ──▶ gate (late? refused?) ──▶ the scene's answer
 */

/** Answers one service. What it returns is the value of the action, or the JSON of the response; a `Response` is sent as it is. */
export type Answer = (input: unknown) => unknown;
export type Answers = Readonly<Record<string, Answer>>;

/** The input of a call of the HTTP API: the parts of the path that the pattern names, the query and the body. */
export interface ApiCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Answers a service of the HTTP API. */
export function ofCall(answer: (call: ApiCall) => unknown): Answer {
  return (input) => answer(input as ApiCall);
}

/** Thrown by an answer that refuses. `code` is the code of an AppError. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 409) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** How the next calls of a service are answered instead. `offline` is a request without an answer. */
export type Trouble =
  | { readonly kind: 'late' }
  | { readonly kind: 'offline' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string; readonly status?: number };

interface Held {
  readonly trouble: Trouble;
  /** How many calls meet it; every one without. */
  left: number;
  readonly release: () => void;
  readonly released: Promise<void>;
}

/** What browsers say when a request got no answer. */
const offline = 'Failed to fetch';

const calls: { readonly service: string; readonly input: unknown }[] = [];
const missing = new Set<string>();
const troubles = new Map<string, Held>();
let answers: Answers = {};

export function serveScene(served: Answers): void {
  answers = served;
}

/** Lets the next `times` calls of a service meet a trouble, or each one. */
export function trouble(service: string, kind: Trouble, times = Number.POSITIVE_INFINITY): void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  troubles.set(service, { trouble: kind, left: times, release, released });
}

/** Answers the calls that are late, and those that follow as usual. */
export function release(service: string): void {
  troubles.get(service)?.release();
  troubles.delete(service);
}

/** Returns the inputs that a service got, oldest first. */
export function inputsOf(service: string): readonly unknown[] {
  return calls.filter((call) => call.service === service).map(({ input }) => input);
}

/** Returns the services that a screen called and the scene does not answer. A test expects none. */
export function missingServices(): readonly string[] {
  return [...missing];
}

/**
 * Calls the service of a server action. Rejects as a failed request does.
 *
 * @public The build puts the calls in the place of actions (stage/plugins.mjs).
 */
export async function callService(service: string, input: unknown): Promise<ActionResult<unknown>> {
  try {
    return { ok: true, value: await ask(service, answers[service], input) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, code: error.code, message: error.message };
    throw reported(error, service);
  }
}

async function ask(service: string, answer: Answer | undefined, input: unknown): Promise<unknown> {
  // As over a wire: what is changed later does not change what was sent.
  const sent = structuredClone(input);
  calls.push({ service, input: sent });
  await meet(service);
  if (answer === undefined) {
    missing.add(service);
    throw new Refusal('not_found', `The scene does not answer '${service}'.`, 404);
  }
  return await answer(sent);
}

async function meet(service: string): Promise<void> {
  const held = troubles.get(service);
  if (held === undefined || held.left <= 0) return;
  held.left -= 1;
  if (held.trouble.kind === 'late') return await held.released;
  if (held.trouble.kind === 'offline') throw new TypeError(offline);
  const { code, message, status } = held.trouble;
  throw new Refusal(code, message, status);
}

/** Replaces `fetch` and `EventSource` for addresses of the app. Others fail, because the stage has no network. */
export function takeOverNetwork(): void {
  const original = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (!isOfApp(url)) return await original(input, init);
    return await respond(request, url);
  };
  Object.defineProperty(window, 'EventSource', { value: FakeStream });
}

const isOfApp = ({ origin, pathname }: URL) =>
  origin === window.location.origin && /^\/(?:api|v1|git|invite|sign-out|share)\b/.test(pathname);

async function respond(request: Request, url: URL): Promise<Response> {
  const found = find(request.method, url.pathname);
  const text = await request.text();
  const input: ApiCall = { params: found.params, query: Object.fromEntries(url.searchParams), body: parsed(text) };
  try {
    const value = await untilAborted(ask(found.service, answers[found.service], input), request.signal);
    if (value instanceof Response) return value.clone();
    return Response.json(value ?? null);
  } catch (error) {
    if (!(error instanceof Refusal)) throw reported(error, found.service);
    return Response.json({ error: { code: error.code, message: error.message } }, { status: error.status });
  }
}

/** Screens take a failed request as one of the network, so a fault of an answer is written to the console, where a test sees it. */
function reported(error: unknown, service: string): unknown {
  const isMeant = error instanceof TypeError && error.message === offline;
  const isAborted = error instanceof DOMException && error.name === 'AbortError';
  if (!isMeant && !isAborted) console.error(`The answer of '${service}' failed`, error);
  return error;
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Finds the service of an address. Its path may have named parts: `GET /api/v1/runs/:run`. */
function find(method: string, path: string) {
  const exact = `${method} ${path}`;
  if (exact in answers) return { service: exact, params: {} };
  for (const service of Object.keys(answers)) {
    const [verb, pattern = ''] = service.split(' ');
    const params = verb === method ? match(pattern.split('/'), path.split('/')) : undefined;
    if (params !== undefined) return { service, params };
  }
  return { service: exact, params: {} };
}

function match(pattern: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== path.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const given = path[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(given);
    else if (part !== given) return undefined;
  }
  return params;
}
