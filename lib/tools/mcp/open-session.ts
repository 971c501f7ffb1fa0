import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  LoggingMessageNotificationSchema,
  McpError,
  PromptListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '@/lib/base/clock';
import { err, ok, type Result } from '@/lib/base/result';
import type { LogBody } from '@/lib/runtime/ports';
import type { AddressGuard } from './address-guard';
import { AnswerWatch, reconnection } from './answer-watch';
import { boundedFetch } from './bounded-fetch';
import { noTimeLimitMs } from './call-timer';
import { exactBody, markedAnswers, markIntegers } from './exact-messages';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch';
import { isLostAnswer } from './lost-answer';
import { modernHeaders } from './modern-messages';
import { NegotiatingTransport, type Negotiation } from './negotiating-transport';
import { outputValidator } from './output-validator';
import type { ServerHelp } from './server-help';
import type { ServerLog } from './server-log';
import { answerRequests, capabilitiesFor } from './server-requests';
import type { ServerSpec } from './server-spec';
import { signedFetch } from './sign-ins';
import { type Faults, faultOf, LateError, messageOf, type StartFailure, startFailure } from './start-failure';
import { StdioTransport } from './stdio-transport';
import { StrayAnswers } from './stray-answers';

export interface Session {
  readonly client: Client;
  /** True if the server speaks protocol 2026-07-28: its tools answer with what they need, and it asks nothing by itself. */
  readonly isModern: boolean;
  /** Says why the connection was lost, as messages show it. `undefined` while the connection is open. */
  lost: string | undefined;
  close(): Promise<void>;
}

interface Deadline {
  readonly ms: number;
  readonly signal: AbortSignal;
}

interface SessionEvents extends ServerHelp {
  /** Called when the tools or prompts of the server may have changed. */
  onListChanged(): void;
  onLost(): void;
  /** Called once when the process has started, or the address has given its first good answer. */
  onReached?(): void;
}

interface World {
  readonly clock: Clock;
  readonly guard: AddressGuard;
}

const pingTimeoutMs = 5_000;
/** A server of an earlier protocol that does not answer an unknown request is asked in that protocol after this time. */
const probeMs = 3_000;
/** Servers are asked for this log level, which leaves out debug lines. */
const loggingLevel = 'info';

/** Starts or contacts a server and does the handshake. The error is a sentence that names what was tried and what failed. */
export async function openSession(
  spec: ServerSpec,
  log: ServerLog,
  deadline: Deadline,
  events: SessionEvents,
  world: World,
): Promise<Result<Session, StartFailure>> {
  const opened = await openWith(negotiationOf(spec), spec, log, deadline, events, world);
  if (opened.ok || !opened.error.hasEndedAtProbe || spec.protocolMode === 'modern') return opened;
  // Some servers exit at a request that they do not know. Such a server speaks an earlier protocol.
  return await openWith('legacy', spec, log, deadline, events, world);
}

/** A server is asked for the newer protocol first only where that gains something: where its questions can outlive a suspension. */
function negotiationOf(spec: ServerSpec): Negotiation {
  if (spec.transport === 'sse' || spec.protocolMode === 'legacy') return 'legacy';
  if (spec.protocolMode === 'modern') return 'modern';
  return spec.asksPeople || spec.sampling ? 'modern first' : 'legacy first';
}

type FailedStart = StartFailure & { readonly hasEndedAtProbe: boolean };

async function openWith(
  negotiation: Negotiation,
  spec: ServerSpec,
  log: ServerLog,
  deadline: Deadline,
  events: SessionEvents,
  { clock, guard }: World,
): Promise<Result<Session, FailedStart>> {
  const http = spec.transport === 'stdio' ? undefined : createGuardedFetch(guard);
  const faults: Faults = { fault: undefined, report: () => undefined };
  const watch = spec.transport === 'http' ? new AnswerWatch() : new StrayAnswers();
  const opened = createTransport({ spec, log, guard, http, faults, watch, onReached: once(events.onReached) });
  if (!opened.ok) {
    return err({ message: opened.error, isLate: false, stage: 'connect', why: opened.error, hasEndedAtProbe: false });
  }
  const transport = opened.value;
  const capabilities = capabilitiesFor(spec);
  const negotiating = new NegotiatingTransport(transport, {
    negotiation,
    capabilities,
    logLevel: loggingLevel,
    probeMs: Math.min(probeMs, deadline.ms / 2),
    watch,
    onRefused: (fault) => noteFault(transport, faults, fault),
  });
  const client = new Client(
    { name: 'callboard', version: '1' },
    { capabilities, jsonSchemaValidator: outputValidator },
  );
  const over = new AbortController();
  const session: Session = {
    client,
    get isModern() {
      return negotiating.isModern;
    },
    lost: undefined,
    close: async () => {
      session.lost ??= 'it was closed';
      over.abort();
      // Asks the server to free the session. The server may no longer answer.
      if (transport instanceof StreamableHTTPClientTransport) await quietly(transport.terminateSession(), 1_000);
      await quietly(client.close(), 5_000);
      // The client forgets a transport that begins to close, so the end of the process is waited for here.
      if (transport instanceof StdioTransport) await quietly(transport.close(), 5_000);
      http?.close();
    },
  };
  faults.report = () => {
    client.close().catch(() => undefined);
  };
  client.onclose = () => {
    over.abort();
    const why = faultOf(transport, faults) ?? (transport instanceof StdioTransport ? transport.ended : undefined);
    session.lost ??= why === undefined ? 'the connection closed' : `it ${why}`;
    events.onLost();
  };
  client.onerror = (error) => {
    log.write('debug', 'server_error', messageOf(error));
    if (session.lost === undefined) closeIfSilent(client, error);
  };
  takeNotifications(client, log, events);
  answerRequests(client, spec, log, events);
  try {
    // The time is limited here, because the SDK would cancel `initialize`, which clients must not do (MCP 2025-11-25, Cancellation).
    await before(deadline, client.connect(negotiating, { timeout: noTimeLimitMs }));
    if (client.getServerCapabilities()?.logging !== undefined) {
      client
        .setLoggingLevel(loggingLevel, { timeout: deadline.ms })
        .catch((error: unknown) => log.write('debug', 'server_error', messageOf(error)));
    }
    if (spec.pingMs > 0) void keepAsking(session, spec, log, clock, over.signal);
    return ok(session);
  } catch (error) {
    // The last output of a dead server may still be in the pipe, so it is waited for.
    await quietly(session.close(), 5_000);
    const failure = startFailure(spec, log, { transport, timeoutMs: deadline.ms, error, faults });
    return err({ ...failure, hasEndedAtProbe: negotiating.hasEndedAtProbe });
  }
}

/** Calls would wait for ever on a lost HTTP stream, so they fail when the server no longer answers. */
function closeIfSilent(client: Client, error: Error): void {
  if (!/SSE stream disconnected|reconnect/i.test(error.message)) return;
  client.ping({ timeout: pingTimeoutMs }).catch((fault: unknown) => {
    if (!isAnswer(fault)) client.close().catch(() => undefined);
  });
}

/** True for an error with which a server has answered a ping: it is alive. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof McpError)) return false;
  return error.code !== ErrorCode.RequestTimeout && error.code !== ErrorCode.ConnectionClosed && !isLostAnswer(error);
}

function noteFault(transport: Transport, faults: Faults, fault: string): void {
  if (transport instanceof StdioTransport) transport.fault ??= fault;
  else faults.fault ??= fault;
}

function takeNotifications(client: Client, log: ServerLog, events: SessionEvents): void {
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => events.onListChanged());
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => events.onListChanged());
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data);
    log.write(logLevel(params.level), 'server_log', params.logger === undefined ? text : `${params.logger}: ${text}`);
  });
}

/** Ends the session of a server that no longer answers pings. Its calls fail, and the next call opens a new session. */
async function keepAsking(
  session: Session,
  spec: ServerSpec,
  log: ServerLog,
  clock: Clock,
  over: AbortSignal,
): Promise<void> {
  let missed = 0;
  while (!over.aborted) {
    await clock.sleep(spec.pingMs, over);
    if (over.aborted) return;
    try {
      // Without a signal, because the SDK would cancel every ping of the past at the end.
      await session.client.ping({ timeout: Math.min(spec.pingMs, pingTimeoutMs) });
      missed = 0;
    } catch (error) {
      if (over.aborted) return;
      // A server without support for pings is alive too.
      if (error instanceof McpError && error.code === ErrorCode.MethodNotFound) return;
      missed += 1;
      if (missed < spec.maxMissedPings) continue;
      session.lost = `it answered none of ${missed} pings`;
      log.write('warning', 'server_silent', `Server '${spec.name}' answered none of ${missed} pings.`);
      await quietly(session.client.close(), 5_000);
    }
  }
}

interface TransportParts {
  readonly spec: ServerSpec;
  readonly log: ServerLog;
  readonly guard: AddressGuard;
  readonly http: GuardedFetch | undefined;
  readonly faults: Faults;
  readonly watch: AnswerWatch | StrayAnswers;
  readonly onReached: () => void;
}

function createTransport(parts: TransportParts): Result<Transport, string> {
  const { spec, log, guard, http, faults, watch, onReached } = parts;
  if (spec.transport === 'stdio') {
    return ok(
      new StdioTransport({
        ...spec,
        onStarted: onReached,
        ...(watch instanceof StrayAnswers && { onStray: (how) => watch.stray(how) }),
        onOutput: (line, from) =>
          log.write(
            from === 'stderr' ? 'info' : 'warning',
            from === 'stderr' ? 'server_stderr' : 'server_stdout',
            line,
          ),
      }),
    );
  }
  const url = new URL(spec.url);
  const refused = guard.problemOf(url);
  if (refused !== undefined) return err(`Server '${spec.name}' is not called: ${refused}`);
  const note = (fault: string) => {
    faults.fault ??= fault;
    faults.report();
  };
  const noteSignIn = (sentence: string) => {
    faults.signIn ??= sentence;
  };
  const bounded = http && boundedFetch(noticing(signedFetch(http.fetch, spec, noteSignIn), onReached), note);
  const exact = bounded && markedAnswers(bounded);
  const fetch = exact && watch instanceof AnswerWatch ? watch.watch(exact) : exact;
  const options = { requestInit: { headers: { ...spec.headers } }, ...(fetch && { fetch }) };
  const transport =
    spec.transport === 'sse'
      ? new SSEClientTransport(url, options)
      : new StreamableHTTPClientTransport(url, { ...options, reconnectionOptions: reconnection });
  markIntegers(transport);
  return ok(transport);
}

/** Makes a `fetch` that reports good answers. */
function noticing(fetch: GuardedFetch['fetch'], onReached: () => void): GuardedFetch['fetch'] {
  return async (input, init) => {
    const response = await fetch(input, withModernHeaders(withExactBody(init)));
    if (response.ok) onReached();
    return response;
  };
}

function withExactBody(init: Parameters<GuardedFetch['fetch']>[1]): Parameters<GuardedFetch['fetch']>[1] {
  return typeof init?.body === 'string' ? { ...init, body: exactBody(init.body) } : init;
}

function withModernHeaders(init: Parameters<GuardedFetch['fetch']>[1]): Parameters<GuardedFetch['fetch']>[1] {
  if (typeof init?.body !== 'string') return init;
  const more = Object.entries(modernHeaders(init.body));
  if (more.length === 0) return init;
  const headers = new Headers(init.headers);
  for (const [name, value] of more) headers.set(name, value);
  return { ...init, headers };
}

function once(work: (() => void) | undefined): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work?.();
    isDone = true;
  };
}

function logLevel(level: string): LogBody['level'] {
  switch (level) {
    case 'debug':
      return 'debug';
    case 'info':
    case 'notice':
      return 'info';
    case 'warning':
      return 'warning';
    default:
      return 'error';
  }
}

/** Resolves with the result of the work. Rejects after the time limit or when the pool closes. */
async function before<T>({ ms, signal }: Deadline, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let abort = (): void => undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(`no answer within ${ms / 1000} s`)), ms);
    abort = () => reject(new Error('the worker is stopping'));
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** Waits for work for a limited time. Ignores errors. */
async function quietly(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
