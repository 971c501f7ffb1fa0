import { changesBetween } from './document';
import { type DraftPlace, type DraftStorage, findDraft, keepDraft, removeDraft } from './draft';
import { type History, type KeptHistory, keptHistory, readHistory } from './history';
import type { ProjectState } from './project-state';
import type { ProjectStore } from './project-store';
import type { EditorServices } from './services';

const keepDelayMs = 250;

/** The browser page around the editor. */
export interface EditorPage {
  readonly storage: DraftStorage;
  /** Keeps steps of undo. It never throws or rejects: without a database the steps last as long as the page. */
  readonly history: HistoryStorage;
  /** Names this window. Resolves to the same id after a reload, and to another one in every other window. */
  openWindow(): Promise<PageWindow>;
  /** Runs `listener` when the page is about to go away. Returns an unsubscribe function. */
  onLeave(listener: () => void): () => void;
  /** Runs `listener` when the page is no longer looked at. Returns an unsubscribe function. */
  onHide(listener: () => void): () => void;
  /** Runs `listener` when the page is looked at again or the network is back. Returns an unsubscribe function. */
  onReturn(listener: () => void): () => void;
  /** Lets the browser ask before the page goes away while `isNeeded` is true. Returns an unsubscribe function. */
  warnBeforeLeaving(isNeeded: () => boolean): () => void;
  /** Connects with other windows of the same browser that show the project. */
  joinOthers(projectId: string, onSaved: () => void): { tellSaved(): void; leave(): void };
}

export interface PageWindow {
  readonly id: string;
  /** True for a window that is open and shows the app. */
  readonly isOpen: (windowId: string) => boolean;
}

export interface HistoryStorage {
  /** Returns what is kept for a project, this window's first, then the newest. */
  read(projectId: string, windowId: string): Promise<readonly unknown[]>;
  write(projectId: string, windowId: string, history: KeptHistory): void;
}

/**
 * Keeps an open project in step with its surroundings until the returned function is called. First it asks for the version
 * that is saved now, because the page may come from the browser's history, or another tab may have saved. Then it looks for
 * steps of undo and a draft of unsaved work in this browser. The version comes first, because both are compared with the
 * version they were made on.
 */
export function keepUp(
  { store, actions }: ProjectStore,
  services: Pick<EditorServices, 'newerThan'>,
  page: EditorPage,
): () => void {
  const { storage } = page;
  const { projectId: id, draft: shown } = store.getState();
  // The work on each draft is kept on its own.
  const projectId = shown === 'main' ? id : `${id}~${shown}`;
  const gone = new AbortController();
  /** The place of this window's draft. Until it is known and a draft from before is restored, none may be kept. */
  let place: DraftPlace | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** True if the browser keeps what is unsaved. */
  let isKept = true;

  async function followSaved() {
    const newer = await services.newerThan(store.getState().saved.version);
    if (newer !== undefined && !gone.signal.aborted) actions.follow(newer);
  }

  async function begin() {
    await followSaved();
    const { id: windowId, isOpen } = await page.openWindow();
    const histories = await page.history.read(projectId, windowId);
    if (gone.signal.aborted) return;
    const draft = findDraft(storage, { projectId, windowId }, isOpen);
    actions.restore({ draft, history: firstOf(histories) });
    place = { projectId, windowId };
    // First, because there may be no room for both.
    if (draft !== undefined && draft.place.windowId !== windowId) removeDraft(storage, draft.place);
    keep();
  }

  function keep() {
    clearTimeout(timer);
    timer = undefined;
    if (place === undefined) return;
    const state = store.getState();
    isKept = keepDraft(storage, place, state.saved, state.document.folder, state.sent);
    if (place.windowId !== undefined) page.history.write(projectId, place.windowId, keptHistory(historyOf(state)));
    if (isKept) return;
    const text = 'The browser has no room for a draft: a reload would lose what is not saved. Save now.';
    if (state.saveFault !== undefined) actions.notify({ tone: 'bad', text });
  }

  const keepNow = () => {
    if (timer !== undefined) keep();
  };

  const others = page.joinOthers(projectId, () => void followSaved());
  void begin();
  const stops = [
    store.subscribe((state, before) => {
      if (state.saved.version > before.saved.version) others.tellSaved();
      if (state.document === before.document && state.saved === before.saved && state.sent === before.sent) return;
      timer ??= setTimeout(keep, keepDelayMs);
    }),
    page.onLeave(keepNow),
    page.onHide(keepNow),
    page.onReturn(() => void followSaved()),
    page.warnBeforeLeaving(() => {
      keepNow();
      return !isKept && store.getState().dirty;
    }),
    others.leave,
  ];
  return () => {
    keepNow();
    gone.abort();
    for (const stop of stops) stop();
  };
}

function historyOf({ saved, document }: ProjectState): History {
  const unsaved = changesBetween(saved.folder, document.folder);
  return { version: saved.version, unsaved, past: document.past, future: document.future };
}

function firstOf(kept: readonly unknown[]): History | undefined {
  for (const one of kept) {
    const history = readHistory(one);
    if (history !== undefined) return history;
  }
  return undefined;
}
