import { kindLook } from '@/components/marks/kind-icon';
import type { CardType } from '@/lib/cards/card';

/** The sign of a workflow. */
export function TypeIcon({ type }: { readonly type: CardType }) {
  const { Icon } = kindLook({ kind: 'agent', type });
  const words = type.replaceAll('_', ' ');
  return (
    <span title={words} className="inline-flex shrink-0 text-agent">
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only">{words}</span>
    </span>
  );
}
