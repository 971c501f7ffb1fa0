import { setMaxListeners } from 'node:events';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { CallToolResultSchema, ErrorCode, McpError, type Prompt, type Tool } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '@/lib/base/clock';
import { isRecord, type JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import type { LogBody, ToolCallContext, ToolDescriptor } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import type { AddressGuard } from './address-guard';
import { listAll } from './list-all';
import { isTimeout, messageOf, openSession, type Session } from './open-session';
import { createProgressLog } from './progress-log';
import { createServerLog } from './server-log';
import type { ServerSpec } from './server-spec';
import { createStartFailures } from './start-failures';
import { errorResult, sealResult, toolResult } from './tool-result';

/**
 * One server, shared by every instance and run of this worker: started at the first use, started again after it was lost,
 * closed after a while without use. Nothing here throws; what cannot be had is a sentence or an error result.
 */
export interface Connection {
  readonly spec: ServerSpec;
  list(signal: AbortSignal): Promise<Result<Listing, string>>;
  call(tool: ToolDescriptor, args: JsonObject, context: ToolCallContext): Promise<ToolResult>;
  /** Whether `list` answers at once with what the server offers: it has started, and it was asked before. */
  isListed(): boolean;
  /** Something else to ask the server in place of a tool of its own, which may be asked twice. */
  ask(name: string, context: ToolCallContext, question: Question): Promise<ToolResult>;
  /** Grows whenever `list` may answer differently. */
  version(): number;
  close(): Promise<void>;
}

/** What a server offers. */
export interface Listing {
  /** `server__tool`, in its order. */
  readonly tools: readonly ToolDescriptor[];
  readonly hasResources: boolean;
  readonly prompts: readonly Prompt[];
  /** What it says about itself; not given when its `include_instructions` is false. */
  readonly instructions: string | undefined;
}

export type Question = (session: Session, options: QuestionOptions) => Promise<ToolResult>;
export type QuestionOptions = RequestOptions & { readonly timeout: number };

export interface ConnectionOptions {
  readonly spec: ServerSpec;
  readonly clock: Clock;
  readonly guard: AddressGuard;
  /** For starting, shaking hands, and each page of the tool list. */
  readonly connectTimeoutMs: number;
  readonly idleMs: number;
  log(body: LogBody): void;
}

export function createConnection(options: ConnectionOptions): Connection {
  const { spec, clock } = options;
  /** Contexts of calls under way: each of their runs gets a copy of what the server logs meanwhile. */
  const active = new Set<ToolCallContext>();
  const log = createServerLog({ serverName: spec.name, secrets: spec.secrets, clock, emit });
  const closing = new AbortController();
  let opening: Promise<Result<Session, string>> | undefined;
  let listing: Promise<Result<Listing, string>> | undefined;
  /** The `listing` that has come to a good end. */
  let listed: typeof listing;
  let readOnly: ReadonlySet<string> = new Set();
  const failures = createStartFailures({
    clock,
    connectTimeoutMs: options.connectTimeoutMs,
    signal: closing.signal,
    onAgain: () => {
      version += 1;
    },
  });
  let version = 1;
  let users = 0;
  let lastUse: number = clock.now();
  let watching = false;

  function emit(body: LogBody): void {
    options.log(body);
    const runs = new Set<string>();
    for (const context of active) {
      if (runs.has(context.runId)) continue;
      runs.add(context.runId);
      context.log(body);
    }
  }

  /** The live session, or a new one. All who ask meanwhile share the attempt. */
  function session(): Promise<Result<Session, string>> {
    if (opening === undefined) {
      const held = failures.held();
      if (held !== undefined) return Promise.resolve(err(held));
      // A session that was replaced may still report its end: only the current one counts.
      const mine = open(() => opening === mine);
      opening = mine;
    }
    return opening;
  }

  async function open(isCurrent: () => boolean): Promise<Result<Session, string>> {
    if (closing.signal.aborted) return err(`Server '${spec.name}' is closed: the run is over, or the worker stops.`);
    let isOpen = false;
    const opened = await openSession(
      spec,
      log,
      { ms: options.connectTimeoutMs, signal: closing.signal },
      {
        onListChanged: forgetTools,
        sample: (request) => [...active].findLast((context) => context.sample !== undefined)?.sample?.(request),
        onLost: () => {
          // One that never opened is a failed start, and no reason to ask again.
          if (!isOpen || !isCurrent()) return;
          opening = undefined;
          forgetTools();
        },
      },
      { clock, guard: options.guard },
    );
    if (opened.ok) {
      isOpen = true;
      // It may have ended in the same moment.
      if (opened.value.lost !== undefined && isCurrent()) opening = undefined;
      if (closing.signal.aborted) await opened.value.close();
      else void closeWhenIdle();
      return opened;
    }
    const { message, isLate } = opened.error;
    failures.failed(message, isLate);
    if (isCurrent()) opening = undefined;
    return err(message);
  }

  function forgetTools(): void {
    listing = undefined;
    version += 1;
  }

  async function list(): Promise<Result<Listing, string>> {
    const opened = await session();
    const held = opened.ok ? failures.held() : opened.error;
    if (held !== undefined) listing = undefined;
    if (!opened.ok) return opened;
    if (held !== undefined) return err(held);
    const { client } = opened.value;
    const capabilities = client.getServerCapabilities();
    const request = { timeout: options.connectTimeoutMs };
    try {
      const tools = capabilities?.tools ? await listAll(client, 'tools', request) : [];
      const prompts = capabilities?.prompts ? await listAll(client, 'prompts', request).catch(withoutPrompts) : [];
      readOnly = new Set(tools.filter(isRepeatable).map((tool) => tool.name));
      // Those who were told of the failure ask again.
      if (failures.succeeded()) version += 1;
      return ok({
        tools: tools.map((tool) => toDescriptor(spec.name, tool)),
        hasResources: capabilities?.resources !== undefined,
        prompts,
        instructions: spec.includeInstructions ? log.redact(client.getInstructions() ?? '') : undefined,
      });
    } catch (error) {
      listing = undefined;
      const why = opened.value.lost ?? messageOf(error);
      const message = log.redact(`Server '${spec.name}' did not list what it offers: ${why}.`);
      failures.failed(message, isTimeout(error));
      return err(message);
    }
  }

  /** Tools are worth having without them. */
  function withoutPrompts(error: unknown): readonly Prompt[] {
    log.write('warning', 'server_error', `Server '${spec.name}' did not list its prompts: ${messageOf(error)}.`);
    return [];
  }

  async function closeWhenIdle(): Promise<void> {
    if (watching) return;
    watching = true;
    while (!closing.signal.aborted) {
      await clock.sleep(options.idleMs, closing.signal);
      if (users > 0 || clock.now() - lastUse < options.idleMs) continue;
      const open = await opening;
      if (users > 0) continue;
      // Its tools are still known, so that an idle server is not started again only to be listed.
      const known = listing;
      opening = undefined;
      if (open?.ok) await open.value.close();
      listing = known;
      break;
    }
    watching = false;
  }

  async function use<T>(work: () => Promise<T>): Promise<T> {
    users += 1;
    try {
      return await work();
    } finally {
      users -= 1;
      lastUse = clock.now();
    }
  }

  function during<T>(context: ToolCallContext, work: () => Promise<T>): Promise<T> {
    return use(async () => {
      active.add(context);
      try {
        return await work();
      } finally {
        active.delete(context);
      }
    });
  }

  async function attempt(opened: Session, context: ToolCallContext, question: Question): Promise<ToolResult> {
    // The SDK leaves its listener on the signal it is given: one signal per call keeps the run's clean.
    const abort = new AbortController();
    const stop = () => abort.abort();
    setMaxListeners(0, context.signal);
    context.signal.addEventListener('abort', stop, { once: true });
    const progress = createProgressLog({ serverName: spec.name, clock, redact: log.redact, log: context.log });
    try {
      const result = await question(opened, {
        signal: abort.signal,
        timeout: spec.readTimeoutMs,
        onprogress: progress.note,
        resetTimeoutOnProgress: true,
      });
      progress.end();
      return sealResult(result, spec.sealed);
    } finally {
      context.signal.removeEventListener('abort', stop);
    }
  }

  function toolCall(tool: ToolDescriptor, args: JsonObject, context: ToolCallContext): Question {
    const params = {
      name: tool.remoteName ?? tool.name,
      arguments: { ...args },
      _meta: { 'callboard/idempotency-key': context.idempotencyKey },
    };
    return async ({ client }, options) =>
      toolResult(await client.request({ method: 'tools/call', params }, CallToolResultSchema, options));
  }

  async function call(
    name: string,
    context: ToolCallContext,
    question: Question,
    isRepeatable: () => boolean,
  ): Promise<ToolResult> {
    for (let tries = 1; ; tries += 1) {
      const opened = await untilAborted(failures.hurried(session()), context.signal);
      if (opened === undefined) return cancelledResult();
      if (!opened.ok) {
        emit({ level: 'error', code: 'server_unavailable', message: opened.error, serverName: spec.name });
        return errorResult('SERVER_UNAVAILABLE', `Server '${spec.name}' is not available.`);
      }
      try {
        return await attempt(opened.value, context, question);
      } catch (error) {
        if (context.signal.aborted) return cancelledResult();
        const loss = lossOf(error, opened.value);
        if (loss === undefined) return failure(error, name);
        const why = opened.value.lost ?? messageOf(error);
        dropSession(opened.value);
        const repeatable = loss === 'before' || isRepeatable();
        if (tries === 1 && spec.reconnect && repeatable) {
          emit({
            level: 'warning',
            code: 'server_reconnect',
            message: `The connection to server '${spec.name}' was lost. Connecting again.`,
            serverName: spec.name,
          });
          continue;
        }
        const next = repeatable ? '' : ' The call may or may not have taken effect.';
        return errorResult(
          'SERVER_UNAVAILABLE',
          log.redact(`Server '${spec.name}' was lost during the call: ${why}.${next}`),
        );
      }
    }
  }

  function dropSession(lost: Session): void {
    // A broken HTTP connection is only noticed here; a process that ended has reported it already.
    if (lost.lost === undefined) {
      lost.lost = 'the connection broke';
      opening = undefined;
    }
    void lost.close();
  }

  function failure(error: unknown, name: string): ToolResult {
    if (isTimeout(error)) {
      const seconds = spec.readTimeoutMs / 1000;
      return errorResult('TOOL_TIMEOUT', `Tool '${name}' gave no result within ${seconds} s.`);
    }
    if (isRecord(error) && Array.isArray(error.issues)) {
      const [first]: unknown[] = error.issues;
      const place = isRecord(first) && Array.isArray(first.path) ? first.path.join('.') : '';
      const fault = isRecord(first) ? `${place}: ${first.message}` : place;
      return errorResult('TOOL_FAILED', log.redact(`Tool '${name}' answered in a shape MCP does not have. ${fault}.`));
    }
    return errorResult('TOOL_FAILED', log.redact(messageOf(error)));
  }

  return {
    spec,
    version: () => version,
    isListed: () => listing !== undefined && listing === listed,
    list: (signal) =>
      use(async () => {
        listing ??= list();
        const current = listing;
        void current.then((outcome) => {
          if (outcome.ok) listed = current;
        });
        const outcome = await untilAborted(failures.hurried(current), signal);
        return outcome ?? err(`Server '${spec.name}' was not listed: the run was stopped.`);
      }),
    call: (tool, args, context) =>
      during(context, () =>
        call(tool.name, context, toolCall(tool, args, context), () => readOnly.has(tool.remoteName ?? tool.name)),
      ),
    ask: (name, context, question) => during(context, () => call(name, context, question, () => true)),
    async close() {
      closing.abort();
      const opened = await opening;
      opening = undefined;
      if (opened?.ok) await opened.value.close();
    },
  };
}

/**
 * Whether an error means that the connection is gone: `before` the server took the call, `during` it. Undefined: it is an
 * answer of the server, or a time-out.
 */
function lossOf(error: unknown, session: Session): 'before' | 'during' | undefined {
  if (error instanceof McpError) {
    // Servers answer with this code too: JSON-RPC leaves it to them.
    const isClosed = error.code === ErrorCode.ConnectionClosed && /: Connection closed$/.test(error.message);
    return isClosed ? 'during' : undefined;
  }
  // A server that was restarted does not know the session any more.
  if (error instanceof StreamableHTTPError) return error.code === 404 ? 'before' : undefined;
  if (isRecord(error) && error.name === 'ZodError') return undefined;
  const cause = error instanceof Error && isRecord(error.cause) ? error.cause.code : undefined;
  if (cause === 'ECONNREFUSED' || session.lost !== undefined) return 'before';
  return error instanceof TypeError || cause !== undefined
    ? 'during'
    : session.client.transport === undefined
      ? 'before'
      : undefined;
}

/** Tools that say so may be called twice. */
function isRepeatable(tool: Tool): boolean {
  return tool.annotations?.readOnlyHint === true || tool.annotations?.idempotentHint === true;
}

function toDescriptor(serverName: string, tool: Tool): ToolDescriptor {
  return {
    name: `${serverName}__${tool.name}`,
    description: tool.description ?? tool.title ?? '',
    inputSchema: asSchema(tool.inputSchema),
    ...(tool.outputSchema !== undefined && { outputSchema: asSchema(tool.outputSchema) }),
    source: 'mcp',
    serverName,
    remoteName: tool.name,
  };
}

function asSchema(schema: unknown): JsonObject {
  return isJsonObject(schema) ? schema : { type: 'object' };
}

/** It was parsed from JSON text; the SDK's type only forgot that. */
function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

function cancelledResult(): ToolResult {
  return errorResult('TOOL_FAILED', 'The call was cancelled.');
}

/** Undefined when the signal came first; the work goes on for others who wait for it. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const abort = () => resolve(undefined);
    setMaxListeners(0, signal);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
