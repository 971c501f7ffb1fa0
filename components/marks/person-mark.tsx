import { classNames } from '@/components/ui/class-names';
import type { PresentPerson } from '@/lib/editor/present-people';

const tones = [
  'bg-agent-soft text-agent',
  'bg-server-soft text-server',
  'bg-hook-soft text-hook',
  'bg-warn-soft text-warn',
  'bg-busy-soft text-busy',
] as const;

/** The initials of somebody in their colour. It says nothing by itself: name the person beside it. */
export function PersonMark({ person, small }: { readonly person: PresentPerson; readonly small?: boolean }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'flex shrink-0 items-center justify-center rounded-full border border-current font-semibold',
        small === true ? 'size-4 text-[8px]' : 'size-6 text-2xs',
        tones[person.tone] ?? tones[0],
      )}
    >
      {person.initials}
    </span>
  );
}
