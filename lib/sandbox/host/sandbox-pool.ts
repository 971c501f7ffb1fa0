import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import { createCallPermits, type PermitLimits } from './call-permits';
import { type CallControl, PooledSandbox, type SandboxOptions, type SandboxOutcome, stopped } from './pooled-sandbox';
import type { SandboxCall } from './protocol';

export interface SandboxPoolInput extends PermitLimits, SandboxOptions {}

export interface SandboxPool {
  /**
   * Waits for a permit, then runs the call. Does not throw. Settles when the call is done, its time is up or the signal aborts.
   */
  call(call: SandboxCall, control: CallControl): Promise<SandboxOutcome>;
  /** Stops every sandbox; unfinished calls fail as stopped. */
  close(): void;
}

const keptIdle = 8;

/** The number of hooks in code, in any language, that wait for the current call. */
const hookDepth = new AsyncLocalStorage<number>();

/** Runs each call in a sandbox of its own, so that a sandbox that dies ends only one call. */
export function createSandboxPool(input: SandboxPoolInput): SandboxPool {
  const sandboxes = new Set<PooledSandbox>();
  /** The list is used as a stack, so that files that are loaded already are used again. */
  const idle: PooledSandbox[] = [];
  const permits = createCallPermits(input);
  let lastId = 0;
  let isClosed = false;

  return {
    async call(call, control) {
      // Node warns about many listeners, but every unfinished call of a run listens to the signal of the run.
      setMaxListeners(0, control.signal);
      const depth = hookDepth.getStore() ?? 0;
      // A check needs no permit, because files are checked one at a time, by calls that hold none.
      const needsPermit = call.kind !== 'check';
      const permit = needsPermit
        ? await permits.acquire({ isHook: call.kind === 'around', depth }, control.signal)
        : undefined;
      if (control.signal.aborted || isClosed || (needsPermit && permit === undefined)) {
        permit?.release();
        return { ok: false, failure: stopped };
      }
      lastId += 1;
      const id = lastId;
      const inHook = <T>(work: () => T): T => hookDepth.run(depth + 1, work);
      return new Promise((resolve) => (idle.pop() ?? open()).begin({ id, call, control, permit, inHook, resolve }));
    },
    close() {
      isClosed = true;
      permits.close();
      for (const sandbox of [...sandboxes]) sandbox.stop(stopped);
    },
  };

  function open(): PooledSandbox {
    const sandbox = new PooledSandbox(input, {
      free() {
        if (isClosed || idle.length >= keptIdle) return false;
        idle.push(sandbox);
        return true;
      },
      ended() {
        sandboxes.delete(sandbox);
        const at = idle.indexOf(sandbox);
        if (at >= 0) idle.splice(at, 1);
      },
    });
    sandboxes.add(sandbox);
    sandbox.open();
    return sandbox;
  }
}
