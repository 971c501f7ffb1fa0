/** The limits of one call of a project's code: bytes for memory and files, milliseconds for times. Listed in docs/code.md. */
export interface CodeLimits {
  /** Elapsed time of a call, without the time it waits for `next`. */
  readonly callMs: number;
  /** JavaScript: computing time of the whole call. */
  readonly cpuMs: number;
  /** JavaScript: heap of one call. */
  readonly memoryBytes: number;
  /** JavaScript: stack of one call. */
  readonly stackBytes: number;
  /** Python: address space of a process. */
  readonly pythonMemoryBytes: number;
  /** Python: the most processes that one sandbox process may have at the same time. */
  readonly pythonProcesses: number;
  /** Python: the largest file it may write. */
  readonly pythonFileBytes: number;
  /** A call's result or arguments for `next`, in characters of JSON text. */
  readonly resultLength: number;
  /** The most lines that a call may print, and the most characters of a line. The rest is dropped. */
  readonly logLines: number;
  readonly logLineLength: number;
  /** The most JavaScript and Python calls of a run that work at the same time. A hook that waits for `next` does not count. */
  readonly threads: number;
  readonly processes: number;
  /** The most unfinished hooks of a run at one depth of nesting, for each language. Further hooks wait. */
  readonly hooks: number;
  /** Time for a thread or process to start. */
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
