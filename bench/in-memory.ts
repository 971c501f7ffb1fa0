import { randomUUID } from 'node:crypto';
import { brandAs, type CallId, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { systemClock } from '@/lib/jobs/system-clock';
import type { ModelPort, ModelRequest, ModelResponse, ToolPort } from '@/lib/runtime/ports';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import type { RunEvent } from '@/lib/runtime/record/events';
import { execute } from '@/lib/runtime/run/execute';

const folder = folderOf({
  'agent-cards/lead.md':
    '---\nname: lead\ndefault: true\nagents: [child]\nmodel: bench\nmax_parallel: 10000\n---\nAsk every child.\n',
  'agent-cards/child.md':
    '---\nname: child\ndescription: A child\nmodel: bench\nservers: [bench]\n---\nUse your tool.\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    bench:\n      command: none\n',
});

/** Callbacks that are called during a round. */
export interface Watch {
  /** Called before each model call. A returned promise is awaited before the answer. */
  onModel?(request: ModelRequest): Promise<void> | undefined;
  /** Called before each tool call, with the key of its step. */
  onTool?(step: string): void;
}

/**
 * Makes a run in memory with one lead, `children` parallel children and `toolCalls` tool calls each. The model and the tool
 * answer immediately. Resumes from `log` if there is one.
 */
export async function inMemoryRound(
  plan: { readonly children: number; readonly toolCalls: number },
  events: EventSink,
  watch: Watch = {},
  log: readonly RunEvent[] = [],
): Promise<void> {
  const model: ModelPort = {
    async complete(request) {
      const hold = watch.onModel?.(request);
      if (hold) await hold;
      const asked = request.messages.filter((message) => message.role === 'tool').length;
      if (request.agentName === 'lead') {
        return answer(request, asked === 0 ? plan.children : 0, 'agent__child', '{"message":"Item"}');
      }
      return answer(request, asked < plan.toolCalls ? 1 : 0, 'bench__echo', '{}');
    },
  };
  const tools: ToolPort = {
    ...echo,
    async call(_tool, _args, { idempotencyKey }) {
      watch.onTool?.(idempotencyKey);
      return { content: [{ type: 'text', text: 'ok' }], isError: false };
    },
  };
  const outcome = await execute({
    folder,
    parsed: readFolder(folder),
    request: {
      runId: brandAs<RunId>('bench'),
      correlationId: brandAs<CorrelationId>('bench'),
      agent: undefined,
      message: 'Go',
      model: undefined,
    },
    ports: {
      model,
      tools: { mcp: tools },
      events,
      clock: systemClock,
      newCorrelationId: () => brandAs<CorrelationId>(randomUUID()),
    },
    log,
    signal: new AbortController().signal,
  });
  if (outcome.status !== 'completed') throw new Error(`The run ended ${outcome.status}: ${outcome.error?.message}`);
}

const echo: Omit<ToolPort, 'call'> = {
  version: () => 0,
  list: async (card) => ({
    issues: [],
    tools: card.servers.map((server) => ({
      name: `${server}__echo`,
      description: 'Echo',
      inputSchema: { type: 'object' },
      source: 'mcp',
      serverName: server,
      remoteName: 'echo',
    })),
  }),
};

function answer({ step }: ModelRequest, calls: number, name: string, argumentsText: string): ModelResponse {
  return {
    ok: true,
    message: {
      role: 'assistant',
      content: calls === 0 ? [{ type: 'text', text: 'Done.' }] : [],
      toolCalls: Array.from({ length: calls }, (_, n) => ({
        id: brandAs<CallId>(`${step}-${n}`),
        name,
        argumentsText,
      })),
      stopReason: calls === 0 ? 'end_turn' : 'tool_use',
    },
    usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 1 },
    requests: 1,
  };
}
