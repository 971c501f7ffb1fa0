import type { EditorPage } from './keep-up';
import type { ProjectState } from './project-state';
import type { ProjectStore } from './project-store';

/** A pause in the edits after which they are saved. */
const quietMs = 1_000;
/** Edits without a pause are saved after this time. */
const longestMs = 5_000;
/** The wait before each retry. The last one repeats. */
const retriesMs = [2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * Saves edits by itself until the returned function is called: after a pause, when the page is hidden or left, and again
 * after a failure, with longer and longer waits. A failure that a retry cannot help waits for the next edit. While a
 * conflict is not decided, nothing is sent.
 */
export function autosave(
  { store, actions }: ProjectStore,
  page: Pick<EditorPage, 'onLeave' | 'onHide' | 'onReturn'>,
  now: () => number,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the first of the edits that wait was made. */
  let waitingSince: number | undefined;
  /** Failures since the last success. */
  let failures = 0;

  function isDue(): boolean {
    const { dirty, conflict } = store.getState();
    return dirty && conflict === undefined;
  }

  function saveIn(ms: number) {
    clearTimeout(timer);
    timer = setTimeout(saveNow, ms);
  }

  function stopWaiting() {
    clearTimeout(timer);
    timer = undefined;
    waitingSince = undefined;
  }

  function saveNow() {
    stopWaiting();
    if (isDue()) void actions.save();
  }

  function saveSoon() {
    const at = now();
    waitingSince ??= at;
    saveIn(Math.min(quietMs, Math.max(0, waitingSince + longestMs - at)));
  }

  function onChange({ document, saving, saveFault }: ProjectState, before: ProjectState) {
    const isEdited = document.folder !== before.document.folder;
    if (saveFault === undefined) failures = 0;
    if (!isDue()) return stopWaiting();
    if (saving) return;
    if (saveFault === undefined || saveFault.lasting) {
      if (isEdited || (saveFault === undefined && timer === undefined)) saveSoon();
      return;
    }
    if (before.saving) failures++;
    if (timer === undefined) saveIn(retriesMs[Math.min(failures, retriesMs.length) - 1] ?? quietMs);
  }

  const stops = [
    store.subscribe(onChange),
    page.onHide(saveNow),
    page.onLeave(saveNow),
    page.onReturn(() => {
      if (!store.getState().saveFault?.lasting) saveNow();
    }),
  ];
  return () => {
    saveNow();
    for (const stop of stops) stop();
  };
}
