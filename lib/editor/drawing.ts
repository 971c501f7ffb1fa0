import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import type { NodeId } from '@/lib/graph/graph';
import { createCodeCheck } from './code-check';
import type { EditedDocument } from './document';
import { followNewborn, type Newborn } from './newborn';
import { drawPicture, type Picture } from './picture';
import { type Points, placeNodes } from './place-nodes';
import type { OpenedProject, ProjectPorts, ProjectState, StateStore } from './project-state';
import { mayReadAtOnce } from './reading-budget';
import { renamedNodes } from './renamed-nodes';
import { sameIds, samePoints } from './same';
import { drawnFolder, markTyped } from './typed-name';
import { typedPicture } from './typed-picture';
import { outdatedPicture, unreadPicture } from './unread-picture';

export interface FirstDrawing extends Pick<ProjectState, 'picture' | 'points'> {
  /** False if the project is too large to be drawn while the page opens, or cannot be read. */
  readonly isDrawn: boolean;
}

/** Returns the picture with which a project is opened. */
export function firstDrawing({
  saved: { folder },
  unreadable,
  installation,
  layoutPoints,
}: OpenedProject): FirstDrawing {
  const isDrawn = unreadable === undefined && mayReadAtOnce(folder, undefined);
  const picture = isDrawn ? drawPicture(folder, undefined, installation) : unreadPicture(folder, unreadable);
  return { picture, points: placeNodes(picture.graph, savedPoints(picture), layoutPoints), isDrawn };
}

/**
 * Redraws the picture when the document changes. Text that may take long to read is first read in another thread. Until that
 * is done, and if it takes too long, the last picture stays.
 */
export function createDrawing(
  store: StateStore,
  opened: OpenedProject,
  isDrawn: boolean,
  ports: Pick<ProjectPorts, 'tryReading' | 'nextFrame' | 'afterPause' | 'parseCode'>,
) {
  /** The last folder that was read in time, if there is one. */
  let readable = isDrawn ? opened.saved.folder : undefined;
  /** The folder that another thread is reading now. */
  let trying: Folder | undefined;
  /** True while the picture shows typed words whose problems have not been looked for. */
  let isQuick = false;

  const code = createCodeCheck(ports.parseCode, () => ports.nextFrame(refresh));

  /** Draws a project that was too large to be drawn while it was opened, and looks at the code of any. */
  function begin() {
    const { document, picture } = store.getState();
    if (readable !== undefined) code.look(document.folder, picture.parsed);
    if (readable === undefined && opened.unreadable === undefined) refresh();
  }

  /** Draws the document as it is now. */
  function refresh() {
    const { document } = store.getState();
    if (readable !== undefined && mayReadAtOnce(document.folder, readable)) draw();
    else if (trying === undefined) void tryThenDraw();
  }

  /**
   * Shows a document as typed. Words of a card are drawn with it, and their problems follow when the typing pauses. Everything
   * else is drawn one frame later, so that a keystroke never waits for it.
   */
  function showTyped(document: EditedDocument, dirty: boolean) {
    const picture = quickPicture(document.folder);
    // One change of the state, because every part of the page looks at each.
    store.setState(picture === undefined ? { document, dirty } : { document, dirty, picture });
    if (picture === undefined) return ports.nextFrame(refresh);
    readable = document.folder;
    isQuick = true;
    const wait = ports.afterPause ?? ports.nextFrame;
    wait(() => (isQuick ? refresh() : undefined));
  }

  function quickPicture(folder: Folder): Picture | undefined {
    const { picture, typedName } = store.getState();
    if (readable === undefined || trying !== undefined || typedName !== undefined) return undefined;
    return mayReadAtOnce(folder, readable) ? typedPicture(folder, readable, picture) : undefined;
  }

  async function tryThenDraw() {
    trying = store.getState().document.folder;
    const tried = trying;
    const isFirst = readable === undefined && opened.unreadable === undefined;
    if (isFirst) store.setState({ notice: isLarge });
    const issue = await ports.tryReading(tried);
    trying = undefined;
    if (isFirst) store.setState({ notice: undefined });
    if (issue === undefined) readable = tried;
    const state = store.getState();
    // The document has changed meanwhile, so the new text is judged again.
    if (state.document.folder !== tried) refresh();
    else if (issue === undefined) draw();
    else store.setState(unreadState(state.picture, tried, issue, readable !== undefined));
  }

  function draw() {
    const state = store.getState();
    readable = state.document.folder;
    isQuick = false;
    const folder = drawnFolder(state);
    const picture = drawPicture(folder, state.picture, state.installation, code.issues(), state.newborn);
    code.look(folder, picture.parsed);
    const next = redrawn(state, markTyped(picture, state.typedName));
    store.setState(next);
    if (isCarried(state.newborn, next.newborn)) draw();
  }

  return { begin, refresh, showTyped };
}

/** True if a new node has another name now. It stays new, but was drawn as an old one. */
function isCarried(before: Newborn, after: Newborn): boolean {
  return [...after.keys()].some((id) => !before.has(id));
}

const isLarge: ProjectState['notice'] = {
  tone: 'info',
  text: 'This project is large: its graph is drawn in a moment.',
};

/** Returns the state after a folder that could not be read in time. `wasRead`: an earlier folder was. */
function unreadState(
  last: Picture,
  tried: Folder,
  issue: Issue,
  wasRead: boolean,
): Pick<ProjectState, 'picture' | 'notice'> {
  const picture = wasRead ? outdatedPicture(last, tried, issue) : unreadPicture(tried, issue);
  return { picture, notice: { tone: 'bad', text: issue.message } };
}

/**
 * Returns the state after a new picture. Renamed nodes keep their place and stay selected. Nodes that are gone are
 * deselected.
 */
function redrawn(
  state: ProjectState,
  picture: Picture,
): Pick<ProjectState, 'picture' | 'points' | 'layoutPoints' | 'selection' | 'selectedEdge' | 'newborn'> {
  const renamed = renamedNodes(state.picture, picture);
  const carried = Object.fromEntries([...renamed].map(([from, to]) => [to, state.points[from] ?? { x: 0, y: 0 }]));
  const known = { ...state.points, ...carried, ...state.layoutPoints };
  const points = placeNodes(picture.graph, savedPoints(picture), known);
  const selection = state.selection.map((id) => renamed.get(id) ?? id).filter((id) => isOnCanvas(picture, id));
  const edgeStays = picture.graph.edges.some((edge) => edge.id === state.selectedEdge);
  return {
    picture,
    points: samePoints(points, state.points) ? state.points : points,
    layoutPoints: { ...points, ...state.layoutPoints },
    selection: sameIds(selection, state.selection) ? state.selection : selection,
    selectedEdge: edgeStays ? state.selectedEdge : undefined,
    newborn: followNewborn(state.newborn, state.document.folder, picture, renamed),
  };
}

function isOnCanvas({ nodes, drawn }: Picture, id: NodeId): boolean {
  const { notes, groups } = drawn.settings.canvas;
  if (nodes.has(id)) return true;
  return notes.some((note) => `note:${note.id}` === id) || groups.some((group) => `group:${group.id}` === id);
}

function savedPoints(picture: Picture): Points {
  return picture.drawn.settings.canvas.positions;
}
