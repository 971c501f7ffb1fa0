import type { Command } from './command';

/**
 * Something outside the sandbox that a folder can start or call. Users confirm a list of capabilities.
 */
export interface Capability {
  readonly kind: CapabilityKind;
  /** Its name in the folder, such as that of a server, a path, an agent, an address or a variable. */
  readonly name: string;
  /** The command, address or variable as in the folder, without values of headers, variables or queries. */
  readonly detail: string;
  /** Further details, one sentence each. */
  readonly notes: readonly string[];
  /** The file in which it is declared. `line` counts from 1. */
  readonly file: string;
  readonly line: number;
  /**
   * SHA-256 (hex) of everything that decides its effect: the command with arguments, working folder and environment; the
   * address with its headers; the bytes of a file. Its position is not part of it.
   */
  readonly hash: string;
}

/**
 * - `command`: a process with the rights of Callboard's own process.
 * - `file`: a file of the folder that such a process runs or may load.
 * - `python`: a file with Python tools or hooks, or a file that it may import.
 * - `shell`: an agent whose model may run any command.
 * - `host`: an address that is called.
 * - `variable`: an environment variable that a server or a card uses.
 *
 * TypeScript and JavaScript tools and hooks are not listed: their sandbox has no files, network or processes.
 */
export type CapabilityKind = (typeof capabilityKinds)[number];

export const capabilityKinds = ['command', 'file', 'python', 'shell', 'host', 'variable'] as const;

export interface CapabilityList {
  /** Items sorted by kind (in the order above), name, detail and hash. */
  readonly items: readonly Capability[];
  /** SHA-256 (hex) of the items. */
  readonly hash: string;
  /**
   * The models that the folder names, for information only. They are not part of the hash, because models are called with
   * the operator's settings, or at addresses of the folder, which are among the items.
   */
  readonly models: readonly ModelUse[];
  /** What an administrator approves where accounts are on. */
  readonly commands: readonly Command[];
}

export interface ModelUse {
  /** The model string with resolved references. */
  readonly model: string;
  /** The user of the model, such as `agent 'writer'` or `default_model`. */
  readonly usedBy: string;
  readonly file: string;
  readonly line: number;
}

/** The stored part of a confirmed item. */
export type ConfirmedItem = Pick<Capability, 'kind' | 'name' | 'hash'>;

/** True if one confirmation contains every item of the list. An empty list needs no confirmation. */
export function isConfirmed(
  list: Pick<CapabilityList, 'items'>,
  confirmations: readonly (readonly ConfirmedItem[])[],
): boolean {
  if (list.items.length === 0) return true;
  return confirmations.some((items) => {
    const hashes = new Set(items.map(({ hash }) => hash));
    return list.items.every(({ hash }) => hashes.has(hash));
  });
}

/** `changed` means that an item with the same kind and name but another hash was confirmed. */
export type CapabilityChange = 'confirmed' | 'new' | 'changed';

/** Compares an item with the last confirmed list. */
export function changesSince(last: readonly ConfirmedItem[]): (item: Capability) => CapabilityChange {
  const hashes = new Set(last.map(({ hash }) => hash));
  const keyOf = ({ kind, name }: Pick<Capability, 'kind' | 'name'>) => `${kind} ${name}`;
  const names = new Set(last.map(keyOf));
  return (item) => (hashes.has(item.hash) ? 'confirmed' : names.has(keyOf(item)) ? 'changed' : 'new');
}
