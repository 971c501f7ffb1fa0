import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** `root` and its descendants whose command line matches. */
export function pidsBelow(root: number, mark: RegExp): readonly number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((row) => row !== null)
    .map(([, pid, parent, command]) => ({ pid: Number(pid), parent: Number(parent), command: command ?? '' }));
  const found = new Set([root]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const row of rows) if (found.has(row.parent)) found.add(row.pid);
  }
  return rows.filter((row) => found.has(row.pid) && mark.test(row.command)).map((row) => row.pid);
}

/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10;

/** CPU time that these processes have used, in milliseconds; NaN where there is no /proc. */
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

/** Resident memory of these processes in bytes; NaN where there is no /proc. */
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
