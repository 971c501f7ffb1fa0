import type { Issue } from '@/lib/base/issue';
import { makeIssue } from '@/lib/cards/read/file-report';
import { sameOnDisk } from '@/lib/cards/same-on-disk';

/** Matches device names that Windows reserves, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;
const refusedSigns = /[<>:"|?*]|[^\P{Cc}\u007f-\u009f]/u;

/**
 * Reports files that some disks cannot hold: names that differ only in case or Unicode normalisation (macOS, Windows), and
 * names that Windows rejects. In Callboard each of them is a separate file.
 */
export function checkPaths(paths: Iterable<string>): Issue[] {
  const files = [...paths];
  const byName = new Map<string, string>();
  const issues: Issue[] = [];
  for (const path of files) {
    const other = byName.get(sameOnDisk(path));
    if (other === undefined) byName.set(sameOnDisk(path), path);
    else issues.push(clash(path, other));
    const problem = windowsProblem(path);
    if (problem !== undefined) {
      const text = `Windows does not allow the name '${shown(path)}': ${problem}. Rename it to have the project there.`;
      issues.push(makeIssue('path-not-portable', { file: path, line: 1, column: 1 }, text));
    }
  }
  const folders = new Set<string>();
  for (const path of files) {
    // The loop stops at a folder that was checked already.
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = sameOnDisk(path.slice(0, end));
      if (folders.has(folder)) break;
      folders.add(folder);
      const file = byName.get(folder);
      if (file !== undefined) issues.push(clash(path, file));
    }
  }
  return issues;
}

function clash(path: string, other: string): Issue {
  const text = `'${shown(path)}' and '${shown(other)}' are the same file on disks that ignore case or the form of Unicode (macOS, Windows). Rename one of them.`;
  return makeIssue('path-clash', { file: path, line: 1, column: 1 }, text);
}

/** Adds the code points of characters that have look-alikes, so that similar names can be told apart. */
function shown(path: string): string {
  return path.replace(/[^\x20-\x7e]/g, (char) =>
    /\p{M}|\p{C}/u.test(char) || char.normalize('NFD') !== char
      ? `${char}(U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`
      : char,
  );
}

function windowsProblem(path: string): string | undefined {
  for (const name of path.split('/')) {
    if (deviceName.test(name)) return `'${name}' is the name of a device`;
    if (name.endsWith('.') || name.endsWith(' ')) return `'${name}' ends in a dot or a space`;
    const [sign] = refusedSigns.exec(name) ?? [];
    if (sign !== undefined) return `it has the character ${JSON.stringify(sign)}`;
  }
  return undefined;
}
