/** A semaphore for calls. It also limits hooks by their depth of nesting. */
export interface CallPermits {
  /** Resolves when the call may begin, or with `undefined` when the signal aborts or `close` is called first. */
  acquire(call: PermitRequest, signal: AbortSignal): Promise<CallPermit | undefined>;
  close(): void;
}

export interface PermitRequest {
  /** True for a hook, which may wait for its `next`. */
  readonly isHook: boolean;
  /** The number of hooks in code that wait for this call. */
  readonly depth: number;
}

export interface CallPermit {
  /** Called when the hook waits for its `next`, so that another call may work. */
  suspend(): void;
  /** Called when `next` has answered. The hook continues without waiting. */
  resume(): void;
  /** Further calls of `release` do nothing. */
  release(): void;
}

export interface PermitLimits {
  /** At most this many calls work at the same time. A hook that waits for its `next` does not work. */
  readonly maxWorking: number;
  /** At most this many hooks of one depth are unfinished. */
  readonly maxHooks: number;
}

interface Waiting extends PermitRequest {
  begin(permit: CallPermit | undefined): void;
}

/**
 * Calls cannot deadlock. A working call ends, or reaches its `next`, within its limits. A hook that waits for its `next`
 * waits for deeper calls only. Each depth has its own limit on hooks, so shallow hooks never block deeper ones, and the
 * deepest calls wait for no other. Deeper calls go first, so that calls which have begun can end.
 *
 *   depth 0   hook ●●●●○○○   ● begun, at most `maxHooks`   ○ waits for a permit
 *   depth 1     hook ●●●●
 *   depth 2       tool ●●○○   ● working, at most `maxWorking`
 */
export function createCallPermits({ maxWorking, maxHooks }: PermitLimits): CallPermits {
  const waiting: Waiting[] = [];
  const hooks = new Map<number, number>();
  let working = 0;

  return {
    acquire(call, signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      if (working < maxWorking && hasRoom(call)) return Promise.resolve(take(call));
      return new Promise((resolve) => {
        const one: Waiting = {
          ...call,
          begin(permit) {
            signal.removeEventListener('abort', onAbort);
            resolve(permit);
          },
        };
        const onAbort = () => {
          waiting.splice(waiting.indexOf(one), 1);
          resolve(undefined);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        const at = waiting.findIndex(({ depth }) => depth < call.depth);
        waiting.splice(at < 0 ? waiting.length : at, 0, one);
      });
    },
    close() {
      for (const one of waiting.splice(0)) one.begin(undefined);
    },
  };

  function hasRoom({ isHook, depth }: PermitRequest): boolean {
    return !isHook || (hooks.get(depth) ?? 0) < maxHooks;
  }

  function take({ isHook, depth }: PermitRequest): CallPermit {
    let isWorking = true;
    let isOver = false;
    working += 1;
    if (isHook) hooks.set(depth, (hooks.get(depth) ?? 0) + 1);
    const setWorking = (wanted: boolean) => {
      if (isWorking === wanted) return;
      isWorking = wanted;
      working += wanted ? 1 : -1;
    };
    return {
      suspend() {
        if (isOver) return;
        setWorking(false);
        serve();
      },
      resume() {
        if (!isOver) setWorking(true);
      },
      release() {
        if (isOver) return;
        isOver = true;
        setWorking(false);
        if (isHook) hooks.set(depth, (hooks.get(depth) ?? 0) - 1);
        serve();
      },
    };
  }

  function serve(): void {
    while (working < maxWorking) {
      const at = waiting.findIndex(hasRoom);
      const [one] = at < 0 ? [] : waiting.splice(at, 1);
      if (one === undefined) return;
      one.begin(take(one));
    }
  }
}
