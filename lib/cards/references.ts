import type { CodeRef } from './card';
import type { Position } from './yaml/line-index';

/** Something a card names that lives elsewhere. Kept with its place, so that checks between files need no re-reading. */
export type Reference = Position & { readonly field: string } & (
    | { readonly kind: 'agent'; readonly target: string }
    | { readonly kind: 'server'; readonly target: string }
    | { readonly kind: 'model'; readonly target: string }
    | { readonly kind: 'history'; readonly target: string }
    | { readonly kind: 'include'; readonly target: string }
    | { readonly kind: 'skills'; readonly target: string }
    | { readonly kind: 'function'; readonly code: CodeRef }
    | { readonly kind: 'hook'; readonly code: CodeRef }
  );

/** Joins a path written in `fromFile` to its folder; `undefined` when it is absolute or leads out of the project. */
export function joinPath(fromFile: string, relative: string): string | undefined {
  if (/^([/\\~]|[A-Za-z]:[/\\])/.test(relative)) return undefined;
  const parts = fromFile.split('/').slice(0, -1);
  for (const part of relative.replaceAll('\\', '/').split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.length === 0 ? undefined : parts.join('/');
}

/** How `file` is written in `fromFile`: the opposite of `joinPath`. Both are paths in the project. */
export function relativePath(fromFile: string, file: string): string {
  const from = fromFile.split('/').slice(0, -1);
  const to = file.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}
