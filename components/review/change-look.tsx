import { ArrowUpDown, Minus, Pencil, Plus, Tag } from 'lucide-react';
import { Badge, type Tone } from '@/components/ui/badge';
import type { PartChange } from '@/lib/graph/review/merged-graph';

const looks = {
  added: { Icon: Plus, tone: 'ok', frame: 'border-ok border-2', far: 'bg-ok-soft', dot: 'bg-ok', ink: 'var(--ok)' },
  removed: {
    Icon: Minus,
    tone: 'bad',
    frame: 'border-bad border-2 border-dashed',
    far: 'bg-bad-soft',
    dot: 'bg-bad',
    ink: 'var(--bad)',
  },
  changed: {
    Icon: Pencil,
    tone: 'warn',
    frame: 'border-warn border-2',
    far: 'bg-warn-soft',
    dot: 'bg-warn',
    ink: 'var(--warn)',
  },
  moved: {
    Icon: ArrowUpDown,
    tone: 'accent',
    frame: 'border-accent border-2',
    far: 'bg-accent-soft',
    dot: 'bg-accent',
    ink: 'var(--accent)',
  },
  renamed: {
    Icon: Tag,
    tone: 'accent',
    frame: 'border-accent border-2',
    far: 'bg-accent-soft',
    dot: 'bg-accent',
    ink: 'var(--accent)',
  },
} as const satisfies Record<
  PartChange,
  { Icon: typeof Plus; tone: Tone; frame: string; far: string; dot: string; ink: string }
>;

/** Returns how a change looks. Each has an icon and a word besides its colour. */
export function changeLook(change: PartChange) {
  return looks[change];
}

export function ChangeBadge({ change }: { readonly change: PartChange | 'kept' }) {
  if (change === 'kept') return <Badge>kept</Badge>;
  const { Icon, tone } = looks[change];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {change}
    </Badge>
  );
}
