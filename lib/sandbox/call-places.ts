/** Who may begin when not all calls may run at once. */
export interface CallPlaces {
  /** Resolves when the call may begin; with undefined when the signal aborts, or all is closed, before that. */
  enter(call: PlacedCall, signal: AbortSignal): Promise<CallPlace | undefined>;
  close(): void;
}

export interface PlacedCall {
  /** May wait for its `next`. */
  readonly isHook: boolean;
  /** How many hooks in code wait for it. */
  readonly depth: number;
}

export interface CallPlace {
  /** It waits for its `next`, and so lets another one work. */
  rest(): void;
  /** `next` has answered: it works on at once. */
  resume(): void;
  /** Only the first time counts. */
  leave(): void;
}

export interface PlaceLimits {
  /** Calls at work at once. A hook that waits for its `next` is not at work. */
  readonly maxWorking: number;
  /** Hooks begun and not ended at one depth. */
  readonly maxHooks: number;
}

interface Waiting extends PlacedCall {
  begin(place: CallPlace | undefined): void;
}

/**
 * Nobody waits in a ring. A call at work ends, or comes to its `next`, within its limits. A hook that waits for its `next`
 * waits for calls that are deeper than it, and these have room of their own, because each depth is counted by itself; the
 * deepest wait for nobody. Deeper calls go first, so that what has begun ends.
 *
 *   depth 0   hook ●●●●○○○   ● begun, at most `maxHooks`   ○ waiting
 *   depth 1     hook ●●●●
 *   depth 2       tool ●●○○   at work, at most `maxWorking`
 */
export function createCallPlaces({ maxWorking, maxHooks }: PlaceLimits): CallPlaces {
  const waiting: Waiting[] = [];
  const hooks = new Map<number, number>();
  let working = 0;

  return {
    enter(call, signal) {
      if (signal.aborted) return Promise.resolve(undefined);
      if (working < maxWorking && hasRoom(call)) return Promise.resolve(take(call));
      return new Promise((resolve) => {
        const one: Waiting = {
          ...call,
          begin(place) {
            signal.removeEventListener('abort', onAbort);
            resolve(place);
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

  function hasRoom({ isHook, depth }: PlacedCall): boolean {
    return !isHook || (hooks.get(depth) ?? 0) < maxHooks;
  }

  function take({ isHook, depth }: PlacedCall): CallPlace {
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
      rest() {
        if (isOver) return;
        setWorking(false);
        serve();
      },
      resume() {
        if (!isOver) setWorking(true);
      },
      leave() {
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
