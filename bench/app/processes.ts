import { readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10;

/** Returns the CPU time that these processes have used, in milliseconds, or NaN where there is no /proc. */
export function cpuMs(pids: readonly number[]): number {
  try {
    return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * tickMs;
  } catch {
    return Number.NaN;
  }
}

function ticksOf(pid: number): number {
  // The name in parentheses may contain spaces. User and system time are the 12th and 13th field after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** Returns the resident memory of these processes in bytes, or NaN where there is no /proc. */
export function residentBytes(pids: readonly number[]): number {
  try {
    return pids.reduce((sum, pid) => {
      const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      return sum + Number(kilobytes) * 1_024;
    }, 0);
  } catch {
    return Number.NaN;
  }
}
