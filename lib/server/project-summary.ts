import type { ProjectId, RunId, TreeHash } from '@/lib/base/ids';
import { readFolder } from '@/lib/cards/read-folder';
import { projectGraph } from '@/lib/graph/project';
import { type Sketch, sketchGraph } from '@/lib/graph/thumbnail';
import type { Store } from '@/lib/store/database';
import type { ProjectRow } from '@/lib/store/projects';
import type { RunState } from '@/lib/store/runs';
import { readTree } from '@/lib/store/trees';

export interface ProjectSummary {
  readonly id: ProjectId;
  readonly name: string;
  readonly updatedAt: Date;
  readonly version: number;
  readonly agentCount: number;
  readonly errorCount: number;
  readonly sketch: Sketch;
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
  const parsed = readFolder(await readTree(store.prisma, hash));
  const graph = projectGraph(parsed);
  const summary: FolderSummary = {
    agentCount: parsed.cards.length,
    errorCount: parsed.issues.filter((issue) => issue.severity === 'error').length,
    sketch: sketchGraph(graph, parsed.settings.canvas.positions),
  };
  const [oldest] = remembered.keys();
  if (remembered.size >= maxRemembered && oldest !== undefined) remembered.delete(oldest);
  remembered.set(hash, summary);
  return summary;
}
