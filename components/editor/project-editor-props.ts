import type { ReactNode } from 'react';
import type { Issue } from '@/lib/base/issue';
import type { ProjectAccess } from '@/lib/base/project-access';
import type { Folder } from '@/lib/cards/folder';
import type { TrustState } from '@/lib/client/project-trust';
import type { Installation } from '@/lib/editor/picture';
import type { Points } from '@/lib/editor/place-nodes';
import type { AskedRun } from '@/lib/editor/run-session';
import type { EditorServices } from '@/lib/editor/services';

export interface ProjectEditorProps {
  readonly projectId: string;
  /** The draft that is shown; `main` by default. */
  readonly draft?: string | undefined;
  readonly name: string;
  readonly version: number;
  readonly folder: Folder;
  /** Places that the server worked out for nodes without a saved place. */
  readonly layoutPoints: Points;
  readonly installation?: Installation;
  /** The reason why the server could not read the files in time. They are then shown only as text. */
  readonly unreadable?: Issue | undefined;
  /** The newest run of the project; it may still be running. A message that is too long to offer again is left out. */
  readonly lastRun?: { readonly id: string; readonly message: string | undefined } | undefined;
  /** A run whose values fill the dock's form. */
  readonly again?: AskedRun | undefined;
  /** The trust state of the saved folder; `own` by default. */
  readonly trust?: TrustState;
  /** What the person may do in the project; everything by default. */
  readonly access?: ProjectAccess;
  /** Shown below the top bar, such as the notice of a budget. */
  readonly banner?: ReactNode;
  readonly services: EditorServices;
}
