import type { Issue } from '@/lib/base/issue';
import type { ImportReport } from '@/lib/cards/import-report';
import type { ProjectCardPage } from '@/lib/client/project-page';
import type { Source } from '@/lib/client/source-files';

/** The content of a folder, before it is imported. */
export interface Found {
  readonly files: number;
  readonly cards: readonly { readonly file: string; readonly name: string; readonly type: string }[];
  readonly issues: readonly Issue[];
  /** `null` for a folder whose reading was stopped. */
  readonly report: ImportReport | null;
}

/** What an import sends: files with their paths, or one zip. */
export type Upload =
  | { readonly kind: 'files'; readonly source: Source<Blob> }
  | { readonly kind: 'zip'; readonly name: string; readonly file: Blob };

/** Changes and reads projects. Each function rejects with an Error whose message users may see. */
export interface ProjectActions {
  /** Returns a page of projects. `text` is part of the name, or empty for all. `after` is the `next` of the page before. */
  readonly list: (query: { readonly text: string; readonly after: string | undefined }) => Promise<ProjectCardPage>;
  readonly check: (
    upload: Upload,
    onProgress: (part: number) => void,
  ) => Promise<Found & { readonly name: string | null }>;
  readonly create: (name: string, upload: Upload | undefined, onProgress: (part: number) => void) => Promise<string>;
  readonly createFromSample: (sample: string, name: string | undefined) => Promise<string>;
  readonly rename: (id: string, name: string) => Promise<void>;
  readonly duplicate: (id: string) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  readonly exportHref: (id: string) => string;
}
