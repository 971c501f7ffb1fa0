/** Where somebody is in a project. */
export interface PresencePlace {
  readonly page: 'editor' | 'review';
  /** What is selected: nodes of the graph, or one edge. */
  readonly selected: readonly string[];
  /** The file whose text is open. */
  readonly file?: string | undefined;
  /** The field that is being edited (`editing` in lib/editor/soft-locks.ts). */
  readonly editing?: string | undefined;
  /** True if the field was taken from somebody who was editing it. */
  readonly taken?: boolean | undefined;
}

/** Where a window is. */
export interface Presence {
  readonly window: string;
  readonly draft: string;
  readonly place: PresencePlace;
}

/** A window in which somebody has the project open. */
export interface PresentWindow extends PresencePlace {
  /** Chosen by the window. Windows of different people may have the same. */
  readonly id: string;
  /** Without accounts nobody has a name. */
  readonly name: string | undefined;
  /** True for windows of the person who asks. */
  readonly you: boolean;
  readonly draft: string;
  /** Since when it is at this place, in epoch milliseconds of the server. */
  readonly since: number;
}

/** People who saved a draft since a version. */
export interface Savers {
  /** The names of others. Without accounts nobody has a name. */
  readonly names: readonly string[];
  /** True if the reader did, from another window or program. */
  readonly you: boolean;
}
