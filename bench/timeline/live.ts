import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '@/lib/store/database';
import { largeRun } from '@/lib/testing/large-run';
import { measureFrames } from './frames';
import { type Batch, hopsOf, type PageNotes, type WebHops, type WebNotes, watchBatches } from './hops';
import { type BenchPage, openContext } from './page';
import { openLiveRun } from './store';

export interface LiveMeasure {
  /** Milliseconds that each event spent at each hop, from its emission to the end of the frame that painted it. */
  readonly hops: readonly (readonly number[])[];
  readonly gapsMs: readonly number[];
  readonly sent: number;
  /** How many statements the writer sent to the database, and how many the web process. */
  readonly statements: { readonly writer: number; readonly web: number };
}

/** A page under measurement, and the web process that serves it. */
export interface LiveBench extends BenchPage {
  readonly webPid: number;
  readonly web: WebHops;
}

/** Emits events at a rate through the writer of a worker, while a page shows the run. */
export async function measureLive(
  bench: LiveBench,
  store: Store,
  project: string,
  perSecond: number,
  seconds: number,
): Promise<LiveMeasure> {
  const emitted: { readonly seq: number; readonly at: number }[] = [];
  const { id, writer } = await openLiveRun(store, project, ({ seq, at }) => emitted.push({ seq, at }));
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
  await bench.web.take(bench.webPid);
  const batches: Batch[] = [];
  const unwatch = watchBatches(store, batches);
  emitted.length = 0;
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
  const web: WebNotes = await bench.web.take(bench.webPid);
  const notes = await page.evaluate(() => Reflect.get(window, 'benchNotes') as PageNotes);
  unwatch();
  writer.append({ kind: 'run.finished', status: 'completed', answer: '', usage: emptyUsage });
  await writer.flush();
  await context.close();
  const hops = hopsOf(emitted, batches, web, notes);
  return { hops, gapsMs, sent, statements: { writer: batches.length, web: web.statements } };
}

const emptyUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, modelCalls: 0 };

/** Runs in the page: notes when each message arrived and was folded, and each frame that painted something new. */
function watchEvents(): void {
  const notes: { messages: [number, number, number][]; frames: [number, number, number, number][] } = {
    messages: [],
    frames: [],
  };
  Reflect.set(window, 'benchNotes', notes);
  const now = () => performance.timeOrigin + performance.now();
  let last = 0;
  const handler = Object.getOwnPropertyDescriptor(EventSource.prototype, 'onmessage');
  Object.defineProperty(EventSource.prototype, 'onmessage', {
    get: handler?.get,
    set(take: (message: MessageEvent<string>) => void) {
      handler?.set?.call(this, (message: MessageEvent<string>) => {
        const arrived = now();
        take(message);
        last = Number(message.lastEventId);
        notes.messages.push([last, arrived, now()]);
      });
    },
  });
  let frameBegan = 0;
  const request = requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    request((at) => {
      frameBegan = now();
      callback(at);
    });
  const paint = CanvasRenderingContext2D.prototype.putImageData;
  let shown = 0;
  CanvasRenderingContext2D.prototype.putImageData = function (this: CanvasRenderingContext2D, ...given: unknown[]) {
    Reflect.apply(paint, this, given);
    if (last === shown) return;
    shown = last;
    const frame: [number, number, number, number] = [last, frameBegan, now(), 0];
    notes.frames.push(frame);
    // The frame ends when the task after it begins.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      frame[3] = now();
    };
    port2.postMessage(undefined);
  };
}
