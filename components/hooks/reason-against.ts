import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { hookChain } from '@/lib/graph/hook-chain';
import { homeAt } from '@/lib/graph/hook-order';

/** Returns why a hook may not become number `to` (from 0) of the hooks that wrap calls, or `undefined` if it may. */
export function reasonAgainst(parsed: ParsedFolder, file: string, id: string, to: number): string | undefined {
  const card = parsed.cards.find((one) => one.file === file);
  const around = card === undefined ? [] : hookChain(card, parsed).filter(({ phase }) => phase === 'around');
  const entry = around.find((one) => one.id === id);
  if (card === undefined || entry === undefined) return undefined;
  const others = around.filter((one) => one !== entry);
  const verdict = homeAt(card, entry, others, to);
  return verdict.ok ? undefined : verdict.reason;
}
