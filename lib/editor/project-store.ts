import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import type { NodeId } from '@/lib/graph/graph';
import {
  applyEdit,
  changesBetween,
  type EditedDocument,
  type FileChanges,
  openDocument,
  redoEdit,
  undoEdit,
} from './document';
import { drawPicture, type Installation, type Picture } from './picture';
import { type Points, placeNodes } from './place-nodes';
import { mayReadAtOnce } from './reading-budget';
import { type Rebased, rebase } from './rebase';
import { outdatedPicture, unreadPicture } from './unread-picture';

export interface SavedVersion {
  readonly version: number;
  readonly folder: Folder;
}

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly version: number }
  | { readonly kind: 'conflict'; readonly message: string; readonly theirs: SavedVersion }
  | { readonly kind: 'failed'; readonly message: string };

/** Someone saved first. The person decides; until then nothing is sent. */
export interface SaveConflict {
  /** Who and when. */
  readonly message: string;
  readonly theirs: SavedVersion;
  /** What "keep mine" would give. */
  readonly rebased: Rebased;
}

export type InspectorTab = 'properties' | 'card' | 'surface';
export type DockTab = 'run' | 'problems' | 'files';
/** The one panel shown where there is no room for all. */
export type NarrowPanel = 'outline' | 'canvas' | 'inspector' | 'dock';

/** Where the text editor should put its cursor. A new object each time, so that asking twice goes twice. */
export interface TextPlace {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
}

export interface Notice {
  readonly tone: 'info' | 'bad';
  readonly text: string;
}

export interface ProjectState {
  readonly projectId: string;
  readonly name: string;
  /** What is known of the installation that runs would use. Never changes. */
  readonly installation: Installation;
  readonly saved: SavedVersion;
  readonly document: EditedDocument;

  /** Derived from the document; at most one frame behind it. */
  readonly picture: Picture;
  readonly points: Points;
  /** Places that came from a layout and are not saved. */
  readonly layoutPoints: Points;

  readonly selection: readonly NodeId[];
  readonly selectedEdge: string | undefined;
  readonly openFile: string | undefined;
  readonly goTo: TextPlace | undefined;
  readonly inspectorTab: InspectorTab;
  readonly dockTab: DockTab;
  readonly narrowPanel: NarrowPanel;
  /** A panel that something was just shown in: if it is collapsed, it opens. A new object each time. */
  readonly wanted: { readonly panel: NarrowPanel } | undefined;
  /** The node whose name is being typed on the canvas. */
  readonly renaming: NodeId | undefined;
  readonly dirty: boolean;
  readonly saving: boolean;
  readonly conflict: SaveConflict | undefined;
  readonly notice: Notice | undefined;
}

export interface ProjectPorts {
  /** Saves changed files on top of a version. Never throws. */
  save(baseVersion: number, changes: FileChanges): Promise<SaveOutcome>;
  /** Milliseconds, any origin: ends typing bursts. */
  now(): number;
  /** Runs once, soon; a newer request replaces a waiting one. */
  nextFrame(work: () => void): void;
  /** Reads the folder away from this thread: undefined when it can be read in time, else the Issue. Never rejects. */
  tryReading(folder: Folder): Promise<Issue | undefined>;
}

export interface EditOptions {
  readonly label: string;
  /** Edits with the same key in quick succession are one undo step. */
  readonly burst?: string;
}

export type ProjectStore = ReturnType<typeof createProjectStore>;

/**
 * The state of one open project: the document (text, the only truth), what is derived from it, and the session around it.
 * Every edit is a change of files; undo and redo swap them back. A run's overlay lives elsewhere and is never saved.
 */
export function createProjectStore(
  opened: {
    readonly projectId: string;
    readonly name: string;
    readonly saved: SavedVersion;
    readonly layoutPoints: Points;
    readonly installation?: Installation | undefined;
    /** Why the server could not read the saved folder. */
    readonly unreadable?: Issue | undefined;
  },
  ports: ProjectPorts,
) {
  const here = opened.installation;
  const { folder } = opened.saved;
  const isDrawn = opened.unreadable === undefined && mayReadAtOnce(folder, undefined);
  const picture = isDrawn ? drawPicture(folder, undefined, here) : unreadPicture(folder, opened.unreadable);
  /** Known to be readable in time; undefined: none is. */
  let readable = isDrawn ? folder : undefined;
  /** The folder that is being tried, away from this thread. */
  let trying: Folder | undefined;
  const store: StoreApi<ProjectState> = createStore<ProjectState>(() => ({
    projectId: opened.projectId,
    name: opened.name,
    installation: here ?? {},
    saved: opened.saved,
    document: openDocument(opened.saved.folder),
    picture,
    points: placeNodes(picture.graph, savedPoints(picture), opened.layoutPoints),
    layoutPoints: opened.layoutPoints,
    selection: [],
    selectedEdge: undefined,
    // What cannot be drawn can be mended in its text.
    openFile: opened.unreadable?.file,
    goTo: undefined,
    inspectorTab: opened.unreadable === undefined ? 'properties' : 'card',
    dockTab: opened.unreadable === undefined ? 'run' : 'problems',
    narrowPanel: 'canvas',
    wanted: undefined,
    renaming: undefined,
    dirty: false,
    saving: false,
    conflict: undefined,
    notice: opened.unreadable && { tone: 'bad', text: opened.unreadable.message },
  }));

  /**
   * Derives now. Commands want the new picture at once; typing waits for the next frame. Text that might take long to read is
   * tried elsewhere first: until then, and where it cannot be read in time, the last picture stays.
   */
  function refresh() {
    const { document } = store.getState();
    if (readable !== undefined && mayReadAtOnce(document.folder, readable)) draw();
    else if (trying === undefined) void tryThenDraw();
  }

  async function tryThenDraw() {
    trying = store.getState().document.folder;
    const tried = trying;
    const isFirst = readable === undefined && opened.unreadable === undefined;
    if (isFirst) store.setState({ notice: { tone: 'info', text: 'This project is large: its picture follows.' } });
    const issue = await ports.tryReading(tried);
    trying = undefined;
    if (isFirst) store.setState({ notice: undefined });
    if (issue === undefined) readable = tried;
    const state = store.getState();
    // What was typed meanwhile is looked at by itself.
    if (state.document.folder !== tried) refresh();
    else if (issue === undefined) draw();
    else {
      const last = readable === undefined ? unreadPicture(tried, issue) : outdatedPicture(state.picture, tried, issue);
      store.setState({ picture: last, notice: { tone: 'bad', text: issue.message } });
    }
  }

  function draw() {
    const state = store.getState();
    readable = state.document.folder;
    const next = drawPicture(state.document.folder, state.picture, here);
    const renamed = renamedNodes(state.picture, next);
    const carried = Object.fromEntries([...renamed].map(([from, to]) => [to, state.points[from] ?? { x: 0, y: 0 }]));
    const points = placeNodes(next.graph, savedPoints(next), { ...state.points, ...carried, ...state.layoutPoints });
    const selection = state.selection.map((id) => renamed.get(id) ?? id).filter((id) => next.nodes.has(id));
    const edgeStays = next.graph.edges.some((edge) => edge.id === state.selectedEdge);
    store.setState({
      picture: next,
      points: samePoints(points, state.points) ? state.points : points,
      layoutPoints: { ...points, ...state.layoutPoints },
      selection: sameIds(selection, state.selection) ? state.selection : selection,
      selectedEdge: edgeStays ? state.selectedEdge : undefined,
    });
  }

  function setDocument(document: EditedDocument) {
    const state = store.getState();
    if (document === state.document) return;
    store.setState({ document, dirty: !sameFolder(state.saved.folder, document.folder), notice: undefined });
    refresh();
  }

  function setSaved(saved: SavedVersion) {
    store.setState({ saved, dirty: !sameFolder(saved.folder, store.getState().document.folder) });
  }

  const actions = {
    /** Draws a project that was too large to be drawn while it was opened. Call it once. */
    begin() {
      if (readable === undefined && opened.unreadable === undefined) refresh();
    },
    /** Changes files as one undo step (or within a burst) and redraws. */
    edit(changes: FileChanges, options: EditOptions) {
      const burst = options.burst === undefined ? undefined : { key: options.burst, at: ports.now() };
      setDocument(applyEdit(store.getState().document, changes, { label: options.label, burst }));
    },
    /** As `edit`, but the picture follows one frame later: a keystroke never waits for it. */
    type(changes: FileChanges, options: EditOptions) {
      const before = store.getState().document;
      const burst = { key: options.burst ?? options.label, at: ports.now() };
      const document = applyEdit(before, changes, { label: options.label, burst });
      if (document === before) return;
      store.setState({ document, dirty: !sameFolder(store.getState().saved.folder, document.folder) });
      ports.nextFrame(refresh);
    },
    undo() {
      setDocument(undoEdit(store.getState().document));
    },
    redo() {
      setDocument(redoEdit(store.getState().document));
    },
    select(ids: readonly NodeId[]) {
      const { selection, selectedEdge, picture: shown } = store.getState();
      if (selectedEdge === undefined && sameIds(ids, selection)) return;
      const only = ids.length === 1 ? shown.nodes.get(ids[0] ?? '') : undefined;
      const file = only?.kind === 'agent' && !only.missing ? only.file : undefined;
      store.setState({ selection: ids, selectedEdge: undefined, ...(file === undefined ? {} : { openFile: file }) });
    },
    selectEdge(edgeId: string | undefined) {
      if (edgeId === store.getState().selectedEdge) return;
      store.setState({ selectedEdge: edgeId, ...(edgeId === undefined ? {} : { selection: [] }) });
    },
    /** Opens a text file in the inspector's editor, and selects the agent it defines. */
    openFile(file: string, place?: { readonly line: number; readonly column: number }) {
      const { picture: shown, selection } = store.getState();
      const card = shown.drawn.cards.find((one) => one.file === file);
      const id = card === undefined ? undefined : `agent:${card.name}`;
      store.setState({
        openFile: file,
        goTo: { file, line: place?.line ?? 1, column: place?.column ?? 1 },
        inspectorTab: 'card',
        narrowPanel: 'inspector',
        wanted: { panel: 'inspector' },
        selection: id === undefined ? [] : selection.includes(id) ? selection : [id],
        selectedEdge: undefined,
      });
    },
    /** Session only: tabs, panels. */
    show(part: Partial<Pick<ProjectState, 'inspectorTab' | 'dockTab' | 'narrowPanel' | 'renaming'>>) {
      store.setState(part.narrowPanel === undefined ? part : { ...part, wanted: { panel: part.narrowPanel } });
    },
    notify(notice: Notice | undefined) {
      store.setState({ notice });
    },
    /** Places that a layout worked out and that are not (yet) saved in callboard.yaml. */
    setLayoutPoints(points: Points) {
      store.setState({ layoutPoints: points });
      refresh();
    },
    /** True when everything is saved at the end of it. */
    async save(): Promise<boolean> {
      const { saved, document, saving } = store.getState();
      if (saving) return false;
      const changes = changesBetween(saved.folder, document.folder);
      if (changes.size === 0) return true;
      store.setState({ saving: true });
      const outcome = await ports.save(saved.version, changes);
      store.setState({ saving: false });
      switch (outcome.kind) {
        case 'saved':
          // What was typed while the request was under way stays unsaved.
          setSaved({ version: outcome.version, folder: document.folder });
          store.setState({ notice: undefined });
          return !store.getState().dirty;
        case 'conflict': {
          const rebased = rebase(saved.folder, store.getState().document.folder, outcome.theirs.folder);
          store.setState({ conflict: { message: outcome.message, theirs: outcome.theirs, rebased } });
          return false;
        }
        case 'failed':
          store.setState({ notice: { tone: 'bad', text: outcome.message } });
          return false;
      }
    },
    /** My changes on top of their version, then saved. */
    async keepMine(): Promise<boolean> {
      const { conflict } = store.getState();
      if (conflict === undefined) return false;
      adopt(conflict.theirs, conflict.rebased.folder, 'Keep my changes');
      return actions.save();
    },
    /** Their version; undo brings mine back. */
    takeTheirs() {
      const { conflict } = store.getState();
      if (conflict !== undefined) adopt(conflict.theirs, conflict.theirs.folder, 'Take their version');
    },
    /** Somebody saved elsewhere: shown at once unless there is unsaved work here, which the next save sorts out. */
    follow(newer: SavedVersion) {
      const { saved, dirty, saving } = store.getState();
      if (dirty || saving || newer.version <= saved.version) return;
      adopt(newer, newer.folder, 'Saved elsewhere');
    },
    /** Unsaved work from before a reload. Made on an older version, it is a conflict to decide at once. */
    restoreDraft(draft: { readonly baseVersion: number; readonly changes: FileChanges }) {
      const { saved, document } = store.getState();
      const restored = applyEdit(document, draft.changes, { label: 'Unsaved changes from before' });
      if (restored === document) return;
      setDocument(restored);
      if (draft.baseVersion === saved.version) {
        store.setState({ notice: { tone: 'info', text: 'Your unsaved changes are back. Undo takes them away.' } });
        return;
      }
      const clashes = [...changesBetween(saved.folder, restored.folder).keys()];
      store.setState({
        conflict: {
          message: 'It was saved after you made the changes that this browser kept for you.',
          theirs: saved,
          rebased: { folder: restored.folder, clashes, taken: [] },
        },
      });
    },
    dismissConflict() {
      store.setState({ conflict: undefined });
    },
  };

  function adopt(theirs: SavedVersion, folder: Folder, label: string) {
    const { document } = store.getState();
    store.setState({ conflict: undefined });
    setSaved(theirs);
    setDocument(applyEdit(document, changesBetween(document.folder, folder), { label }));
  }

  return { store, actions };
}

/**
 * Agents whose card says another name now: they keep their place and stay selected. Where the card's file has another name
 * too, the one that went is the one that came.
 */
function renamedNodes(before: Picture, after: Picture): ReadonlyMap<NodeId, NodeId> {
  const were = agentsByFile(before);
  const are = agentsByFile(after);
  const gone = [...were].filter(([file, id]) => !are.has(file) && !after.nodes.has(id));
  const renamed = new Map<NodeId, NodeId>();
  const come: NodeId[] = [];
  for (const [file, id] of are) {
    if (before.nodes.has(id)) continue;
    const was = were.get(file);
    if (was === undefined) come.push(id);
    else renamed.set(was, id);
  }
  const [went] = gone;
  const [came] = come;
  if (went !== undefined && came !== undefined && gone.length === 1 && come.length === 1) renamed.set(went[1], came);
  const server = renamedServer(Object.keys(before.drawn.config.servers), Object.keys(after.drawn.config.servers));
  if (server !== undefined) renamed.set(`server:${server.from}`, `server:${server.to}`);
  return renamed;
}

/** One name of the config is another one, in the same place. */
function renamedServer(before: readonly string[], after: readonly string[]) {
  if (before.length !== after.length) return undefined;
  const changed = before.flatMap((from, index) => (after[index] === from ? [] : [{ from, to: after[index] ?? from }]));
  return changed.length === 1 ? changed[0] : undefined;
}

function agentsByFile(picture: Picture): ReadonlyMap<string, NodeId> {
  const ids = new Map<string, NodeId>();
  for (const node of picture.graph.nodes) if (node.kind === 'agent' && !node.missing) ids.set(node.file, node.id);
  return ids;
}

function savedPoints(picture: Picture): Points {
  return picture.drawn.settings.canvas.positions;
}

function sameFolder(a: Folder, b: Folder): boolean {
  return a === b || changesBetween(a, b).size === 0;
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

function samePoints(a: Points, b: Points): boolean {
  const ids = Object.keys(a);
  if (ids.length !== Object.keys(b).length) return false;
  return ids.every((id) => a[id]?.x === b[id]?.x && a[id]?.y === b[id]?.y);
}
