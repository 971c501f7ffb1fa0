import type { Issue } from '@/lib/base/issue';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { Folder } from '@/lib/cards/folder';
import { locateEntries } from '@/lib/cards/read/locate';
import type { NodeId } from '@/lib/graph/graph';

/** Returns the node of the server in whose entry each issue of the config is. Other issues are left out. */
export function issuesByServer(
  folder: Folder,
  { file, servers }: FastAgentConfig,
  issues: readonly Issue[],
): ReadonlyMap<Issue, NodeId> {
  if (file === undefined) return new Map();
  const entries = locateEntries(folder, file, ['mcp', 'servers'], Object.keys(servers));
  return new Map(
    issues.flatMap((issue): [Issue, NodeId][] => {
      const entry = entries.find(({ from, to }) => issue.line >= from && issue.line <= to);
      return entry === undefined ? [] : [[issue, `server:${entry.key}`]];
    }),
  );
}
