import type { Issue } from '@/lib/base/issue';
import type { FastAgentConfig } from '@/lib/cards/config';
import type { Folder } from '@/lib/cards/folder';
import { locateField, locateKey } from '@/lib/cards/read/locate';
import type { NodeId } from '@/lib/graph/graph';

/** Returns the node of the server in whose entry each issue of the config is. Other issues are left out. */
export function issuesByServer(
  folder: Folder,
  { file, servers }: FastAgentConfig,
  issues: readonly Issue[],
): ReadonlyMap<Issue, NodeId> {
  if (file === undefined) return new Map();
  const entries = Object.keys(servers).flatMap((name) => {
    const path = ['mcp', 'servers', name];
    const key = locateKey(folder, file, path);
    const value = locateField(folder, file, path);
    if (key === undefined || value === undefined) return [];
    // A block ends at the start of the line below it.
    return [{ name, from: key.line, to: value.endColumn === 1 ? value.endLine - 1 : value.endLine }];
  });
  return new Map(
    issues.flatMap((issue): [Issue, NodeId][] => {
      const entry = entries.find(({ from, to }) => issue.line >= from && issue.line <= to);
      return entry === undefined ? [] : [[issue, `server:${entry.name}`]];
    }),
  );
}
