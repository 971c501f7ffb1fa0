/** What one call of a project's code may use. Memory and files are in bytes, times in milliseconds. The table in docs/code.md has the same. */
export interface CodeLimits {
  /** Wall time of a call; time spent waiting for `next` does not count. */
  readonly callMs: number;
  /** JavaScript: time spent computing, over the whole call. */
  readonly cpuMs: number;
  /** JavaScript: heap of one call. */
  readonly memoryBytes: number;
  /** JavaScript: stack of one call. */
  readonly stackBytes: number;
  /** Python: address space of a process. */
  readonly pythonMemoryBytes: number;
  /** Python: processes alive at once below one host process. */
  readonly pythonProcesses: number;
  /** Python: the largest file it may write. */
  readonly pythonFileBytes: number;
  /** A call's result or arguments for `next`, in characters of JSON text. */
  readonly resultLength: number;
  /** Lines a call may print before the rest is dropped, and characters of a line. */
  readonly logLines: number;
  readonly logLineLength: number;
  /** JavaScript calls of a run, and Python calls, at work at once. Further ones wait; a hook that waits for `next` does not count. */
  readonly threads: number;
  readonly processes: number;
  /** Hooks of a run, of each language, that may be begun and not ended with equally many hooks round them. Further ones wait. */
  readonly hooks: number;
  /** Until a thread or process answers. */
  readonly startMs: number;
}

export const defaultLimits: CodeLimits = {
  callMs: 60_000,
  cpuMs: 5_000,
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 512 * 1024,
  pythonMemoryBytes: 512 * 1024 * 1024,
  pythonProcesses: 32,
  pythonFileBytes: 64 * 1024 * 1024,
  resultLength: 4_000_000,
  logLines: 200,
  logLineLength: 4_000,
  threads: 16,
  processes: 16,
  hooks: 32,
  startMs: 15_000,
};
