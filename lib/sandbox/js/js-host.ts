import type { Folder } from '@/lib/cards/folder';
import { argumentsProblem } from '@/lib/sandbox/check-arguments';
import type { CodeHost, LoadedCode } from '@/lib/sandbox/code-host';
import { createGuestPool } from '@/lib/sandbox/guest-pool';
import type { CodeLimits } from '@/lib/sandbox/limits';
import { type Bundle, bundleFile } from './bundle';
import { openJsGuest } from './js-guest';
import { hookProblem, readSignature } from './signature';

/**
 * `.ts` and `.js` in QuickJS. Every call has a context of its own: it starts from the file as written, and what it leaves
 * behind is gone with it. A call has a thread to itself until there are more calls at once than threads.
 */
export function createJsHost(folder: Folder, limits: CodeLimits): CodeHost {
  const bundles = new Map<string, Promise<Bundle>>();
  const ready = new Map<string, Bundle & { ok: true }>();
  const pool = createGuestPool({
    open: (events) =>
      openJsGuest(
        events,
        {
          codeOf: (file) => ready.get(file)?.code ?? '',
          placeOf: (file, line, column) => ready.get(file)?.placeOf(line, column),
        },
        limits,
      ),
    maxGuests: limits.threads,
    startMs: limits.startMs,
    callMs: limits.callMs,
    // The thread itself stops at the limit; what it cannot interrupt is stopped from here a moment later.
    busyMs: limits.cpuMs + 1_000,
    noun: 'thread',
  });

  return {
    async load(ref, use, signal): Promise<LoadedCode> {
      const { file, functionName } = ref;
      const bundle = await bundled(file);
      if (!bundle.ok)
        return { ok: false, issue: { code: 'code-syntax', message: bundle.message, place: bundle.place } };
      const reading = readSignature(folder, file, functionName);
      if (!reading.ok && use === 'tool') {
        const { message, line, column } = reading;
        return { ok: false, issue: { code: 'code-signature', message, place: { file, line, column } } };
      }
      if (use !== 'tool') {
        const given = use === 'middleware' ? ['ctx', 'args', 'next'] : ['ctx'];
        const problem = hookProblem(folder, file, functionName, given);
        if (problem !== undefined) {
          const { message, line } = problem;
          return { ok: false, issue: { code: 'code-signature', message, place: { file, line, column: 1 } } };
        }
      }
      const control = { signal, timeoutMs: limits.startMs, log() {} };
      const outcome = await pool.call({ kind: 'check', file, functionName, use }, control);
      if (!outcome.ok) {
        const { message, frames } = outcome.failure;
        const place = frames?.[0] ?? { file, line: reading.ok ? reading.signature.line : 1, column: 1 };
        return { ok: false, issue: { code: 'code-load', message, place } };
      }
      if (!reading.ok || use !== 'tool')
        return { ok: true, description: '', inputSchema: {}, problemOf: () => undefined };
      const { description, inputSchema, names } = reading.signature;
      return {
        ok: true,
        description,
        inputSchema,
        ...(names && { names }),
        problemOf: (args) => argumentsProblem(inputSchema, args),
      };
    },
    async call(call, control) {
      const bundle = await bundled(call.file);
      if (bundle.ok) return pool.call(call, control);
      return { ok: false, failure: { code: 'load', message: bundle.message, frames: [bundle.place] } };
    },
    close: () => pool.close(),
  };

  function bundled(file: string): Promise<Bundle> {
    const known = bundles.get(file);
    if (known !== undefined) return known;
    const made = bundleFile(folder, file).then((bundle) => {
      if (bundle.ok) ready.set(file, bundle);
      return bundle;
    });
    bundles.set(file, made);
    return made;
  }
}
