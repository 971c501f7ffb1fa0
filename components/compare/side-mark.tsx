import { classNames } from '@/components/ui/class-names';

/** The letter of a run. Colours repeat what the letter says. */
export function SideMark({ side }: { readonly side: 'a' | 'b' }) {
  return (
    <span
      className={classNames(
        'inline-flex size-5 shrink-0 items-center justify-center rounded font-semibold text-2xs',
        side === 'a' ? 'bg-hover text-ink' : 'bg-accent-soft text-accent',
      )}
    >
      {side === 'a' ? 'A' : 'B'}
    </span>
  );
}
