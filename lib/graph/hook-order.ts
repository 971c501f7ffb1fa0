import type { Card } from '@/lib/cards/card';
import type { ChainEntry, HookOrigin } from './hook-chain';

/**
 * Where an entry of a chain may be written, given its position in the order of the run.
 *
 * The runtime's order is fixed: `run_hooks`, then `agent_hooks`, then the card. So a position between two entries allows the
 * places from that of the outer neighbour to that of the inner one:
 *
 *     run_hooks: a │ agent_hooks: b │ card: c, d        between b and c: agent_hooks or card; between c and d: card only
 *
 * What may change its place: code, between `agent_hooks` and the card, because both wrap the calls of this agent only. A hook
 * without code has no form in a card, and a move into or out of `run_hooks` would change other agents.
 */
const order: readonly HookOrigin[] = ['run', 'agent settings', 'card'];

export interface Home {
  readonly origin: HookOrigin;
  /** The position in the list of that place, counted from 0. */
  readonly index: number;
}

export type HomeVerdict = { readonly ok: true; readonly home: Home } | { readonly ok: false; readonly reason: string };

/** True if code that wraps calls can be written in the card: as an agent, without the mapping of phases. */
export function takesChain(card: Card): boolean {
  return card.type === 'agent' && card.toolHooks.form !== 'phases';
}

/**
 * Returns where an entry is written so that it becomes number `to` (from 0) of the hooks that wrap calls, or the reason why it
 * cannot be. `others` are these hooks without the entry.
 */
export function homeAt(
  card: Card,
  entry: Pick<ChainEntry, 'kind' | 'name' | 'origin'>,
  others: readonly ChainEntry[],
  to: number,
): HomeVerdict {
  const [outer, inner] = [others[to - 1], others[to]];
  const least = outer === undefined ? 0 : order.indexOf(outer.origin);
  const most = inner === undefined ? order.length - 1 : order.indexOf(inner.origin);
  const allowed = order.slice(least, most + 1);
  const [first] = [entry.origin, ...otherHomes(card, entry)].filter((origin) => allowed.includes(origin));
  if (first === undefined) return { ok: false, reason: reasonAgainst(card, entry, allowed) };
  const index = others.slice(0, to).filter(({ origin }) => origin === first).length;
  return { ok: true, home: { origin: first, index } };
}

function otherHomes(card: Card, { kind, origin }: Pick<ChainEntry, 'kind' | 'origin'>): readonly HookOrigin[] {
  if (kind !== 'code' || origin === 'run') return [];
  return takesChain(card) ? ['agent settings', 'card'] : ['agent settings'];
}

function reasonAgainst(
  card: Card,
  { name, origin }: Pick<ChainEntry, 'name' | 'origin'>,
  allowed: readonly HookOrigin[],
): string {
  if (origin === 'run') {
    return `'${name}' is a hook of the run and wraps the calls of every agent, outside of their own hooks. Copy it to '${card.name}' to place it among its hooks.`;
  }
  if (allowed.includes('run')) {
    return `Hooks of the run come first. Choose 'Use everywhere' to let '${name}' wrap the calls of every agent.`;
  }
  return `'${name}' has no code, so it is written in callboard.yaml, which comes before the hooks of the card. Move a hook of the card before '${name}' instead.`;
}
