import { canonicalJson } from '@/lib/base/canonical-json';
import { plainAgent } from '@/lib/cards/agent-view';
import type { Card } from '@/lib/cards/card';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { type ChainEntry, hookChain } from '@/lib/graph/hook-chain';
import { codeKey, type Renames } from './align';

/** One hook on both sides. `around` hooks are in the order of the chain. */
export interface HookStep {
  readonly change: 'kept' | 'added' | 'removed' | 'moved' | 'changed';
  readonly before: ChainEntry | undefined;
  readonly after: ChainEntry | undefined;
  /** A hook that `after` now runs on the other side of. Only for moved hooks. */
  readonly past: ChainEntry | undefined;
}

/** Returns the hooks of `run_hooks`, which wrap the calls of every agent. */
export function runChain(parsed: ParsedFolder): ChainEntry[] {
  const nobody: Card = { ...plainAgent, name: '', file: '', instruction: '', description: undefined };
  return hookChain(nobody, parsed).filter(({ origin }) => origin === 'run');
}

/** Returns the hooks that are an agent's own, in its card or in `agent_hooks`. */
export function ownChain(card: Card | undefined, parsed: ParsedFolder): ChainEntry[] {
  return card === undefined ? [] : hookChain(card, parsed).filter(({ origin }) => origin !== 'run');
}

/**
 * Compares two chains step by step. A hook is the same if it is the same function, or the same kind with the same argument. The fewest
 * hooks count as moved.
 *
 *   before   a b c d
 *   after    b c a e      a moved · d removed · e added
 */
export function hookSteps(
  before: readonly ChainEntry[],
  after: readonly ChainEntry[],
  { functions }: Renames,
): HookStep[] {
  const shared = sharedTexts(before, after);
  const old = keyed(before, functions, shared);
  const now = keyed(after, new Map(), shared);
  const oldPlaces = new Map([...old.keys()].map((key, index) => [key, index]));
  const kept = [...now.keys()].filter((key) => old.has(key));
  const order = kept.map((key) => oldPlaces.get(key) ?? 0);
  const still = new Set(longestRise(order).map((index) => kept[index]));
  const steps = [...now].map(([key, entry]): HookStep => {
    const was = old.get(key);
    if (was === undefined) return { change: 'added', before: undefined, after: entry, past: undefined };
    if (!still.has(key)) {
      const other = kept.find((one) => isFlipped(key, one, oldPlaces, kept));
      return { change: 'moved', before: was, after: entry, past: other === undefined ? undefined : now.get(other) };
    }
    const change = contentOf(was) === contentOf(entry) ? 'kept' : 'changed';
    return { change, before: was, after: entry, past: undefined };
  });
  const gone = [...old].flatMap(([key, entry]): HookStep[] =>
    now.has(key) ? [] : [{ change: 'removed', before: entry, after: undefined, past: undefined }],
  );
  return [...steps, ...gone];
}

/** Returns what both chains have to the letter. Such a hook is the same one, wherever the others of its kind are. */
function sharedTexts(before: readonly ChainEntry[], after: readonly ChainEntry[]): ReadonlySet<string> {
  const old = new Set(before.map(exactText));
  return new Set(after.map(exactText).filter((text) => old.has(text)));
}

function exactText({ kind, parameters }: ChainEntry): string {
  return canonicalJson({ kind, parameters });
}

/** A hook at another phase is another hook. The n-th equal hook has its number. */
function keyed(
  chain: readonly ChainEntry[],
  functions: ReadonlyMap<string, string>,
  shared: ReadonlySet<string>,
): Map<string, ChainEntry> {
  const found = new Map<string, ChainEntry>();
  for (const entry of chain) {
    const { argument, from } = entry.parameters;
    const exact = exactText(entry);
    const alike = shared.has(exact) ? exact : JSON.stringify([entry.kind, argument ?? from ?? null]);
    const what = entry.kind === 'code' ? renamedKey(entry, functions) : alike;
    let key = `${entry.phase} ${what}`;
    for (let n = 2; found.has(key); n += 1) key = `${entry.phase} ${what} #${n}`;
    found.set(key, entry);
  }
  return found;
}

function renamedKey(entry: ChainEntry, functions: ReadonlyMap<string, string>): string {
  const key = codeKey(entry);
  return functions.get(key) ?? key;
}

function contentOf({ parameters, policy, off }: ChainEntry): string {
  return canonicalJson({ parameters, policy, off });
}

/** True if one hook ran before the other, and now runs after it, or the other way about. */
function isFlipped(key: string, other: string, before: ReadonlyMap<string, number>, after: readonly string[]): boolean {
  if (key === other) return false;
  const wasFirst = (before.get(key) ?? 0) < (before.get(other) ?? 0);
  return wasFirst !== after.indexOf(key) < after.indexOf(other);
}

/** Returns the positions of the longest increasing subsequence. */
function longestRise(values: readonly number[]): number[] {
  const best: number[][] = [];
  for (const [index, value] of values.entries()) {
    let before: number[] = [];
    for (const one of best) if ((values[one.at(-1) ?? -1] ?? 0) < value && one.length > before.length) before = one;
    best.push([...before, index]);
  }
  return best.reduce((longest, one) => (one.length > longest.length ? one : longest), []);
}
