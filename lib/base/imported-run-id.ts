import { brandAs, type RunId } from '@/lib/base/ids';
import { sha256 } from '@/lib/base/sha256';

/** Returns the id of an imported run. The same trace in the same project is always the same run. */
export function importedRunId(projectId: string, key: string): RunId {
  const hash = sha256(new TextEncoder().encode(`import\n${projectId}\n${key}`));
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return brandAs<RunId>(parts.join('-'));
}
