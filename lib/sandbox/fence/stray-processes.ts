import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';

/**
 * A variable in the environment of a process, which its descendants inherit. By this variable, descendants that left the
 * group are found (Linux). Its value is `<pid of the worker>-<random>`.
 */
export type Marker = Readonly<Record<string, string>>;

const variable = 'CALLBOARD_CODE_PROCESS';

export function marker(): Marker {
  return { [variable]: `${process.pid}-${randomUUID()}` };
}

/** Kills every process that has the marker. */
export function killMarked(mark: Marker): void {
  killWhere((value) => value === mark[variable]);
}

/** Kills the processes of workers that were killed and could not clean up. */
export function killAbandoned(): void {
  killWhere((value) => !isAlive(Number(value.split('-')[0])));
}

/** Repeats until none is found, because a process may start another one meanwhile. */
function killWhere(isWanted: (value: string) => boolean): void {
  for (let round = 0; round < 5; round++) {
    let killed = 0;
    for (const pid of processIds()) {
      const value = markOf(pid);
      if (value === undefined || !isWanted(value)) continue;
      try {
        process.kill(pid, 'SIGKILL');
        killed += 1;
      } catch {
        // The process has ended meanwhile.
      }
    }
    if (killed === 0) return;
  }
}

/** Counts the processes in each of these sessions. The result is empty on systems without /proc. */
export function countSessions(sessions: ReadonlySet<number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const pid of processIds()) {
    const session = sessionOf(pid);
    if (session !== undefined && sessions.has(session)) counts.set(session, (counts.get(session) ?? 0) + 1);
  }
  return counts;
}

/** Counts the threads and processes of the current user. */
export function countTasksOfUser(): number {
  const user = process.getuid?.();
  return processIds().reduce((sum, pid) => sum + (ownerOf(pid) === user ? tasksOf(pid) : 0), 0);
}

function ownerOf(pid: number): number | undefined {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
}

function tasksOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).length;
  } catch {
    return 0;
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function markOf(pid: number): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return variables.find((one) => one.startsWith(`${variable}=`))?.slice(variable.length + 1);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns field 6 of /proc/PID/stat. Field 2 is a name in parentheses, which may contain any character. */
function sessionOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[3]);
  } catch {
    return undefined;
  }
}
