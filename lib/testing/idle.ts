/**
 * Says when a page is idle: no request, no short timer, no transition and no rendering is under way. Tests load this script into a page before
 * the page's own, and wait for `callboardIdle()` and for nothing else.
 *
 *     fetch ─────────────────┐
 *     code loaded later ─────┤
 *     setTimeout ≤ shortMs ──┼─▶ pending? ── none, and two frames without a change of the document ──▶ idle
 *     transitions ───────────┘
 *
 * Longer timers are not waited for, because they are what a page does while nothing happens: it polls, and it takes messages away. Intervals and
 * event streams last as long as the page and are never pending.
 */

declare global {
  interface Window {
    /** Resolves when the page is idle. Rejects after `limitMs` with what is still pending. */
    callboardIdle?: (limitMs?: number) => Promise<void>;
    /** The browser's own `requestAnimationFrame`, where a test replaces the clock of the page: its frames draw nothing. */
    callboardFrame?: (work: FrameRequestCallback) => number;
    /** Marks code that is loaded later. The build of the stage puts it around each `import()`. */
    callboardLoads?: <T>(code: Promise<T>) => Promise<T>;
    /** Returns what is pending now. */
    callboardPending?: () => readonly string[];
  }
}

export {};

/** A timer of at most this many milliseconds is work that is on its way. Polls of pages are longer. */
const shortMs = 2_000;

const pending = new Map<object, string>();
let changes = 0;

if (window.callboardIdle === undefined) {
  watchRequests();
  watchTimers();
  window.callboardLoads = watchCode;
  new MutationObserver(() => {
    changes += 1;
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  window.callboardPending = () => [...pending.values(), ...runningTransitions()];
  window.callboardIdle = untilIdle;
}

async function untilIdle(limitMs = 10_000): Promise<void> {
  const now = performance.now.bind(performance);
  const end = now() + limitMs;
  for (let quiet = 0; quiet < 2; ) {
    const before = changes;
    await nextFrame();
    quiet = pending.size === 0 && changes === before && runningTransitions().length === 0 ? quiet + 1 : 0;
    if (now() > end)
      throw new Error(`Not idle after ${limitMs} ms: ${window.callboardPending?.().join(', ') || 'it draws'}`);
  }
}

/** Waits for a frame and for the tasks that it queued, in which React renders. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    (window.callboardFrame ?? requestAnimationFrame)(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve();
      channel.port2.postMessage(null);
    });
  });
}

function runningTransitions(): string[] {
  return document
    .getAnimations()
    .filter(
      (each) => each.playState === 'running' && each.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
    )
    .map((each) => `transition ${each.id || each.constructor.name}`);
}

function watchRequests(): void {
  const original = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const mark = {};
    const address = input instanceof Request ? input.url : String(input);
    pending.set(mark, `request ${init?.method ?? 'GET'} ${address}`);
    // The text of an answer is read in the next tasks, which change the document.
    return original(input, init).finally(() => setTimeout(() => pending.delete(mark)));
  };
}

function watchCode<T>(code: Promise<T>): Promise<T> {
  const mark = {};
  pending.set(mark, 'code that is loaded later');
  // What waits for the code draws with it in the next tasks.
  return code.finally(() => setTimeout(() => pending.delete(mark)));
}

function watchTimers(): void {
  const [start, stop] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
  const marks = new Map<number, object>();
  const forget = (id: number) => {
    const mark = marks.get(id);
    if (mark !== undefined) pending.delete(mark);
    marks.delete(id);
  };
  const watched = (work: TimerHandler, ms = 0, ...args: unknown[]): number => {
    if (ms > shortMs || typeof work !== 'function') return start(work, ms, ...args);
    const mark = {};
    const id = start(() => {
      forget(id);
      work(...args);
    }, ms);
    marks.set(id, mark);
    pending.set(mark, `timer of ${ms} ms`);
    return id;
  };
  Object.defineProperty(window, 'setTimeout', { value: watched, configurable: true, writable: true });
  window.clearTimeout = (id) => {
    forget(Number(id));
    stop(id);
  };
}
