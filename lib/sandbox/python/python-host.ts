import { isRecord, type Json } from '@/lib/base/json';
import type { Folder } from '@/lib/cards/folder';
import type { CodeHost, LoadedCode } from '@/lib/sandbox/host/code-host';
import type { CodeLimits } from '@/lib/sandbox/host/limits';
import { findInterpreter } from './interpreter';
import { pythonSyntaxFault } from './parse-python';
import { openPythonPool, type PythonPool } from './python-pool';
import type { PythonSetting } from './python-setting';

type Opened =
  | { readonly ok: true; readonly pool: PythonPool }
  | { readonly ok: false; readonly code: 'python-off' | 'python-missing'; readonly message: string };

const off =
  'Python code is off here. An operator turns it on with CALLBOARD_PYTHON=1, or with the path of an interpreter.';

/**
 * Runs `.py` files in python3 processes that work in a copy of the project. Each call has a process of its own while it runs.
 * An idle process is used again, so variables of a module keep their values between calls, but calls at the same time do not
 * share them.
 */
export function createPythonHost(folder: Folder, setting: PythonSetting, limits: CodeLimits): CodeHost {
  let opened: Promise<Opened> | undefined;
  let isClosed = false;

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
      const open = await openOnce();
      if (!open.ok) return { ok: false, issue: { code: open.code, message: open.message } };
      const { file, functionName } = ref;
      const outcome = await open.pool.call(
        { kind: 'check', file, functionName, use },
        { signal, timeoutMs: limits.startMs, log() {} },
      );
      if (outcome.ok) {
        const { description, inputSchema } = objectOf(outcome.value);
        return {
          ok: true,
          description: typeof description === 'string' ? description : '',
          inputSchema: objectOf(inputSchema),
          // The process itself converts arguments to the types of the hints, and reports those that do not fit.
          problemOf: () => undefined,
        };
      }
      const { code, message, frames } = outcome.failure;
      const place = frames?.[0] ?? (code === 'load' ? undefined : { file, line: 1 });
      return { ok: false, issue: { code: 'code-load', message, ...(place && { place }) } };
    },
    async call(call, control) {
      const open = await openOnce();
      if (!open.ok) return { ok: false, failure: { code: 'load', message: open.message } };
      return open.pool.call(call, control);
    },
    async close() {
      isClosed = true;
      const open = await opened;
      if (open?.ok) await open.pool.close();
    },
  };
  return host;

  function openOnce(): Promise<Opened> {
    opened ??= open();
    return opened;
  }

  async function open(): Promise<Opened> {
    if (!setting.enabled || isClosed) return { ok: false, code: 'python-off', message: off };
    const interpreter = await findInterpreter(setting.interpreter);
    if (!interpreter.ok) return { ok: false, code: 'python-missing', message: interpreter.message };
    return {
      ok: true,
      pool: await openPythonPool(folder, { interpreter: interpreter.path, searchPath: setting.searchPath }, limits),
    };
  }
}

function objectOf(value: Json | undefined): { readonly [key: string]: Json } {
  return isObject(value) ? value : {};
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return isRecord(value);
}
