import path from 'node:path';
import type { Import } from './read-imports';

/**
 * Finds folders that import each other, directly or through others. Each circle is listed once, with its folders by name.
 * Two folders that import each other are a circle of two. `folderOf` names the folder of a file; by default it is the one
 * that the file is in.
 *
 *   a ─▶ b ─▶ c        circle: b, c
 *        ▲────┘
 */
export function folderCircles(
  imports: readonly Import[],
  folderOf: (file: string) => string = path.dirname,
): string[][] {
  const below = new Map<string, Set<string>>();
  for (const [from, to] of imports) {
    const folder = folderOf(from);
    below.set(folder, (below.get(folder) ?? new Set()).add(folderOf(to)));
  }
  const reached = new Map([...below.keys()].map((folder) => [folder, reachedFrom(folder, below)]));
  const circles = new Map<string, string[]>();
  for (const [folder, others] of reached) {
    const circle = [...others].filter((other) => other !== folder && reached.get(other)?.has(folder));
    if (circle.length === 0) continue;
    const folders = [folder, ...circle].sort();
    circles.set(folders.join(' '), folders);
  }
  return [...circles.values()];
}

function reachedFrom(start: string, below: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of below.get(folder) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}
