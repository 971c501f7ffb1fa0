import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isRecord, type Json } from '@/lib/base/json';
import type { Folder } from '@/lib/cards/folder';
import type { CodeHost, LoadedCode } from '@/lib/sandbox/code-host';
import { createGuestPool, type GuestPool } from '@/lib/sandbox/guest-pool';
import type { CodeLimits } from '@/lib/sandbox/limits';
import type { PythonSetting } from '@/lib/sandbox/python-setting';
import { fenceProcesses } from '@/lib/sandbox/spawn-fenced';
import { countSessions, killAbandoned } from '@/lib/sandbox/stray-processes';
import { findInterpreter } from './interpreter';
import { pythonSyntaxFault } from './parse-python';
import { openPythonGuest, type PythonGuest } from './python-guest';

type Opened =
  | { readonly ok: true; readonly pool: GuestPool }
  | { readonly ok: false; readonly code: 'python-off' | 'python-missing'; readonly message: string };

const off =
  'Python code is off here. An operator turns it on with CALLBOARD_PYTHON=1, or with the path of an interpreter.';
/** How often processes are counted while a call is under way. */
const countMs = 250;

/**
 * `.py` in python3 processes, which work in a copy of the project. A call has a process to itself. A process that is free is
 * used again, so a module's variables live from call to call, but calls at the same time do not share them.
 */
export function createPythonHost(folder: Folder, setting: PythonSetting, limits: CodeLimits): CodeHost {
  const guests = new Set<PythonGuest>();
  let place: string | undefined;
  let opened: Promise<Opened> | undefined;
  let isClosed = false;
  let underWay = 0;
  let counting: NodeJS.Timeout | undefined;

  const host: CodeHost = {
    async parse({ file }) {
      if (!setting.enabled) return undefined;
      const interpreter = await findInterpreter(setting.interpreter);
      if (!interpreter.ok) return { code: 'python-missing', message: interpreter.message };
      const found = folder.get(file);
      const fault = found?.kind === 'text' ? await pythonSyntaxFault(interpreter.path, file, found.text) : undefined;
      return fault && { code: 'code-syntax', ...fault };
    },
    async load(ref, use, signal): Promise<LoadedCode> {
      const open = await openPool();
      if (!open.ok) return { ok: false, issue: { code: open.code, message: open.message } };
      const { file, functionName } = ref;
      const outcome = await host.call(
        { kind: 'check', file, functionName, use },
        { signal, timeoutMs: limits.startMs, log() {} },
      );
      if (outcome.ok) {
        const { description, inputSchema } = objectOf(outcome.value);
        return {
          ok: true,
          description: typeof description === 'string' ? description : '',
          inputSchema: objectOf(inputSchema),
          // The process converts arguments to the hints' types, and says what does not fit.
          problemOf: () => undefined,
        };
      }
      const { code, message, frames } = outcome.failure;
      const place = frames?.[0] ?? (code === 'load' ? undefined : { file, line: 1 });
      return { ok: false, issue: { code: 'code-load', message, ...(place && { place }) } };
    },
    async call(call, control) {
      const open = await openPool();
      if (!open.ok) return { ok: false, failure: { code: 'load', message: open.message } };
      underWay += 1;
      counting ??= setInterval(stopForkBombs, countMs).unref();
      try {
        return await open.pool.call(call, control);
      } finally {
        underWay -= 1;
        if (underWay === 0) {
          clearInterval(counting);
          counting = undefined;
        }
      }
    },
    async close() {
      isClosed = true;
      const open = await opened;
      if (open?.ok) open.pool.close();
      if (place !== undefined) await rm(place, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  return host;

  function openPool(): Promise<Opened> {
    opened ??= open();
    return opened;
  }

  async function open(): Promise<Opened> {
    if (!setting.enabled || isClosed) return { ok: false, code: 'python-off', message: off };
    const interpreter = await findInterpreter(setting.interpreter);
    if (!interpreter.ok) return { ok: false, code: 'python-missing', message: interpreter.message };
    sweep();
    place = await mkdtemp(path.join(tmpdir(), 'callboard-python-'));
    const root = path.join(place, 'project');
    const home = path.join(place, 'home');
    await mkdir(home, { recursive: true });
    await writeFolder(folder, root);
    const pool = createGuestPool({
      open(events) {
        const guest: PythonGuest = openPythonGuest(
          {
            message: events.message,
            exit(reason) {
              guests.delete(guest);
              events.exit(reason);
            },
          },
          { interpreter: interpreter.path, root, home, limits },
        );
        guests.add(guest);
        return guest;
      },
      maxWorking: limits.processes,
      maxHooks: limits.hooks,
      startMs: limits.startMs,
      callMs: limits.callMs,
      noun: 'Python process',
    });
    return { ok: true, pool };
  }

  function stopForkBombs(): void {
    const byId = new Map(
      [...guests].flatMap((guest) => (guest.pid === undefined ? [] : [[guest.pid, guest] as const])),
    );
    for (const [pid, inSession] of countSessions(new Set(byId.keys()))) {
      const count = inSession - fenceProcesses();
      if (count > limits.pythonProcesses)
        byId.get(pid)?.stop(`it had ${count} processes; the limit is ${limits.pythonProcesses}.`);
    }
  }
}

let isSwept = false;

/** Once in a worker's life, before it starts anything itself. */
function sweep(): void {
  if (isSwept) return;
  isSwept = true;
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

function objectOf(value: Json | undefined): { readonly [key: string]: Json } {
  return isObject(value) ? value : {};
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return isRecord(value);
}
