import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the files that a file imports, directly or through others, and the packages that they import, each with the file that
 * does. Imports of types, and those that are called (`import('…')`) are left out, because neither is loaded with the file.
 */
export function staticImports(start: string): { readonly files: Set<string>; readonly packages: Map<string, string> } {
  const files = new Set([start]);
  const packages = new Map<string, string>();
  // The set grows while it is walked.
  for (const file of files) {
    if (!/\.tsx?$/.test(file)) continue;
    const text = readFileSync(file, 'utf8');
    // A browser has only the addresses of server actions.
    if (file !== start && text.startsWith("'use server'")) continue;
    for (const specifier of specifiersOf(text)) {
      const found = fileOf(specifier, file);
      if (found !== undefined) files.add(found);
      else if (!packages.has(specifier)) packages.set(specifier, file);
    }
  }
  return { files, packages };
}

function specifiersOf(text: string): string[] {
  const imports = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:([^;'"]*?)\s+from\s+)?'([^']+)';/gm);
  return [...imports].flatMap(([, names = '', specifier = '']) => (isOfTypes(names) ? [] : [specifier]));
}

/** True for `{ type A, type B }`. */
function isOfTypes(names: string): boolean {
  const inner = /^\{([^}]*)\}$/s.exec(names.trim())?.[1];
  const each = inner?.split(',').filter((name) => name.trim() !== '') ?? [];
  return each.length > 0 && each.every((name) => name.trim().startsWith('type '));
}

function fileOf(specifier: string, from: string): string | undefined {
  if (!specifier.startsWith('@/') && !specifier.startsWith('.')) return undefined;
  const base = specifier.startsWith('@/') ? specifier.slice(2) : path.join(path.dirname(from), specifier);
  return [base, `${base}.ts`, `${base}.tsx`].find((name) => existsSync(name) && statSync(name).isFile());
}
