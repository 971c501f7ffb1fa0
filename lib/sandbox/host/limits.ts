/** The limits of one call of a project's code: bytes for memory and files, milliseconds for times. Listed in docs/code.md. */
export interface CodeLimits {
  /** Limits the elapsed time of a call, without the time it waits for `next`. */
  readonly callMs: number;
  /** Limits the computing time of a whole JavaScript call. */
  readonly cpuMs: number;
  /** Limits the heap of one JavaScript call. */
  readonly memoryBytes: number;
  /** Limits the stack of one JavaScript call. */
  readonly stackBytes: number;
  /** Limits the address space of a Python process. */
  readonly pythonMemoryBytes: number;
  /** Limits the processes that one Python sandbox process may have at the same time. */
  readonly pythonProcesses: number;
  /** Limits the size of a file that Python writes. */
  readonly pythonFileBytes: number;
  /** Limits a call's result, and its arguments for `next`, in characters of JSON text. */
  readonly resultLength: number;
  /** Limits the lines that a call may print, and the characters of a line. The rest is dropped. */
  readonly logLines: number;
  readonly logLineLength: number;
  /**
   * Limits the calls of a run that work at the same time, for each language. A hook that waits for `next` does not count.
   */
  readonly threads: number;
  readonly processes: number;
  /** Limits the unfinished hooks of a run at one depth of nesting, for each language. Further hooks wait. */
  readonly hooks: number;
  /** Limits the time for a thread or process to start. */
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
