import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** A variable in the environment of a process and of all it starts: those that leave its group are found by it (Linux). */
export type Marker = Readonly<Record<string, string>>;

const variable = 'CALLBOARD_CODE_PROCESS';

export function marker(): Marker {
  return { [variable]: randomUUID() };
}

/** Kills whatever still carries the marker. Looks again while it finds some: one may have just been started. */
export function killMarked(mark: Marker): void {
  const wanted = Buffer.from(`${variable}=${mark[variable]}`);
  for (let round = 0; round < 5; round++) {
    let killed = 0;
    for (const pid of processIds()) {
      if (!environmentOf(pid)?.includes(wanted)) continue;
      try {
        process.kill(pid, 'SIGKILL');
        killed += 1;
      } catch {
        // It ended meanwhile.
      }
    }
    if (killed === 0) return;
  }
}

/** How many processes each of these sessions has. Empty where there is no /proc. */
export function countSessions(sessions: ReadonlySet<number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const pid of processIds()) {
    const session = sessionOf(pid);
    if (session !== undefined && sessions.has(session)) counts.set(session, (counts.get(session) ?? 0) + 1);
  }
  return counts;
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function environmentOf(pid: number): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return undefined;
  }
}

/** Field 6 of /proc/PID/stat; field 2 is a name in parentheses that may hold anything. */
function sessionOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[3]);
  } catch {
    return undefined;
  }
}
