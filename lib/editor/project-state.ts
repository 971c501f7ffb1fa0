import type { StoreApi } from 'zustand/vanilla';
import type { Issue } from '@/lib/base/issue';
import type { Savers } from '@/lib/base/presence';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import type { NodeId, Point } from '@/lib/graph/graph';
import type { Clash } from '@/lib/graph/transfer/merge-slice';
import type { Pasted } from './clipboard';
import type { ParseCode } from './code-check';
import type { EditedDocument, FileChanges } from './document';
import type { Newborn } from './newborn';
import type { Installation, Picture } from './picture';
import type { Points } from './place-nodes';

export interface SavedVersion {
  readonly version: number;
  readonly folder: Folder;
  /** Who saved since the version that was asked about, if that is known. */
  readonly by?: Savers | undefined;
}

export interface SaveOptions {
  /** True if the changes have text or files from elsewhere. The project asks then before it starts them. */
  readonly brought: boolean;
}

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly version: number }
  | { readonly kind: 'conflict'; readonly message: string; readonly theirs: SavedVersion }
  | ({ readonly kind: 'failed' } & SaveFault);

/** Why the last save failed. */
export interface SaveFault {
  readonly message: string;
  /** True if the same request would fail again, so that it waits for a change or for the person. */
  readonly lasting?: boolean;
}

/** Someone else changed files that are changed here too. Nothing is sent until the person has decided. */
export interface SaveConflict {
  /** A sentence that says who saved, and when. */
  readonly message: string;
  /** The folder that both sides began with. */
  readonly base: Folder;
  readonly theirs: SavedVersion;
  /** False once the question was put aside. */
  readonly asking: boolean;
}

/** `run` shows what the selected thing got and gave in the last run. */
export type InspectorTab = 'properties' | 'card' | 'surface' | 'run';
export type DockTab = 'run' | 'problems' | 'files';
/** The panel that a narrow screen shows. `text` is the open file, which covers the others. */
export type NarrowPanel = 'outline' | 'canvas' | 'inspector' | 'dock' | 'text';
/** Where the open file is shown: in the Card tab of the inspector, or in a wide editor beside or over the canvas. */
export type TextView = 'side' | 'wide';

/** Where the text editor should put its cursor. Each request is a new object, so that the same place can be asked for twice. */
export interface TextPlace {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  readonly column: number;
  /** True if the place is only shown, and the focus stays where it is. */
  readonly quiet?: boolean;
}

/** What the node picker lists and where it is. */
export interface Picking {
  readonly what: 'all' | 'function' | 'hook';
  /** The place on the screen where the list opens, and where a new node goes. */
  readonly screen?: Point;
  /** The place on the screen where only the list opens. Without a place, it opens beside the source, or high on the canvas. */
  readonly list?: Point;
  /** The node where a wire to the chosen one begins. */
  readonly source?: NodeId | undefined;
}

/** An agent's name that is being typed in the text of its card. Until it is done, the agent is drawn as it was. */
export interface TypedName {
  readonly file: string;
  /** The name before. */
  readonly from: string;
  /** The text before. */
  readonly good: FolderFile;
}

/** What waits for a person to be pasted: servers or files of it are others in this project. */
export interface Pasting {
  readonly pasted: Pasted;
  readonly clashes: readonly Clash[];
  /** The name of what was dropped. It is shown before anything is added. */
  readonly name?: string;
}

export interface Notice {
  readonly tone: 'info' | 'bad';
  readonly text: string;
}

export interface ProjectState {
  readonly projectId: string;
  /** The draft that the editor shows. */
  readonly draft: string;
  readonly name: string;
  /** What is known about the installation that would execute runs. It changes when somebody stores a key. */
  readonly installation: Installation;
  /** False for people whose role does not change files. It never changes. */
  readonly mayEdit: boolean;
  readonly saved: SavedVersion;
  readonly document: EditedDocument;

  /**
   * The picture is derived from the document and is at most one frame behind it. Problems of words that are being typed follow
   * when the typing pauses.
   */
  readonly picture: Picture;
  readonly points: Points;
  /** Places that a layout worked out and that are not saved. */
  readonly layoutPoints: Points;

  /** The name of an agent that is being typed in its card. */
  readonly typedName: TypedName | undefined;

  /** Nodes that were added and not touched yet. What they lack is a hint. */
  readonly newborn: Newborn;

  readonly selection: readonly NodeId[];
  readonly selectedEdge: string | undefined;
  /**
   * The node that a person goes to: the canvas centres it and draws a halo for a moment, and the outline shows its row. Each
   * request is a new object.
   */
  readonly pointed: { readonly id: NodeId } | undefined;
  readonly openFile: string | undefined;
  readonly goTo: TextPlace | undefined;
  readonly textView: TextView;
  readonly inspectorTab: InspectorTab;
  readonly dockTab: DockTab;
  readonly narrowPanel: NarrowPanel;
  /** A panel that has new content to see. It opens if it is collapsed. Each request is a new object. */
  readonly wanted: { readonly panel: NarrowPanel } | undefined;
  /** The node whose name is being typed on the canvas. */
  readonly renaming: NodeId | undefined;
  /** What the node picker of the canvas lists, while it is open. */
  readonly picking: Picking | undefined;
  /** True while a field takes a text to paste, because the browser does not hand over its clipboard. */
  readonly pasteField: boolean;
  /** The hook whose form the inspector unfolds, by the file of the card. Each request is a new object. */
  readonly shownHook: { readonly file: string; readonly id: string } | undefined;
  /** True once unsaved work of before was looked for in the browser, and is back. */
  readonly isRestored: boolean;
  readonly dirty: boolean;
  readonly saving: boolean;
  /** Counts the edits that brought something from elsewhere and are not saved. */
  readonly brought: number;
  /** What requests without an answer sent. The server may have saved one of them. */
  readonly sent: readonly Folder[];
  /** Set from a failed save until the next one succeeds. */
  readonly saveFault: SaveFault | undefined;
  readonly conflict: SaveConflict | undefined;
  /** Counts how often files on the screen became what others saved. Text that a field holds from before is out of date. */
  readonly adopted: number;
  readonly notice: Notice | undefined;
  readonly pasting: Pasting | undefined;
}

export interface ProjectPorts {
  /** Saves changed files on top of a version. Never throws. */
  save(baseVersion: number, changes: FileChanges, options: SaveOptions): Promise<SaveOutcome>;
  /** Returns milliseconds from any fixed origin. Typing bursts end by this time. */
  now(): number;
  /** Runs `work` once, before the next frame. A newer request replaces one that still waits. */
  nextFrame(work: () => void): void;
  /** Runs `work` once, when nothing has asked for it for a moment. By default it runs before the next frame. */
  afterPause?(work: () => void): void;
  /**
   * Reads the folder in another thread. Resolves to `undefined` when it can be read in time, otherwise to the Issue. Never
   * rejects.
   */
  tryReading(folder: Folder): Promise<Issue | undefined>;
  /** Parses code in another thread. Without it, code has no faults here. */
  readonly parseCode?: ParseCode;
  /** Says for people who do not see the screen what an edit, an undo or a redo has done. */
  announce?(text: string): void;
}

export interface EditOptions {
  readonly label: string;
  /** Edits with the same key in quick succession are one undo step. */
  readonly burst?: string;
  /** True for text or files from elsewhere, which were pasted, dropped or uploaded. */
  readonly brought?: boolean;
}

/** The data with which a project is opened. */
export interface OpenedProject {
  readonly projectId: string;
  readonly draft?: string | undefined;
  readonly name: string;
  readonly saved: SavedVersion;
  readonly layoutPoints: Points;
  readonly installation?: Installation | undefined;
  /** Why the server could not read the saved folder. */
  readonly unreadable?: Issue | undefined;
  /** True by default. */
  readonly mayEdit?: boolean | undefined;
  /** The tab of the dock, and whether a phone shows the dock. A folder that could not be read shows its problem in any case. */
  readonly dock?: { readonly tab: DockTab; readonly isShown: boolean } | undefined;
}

export type StateStore = StoreApi<ProjectState>;
