import { isRecord } from '@/lib/base/json';
import { parseTarget, targetName } from '@/lib/cards/target';

/** The entries of `mcp_connect`, which is a list or a mapping of names. */
export interface Connected {
  /** The key in a mapping, or the index in a list. */
  readonly key: string | number;
  readonly name: string;
}

export function connectionsIn(value: unknown): readonly Connected[] {
  if (Array.isArray(value)) {
    return value.map((entry: unknown, key) => ({ key, name: nameOf(entry) ?? `target ${key + 1}` }));
  }
  return isRecord(value) ? Object.keys(value).map((key) => ({ key, name: key })) : [];
}

function nameOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined;
  if (typeof entry.name === 'string') return entry.name;
  const target = typeof entry.target === 'string' ? parseTarget(entry.target) : undefined;
  return target?.ok ? targetName(target.value) : undefined;
}

export function connectionKeys(value: unknown): readonly (string | number)[] {
  return connectionsIn(value).map(({ key }) => key);
}
