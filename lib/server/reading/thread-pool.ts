import { Worker } from 'node:worker_threads';
import { AppError, type AppErrorCode } from '@/lib/base/app-error';

export interface ThreadPoolOptions {
  /** The thread's script (CommonJS); it says `{ready: true}` and answers each `ThreadRequest` with a `ThreadAnswer`. */
  code(): Promise<string>;
  readonly name: string;
  /** Threads at most. Each is kept for the next job. */
  readonly threads: number;
  /** For one job, from when its thread has it. Starting a thread and waiting for one do not count. */
  readonly deadlineMs: number;
  /** Heap of one thread. */
  readonly memoryMb: number;
  /** Jobs that may wait for a thread; more are refused. */
  readonly maxWaiting: number;
}

export interface ThreadRequest {
  readonly id: number;
  readonly job: unknown;
}

export type ThreadAnswer =
  | { readonly ready: true }
  | { readonly id: number; readonly value: unknown }
  /** An AppError. */
  | { readonly id: number; readonly refusal: { readonly code: AppErrorCode; readonly message: string } }
  /** A bug: the stack. */
  | { readonly id: number; readonly fault: string };

export type JobOutcome =
  | { readonly ok: true; readonly value: unknown }
  /** `place` is the number that the job wrote last into its thread's `workerData.place`; -1 when it wrote none. */
  | { readonly ok: false; readonly limit: 'time' | 'memory'; readonly place: number };

export interface ThreadPool {
  /** Throws AppError `unavailable` when too many jobs wait, the job's own AppError, and Error for a bug of the job. */
  run(job: unknown): Promise<JobOutcome>;
  /** Starts a thread before there is a job for it. */
  warm(): void;
  /** Ends the threads; jobs under way fail as `unavailable`. */
  close(): Promise<void>;
}

interface Waiting {
  readonly job: unknown;
  resolve(outcome: JobOutcome): void;
  reject(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  readonly place: Int32Array;
  active: { readonly id: number; readonly job: Waiting; readonly timer: NodeJS.Timeout } | undefined;
}

/** Starting takes a tenth of a second; a machine under load needs more. */
const startMs = 30_000;

/**
 * Runs jobs on threads of this process, each job for a limited time and in limited memory, so that no job can keep the
 * process from answering:
 *
 *     run ──▶ waiting (bounded) ──▶ idle thread, or a new one ──▶ outcome
 *                                        └─ deadline or memory ──▶ the thread is ended; the next job gets a fresh one
 *
 * A thread does not keep the process alive while it has no job.
 */
export function createThreadPool(options: ThreadPoolOptions): ThreadPool {
  const waiting: Waiting[] = [];
  const threads = new Set<Thread>();
  const idle: Thread[] = [];
  let starting = 0;
  let lastId = 0;
  let isClosed = false;

  return {
    run(job) {
      if (isClosed || waiting.length >= options.maxWaiting) return Promise.reject(busy());
      return new Promise((resolve, reject) => {
        waiting.push({ job, resolve, reject });
        serve();
      });
    },
    warm() {
      if (!isClosed && threads.size + starting === 0) void start();
    },
    async close() {
      isClosed = true;
      for (const job of waiting.splice(0)) job.reject(busy());
      await Promise.all([...threads].map((thread) => drop(thread, (job) => job.reject(busy()))));
    },
  };

  function serve(): void {
    while (waiting.length > 0) {
      const thread = idle.pop();
      if (thread === undefined) break;
      const job = waiting.shift();
      if (job !== undefined) begin(thread, job);
    }
    const wanted = Math.min(waiting.length, options.threads - threads.size) - starting;
    for (let count = 0; count < wanted; count++) void start();
  }

  async function start(): Promise<void> {
    starting += 1;
    try {
      const thread = await openThread();
      if (isClosed) void thread.worker.terminate();
      else {
        threads.add(thread);
        idle.push(thread);
      }
    } catch (error) {
      // Nothing else would tell those who wait.
      waiting.shift()?.reject(error instanceof Error ? error : new Error(String(error)));
    } finally {
      starting -= 1;
      if (!isClosed) serve();
    }
  }

  async function openThread(): Promise<Thread> {
    const place = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(await options.code(), {
      eval: true,
      workerData: { place },
      env: {},
      execArgv: [],
      name: options.name,
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb, maxYoungGenerationSizeMb: 32 },
    });
    const thread: Thread = { worker, place, active: undefined };
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        void worker.terminate();
        reject(new Error(`The thread ${options.name} did not start within ${startMs} ms`));
      }, startMs);
      worker.once('error', reject);
      worker.once('message', () => {
        clearTimeout(timer);
        worker.off('error', reject);
        resolve();
      });
    });
    worker.on('message', (answer: ThreadAnswer) => receive(thread, answer));
    worker.on('error', (error: Error & { code?: string }) => {
      void drop(thread, (job) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') job.resolve(ended(thread, 'memory'));
        else job.reject(error);
      });
    });
    worker.on('exit', () => void drop(thread, (job) => job.reject(new Error(`The thread ${options.name} ended`))));
    worker.unref();
    return thread;
  }

  function begin(thread: Thread, job: Waiting): void {
    lastId += 1;
    const id = lastId;
    Atomics.store(thread.place, 0, -1);
    const timer = setTimeout(() => {
      void drop(thread, (late) => late.resolve(ended(thread, 'time')));
    }, options.deadlineMs);
    thread.active = { id, job, timer };
    thread.worker.ref();
    thread.worker.postMessage({ id, job: job.job } satisfies ThreadRequest);
  }

  function receive(thread: Thread, answer: ThreadAnswer): void {
    const { active } = thread;
    if (active === undefined || 'ready' in answer || answer.id !== active.id) return;
    clearTimeout(active.timer);
    thread.active = undefined;
    thread.worker.unref();
    idle.push(thread);
    if ('value' in answer) active.job.resolve({ ok: true, value: answer.value });
    else if ('refusal' in answer) active.job.reject(new AppError(answer.refusal.code, answer.refusal.message));
    else active.job.reject(new Error(`A job of the thread ${options.name} failed: ${answer.fault}`));
    serve();
  }

  /** Ends a thread and answers its job; the first cause counts. */
  async function drop(thread: Thread, answer: (job: Waiting) => void): Promise<void> {
    if (!threads.delete(thread)) return;
    const at = idle.indexOf(thread);
    if (at >= 0) idle.splice(at, 1);
    const { active } = thread;
    thread.active = undefined;
    if (active !== undefined) {
      clearTimeout(active.timer);
      answer(active.job);
    }
    if (!isClosed) serve();
    await thread.worker.terminate();
  }
}

function ended(thread: Thread, limit: 'time' | 'memory'): JobOutcome {
  return { ok: false, limit, place: Atomics.load(thread.place, 0) };
}

function busy(): AppError {
  return new AppError('unavailable', 'Too many folders are being read at this moment. Try again in a few seconds.');
}
