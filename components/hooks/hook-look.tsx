import { PowerOff, SlidersHorizontal } from 'lucide-react';
import type { ChainEntry } from '@/lib/graph/hook-chain';
import { originWords, phaseWords } from '@/lib/graph/hook-words';

/** Shows the language of a hook, that it needs no code, or that it is switched off. */
export function HookIcon({ entry }: { readonly entry: ChainEntry }) {
  if (entry.off) return <PowerOff aria-hidden className="size-2.5 shrink-0" />;
  if (entry.kind !== 'code') return <SlidersHorizontal aria-hidden className="size-2.5 shrink-0" />;
  // Drawn by CSS, so that it is no part of the text that the accessible name of the button must contain.
  return (
    <span
      aria-hidden
      data-mark={entry.missing ? '!' : (/\.(py|ts|js)$/.exec(entry.file)?.[1] ?? 'fn')}
      className="cb-bead-kind shrink-0 font-semibold leading-none before:content-[attr(data-mark)]"
    />
  );
}

/** Returns the colours of a hook. Hooks of the run are outlined only, because they belong to every agent. */
export function hookColours({ missing, origin, off }: ChainEntry): string {
  if (off) return 'border-dashed border-muted bg-surface text-muted';
  if (missing) return 'border-dashed border-bad bg-bad-soft text-bad';
  return origin === 'run' ? 'border-dashed border-hook bg-surface text-hook' : 'border-hook bg-hook-soft text-hook';
}

/** Returns the name of a hook for people who do not see where it stands. */
export function hookLabel(entry: ChainEntry): string {
  const where = entry.phase === 'around' ? `Hook ${entry.place}` : `Hook ${entry.phase}`;
  const parts = [`${where}: ${entry.spec}`];
  if (entry.origin === 'run') parts.push('of every agent');
  if (entry.missing) parts.push('missing');
  if (entry.off) parts.push('off');
  return parts.join(', ');
}

export function hookTitle(entry: ChainEntry): string {
  const when = entry.phase === 'around' ? `${entry.place}.` : `${phaseWords[entry.phase]}:`;
  const marks = [...(entry.missing ? ['missing'] : []), ...(entry.off ? ['off, skipped in every run'] : [])];
  return `${when} ${entry.spec} (${originWords[entry.origin]})${marks.length === 0 ? '' : `: ${marks.join(', ')}`}`;
}
