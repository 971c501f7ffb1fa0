import { type DraftStorage, findDraft, keepDraft } from './draft';
import type { ProjectStore } from './project-store';
import type { EditorServices } from './services';

const keepDelayMs = 250;

/** The browser page around the editor. */
export interface EditorPage {
  readonly storage: DraftStorage;
  /** Runs `listener` when the page is about to go away. Returns an unsubscribe function. */
  onLeave(listener: () => void): () => void;
  /** Runs `listener` when the page is looked at again. Returns an unsubscribe function. */
  onReturn(listener: () => void): () => void;
}

/**
 * Keeps an open project in step with its surroundings until the returned function is called. First it asks for the version
 * that is saved now, because the page may come from the browser's history, or another tab may have saved. Then it looks for
 * a draft of unsaved work in this browser. The version comes first, because a draft is compared with the version it was
 * made on.
 */
export function keepUp(
  { store, actions }: ProjectStore,
  services: Pick<EditorServices, 'newerThan'>,
  page: EditorPage,
): () => void {
  const { storage } = page;
  const gone = new AbortController();
  /** The draft that was found. Until it is restored, no new draft may replace it. */
  let found = findDraft(storage, store.getState().projectId);
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function followSaved() {
    const newer = await services.newerThan(store.getState().saved.version);
    if (newer !== undefined && !gone.signal.aborted) actions.follow(newer);
  }

  async function begin() {
    await followSaved();
    if (gone.signal.aborted) return;
    if (found !== undefined) actions.restoreDraft(found);
    found = undefined;
    if (store.getState().dirty) keep();
  }

  function keep() {
    timer = undefined;
    if (found !== undefined) return;
    const { projectId, saved, document } = store.getState();
    if (keepDraft(storage, projectId, saved, document.folder)) return;
    const text = 'The browser has no room for a draft: a reload would lose what is not saved. Save now.';
    actions.notify({ tone: 'bad', text });
  }

  function keepNow() {
    if (timer === undefined) return;
    clearTimeout(timer);
    keep();
  }

  void begin();
  const unsubscribe = store.subscribe((state, before) => {
    if (state.document.folder === before.document.folder && state.saved === before.saved) return;
    timer ??= setTimeout(keep, keepDelayMs);
  });
  const unsubscribeLeave = page.onLeave(keepNow);
  const unsubscribeReturn = page.onReturn(() => void followSaved());
  return () => {
    keepNow();
    unsubscribe();
    gone.abort();
    unsubscribeLeave();
    unsubscribeReturn();
  };
}
