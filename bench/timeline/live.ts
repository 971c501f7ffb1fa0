import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '@/lib/store/database';
import { largeRun } from '@/lib/testing/large-run';
import { measureFrames } from './frames';
import { type BenchPage, openContext } from './page';
import { openLiveRun } from './store';

export interface LiveMeasure {
  /** Milliseconds from the emission of an event to the end of the frame that painted it. */
  readonly latencyMs: readonly number[];
  readonly gapsMs: readonly number[];
  readonly sent: number;
  readonly painted: number;
}

/** Emits events at a rate through the writer of a worker, while a page shows the run. */
export async function measureLive(bench: BenchPage, store: Store, project: string, perSecond: number, seconds: number) {
  const { id, writer } = await openLiveRun(store, project);
  const events = largeRun({ spans: perSecond * seconds, lanes: 200, seed: 9 });
  const emit = (count: number) => {
    for (let n = 0; n < count; n++) {
      const next = events.next();
      if (next.done || next.value.kind === 'run.finished') return;
      const { seq: _, at: __, ...body } = next.value;
      writer.append(body);
    }
  };
  emit(10);
  await writer.flush();
  const context = await openContext(bench);
  await context.addInitScript(watchEvents);
  const page = await context.newPage();
  await page.goto(`${bench.url}/r/${id}`);
  await page.waitForFunction(() => Reflect.get(window, 'benchPainted')?.first > 0);
  await sleep(1_000);
  let sent = 0;
  const begun = performance.now();
  const stop = begun + seconds * 1_000;
  const sending = (async () => {
    while (performance.now() < stop) {
      const due = Math.floor(((performance.now() - begun) * perSecond) / 1_000) - sent;
      emit(due);
      sent += due;
      await sleep(4);
    }
  })();
  const { gapsMs } = await measureFrames(bench.browser, page, Math.floor((seconds - 1) * 55), '');
  await sending;
  await writer.flush();
  await sleep(1_000);
  const latencyMs = await page.evaluate(() => Reflect.get(window, 'benchLatency') as number[]);
  writer.append({ kind: 'run.finished', status: 'completed', answer: '', usage: emptyUsage });
  await writer.flush();
  await context.close();
  return { latencyMs, gapsMs, sent, painted: latencyMs.length } satisfies LiveMeasure;
}

const emptyUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 0 };

/** Runs in the page: notes when each event arrived and was painted, by the clock of the machine. */
function watchEvents(): void {
  const latency: number[] = [];
  Reflect.set(window, 'benchLatency', latency);
  let arrived: number[] = [];
  const handler = Object.getOwnPropertyDescriptor(EventSource.prototype, 'onmessage');
  Object.defineProperty(EventSource.prototype, 'onmessage', {
    get: handler?.get,
    set(take: (message: MessageEvent<string>) => void) {
      handler?.set?.call(this, (message: MessageEvent<string>) => {
        take(message);
        for (const [, at] of message.data.matchAll(/"at":([\d.]+)/g)) arrived.push(Number(at));
      });
    },
  });
  const paint = CanvasRenderingContext2D.prototype.putImageData;
  CanvasRenderingContext2D.prototype.putImageData = function (this: CanvasRenderingContext2D, ...given: unknown[]) {
    Reflect.apply(paint, this, given);
    const painted = arrived;
    arrived = [];
    if (painted.length === 0) return;
    // The frame ends when the task after it begins.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const now = performance.timeOrigin + performance.now();
      for (const at of painted) latency.push(now - at);
    };
    port2.postMessage(undefined);
  };
}
