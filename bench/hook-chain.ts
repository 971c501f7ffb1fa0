import { brandAs, type CallId, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { systemClock } from '@/lib/jobs/system-clock';
import type { HookPort, ModelPort, ToolPort } from '@/lib/runtime/ports';
import { execute } from '@/lib/runtime/run/execute';
import { collectEvents } from '@/lib/testing/collect-events';
import { median } from './figures';

const calls = 2_000;
const rounds = 7;

/** The five hooks do nothing, so that only the chain, its records and their differences are measured. */
const chains: readonly (readonly [string, string])[] = [
  ['no hooks', ''],
  ['5 hooks as code', 'tool_hooks: [h.py:a, h.py:b, h.py:c, h.py:d, h.py:e]\n'],
  ['5 of which 2 change things', 'tool_hooks: [h.py:a, h.py:edit, h.py:c, h.py:sign, h.py:e]\n'],
];

const declarative = `version: 1
run_hooks:
  - clamp: {argument: x, max: 10}
  - default: {argument: y, value: 1}
  - truncate: {max_chars: 10000}
  - block: {when: {tool: 'shell*'}}
  - redact: {keys: [password]}
  - rename: {from: z, to: w}
`;

/**
 * Prints the cost per call of five hooks that wrap a function tool, compared with the bare call. Both run through the whole
 * runtime with every event kept. The reference is five plain async functions that wrap the same tool and record nothing.
 */
export async function benchHookChain(): Promise<void> {
  console.log(
    `\nHook chain: one agent calls a function tool ${calls} times, everything recorded (goal ≤ 50 µs of our own)`,
  );
  console.log('                                  wall       CPU   chain alone, wall   CPU   events');
  const variants = [
    { name: 'floor: 5 functions, no runtime', run: plainRound },
    ...chains.map(([name, line]) => ({ name, run: () => round(line, undefined) })),
    { name: '5 declarative of 6', run: () => round('', declarative) },
  ];
  const measures = variants.map((): { wall: number; cpu: number }[] => []);
  const events = variants.map(() => 0);
  for (const { run } of variants) await run();
  for (let n = 0; n < rounds; n += 1) {
    for (const [index, { run }] of variants.entries()) {
      const cpu = process.cpuUsage();
      const begun = performance.now();
      events[index] = await run();
      const wall = ((performance.now() - begun) * 1_000) / calls;
      const used = process.cpuUsage(cpu);
      measures[index]?.push({ wall, cpu: (used.user + used.system) / calls });
    }
  }
  const bare = middle(measures[1] ?? []);
  for (const [index, { name }] of variants.entries()) {
    const { wall, cpu } = middle(measures[index] ?? []);
    const alone = index < 2 ? ['', ''] : [`${(wall - bare.wall).toFixed(1)} µs`, `${(cpu - bare.cpu).toFixed(1)} µs`];
    const columns = [
      name.padEnd(30),
      `${wall.toFixed(1)} µs`.padStart(9),
      `${cpu.toFixed(1)} µs`.padStart(9),
      alone[0]?.padStart(12) ?? '',
      alone[1]?.padStart(11) ?? '',
      String(events[index]).padStart(8),
    ];
    console.log(columns.join(' '));
  }
}

function middle(measures: readonly { readonly wall: number; readonly cpu: number }[]): { wall: number; cpu: number } {
  return { wall: median(measures.map(({ wall }) => wall)), cpu: median(measures.map(({ cpu }) => cpu)) };
}

/** Measures the minimal cost of a chain of five: one await before and one after each. */
async function plainRound(): Promise<number> {
  type Next = (args: object) => Promise<object>;
  const layer = (next: Next): Next => {
    return async (args) => await next(args);
  };
  let chain: Next = async () => ({ content: [{ type: 'text', text: '2' }], isError: false });
  for (let n = 0; n < 5; n += 1) chain = layer(chain);
  for (let n = 0; n < calls; n += 50) await Promise.all(Array.from({ length: 50 }, () => chain({ x: 1 })));
  return 0;
}

async function round(cardLine: string, settings: string | undefined): Promise<number> {
  const folder = folderOf({
    'agent-cards/lead.md': `---\nname: lead\nmodel: bench\n${cardLine}---\nGo.\n`,
    'agent-cards/h.py': ['a', 'b', 'c', 'd', 'e', 'edit', 'sign']
      .map((name) => `async def ${name}(ctx, args, call_next):\n    return await call_next(args)\n`)
      .join('\n'),
    ...(settings === undefined ? {} : { 'callboard.yaml': settings }),
  });
  const events = collectEvents(systemClock);
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
      tools: { function: tools },
      hooks,
      events,
      clock: systemClock,
      newCorrelationId: () => brandAs<CorrelationId>('bench'),
    },
    log: [],
    signal: new AbortController().signal,
  });
  if (outcome.status !== 'completed') throw new Error(`The run ended ${outcome.status}: ${outcome.error?.message}`);
  return events.events.length;
}

/** A model that requests all calls in batches of 50. */
const model: ModelPort = {
  complete({ turn }) {
    const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 1 };
    const isLast = turn > calls / 50;
    const toolCalls = Array.from({ length: isLast ? 0 : 50 }, (_, index) => ({
      id: brandAs<CallId>(`call_${turn}_${index}`),
      name: 'add_one',
      argumentsText: '{"x":1,"note":"something to carry along"}',
    }));
    return Promise.resolve({
      ok: true,
      message: {
        role: 'assistant',
        content: isLast ? [{ type: 'text', text: 'done' }] : [],
        toolCalls,
        stopReason: isLast ? 'end_turn' : 'tool_use',
      },
      usage,
      requests: 1,
    });
  },
};

const tools: ToolPort = {
  version: () => 0,
  list: async () => ({
    issues: [],
    tools: [{ name: 'add_one', description: 'Adds one.', inputSchema: { type: 'object' }, source: 'function' }],
  }),
  call: async () => ({ content: [{ type: 'text', text: '2' }], isError: false }),
};

const hooks: HookPort = {
  load: async () => [],
  async around({ functionName }, _context, args, next) {
    if (functionName === 'edit') return { ok: true, result: await next({ ...args, x: 10 }) };
    const result = await next(args);
    if (functionName !== 'sign') return { ok: true, result };
    return { ok: true, result: { ...result, content: [...result.content, { type: 'text', text: '[audit]' }] } };
  },
  phase: async () => ({ ok: true, changes: {} }),
};
