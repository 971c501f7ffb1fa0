import { systemClock } from '@/lib/jobs/system-clock';
import type { RunEvent } from '@/lib/runtime/record/events';
import { collectEvents } from '@/lib/testing/collect-events';
import { median } from './figures';
import { inMemoryRound } from './in-memory';

/**
 * With 1,250 calls of a child, four model calls and three tool calls in each, and two model calls of the lead, there are
 * 10,002 steps.
 */
const plan = { children: 1_250, toolCalls: 3 };
const rounds = 5;

/** Measures the resume of a run of 10,000 steps from its log as text, cut at its end or in its middle. */
export async function benchResume(): Promise<void> {
  const whole = collectEvents(systemClock);
  await inMemoryRound(plan, whole);
  const last = whole.events.findLastIndex((event) => event.kind === 'model.ended');
  console.log('\nResume: a run of 10,002 steps goes on from its log (goal ≤ 2 s, no recorded step repeated)');
  console.log('log cut at             events   recorded   JSON alone    resumed   run again   repeated');
  for (const [name, length] of [
    ['its last model call', last],
    ['its middle', Math.floor(whole.events.length / 2)],
  ] as const) {
    const text = whole.events.slice(0, length).map((event) => JSON.stringify(event));
    const all = [];
    for (let n = 0; n < rounds; n += 1) all.push(await resume(text));
    const { recorded, again, repeated } = all[0] ?? { recorded: 0, again: 0, repeated: 0 };
    const columns = [
      name.padEnd(21),
      String(length).padStart(7),
      String(recorded).padStart(10),
      `${median(all.map(({ parseMs }) => parseMs)).toFixed(0)} ms`.padStart(12),
      `${median(all.map(({ wholeMs }) => wholeMs)).toFixed(0)} ms`.padStart(10),
      String(again).padStart(11),
      String(repeated).padStart(10),
    ];
    console.log(columns.join(' '));
    if (repeated > 0) throw new Error(`${repeated} recorded steps ran again.`);
  }
}

async function resume(text: readonly string[]) {
  const begun = performance.now();
  const log = text.map((line): RunEvent => JSON.parse(line));
  const parseMs = performance.now() - begun;
  const ended = new Set<string>();
  for (const event of log) if (event.kind === 'model.ended' || event.kind === 'tool.ended') ended.add(event.step);
  const ran: string[] = [];
  const resumedAt = performance.now();
  await inMemoryRound(
    plan,
    collectEvents(systemClock, log.length),
    {
      onModel({ step }) {
        ran.push(step);
        return undefined;
      },
      onTool: (step) => ran.push(step),
    },
    log,
  );
  const wholeMs = parseMs + performance.now() - resumedAt;
  return {
    parseMs,
    wholeMs,
    recorded: ended.size,
    again: ran.length,
    repeated: ran.filter((s) => ended.has(s)).length,
  };
}
