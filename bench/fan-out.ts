import { callboardRound } from './callboard-round';
import { startFakeServer } from './fake-server';
import { median } from './figures';
import { rawRound } from './raw-loop';

const sizes = [1, 10, 100, 500];
const toolCalls = 3;
const delayMs = 50;
const rounds = 5;

interface Measure {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/**
 * Measures one orchestrator with N children and three tool calls each, and a model that answers after 50 ms. Callboard and
 * the raw loop alternate in the same process. Prints medians of five rounds after a warm-up.
 */
export async function benchFanOut(): Promise<void> {
  console.log('\nFan-out: 1 orchestrator, N children, 3 tool calls each, model at 50 ms (goal ≤ 1.5× and ≤ 0.6 ms)');
  console.log('     N  model calls   raw wall   ours wall   ratio   raw CPU/call   ours CPU/call   events');
  for (const children of sizes) {
    const server = await startFakeServer({ children, toolCalls, delayMs });
    try {
      await rawRound(server.url, children, toolCalls);
      let { modelCalls, events } = await callboardRound(server.url);
      const raw: Measure[] = [];
      const ours: Measure[] = [];
      for (let round = 0; round < rounds; round += 1) {
        raw.push(await measure(() => rawRound(server.url, children, toolCalls)));
        ours.push(
          await measure(async () => {
            ({ modelCalls, events } = await callboardRound(server.url));
          }),
        );
      }
      const ratios = ours.map((mine, i) => mine.wallMs / (raw[i]?.wallMs ?? Number.NaN));
      const columns = [
        String(children).padStart(6),
        String(modelCalls).padStart(12),
        `${median(raw.map((m) => m.wallMs)).toFixed(0)} ms`.padStart(10),
        `${median(ours.map((m) => m.wallMs)).toFixed(0)} ms`.padStart(11),
        `${median(ratios).toFixed(2)}×`.padStart(7),
        `${(median(raw.map((m) => m.cpuMs)) / modelCalls).toFixed(2)} ms`.padStart(14),
        `${(median(ours.map((m) => m.cpuMs)) / modelCalls).toFixed(2)} ms`.padStart(15),
        String(events).padStart(8),
      ];
      console.log(columns.join(' '));
    } finally {
      server.stop();
    }
  }
}

async function measure(work: () => Promise<unknown>): Promise<Measure> {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  await work();
  const used = process.cpuUsage(cpu);
  return { wallMs: performance.now() - begun, cpuMs: (used.user + used.system) / 1_000 };
}
