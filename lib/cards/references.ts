import type { CodeRef } from './card';
import type { Position } from './line-index';

/** A reference from a card, with its position, for checks between files. */
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

/**
 * Resolves a path that is relative to `fromFile`. Returns `undefined` for a path that is absolute or leaves the project.
 */
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

/** Returns the path of `file` relative to `fromFile`, the inverse of `joinPath`. Both are paths in the project. */
export function relativePath(fromFile: string, file: string): string {
  const from = fromFile.split('/').slice(0, -1);
  const to = file.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}

/** Splits `file.py:function` at the last colon. Returns `undefined` for any other text. */
export function splitCodeSpec(spec: string): { file: string; functionName: string } | undefined {
  const colon = spec.lastIndexOf(':');
  const file = spec.slice(0, colon).trim();
  const functionName = spec.slice(colon + 1).trim();
  return colon < 1 || file === '' || !/^[A-Za-z_$][\w$]*$/.test(functionName) ? undefined : { file, functionName };
}
