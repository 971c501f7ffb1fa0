/**
 * Something outside a run's own sandbox that a folder can start or call. What a person confirms, and what an administrator
 * may approve, is a list of these.
 */
export interface Capability {
  readonly kind: CapabilityKind;
  /** What it is called in the folder: a server, a path, an agent, an address, a variable. */
  readonly name: string;
  /** What is started, called or read, as the folder writes it. No value of a header, a variable or a query. */
  readonly detail: string;
  /** More of it, a plain sentence each. */
  readonly notes: readonly string[];
  /** Where it is declared: the path of a file in the folder, and a line from 1. */
  readonly file: string;
  readonly line: number;
  /**
   * SHA-256 (hex) of all that decides what happens: the command with arguments, working folder and values of its
   * environment; the address with its headers; the bytes of a file. Not of the place where it is written.
   */
  readonly hash: string;
}

/**
 * - `command`: a process, started with the rights of Callboard's own.
 * - `file`: a file of the folder that such a process runs or may load.
 * - `python`: a file that runs in a Python process as a tool or hook, or that such a file may import.
 * - `shell`: an agent whose model may run any command.
 * - `host`: an address that is called.
 * - `variable`: a variable of the environment whose value a server or a card asks for.
 *
 * TypeScript and JavaScript tools and hooks run in a sandbox without files, network and processes. They are not listed.
 */
export type CapabilityKind = (typeof capabilityKinds)[number];

export const capabilityKinds = ['command', 'file', 'python', 'shell', 'host', 'variable'] as const;

export interface CapabilityList {
  /** Sorted by kind (in the order above), name, detail, hash. */
  readonly items: readonly Capability[];
  /** SHA-256 (hex) of exactly those items. */
  readonly hash: string;
  /**
   * Models that the folder names. For information: addresses that the folder names for models are hosts among the items. Models
   * are asked there, or with the operator's own settings, so they are not part of the hash.
   */
  readonly models: readonly ModelUse[];
}

export interface ModelUse {
  /** As called, references followed. */
  readonly model: string;
  /** What asks for it, such as `agent 'writer'` or `default_model`. */
  readonly usedBy: string;
  readonly file: string;
  readonly line: number;
}

/** What is kept of an item that was confirmed. */
export type ConfirmedItem = Pick<Capability, 'kind' | 'name' | 'hash'>;

/** True if one confirmation has every item of the list. An empty list needs none. */
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

/** `changed` has the kind and name of an item that was confirmed, and another content. */
export type CapabilityChange = 'confirmed' | 'new' | 'changed';

/** What an item is to the last list that was confirmed. */
export function changesSince(last: readonly ConfirmedItem[]): (item: Capability) => CapabilityChange {
  const hashes = new Set(last.map(({ hash }) => hash));
  const keyOf = ({ kind, name }: Pick<Capability, 'kind' | 'name'>) => `${kind} ${name}`;
  const names = new Set(last.map(keyOf));
  return (item) => (hashes.has(item.hash) ? 'confirmed' : names.has(keyOf(item)) ? 'changed' : 'new');
}
