import { setMaxListeners } from 'node:events';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '@/lib/base/clock';
import type { JsonObject } from '@/lib/base/json';
import type { ItemEnd } from '@/lib/base/pending';
import { err, ok, type Result } from '@/lib/base/result';
import type { AskedByServer, LogBody, ToolCallContext, ToolDescriptor } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';
import type { AddressGuard } from './address-guard';
import { cancelledResult, failureOf, lossOf } from './call-errors';
import { CallTimer, noTimeLimitMs } from './call-timer';
import { faultSentence, type ListedItems, listAll, shorter } from './list-all';
import type { ListedPrompt, ListedTool } from './list-items';
import { openSession, type Session } from './open-session';
import { createProgressLog } from './progress-log';
import type { Question } from './question';
import { createServerLog, type ServerLog } from './server-log';
import type { ServerSpec } from './server-spec';
import { hiddenIn, sealedIn } from './spec-secrets';
import { isTimeout, messageOf } from './start-failure';
import { createStartFailures, type StartFailures } from './start-failures';
import { TaskCancels } from './task-cancels';
import { callParams, ToolCall } from './tool-call';
import { errorResult, sealPrompt, sealResult, sealTool } from './tool-result';

/**
 * A connection to one server, shared by all instances and runs of this worker. It opens at the first use, opens again after a
 * loss, and closes when idle. No method throws: failures are sentences or error results.
 */
export interface Connection {
  readonly spec: ServerSpec;
  list(signal: AbortSignal): Promise<Result<Listing, string>>;
  call(tool: ToolDescriptor, args: JsonObject, context: ToolCallContext): Promise<ToolResult>;
  /** True if `list` answers without asking the server, because it has listed its tools before. */
  isListed(): boolean;
  /** Sends a request that is not a call of one of the server's tools. It may be sent twice. */
  ask(name: string, context: ToolCallContext, question: Question): Promise<ToolResult>;
  /** Returns a number that increases whenever `list` may give another answer. */
  version(): number;
  /** Cancels a task of a call that goes on nowhere, unless it was cancelled here before. */
  cancelTask(taskId: string): Promise<void>;
  close(): Promise<void>;
}

/** The tools, prompts and resources that a server offers. */
export interface Listing {
  /** Tools named `server__tool`, in the order of the server. */
  readonly tools: readonly ToolDescriptor[];
  readonly hasResources: boolean;
  readonly prompts: readonly ListedPrompt[];
  /** The server's instructions. `undefined` when `include_instructions` is false. */
  readonly instructions: string | undefined;
  /** A sentence for each tool or prompt that is left out or repaired. */
  readonly faults: readonly string[];
}

export interface ConnectionOptions {
  readonly spec: ServerSpec;
  readonly clock: Clock;
  readonly guard: AddressGuard;
  /** The time limit for starting, for the handshake, and for each page of a list. */
  readonly connectTimeoutMs: number;
  readonly idleMs: number;
  log(body: LogBody): void;
}

export function createConnection(options: ConnectionOptions): Connection {
  return new ServerConnection(options);
}

/**
 * Opens a session at the first request and shares it.
 *
 *   session() ──▶ opening ──▶ open ──idle, lost, dropped──▶ none     one session at a time, shared by all calls
 *   list() ─────▶ listing, kept until the server reports a change, is lost, or fails to list
 */
class ServerConnection implements Connection {
  readonly spec: ServerSpec;
  private readonly clock: Clock;
  private readonly log: ServerLog;
  private readonly failures: StartFailures;
  private readonly closing = new AbortController();
  /** The contexts of unfinished calls. Each of their runs gets a copy of the lines that the server logs meanwhile. */
  private readonly active = new Set<ToolCallContext>();
  /** The time limits of unfinished calls, if the server may ask people. */
  private readonly timers = new Set<CallTimer>();
  private readonly cancels = new TaskCancels();
  private opening: Promise<Result<Session, string>> | undefined;
  private listing: Promise<Result<Listing, string>> | undefined;
  /** The last `listing` that succeeded. */
  private listed: Promise<Result<Listing, string>> | undefined;
  /** When the last list becomes stale, in milliseconds of the clock. A server of an earlier protocol says nothing about it. */
  private freshUntil = Number.POSITIVE_INFINITY;
  /** A list that has become stale. It is used on if the server does not give another one. */
  private stale: Promise<Result<Listing, string>> | undefined;
  private readOnly: ReadonlySet<string> = new Set();
  /** The tools that are called as tasks. */
  private tasks: ReadonlySet<string> = new Set();
  private versions = 1;
  private users = 0;
  private lastUse: number;
  private isWatched = false;

  constructor(private readonly options: ConnectionOptions) {
    const { spec, clock, connectTimeoutMs } = options;
    this.spec = spec;
    this.clock = clock;
    this.lastUse = clock.now();
    this.log = createServerLog({
      serverName: spec.name,
      secrets: () => hiddenIn(spec),
      clock,
      emit: (body) => this.emit(body),
    });
    this.failures = createStartFailures({
      clock,
      connectTimeoutMs,
      signal: this.closing.signal,
      onAgain: () => {
        this.versions += 1;
      },
    });
  }

  version(): number {
    if (this.listing !== undefined && this.clock.now() >= this.freshUntil) {
      const stale = this.listed;
      this.forgetTools();
      this.stale = stale;
    }
    return this.versions;
  }

  isListed(): boolean {
    return this.listing !== undefined && this.listing === this.listed;
  }

  list(signal: AbortSignal): Promise<Result<Listing, string>> {
    return this.use(async () => {
      this.listing ??= this.listNow();
      const current = this.listing;
      void current.then((outcome) => {
        if (outcome.ok) this.listed = current;
      });
      const outcome = await untilAborted(this.failures.hurried(current), signal);
      return outcome ?? err(`Server '${this.spec.name}' was not listed: the run was stopped.`);
    });
  }

  call(tool: ToolDescriptor, args: JsonObject, context: ToolCallContext): Promise<ToolResult> {
    const { spec, log, clock } = this;
    const name = tool.remoteName ?? tool.name;
    const params = callParams(tool, args, context);
    const call = new ToolCall({ spec, log, clock, context, params, cancels: this.cancels }, this.tasks.has(name));
    const again = { isRepeatable: () => this.readOnly.has(name), goesOn: () => call.goesOn() };
    return this.during(context, async () => {
      try {
        return await this.request(tool.name, context, call.ask, again);
      } finally {
        call.end();
      }
    });
  }

  ask(name: string, context: ToolCallContext, question: Question): Promise<ToolResult> {
    return this.during(context, () => this.request(name, context, question, { isRepeatable: () => true }));
  }

  async close(): Promise<void> {
    this.closing.abort();
    const opened = await this.opening;
    this.opening = undefined;
    await this.cancels.settled();
    if (opened?.ok) await opened.value.close();
  }

  async cancelTask(taskId: string): Promise<void> {
    if (this.cancels.has(taskId)) return;
    const opened = await this.use(() => this.session());
    if (opened.ok) this.cancels.cancel(opened.value.client, taskId);
    await this.cancels.settled();
  }

  private emit(body: LogBody): void {
    this.options.log(body);
    const runs = new Set<string>();
    for (const context of this.active) {
      if (runs.has(context.runId)) continue;
      runs.add(context.runId);
      context.log(body);
    }
  }

  /** Returns the open session, or a new one. Concurrent callers share the attempt. */
  private session(): Promise<Result<Session, string>> {
    if (this.opening === undefined) {
      const held = this.failures.held();
      if (held !== undefined) return Promise.resolve(err(held));
      // A session that was replaced may still report its end, so only the current one counts.
      const mine = this.open(() => this.opening === mine);
      this.opening = mine;
    }
    return this.opening;
  }

  private async open(isCurrent: () => boolean): Promise<Result<Session, string>> {
    const { spec, clock, closing } = this;
    if (closing.signal.aborted) return err(`Server '${spec.name}' is closed: the run is over, or the worker stops.`);
    let isOpen = false;
    const opened = await openSession(
      spec,
      this.log,
      { ms: this.options.connectTimeoutMs, signal: closing.signal },
      {
        onListChanged: () => this.forgetTools(),
        sample: (request) => [...this.active].findLast((context) => context.sample !== undefined)?.sample?.(request),
        ask: (asked) => this.askPeople(asked),
        onLost: () => {
          // A session that never opened is a failed start, which `failures` handles.
          if (!isOpen || !isCurrent()) return;
          this.opening = undefined;
          this.forgetTools();
        },
      },
      { clock, guard: this.options.guard },
    );
    if (opened.ok) {
      isOpen = true;
      // The session may have been lost while it opened.
      if (opened.value.lost !== undefined && isCurrent()) this.opening = undefined;
      if (closing.signal.aborted) await opened.value.close();
      else void this.closeWhenIdle();
      return opened;
    }
    const { message, isLate } = opened.error;
    this.failures.failed(message, isLate);
    if (isCurrent()) this.opening = undefined;
    return err(message);
  }

  /** Asks people for the latest unfinished call, because these protocols do not say which call asks. All calls of it stand still. */
  private askPeople(asked: AskedByServer): Promise<ItemEnd> | undefined {
    const answer = [...this.active].findLast((context) => context.ask !== undefined)?.ask?.(asked);
    if (answer === undefined) return undefined;
    const timers = [...this.timers];
    for (const timer of timers) timer.pause();
    return answer.finally(() => {
      for (const timer of timers) timer.goOn();
    });
  }

  private forgetTools(): void {
    this.listing = undefined;
    this.stale = undefined;
    this.freshUntil = Number.POSITIVE_INFINITY;
    this.versions += 1;
  }

  private async listNow(): Promise<Result<Listing, string>> {
    const { stale } = this;
    const fresh = await this.listFresh();
    if (fresh.ok || stale === undefined) return fresh;
    this.log.write('warning', 'server_error', `${fresh.error} Its last list is used on.`);
    this.freshUntil = this.clock.now() + shortestFreshMs;
    this.listing = stale;
    return await stale;
  }

  private async listFresh(): Promise<Result<Listing, string>> {
    const { spec, log, failures } = this;
    const opened = await this.session();
    const held = opened.ok ? failures.held() : opened.error;
    if (held !== undefined) this.listing = undefined;
    if (!opened.ok) return opened;
    if (held !== undefined) return err(held);
    const { client } = opened.value;
    const capabilities = client.getServerCapabilities();
    const request = { timeout: this.options.connectTimeoutMs };
    const withoutPrompts = (error: unknown): ListedItems<ListedPrompt> => {
      log.write('warning', 'server_error', `Server '${spec.name}' did not list its prompts: ${messageOf(error)}.`);
      return nothing;
    };
    try {
      const tools = capabilities?.tools ? await listAll(client, 'tools', request) : nothing;
      const prompts = capabilities?.prompts ? await listAll(client, 'prompts', request).catch(withoutPrompts) : nothing;
      const faults = [...tools.faults, ...prompts.faults];
      this.readOnly = new Set(tools.items.filter(isRepeatable).map((tool) => tool.name));
      // A server of protocol 2026-07-28 decides by itself which calls become tasks.
      const hasTasks = !opened.value.isModern && capabilities?.tasks?.requests?.tools?.call !== undefined;
      this.tasks = new Set(hasTasks ? tools.items.filter(isTask).map((tool) => tool.name) : []);
      const ttlMs = shorter(tools.ttlMs, prompts.ttlMs);
      if (ttlMs !== undefined) this.freshUntil = this.clock.now() + Math.max(ttlMs, shortestFreshMs);
      // The version changes because agents that got the failure must list again.
      if (failures.succeeded()) this.versions += 1;
      return ok({
        tools: tools.items.map((tool) => sealTool(toDescriptor(spec.name, tool), sealedIn(spec))),
        hasResources: capabilities?.resources !== undefined,
        prompts: prompts.items.map((prompt) => sealPrompt(prompt, sealedIn(spec))),
        instructions: spec.includeInstructions ? log.redact(client.getInstructions() ?? '') : undefined,
        faults: faults.map((fault) => log.redact(faultSentence(spec.name, fault))),
      });
    } catch (error) {
      this.listing = undefined;
      const why = opened.value.lost ?? messageOf(error);
      const message = log.redact(`Server '${spec.name}' did not list what it offers: ${why}.`);
      failures.failed(message, isTimeout(error));
      return err(message);
    }
  }

  private async closeWhenIdle(): Promise<void> {
    if (this.isWatched) return;
    this.isWatched = true;
    const { clock, closing } = this;
    const { idleMs } = this.options;
    while (!closing.signal.aborted) {
      await clock.sleep(idleMs, closing.signal);
      if (this.users > 0 || clock.now() - this.lastUse < idleMs) continue;
      const open = await this.opening;
      if (this.users > 0) continue;
      // The listing is kept, so that an idle server is not started again only to list its tools.
      const known = this.listing;
      this.opening = undefined;
      if (open?.ok) await open.value.close();
      this.listing = known;
      break;
    }
    this.isWatched = false;
  }

  private async use<T>(work: () => Promise<T>): Promise<T> {
    this.users += 1;
    try {
      return await work();
    } finally {
      this.users -= 1;
      this.lastUse = this.clock.now();
    }
  }

  private during<T>(context: ToolCallContext, work: () => Promise<T>): Promise<T> {
    return this.use(async () => {
      this.active.add(context);
      try {
        return await work();
      } finally {
        this.active.delete(context);
      }
    });
  }

  private async attempt(opened: Session, context: ToolCallContext, question: Question): Promise<ToolResult> {
    const { spec, clock, log } = this;
    // The SDK never removes its listener from the signal, so each call gets a signal of its own.
    const abort = new AbortController();
    const stop = () => abort.abort();
    setMaxListeners(0, context.signal, abort.signal);
    context.signal.addEventListener('abort', stop, { once: true });
    if (context.signal.aborted) stop();
    const progress = createProgressLog({ serverName: spec.name, clock, redact: log.redact, log: context.log });
    const timer = this.timerFor(context, abort);
    try {
      const result = await question(opened, {
        signal: abort.signal,
        timeout: timer ? noTimeLimitMs : spec.readTimeoutMs,
        onprogress: (given) => {
          timer?.restart();
          progress.note(given);
        },
        resetTimeoutOnProgress: !timer,
        timer,
      });
      progress.end();
      return sealResult(result, sealedIn(spec));
    } finally {
      context.signal.removeEventListener('abort', stop);
      timer?.stop();
      if (timer) this.timers.delete(timer);
    }
  }

  /** Returns a time limit that stands still while people are asked; `undefined` if they cannot be asked. */
  private timerFor({ ask }: ToolCallContext, abort: AbortController): CallTimer | undefined {
    const { spec } = this;
    if (!ask || !(spec.asksPeople || spec.sampling?.policy === 'ask')) return undefined;
    const timer = new CallTimer(spec.readTimeoutMs, () => {
      abort.abort(new McpError(ErrorCode.RequestTimeout, 'Request timed out'));
    });
    this.timers.add(timer);
    return timer;
  }

  /**
   * Repeats the request once when the session was lost, unless the lost request may have had an effect. A task that goes on at the
   * server is asked for as often as needed.
   */
  private async request(
    name: string,
    context: ToolCallContext,
    question: Question,
    { isRepeatable, goesOn = () => false }: Again,
  ): Promise<ToolResult> {
    const { spec, log } = this;
    const serverName = spec.name;
    for (let tries = 1; ; tries += 1) {
      const opened = await untilAborted(this.failures.hurried(this.session()), context.signal);
      if (opened === undefined) return cancelledResult();
      if (!opened.ok) {
        this.emit({ level: 'error', code: 'server_unavailable', message: opened.error, serverName });
        return errorResult('SERVER_UNAVAILABLE', `Server '${serverName}' is not available.`);
      }
      try {
        return await this.attempt(opened.value, context, question);
      } catch (error) {
        if (context.signal.aborted) return cancelledResult();
        const loss = lossOf(error, opened.value);
        if (loss === undefined) {
          const asked = { tool: name, server: serverName, timeoutMs: spec.readTimeoutMs, redact: log.redact };
          return failureOf(error, { ...asked, isRepeatable: isRepeatable() });
        }
        const isAnswer = loss === 'answer';
        const why = opened.value.lost ?? messageOf(error);
        if (!isAnswer) this.dropSession(opened.value);
        const isGoingOn = goesOn();
        const repeatable = loss === 'before' || isGoingOn || isRepeatable();
        if ((tries === 1 || isGoingOn) && spec.reconnect && repeatable) {
          const message = isAnswer
            ? `Server '${serverName}' gave no result: ${why}. It is asked again.`
            : `The connection to server '${serverName}' was lost. Connecting again.`;
          this.emit({ level: 'warning', code: 'server_reconnect', message: log.redact(message), serverName });
          continue;
        }
        const next = repeatable ? '' : ' The call may or may not have taken effect.';
        const how = isAnswer ? 'gave no result' : 'was lost during the call';
        const message = `Server '${serverName}' ${how}: ${why}.${next}`;
        return errorResult('SERVER_UNAVAILABLE', log.redact(message));
      }
    }
  }

  private dropSession(lost: Session): void {
    // A broken HTTP connection is first noticed here. A server that is a process has reported its end already.
    if (lost.lost === undefined) {
      lost.lost = 'the connection broke';
      this.opening = undefined;
    }
    void lost.close();
  }
}

/** A list is used at least this long, because a time of 0 would have it read again before every call of a model. */
const shortestFreshMs = 10_000;

const nothing: ListedItems<never> = { items: [], faults: [], ttlMs: undefined };

/** What may be done when the connection was lost during a request. */
interface Again {
  /** True if the request may be sent twice. */
  isRepeatable(): boolean;
  /** True if what was begun goes on at the server. */
  goesOn?(): boolean;
}

/** True for a tool that has to be called as a task, or may be and is not safe to call twice. */
function isTask(tool: ListedTool): boolean {
  return tool.taskSupport === 'required' || (tool.taskSupport === 'optional' && !isRepeatable(tool));
}

/** True for a tool that declares that it is safe to call twice. */
function isRepeatable({ annotations }: ListedTool): boolean {
  return annotations.readOnlyHint === true || annotations.idempotentHint === true;
}

function toDescriptor(serverName: string, tool: ListedTool): ToolDescriptor {
  const { name, title = '', description = title, inputSchema, outputSchema, annotations } = tool;
  return {
    name: `${serverName}__${name}`,
    description,
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    source: 'mcp',
    serverName,
    remoteName: name,
    ...(annotations.readOnlyHint === true && { readOnly: true }),
  };
}

/** Resolves with `undefined` when the signal aborts first. The work continues for other callers. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const abort = () => resolve(undefined);
    setMaxListeners(0, signal);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
