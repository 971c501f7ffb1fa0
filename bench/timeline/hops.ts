import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Store } from '@/lib/store/database';
import { mean, quantile } from '../figures';

/**
 * The way of a live event from the writer to the screen, with the time at each hop. This process watches the statements of
 * the writer, `tell-hops.mjs` watches the web process, and a script in the page watches the page. Times are epoch milliseconds of one machine.
 *
 *   appended ─▶ batch cut ─▶ stored ─▶ notified ─▶ read begins ─▶ read ─▶ sent ─▶ arrived ─▶ folded ─▶ frame ─▶ painted ─▶ shown
 *      batch interval   statement                    web process               browser's queue   fold     wait     paint      commit
 */
const hops = [
  'waits in the writer for its batch',
  'statement that stores the batch',
  'commit → notification in the web process',
  'notification → read begins',
  'read of the database',
  'read → written to the socket',
  'socket → handler in the page',
  'fold',
  'waits for a frame',
  'paint',
  'to the task after the frame',
] as const;

const marks = z.array(z.tuple([z.number(), z.number()]));
const webNotes = z.object({
  notified: marks,
  read: z.array(z.tuple([z.number(), z.number(), z.number()])),
  written: marks,
  statements: z.number(),
});
export type WebNotes = z.infer<typeof webNotes>;

/** What the page noted: messages as `[last seq, arrived, folded]`, and frames as `[last seq, began, painted, shown]`. */
export interface PageNotes {
  readonly messages: readonly (readonly [number, number, number])[];
  readonly frames: readonly (readonly [number, number, number, number])[];
}

/** A statement of the writer: when it began, when it ended, and the last event in it. */
export type Batch = readonly [begun: number, stored: number, last: number];

/** Notes the statements with which a writer on this store appends events. Returns a function that restores the store. */
export function watchBatches(store: Store, noted: Batch[]): () => void {
  const { pool } = store;
  const { query } = pool;
  const now = () => performance.timeOrigin + performance.now();
  Reflect.set(pool, 'query', async (...given: unknown[]) => {
    const [config] = given;
    const begun = now();
    const result: unknown = await Reflect.apply(query, pool, given);
    if (isAppend(config)) noted.push([begun, now(), Number(config.values[2])]);
    return result;
  });
  return () => Reflect.set(pool, 'query', query);
}

function isAppend(config: unknown): config is { readonly values: readonly unknown[] } {
  return typeof config === 'object' && config !== null && 'name' in config && config.name === 'append-events';
}

/** The notes of the web process of a server that was started with `env`. */
export class WebHops {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'callboard-bench-hops-'));
  private readonly file = path.join(this.folder, 'web.json');
  readonly env = {
    NODE_OPTIONS: `--import=${pathToFileURL(path.resolve('bench/timeline/tell-hops.mjs'))}`,
    CALLBOARD_BENCH_HOPS: this.folder,
  };

  /** Returns what the process noted since the last time. */
  async take(pid: number): Promise<WebNotes> {
    rmSync(this.file, { force: true });
    process.kill(pid, 'SIGUSR2');
    for (let tries = 0; tries < 200; tries++) {
      await sleep(50);
      if (!existsSync(this.file)) continue;
      try {
        return webNotes.parse(JSON.parse(readFileSync(this.file, 'utf8')));
      } catch {
        // The file is not complete yet.
      }
    }
    throw new Error('The web process did not write its notes.');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns the time that each event spent in each hop. Events that were not painted are left out. */
export function hopsOf(
  events: readonly { readonly seq: number; readonly at: number }[],
  batches: readonly Batch[],
  web: WebNotes,
  page: PageNotes,
): readonly (readonly number[])[] {
  const found: number[][] = [];
  for (const { seq, at } of events) {
    const batch = batches.find(([, , last]) => last >= seq);
    const notified = web.notified.find(([, last]) => last >= seq);
    const read = web.read.find(([, , last]) => last >= seq);
    const written = web.written.find(([, last]) => last >= seq);
    const message = page.messages.find(([last]) => last >= seq);
    const frame = page.frames.find(([last]) => last >= seq);
    if (!batch || !notified || !written || !message || !frame) continue;
    // A read that a former notification began may see events before their own notification arrives.
    const begun = read?.[0] ?? notified[0];
    const seen = Math.min(notified[0], begun);
    const times = [at, batch[0], batch[1], seen, begun, read?.[1] ?? begun, written[0], message[1], message[2]];
    times.push(frame[1], frame[2], frame[3]);
    // The response to the writer may arrive after the notification, and a handler may run within a frame that has begun.
    for (let n = 1; n < times.length; n++) times[n] = Math.max(times[n] ?? 0, times[n - 1] ?? 0);
    found.push(times.slice(1).map((time, n) => time - (times[n] ?? time)));
  }
  return found;
}

/** Prints the mean of each hop and its share of the whole, for all events and for the slowest twentieth. */
export function showHops(found: readonly (readonly number[])[]): void {
  const whole = (one: readonly number[]) => one.reduce((sum, ms) => sum + ms, 0);
  const edge = quantile(found.map(whole), 0.95);
  const slow = found.filter((one) => whole(one) >= edge);
  const all = mean(found.map(whole));
  console.log(
    `  ${'hop'.padEnd(44)} ${'mean'.padEnd(9)} ${'share'.padEnd(7)} ${'p95'.padEnd(9)} mean of the slowest 5 %`,
  );
  for (const [n, name] of hops.entries()) {
    const own = found.map((one) => one[n] ?? 0);
    const ms = (value: number) => `${value.toFixed(1)} ms`.padEnd(9);
    const share = `${((100 * mean(own)) / all).toFixed(0)} %`.padEnd(7);
    console.log(
      `  ${name.padEnd(44)} ${ms(mean(own))} ${share} ${ms(quantile(own, 0.95))} ${ms(mean(slow.map((one) => one[n] ?? 0)))}`,
    );
  }
}
