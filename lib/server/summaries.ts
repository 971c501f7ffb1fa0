import type { ProjectId } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import { findProject } from '@/lib/store/projects';
import { hasTreeSummary, saveTreeSummary } from '@/lib/store/tree-summaries';
import { readTree } from '@/lib/store/trees';
import type { FolderReader } from './reading/folder-reader';
import { webReader } from './reading/web-reader';
import { systemStore } from './services';

/**
 * Makes summaries of projects for lists, in the background and one project at a time. If a summary fails or the process ends,
 * the next list that shows the project requests it again.
 */
export class SummaryKeeper {
  private readonly wanted = new Set<ProjectId>();
  private working: Promise<void> | undefined;
  /** Projects that were saved a moment ago. */
  private readonly saved = new Map<ProjectId, { readonly cancel: () => void }>();

  constructor(
    private readonly use: <T>(work: (store: Store) => Promise<T>) => Promise<T>,
    private readonly reader: () => Pick<FolderReader, 'summarise'>,
    private readonly later: (work: () => void) => { readonly cancel: () => void } = whenQuiet,
  ) {}

  /**
   * Requests a summary of a saved project. The editor saves each second while somebody types, so the folder is read once, when
   * the saves pause.
   */
  wantWhenQuiet(id: ProjectId): void {
    this.saved.get(id)?.cancel();
    this.saved.set(
      id,
      this.later(() => this.want(id)),
    );
  }

  /** Requests a summary, because a list shows the project without one. */
  want(id: ProjectId): void {
    this.saved.get(id)?.cancel();
    this.saved.delete(id);
    if (this.wanted.size >= mostWanted) return;
    this.wanted.add(id);
    this.working ??= this.work().finally(() => {
      this.working = undefined;
    });
  }

  /** Resolves when all requested summaries have been tried. */
  async settled(): Promise<void> {
    await this.working;
  }

  private async work(): Promise<void> {
    for (const id of this.wanted) {
      this.wanted.delete(id);
      try {
        await this.summarise(id);
      } catch {
        // The project was deleted, or the database or the threads are busy. The next list requests it again.
      }
    }
  }

  private async summarise(id: ProjectId): Promise<void> {
    const unread = await this.use(async (store) => {
      const { treeHash } = await findProject(store, id);
      if (await hasTreeSummary(store, treeHash)) return undefined;
      return { treeHash, folder: await readTree(store.prisma, treeHash) };
    });
    if (unread === undefined) return;
    const read = await this.reader().summarise(unread.folder);
    await this.use((store) => saveTreeSummary(store, unread.treeHash, read));
  }
}

/** The time without a save after which the summary of a project is made. */
const quietMs = 4_000;

function whenQuiet(work: () => void): { readonly cancel: () => void } {
  const timer = setTimeout(work, quietMs);
  // A list requests what is missing, so the process need not wait for it.
  timer.unref();
  return { cancel: () => clearTimeout(timer) };
}

const mostWanted = 2_000;

/** The keeper is kept on `globalThis`, because Next evaluates modules more than once, and there must be one per process. */
const holder: { callboardSummaries?: SummaryKeeper } = globalThis as never;

export function summaryKeeper(): SummaryKeeper {
  holder.callboardSummaries ??= new SummaryKeeper(systemStore, webReader);
  return holder.callboardSummaries;
}
