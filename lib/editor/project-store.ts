import { createStore } from 'zustand/vanilla';
import type { Folder } from '@/lib/cards/folder';
import type { NodeId } from '@/lib/graph/graph';
import {
  applyEdit,
  type EditedDocument,
  type FileChanges,
  openDocument,
  redoEdit,
  sameFolder,
  undoEdit,
} from './document';
import type { Draft } from './draft';
import { createDrawing, firstDrawing } from './drawing';
import { followCorrected } from './follow-agent';
import { type History, withHistory } from './history';
import { movesBetween } from './moved-files';
import { type Newborn, untouched } from './newborn';
import type { Installation } from './picture';
import type { Points } from './place-nodes';
import type { EditOptions, OpenedProject, ProjectPorts, ProjectState, StateStore } from './project-state';
import { saveActions } from './save-actions';
import { sessionActions } from './session-actions';
import { typingActions } from './typed-name';

export type ProjectStore = ReturnType<typeof createProjectStore>;

/**
 * The state of one open project: the document (the text, from which all else is derived), what is derived from it, and the
 * session of the person who edits it. Every edit is a change of files; undo and redo swap them back. What a run shows on
 * the canvas is kept elsewhere and never saved.
 */
export function createProjectStore(opened: OpenedProject, ports: ProjectPorts) {
  const { picture, points, isDrawn } = firstDrawing(opened);
  const store: StateStore = createStore<ProjectState>(() => ({ ...openedState(opened), picture, points }));
  const drawing = createDrawing(store, opened, isDrawn, ports);
  const { mayEdit } = store.getState();
  /** Shows a document. `done` says what has changed, unless nothing has. */
  function setDocument(document: EditedDocument, done?: string) {
    const state = store.getState();
    if (document === state.document) return;
    if (done !== undefined) ports.announce?.(done);
    const dirty = !sameFolder(state.saved.folder, document.folder);
    const openFile = followed(state.openFile, state.document.folder, document.folder);
    store.setState({ document, dirty, openFile, notice: undefined, typedName: keptName(state, document) });
    drawing.refresh();
  }

  /** Does the same for typed text, without making a keystroke wait for the whole picture. */
  function setTyped(document: EditedDocument) {
    drawing.showTyped(document, !sameFolder(store.getState().saved.folder, document.folder));
  }

  /** Changes of a person. They do nothing in a project that the person may only read. */
  const own = mayEdit ? { setDocument, setTyped } : { setDocument: nothing, setTyped: nothing };

  const newborn = newbornActions(store, drawing.refresh);
  let bursts = 0;
  const burstOf = (key: string) => ({ key: `${key}#${bursts}`, at: ports.now() });

  const { restoreDraft, ...saving } = saveActions(store, ports, setDocument);
  const actions = {
    ...sessionActions(store, newborn.growTouched),
    ...newborn,
    ...saving,
    ...typingActions(store, ports, { ...own, refresh: drawing.refresh }),
    ...stepActions(store, own.setDocument),
    /** Draws a project that was too large to be drawn while it was opened. Call it once. */
    begin: drawing.begin,
    /** Changes files as one undo step (or within a burst) and redraws. */
    edit(changes: FileChanges, options: EditOptions) {
      const { document, brought } = store.getState();
      const corrected = followCorrected(document, changes);
      const step = { ...options, burst: options.burst ? burstOf(options.burst) : undefined };
      const next = applyEdit(document, corrected?.changes ?? changes, step);
      if (options.brought && next !== document) store.setState({ brought: brought + 1 });
      own.setDocument(next, options.label);
      if (corrected?.said !== undefined) store.setState({ notice: { tone: 'info', text: corrected.said } });
    },
    /** Works like `edit` for typed text, so that a keystroke never waits for the whole picture. */
    type(changes: FileChanges, options: EditOptions) {
      const before = store.getState().document;
      const document = applyEdit(before, changes, { ...options, burst: burstOf(options.burst ?? options.label) });
      if (document !== before) own.setTyped(document);
    },
    /** Ends a typing burst, because the field was left: what is typed next is an undo step of its own. */
    leaveField() {
      bursts += 1;
      newborn.growTouched();
    },
    /** Brings back the steps of undo, and unsaved work, from before the page was left or loaded again. */
    restore(kept: { readonly history?: History | undefined; readonly draft?: Draft | undefined }) {
      store.setState({ isRestored: true });
      if (!mayEdit) return;
      const { document, saved } = store.getState();
      // What was edited before the browser had found them stays on top.
      if (kept.history !== undefined) setDocument(withHistory(document, saved, kept.history, kept.draft));
      if (kept.draft !== undefined) restoreDraft(kept.draft);
    },
    /** Takes what the installation offers now. The problems follow: a model whose key was stored is served. */
    setInstallation(installation: Installation) {
      store.setState({ installation });
      drawing.refresh();
    },
    /** Places that a layout worked out and that are not (yet) saved in callboard.yaml. */
    setLayoutPoints(layoutPoints: Points) {
      store.setState({ layoutPoints });
      drawing.refresh();
    },
  };
  return { store, actions };
}

/** Says which nodes are new. What they lack is a hint. */
function newbornActions(store: StateStore, refresh: () => void) {
  function set(newborn: Newborn) {
    if (newborn === store.getState().newborn) return;
    store.setState({ newborn });
    refresh();
  }
  return {
    /** Says that the agent or server with this id is added next. One that is there already is not new. */
    bear(id: NodeId) {
      const { newborn, picture } = store.getState();
      const { cards, config } = picture.drawn;
      const here = [
        ...cards.map(({ name }) => `agent:${name}`),
        ...Object.keys(config.servers).map((name) => `server:${name}`),
      ];
      if (!here.includes(id)) store.setState({ newborn: new Map(newborn).set(id, undefined) });
    },
    /** Makes what nodes lack whose text is another one than they were added with the problem that it is. */
    growTouched() {
      const { newborn, document, picture } = store.getState();
      set(untouched(newborn, document.folder, picture));
    },
    /** Does the same for all new nodes. */
    growAll() {
      if (store.getState().newborn.size > 0) set(new Map());
    },
  };
}

/** Takes back the last step, or makes it again. */
function stepActions(store: StateStore, setDocument: (document: EditedDocument, done: string) => void) {
  return {
    undo() {
      const { document } = store.getState();
      setDocument(undoEdit(document), `Undone: ${document.past.at(-1)?.label}`);
    },
    redo() {
      const { document } = store.getState();
      setDocument(redoEdit(document), `Redone: ${document.future.at(-1)?.label}`);
    },
  };
}

function nothing(): void {}

/** A change elsewhere, such as one that others saved, does not end the typing of a name. */
function keptName({ typedName, document }: ProjectState, next: EditedDocument): ProjectState['typedName'] {
  const { file } = typedName ?? {};
  return file !== undefined && next.folder.get(file) === document.folder.get(file) ? typedName : undefined;
}

/** Returns the path of the open file after a change. A file that was renamed stays open, also by undo and when somebody else renamed it. */
function followed(openFile: string | undefined, before: Folder, after: Folder): string | undefined {
  if (openFile === undefined || after.has(openFile) || !before.has(openFile)) return openFile;
  return movesBetween(before, after).get(openFile) ?? openFile;
}

/** Returns the state of a project as it is opened: nothing is selected, nothing has changed. */
function openedState(opened: OpenedProject): Omit<ProjectState, 'picture' | 'points'> {
  const { unreadable } = opened;
  return {
    projectId: opened.projectId,
    draft: opened.draft ?? 'main',
    name: opened.name,
    installation: opened.installation ?? {},
    mayEdit: opened.mayEdit ?? true,
    saved: opened.saved,
    document: openDocument(opened.saved.folder),
    layoutPoints: opened.layoutPoints,
    typedName: undefined,
    newborn: new Map(),
    selection: [],
    selectedEdge: undefined,
    pointed: undefined,
    // A folder that cannot be drawn opens with the faulty file, where its text can be repaired.
    openFile: unreadable?.file,
    goTo: undefined,
    textView: 'side',
    inspectorTab: unreadable === undefined ? 'properties' : 'card',
    dockTab: unreadable === undefined ? (opened.dock?.tab ?? 'run') : 'problems',
    narrowPanel: opened.dock?.isShown ? 'dock' : 'canvas',
    wanted: undefined,
    renaming: undefined,
    picking: undefined,
    pasteField: false,
    shownHook: undefined,
    isRestored: false,
    dirty: false,
    saving: false,
    brought: 0,
    sent: [],
    saveFault: undefined,
    conflict: undefined,
    adopted: 0,
    pasting: undefined,
    notice: unreadable && { tone: 'bad', text: unreadable.message },
  };
}
