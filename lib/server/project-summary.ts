import type { ProjectId, RunId, TreeHash } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import type { ProjectRow } from '@/lib/store/projects';
import type { RunState } from '@/lib/store/runs';
import { readTree } from '@/lib/store/trees';

export interface GraphSketch {
  readonly boxes: readonly never[];
  readonly lines: readonly never[];
  readonly width: number;
  readonly height: number;
}

export interface ProjectSummary {
  readonly id: ProjectId;
  readonly name: string;
  readonly updatedAt: Date;
  readonly version: number;
  readonly agentCount: number;
  readonly errorCount: number;
  readonly sketch: GraphSketch;
  readonly lastRun?: { readonly id: RunId; readonly status: RunState; readonly startedAt: Date };
}

type FolderSummary = Pick<ProjectSummary, 'agentCount' | 'errorCount' | 'sketch'>;

/** A tree never changes, so what was read off it holds for ever. */
const remembered = new Map<TreeHash, FolderSummary>();
const maxRemembered = 2_000;

export async function summarise(
  store: Store,
  row: ProjectRow,
  lastRun: ProjectSummary['lastRun'],
): Promise<ProjectSummary> {
  const folder = remembered.get(row.treeHash) ?? (await summariseTree(store, row.treeHash));
  return { id: row.id, name: row.name, updatedAt: row.updatedAt, version: row.version, lastRun, ...folder };
}

async function summariseTree(store: Store, hash: TreeHash): Promise<FolderSummary> {
  const files = [...(await readTree(store.prisma, hash)).keys()];
  const agentCount = files.filter((path) => path.startsWith('agent-cards/') && path.endsWith('.md')).length;
  const summary: FolderSummary = {
    agentCount,
    errorCount: 0,
    sketch: { boxes: [], lines: [], width: 0, height: 0 },
  };
  const [oldest] = remembered.keys();
  if (remembered.size >= maxRemembered && oldest !== undefined) remembered.delete(oldest);
  remembered.set(hash, summary);
  return summary;
}
