import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Folder } from '@/lib/cards/folder';
import { fenceProcesses } from '@/lib/sandbox/fence/spawn-fenced';
import { countSessions, killAbandoned } from '@/lib/sandbox/fence/stray-processes';
import type { CodeLimits } from '@/lib/sandbox/host/limits';
import type { CallControl, SandboxOutcome } from '@/lib/sandbox/host/pooled-sandbox';
import type { SandboxCall } from '@/lib/sandbox/host/protocol';
import { createSandboxPool } from '@/lib/sandbox/host/sandbox-pool';
import { openPythonSandbox, type PythonSandbox, type PythonSandboxInput } from './python-sandbox';

/** The Python processes of one run, with their copy of the project's files. */
export interface PythonPool {
  /** Runs a call in a process. Does not throw. */
  call(call: SandboxCall, control: CallControl): Promise<SandboxOutcome>;
  /** Ends the processes and removes the copy. */
  close(): Promise<void>;
}

/** While a call runs, its processes are counted this often. */
const countMs = 250;

/** Writes the copy of the files. Processes start with the first call. */
export async function openPythonPool(
  folder: Folder,
  python: Pick<PythonSandboxInput, 'interpreter' | 'searchPath'>,
  limits: CodeLimits,
): Promise<PythonPool> {
  killLeftOvers();
  const place = await mkdtemp(path.join(tmpdir(), 'callboard-python-'));
  const root = path.join(place, 'project');
  const home = path.join(place, 'home');
  await mkdir(home, { recursive: true });
  await writeFolder(folder, root);
  const sandboxes = new Set<PythonSandbox>();
  let calls = 0;
  let counting: NodeJS.Timeout | undefined;
  const pool = createSandboxPool({
    open(events) {
      const exit = (reason: string) => {
        sandboxes.delete(sandbox);
        events.exit(reason);
      };
      const sandbox: PythonSandbox = openPythonSandbox(
        { message: events.message, exit },
        { ...python, root, home, limits },
      );
      sandboxes.add(sandbox);
      return sandbox;
    },
    maxWorking: limits.processes,
    maxHooks: limits.hooks,
    startMs: limits.startMs,
    callMs: limits.callMs,
    noun: 'Python process',
  });

  return {
    async call(call, control) {
      calls += 1;
      counting ??= setInterval(() => stopForkBombs(sandboxes, limits.pythonProcesses), countMs).unref();
      try {
        return await pool.call(call, control);
      } finally {
        calls -= 1;
        if (calls === 0) {
          clearInterval(counting);
          counting = undefined;
        }
      }
    },
    async close() {
      pool.close();
      await rm(place, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function stopForkBombs(sandboxes: ReadonlySet<PythonSandbox>, most: number): void {
  const byId = new Map([...sandboxes].flatMap((one) => (one.pid === undefined ? [] : [[one.pid, one] as const])));
  for (const [pid, inSession] of countSessions(new Set(byId.keys()))) {
    const count = inSession - fenceProcesses();
    if (count > most) byId.get(pid)?.stop(`it had ${count} processes; the limit is ${most}.`);
  }
}

let hasKilled = false;

/** Kills processes that an earlier worker left running. This happens once per worker, before it starts its own. */
function killLeftOvers(): void {
  if (hasKilled) return;
  hasKilled = true;
  killAbandoned();
}

async function writeFolder(folder: Folder, root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const [name, file] of folder) {
    const target = path.join(root, ...name.split('/'));
    await mkdir(path.dirname(target), { recursive: true });
    if (file.kind === 'stored') throw new Error(`Bug: the bytes of ${name} are not here`);
    await writeFile(target, file.kind === 'text' ? file.text : file.bytes);
  }
}
