import { Worker } from 'node:worker_threads';
import { AppError, type AppErrorCode } from '@/lib/base/app-error';
import type { Asker } from './asker';
import { Turns } from './turns';

export interface ThreadPoolOptions {
  /**
   * Returns the thread's script (CommonJS). It sends `{ready: true}`, and answers each `ThreadRequest` with a
   * `ThreadAnswer`.
   */
  code(): Promise<string>;
  readonly name: string;
  /** What jobs read, for sentences. */
  readonly reads: 'folders' | 'imports';
  /** The largest number of threads. A thread is kept for the next job. */
  readonly threads: number;
  /** The time for one job, from the moment its thread gets it. Waiting for a thread and starting one do not count. */
  readonly deadlineMs: number;
  /** The heap of one thread. */
  readonly memoryMb: number;
  /** The number of jobs that may wait for a thread. Further jobs are refused. */
  readonly maxWaiting: number;
  /** The number of jobs of one owner that may wait. */
  readonly maxOfOwner: number;
}

export interface ThreadRequest {
  readonly id: number;
  readonly job: unknown;
}

export type ThreadAnswer =
  | { readonly ready: true }
  | { readonly id: number; readonly value: unknown }
  /** The job threw an AppError. */
  | { readonly id: number; readonly refusal: { readonly code: AppErrorCode; readonly message: string } }
  /** The job had a bug; `fault` is the stack. */
  | { readonly id: number; readonly fault: string };

export type JobOutcome =
  | { readonly ok: true; readonly value: unknown }
  /**
   * The job reached a limit. `place` is the last number that the job wrote into `workerData.place` of its thread, or -1.
   */
  | { readonly ok: false; readonly limit: 'time' | 'memory'; readonly place: number };

export interface ThreadPool {
  /**
   * Runs a job. Owners take turns, and of one owner one job runs at a time. A job for which nobody waits any more is dropped before it
   * begins. Throws AppError `unavailable` when too many jobs wait or it was dropped, `too_many` when too many of its owner wait, the job's
   * own AppError, and Error for a bug of the job.
   */
  run(job: unknown, asker?: Asker): Promise<JobOutcome>;
  /** Starts a thread before there is a job for it. */
  warm(): void;
  /** Ends the threads; jobs under way fail as `unavailable`. */
  close(): Promise<void>;
}

interface Waiting {
  readonly job: unknown;
  readonly owner: string | undefined;
  resolve(outcome: JobOutcome): void;
  reject(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  readonly place: Int32Array;
  active: { readonly id: number; readonly job: Waiting; readonly timer: NodeJS.Timeout } | undefined;
}

/** A start takes a tenth of a second, and longer on a machine under load. */
const startMs = 30_000;

/**
 * Runs jobs on threads of this process, each job for a limited time and in limited memory, so that no job can keep the
 * process from answering:
 *
 *     run ──▶ waiting in turns (bounded) ──▶ idle thread, or a new one ──▶ outcome
 *                                        └─ deadline or memory ──▶ the thread is ended; the next job gets a fresh one
 *
 * A thread does not keep the process alive while it has no job.
 */
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const pool = new Pool(options);
  return { run: (job, asker) => pool.run(job, asker), warm: () => pool.warm(), close: () => pool.close() };
}

class Pool {
  readonly #waiting = new Turns<Waiting>();
  readonly #threads = new Set<Thread>();
  readonly #idle: Thread[] = [];
  #starting = 0;
  #lastId = 0;
  #isClosed = false;

  constructor(private readonly options: ThreadPoolOptions) {}

  run(job: unknown, { owner, signal }: Partial<Asker> = {}): Promise<JobOutcome> {
    if (this.#isClosed || this.#waiting.size >= this.options.maxWaiting) return Promise.reject(this.#busy());
    if (owner !== undefined && this.#waiting.waitingOf(owner) >= this.options.maxOfOwner) {
      return Promise.reject(this.#busyOwner());
    }
    return new Promise((resolve, reject) => {
      const drop = () => {
        if (this.#waiting.remove(waiting)) reject(this.#unwanted());
      };
      const leave = () => signal?.removeEventListener('abort', drop);
      const waiting: Waiting = {
        job,
        owner,
        resolve(outcome) {
          leave();
          resolve(outcome);
        },
        reject(error) {
          leave();
          reject(error);
        },
      };
      if (signal?.aborted) return reject(this.#unwanted());
      signal?.addEventListener('abort', drop);
      this.#waiting.add(waiting);
      this.#serve();
    });
  }

  warm(): void {
    if (!this.#isClosed && this.#threads.size + this.#starting === 0) void this.#start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting.removeAll()) job.reject(this.#busy());
    await Promise.all([...this.#threads].map((thread) => this.#drop(thread, (job) => job.reject(this.#busy()))));
  }

  /** Gives waiting jobs to idle threads, and starts threads for the rest. */
  #serve(): void {
    while (this.#waiting.ready > 0) {
      const thread = this.#idle.pop();
      if (thread === undefined) break;
      const job = this.#waiting.take();
      if (job !== undefined) this.#begin(thread, job);
    }
    const wanted = Math.min(this.#waiting.ready, this.options.threads - this.#threads.size) - this.#starting;
    for (let count = 0; count < wanted; count++) void this.#start();
  }

  async #start(): Promise<void> {
    this.#starting += 1;
    try {
      const thread = await openThread(this.options);
      this.#listen(thread);
      if (this.#isClosed) void thread.worker.terminate();
      else {
        this.#threads.add(thread);
        this.#idle.push(thread);
      }
    } catch (error) {
      // A waiting job fails with the reason. Otherwise it would wait for a thread that never starts.
      const job = this.#waiting.take();
      if (job !== undefined) this.#waiting.ended(job);
      job?.reject(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#starting -= 1;
      if (!this.#isClosed) this.#serve();
    }
  }

  #listen(thread: Thread): void {
    const { worker } = thread;
    worker.on('message', (answer: ThreadAnswer) => this.#receive(thread, answer));
    worker.on('error', (error: Error & { code?: string }) => {
      void this.#drop(thread, (job) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') job.resolve(ended(thread, 'memory'));
        else job.reject(error);
      });
    });
    worker.on('exit', () => {
      void this.#drop(thread, (job) => job.reject(new Error(`The thread ${this.options.name} ended`)));
    });
  }

  #begin(thread: Thread, job: Waiting): void {
    this.#lastId += 1;
    const id = this.#lastId;
    Atomics.store(thread.place, 0, -1);
    const timer = setTimeout(() => {
      void this.#drop(thread, (late) => late.resolve(ended(thread, 'time')));
    }, this.options.deadlineMs);
    thread.active = { id, job, timer };
    thread.worker.ref();
    thread.worker.postMessage({ id, job: job.job } satisfies ThreadRequest);
  }

  #receive(thread: Thread, answer: ThreadAnswer): void {
    const { active } = thread;
    if (active === undefined || 'ready' in answer || answer.id !== active.id) return;
    clearTimeout(active.timer);
    thread.active = undefined;
    this.#waiting.ended(active.job);
    thread.worker.unref();
    this.#idle.push(thread);
    if ('value' in answer) active.job.resolve({ ok: true, value: answer.value });
    else if ('refusal' in answer) active.job.reject(new AppError(answer.refusal.code, answer.refusal.message));
    else active.job.reject(new Error(`A job of the thread ${this.options.name} failed: ${answer.fault}`));
    this.#serve();
  }

  /**
   * Ends a thread and settles its job with `settle`. Does nothing for a thread that was ended before, because the first
   * cause counts.
   */
  async #drop(thread: Thread, settle: (job: Waiting) => void): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    const at = this.#idle.indexOf(thread);
    if (at >= 0) this.#idle.splice(at, 1);
    const { active } = thread;
    thread.active = undefined;
    if (active !== undefined) {
      clearTimeout(active.timer);
      this.#waiting.ended(active.job);
      settle(active.job);
    }
    if (!this.#isClosed) this.#serve();
    await thread.worker.terminate();
  }

  #busy(): AppError {
    const message = `Too many ${this.options.reads} are being read at this moment. Try again in a few seconds.`;
    return new AppError('unavailable', message);
  }

  #busyOwner(): AppError {
    const message = `Too many of your ${this.options.reads} wait to be read. Try again when some have been.`;
    return new AppError('too_many', message, { retryAfter: '10' });
  }

  #unwanted(): AppError {
    return new AppError(
      'unavailable',
      `Nobody waits for one of the ${this.options.reads} any more, so it was not read.`,
    );
  }
}

/** Resolves once the thread says that it is ready. */
async function openThread({ code, name, memoryMb }: ThreadPoolOptions): Promise<Thread> {
  const place = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(await code(), {
    eval: true,
    workerData: { place },
    env: {},
    execArgv: [],
    name,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
  });
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      void worker.terminate();
      reject(new Error(`The thread ${name} did not start within ${startMs} ms`));
    }, startMs);
    worker.once('error', reject);
    worker.once('message', () => {
      clearTimeout(timer);
      worker.off('error', reject);
      resolve();
    });
  });
  worker.unref();
  return { worker, place, active: undefined };
}

function ended(thread: Thread, limit: 'time' | 'memory'): JobOutcome {
  return { ok: false, limit, place: Atomics.load(thread.place, 0) };
}
