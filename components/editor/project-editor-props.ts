import type { Issue } from '@/lib/base/issue';
import type { Folder } from '@/lib/cards/folder';
import type { TrustState } from '@/lib/client/project-trust';
import type { Installation } from '@/lib/editor/picture';
import type { Points } from '@/lib/editor/place-nodes';
import type { AskedRun } from '@/lib/editor/run-session';
import type { EditorServices } from '@/lib/editor/services';

export interface ProjectEditorProps {
  readonly projectId: string;
  readonly name: string;
  readonly version: number;
  readonly folder: Folder;
  /** Places worked out by the server for nodes that have none saved. */
  readonly layoutPoints: Points;
  readonly installation?: Installation;
  /** Why the server could not read the files in time: they are shown as text alone. */
  readonly unreadable?: Issue | undefined;
  /** The newest run of the project; it may still be running. A message that is too long to offer again is left out. */
  readonly lastRun?: { readonly id: string; readonly message: string | undefined } | undefined;
  /** A run to fill the dock's form with. */
  readonly again?: AskedRun | undefined;
  /** What the server says of the folder as it is saved. Default `own`. */
  readonly trust?: TrustState;
  readonly services: EditorServices;
}
