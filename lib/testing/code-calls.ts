import { brandAs, type CallId, type CorrelationId, type InstancePath, type RunId, type StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { AgentCard, CodeRef } from '@/lib/cards/card';
import type { HookContext, HookOutcome, HookPort, LogBody, ToolCallContext, ToolPort } from '@/lib/runtime/ports';
import type { ToolResult } from '@/lib/runtime/record/messages';

/** Calls the code of a card as the runtime does, without a run. */
export interface CodeCalls {
  readonly logs: LogBody[];
  tool(name: string, args?: JsonObject, signal?: AbortSignal): Promise<ToolResult>;
  /** Runs the first hook of the card's chain, which wraps `next`. */
  hook(
    args: JsonObject,
    next: (args: JsonObject) => Promise<ToolResult>,
    options?: { readonly signal?: AbortSignal; readonly timeoutMs?: number; readonly context?: Partial<HookContext> },
  ): Promise<HookOutcome>;
}

const quiet = new AbortController().signal;

export function codeCalls(ports: { readonly tools: ToolPort; readonly hooks: HookPort }, card: AgentCard): CodeCalls {
  const logs: LogBody[] = [];
  return {
    logs,
    async tool(name, args = {}, signal = quiet) {
      const { tools, issues } = await ports.tools.list(card, quiet);
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`no tool ${name}: ${JSON.stringify(issues)}`);
      return ports.tools.call(tool, args, callContext(logs, signal));
    },
    hook(args, next, options = {}) {
      const control = {
        signal: options.signal ?? quiet,
        ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
        log: (body: LogBody) => logs.push(body),
      };
      return ports.hooks.around(firstHook(card), { ...hookContext, ...options.context }, args, next, control);
    },
  };
}

export function textResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: false };
}

function firstHook(card: AgentCard): CodeRef {
  const hook = card.toolHooks.form === 'chain' ? card.toolHooks.chain[0] : undefined;
  if (hook === undefined) throw new Error('The card has no chain of hooks.');
  return hook;
}

const hookContext: HookContext = {
  agentName: 'coder',
  instanceName: 'coder',
  serverName: null,
  toolName: 'add',
  toolSource: 'function',
  toolUseId: brandAs<CallId>('call'),
  correlationId: brandAs<CorrelationId>('c0'),
  state: { mood: 'calm' },
};

function callContext(logs: LogBody[], signal: AbortSignal): ToolCallContext {
  return {
    runId: brandAs<RunId>('run'),
    path: brandAs<InstancePath>('coder'),
    agentName: 'coder',
    instanceName: 'coder',
    callId: brandAs<CallId>('call'),
    correlationId: brandAs<CorrelationId>('c0'),
    idempotencyKey: brandAs<StepKey>('coder#t1'),
    state: { values: () => ({}), write: () => undefined },
    artifacts: {
      save: () => Promise.reject(new Error('none here')),
      load: async () => undefined,
      list: async () => [],
    },
    signal,
    log: (body) => logs.push(body),
  };
}
