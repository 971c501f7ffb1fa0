import { execFileSync } from 'node:child_process';

export interface ListedProcess {
  readonly pid: number;
  /** The command line of the process. */
  readonly command: string;
}

/** Returns every process below `root`, without `root` itself. The list is empty when there is no such process. */
export function processesBelow(root: number): ListedProcess[] {
  return treeOf(root).filter((one) => one.pid !== root);
}

/** Returns `root` and every process below it. */
export function treeOf(root: number): ListedProcess[] {
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
  return rows.filter((row) => found.has(row.pid)).map(({ pid, command }) => ({ pid, command }));
}
