import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { systemClock } from '@/lib/jobs/system-clock';
import type { ModelPort } from '@/lib/runtime/ports';
import type { EventSink } from '@/lib/runtime/record/event-sink';
import { execute } from '@/lib/runtime/run/execute';
import { callboardRound, parallelFolder } from './callboard-round';
import { startFakeServer } from './fake-server';
import { heapBytes, median } from './figures';

const children = 500;
const toolCalls = 3;
const delayMs = 50;
const rounds = 5;

/** Measures steps of workflows beside the same calls made by a model. */
export async function benchWorkflows(): Promise<void> {
  await benchParallel();
  await benchVote();
}

/** One `parallel` of 500 steps and one orchestrator with 500 children, in turn: the steps make the same calls. */
async function benchParallel(): Promise<void> {
  console.log(`\nparallel: ${children} steps, ${toolCalls} tool calls each, beside an orchestrator that calls as many`);
  console.log('                    model calls       wall   CPU/call   (goal: no more a call than the orchestrator)');
  const server = await startFakeServer({ children, toolCalls, delayMs });
  try {
    const folders = [
      ['orchestrator', undefined],
      ['parallel', parallelFolder(children)],
    ] as const;
    const all = new Map<string, { wallMs: number; cpuMs: number; calls: number }[]>();
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, folder] of folders) {
        const cpu = process.cpuUsage();
        const begun = performance.now();
        const { modelCalls: calls } = await callboardRound(server.url, folder);
        const used = process.cpuUsage(cpu);
        const measure = { wallMs: performance.now() - begun, cpuMs: (used.user + used.system) / 1_000 / calls, calls };
        // The first round is a warm-up.
        if (round > 0) all.set(name, [...(all.get(name) ?? []), measure]);
      }
    }
    for (const [name, measures] of all) {
      const wall = `${median(measures.map(({ wallMs }) => wallMs)).toFixed(0)} ms`;
      const cpu = `${median(measures.map(({ cpuMs }) => cpuMs)).toFixed(3)} ms`;
      console.log(
        `${name.padEnd(20)}${String(measures[0]?.calls).padStart(11)} ${wall.padStart(10)} ${cpu.padStart(10)}`,
      );
    }
  } finally {
    server.stop();
  }
}

/** The heap during a vote of which no sample agrees with another, events dropped like stored ones. */
async function benchVote(): Promise<void> {
  console.log(
    '\nMAKER: heap at the last sample, every answer different and 20 kB long (goal: the answers and little more)',
  );
  await heapOfVote(20);
  for (const samples of [50, 200]) {
    const bytes = await heapOfVote(samples);
    const each = bytes / samples / 1_024;
    console.log(
      `${`${samples} samples`.padEnd(20)} ${(bytes / 1_048_576).toFixed(2)} MiB, ${each.toFixed(1)} KiB a sample`,
    );
  }
}

async function heapOfVote(samples: number): Promise<number> {
  const folder = folderOf({
    'w.md': '---\nname: w\nmodel: bench\n---\n',
    'vote.md': `---\nname: vote\ntype: MAKER\ndefault: true\nworker: w\nk: 3\nmax_samples: ${samples}\n---\n`,
  });
  const before = heapBytes();
  let asked = 0;
  let bytes = 0;
  const model: ModelPort = {
    async complete() {
      asked += 1;
      if (asked === samples) bytes = heapBytes() - before;
      // A text of its own, not a slice of one that all share.
      const text = Buffer.from(`${asked} `.padEnd(20_480, 'x')).toString('latin1');
      return {
        ok: true,
        message: { role: 'assistant', content: [{ type: 'text', text }], toolCalls: [], stopReason: 'end_turn' },
        usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 1 },
        requests: 1,
      };
    },
  };
  const events: EventSink = { append() {}, flush: () => Promise.resolve() };
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
    ports: { model, tools: {}, events, clock: systemClock, newCorrelationId: () => brandAs<CorrelationId>('c') },
    log: [],
    signal: new AbortController().signal,
  });
  if (outcome.status !== 'completed') throw new Error(`The run ended ${outcome.status}: ${outcome.error?.message}`);
  return bytes;
}
