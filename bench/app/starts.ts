import { setTimeout as sleep } from 'node:timers/promises';
import { startFakeOpenAI } from '@/lib/testing/fake-openai';
import { createProject, endOfRun, spread, startRun } from './client';
import { cpuMs } from './processes';
import { startBenchServer } from './server';

const warmUp = 30;
const starts = 200;

/** An agent with a single model call. */
export const oneStep = {
  'agent-cards/solo.md': '---\nname: solo\ndefault: true\nmodel: openai.fake\n---\nAnswer.\n',
} as const;

/**
 * Measures the time from the request of a run until its first model call arrives, one run after another on an idle server.
 * The pauses between runs vary, so that no start is synchronised with a timer of the server.
 */
export async function benchStarts(): Promise<void> {
  const arrived = new Map<string, (at: number) => void>();
  const model = await startFakeOpenAI({
    record: false,
    respond({ messages }) {
      const at = performance.now();
      arrived.get(messages.at(-1)?.text ?? '')?.(at);
      return { text: 'Done.' };
    },
  });
  const server = await startBenchServer({ workers: 1, modelUrl: model.url });
  try {
    const project = await createProject(server, 'Starts', oneStep);
    const first: number[] = [];
    const answered: number[] = [];
    const parts = ['web', 'worker'] as const;
    const pids = Object.fromEntries(parts.map((part) => [part, server.pids(part)]));
    const cpu = () => parts.map((part) => cpuMs(pids[part] ?? []));
    let before = cpu();
    for (let index = 0; index < warmUp + starts; index += 1) {
      if (index === warmUp) before = cpu();
      const call = new Promise<number>((resolve) => arrived.set(`run ${index}`, resolve));
      const begun = performance.now();
      const run = await startRun(server, project, `run ${index}`);
      const told = performance.now() - begun;
      const firstCall = (await call) - begun;
      if (index === 0) console.log(`  the very first start of this server: ${firstCall.toFixed(0)} ms`);
      if (index >= warmUp) {
        first.push(firstCall);
        answered.push(told);
      }
      if ((await endOfRun(server, run)) !== 'completed') throw new Error(`Run ${run} did not complete`);
      await sleep((index * 37) % 113);
    }
    const after = cpu();
    console.log(`  request → first model call     ${spread(first)}   (goal p50 ≤ 25 ms, p95 ≤ 80 ms)`);
    console.log(`  request → answered with its id ${spread(answered)}`);
    const each = parts.map((part, at) => `${part} ${(((after[at] ?? 0) - (before[at] ?? 0)) / starts).toFixed(1)} ms`);
    console.log(`  CPU a run, with the polling for its end: ${each.join(', ')}`);
  } finally {
    await server.stop();
    await model.close();
  }
}
