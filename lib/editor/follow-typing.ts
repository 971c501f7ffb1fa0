import type { StoreApi } from 'zustand/vanilla';
import type { ProjectState, StateStore } from './project-state';

export type ShownState = Pick<StoreApi<ProjectState>, 'getState' | 'getInitialState' | 'subscribe'>;

/**
 * Returns the state of a project for parts of the page that may follow a key later than the canvas, because they take longer
 * to render. What is typed is shown there when `afterPaint` runs its work; every other change is shown at once, with all
 * that was typed before.
 */
export function followTyping(store: StateStore, afterPaint: (work: () => void) => void): ShownState {
  const listeners = new Set<(state: ProjectState, before: ProjectState) => void>();
  let shown = store.getState();
  let isWaiting = false;
  let stop: (() => void) | undefined;

  function show() {
    isWaiting = false;
    const before = shown;
    shown = store.getState();
    if (shown === before) return;
    for (const listener of [...listeners]) listener(shown, before);
  }

  function follow(state: ProjectState, before: ProjectState) {
    if (!isTyped(state, before)) return show();
    if (isWaiting) return;
    isWaiting = true;
    afterPaint(() => {
      if (isWaiting) show();
    });
  }

  return {
    // Without listeners nothing has to wait.
    getState: () => (stop === undefined ? store.getState() : shown),
    getInitialState: store.getInitialState,
    subscribe(listener) {
      if (stop === undefined) {
        shown = store.getState();
        isWaiting = false;
        stop = store.subscribe(follow);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}

/** What an edit of text changes in the state. */
const ofTyping: ReadonlySet<string> = new Set(['document', 'dirty', 'picture']);

/** True if a typed edit has been made, and nothing else has changed. Undo and redo are no typing. */
function isTyped(state: ProjectState, before: ProjectState): boolean {
  const [now, was] = [state.document, before.document];
  const isEdit = now !== was && now.past.length >= was.past.length && now.past.at(-1)?.burst !== undefined;
  const keys = Object.keys(state) as (keyof ProjectState)[];
  return isEdit && keys.every((key) => state[key] === before[key] || ofTyping.has(key));
}
