/** Runs `work` when the browser is idle; where it does not tell (Safari), after `otherwiseMs`. Returns what cancels it. */
export function whenIdle(work: () => void, otherwiseMs = 0): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, otherwiseMs);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work);
  return () => cancelIdleCallback(idle);
}

/** The longest time that work takes at once while the browser is idle, in milliseconds: half a frame. */
const sliceMs = 8;

/** Takes the steps of some long work while the browser is idle, then calls `done` with what they return. Returns what cancels it. */
export function inIdleTime<T>(steps: Iterator<unknown, T>, done: (made: T) => void): () => void {
  let cancel = whenIdle(function work() {
    const until = performance.now() + sliceMs;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return done(step.value);
      if (performance.now() >= until) break;
    }
    cancel = whenIdle(work);
  });
  return () => cancel();
}
