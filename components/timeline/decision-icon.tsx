import {
  ChartColumn,
  Circle,
  CircleSlash2,
  Diamond,
  Flag,
  Globe,
  ListChecks,
  type LucideIcon,
  Star,
} from 'lucide-react';
import { classNames } from '@/components/ui/class-names';
import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import { decisionLook, type MarkShape } from './decision-look';

const icons: Readonly<Record<MarkShape, LucideIcon>> = {
  diamond: Diamond,
  star: Star,
  list: ListChecks,
  flag: Flag,
  dot: Circle,
  barred: CircleSlash2,
  columns: ChartColumn,
  globe: Globe,
};

const inks: Readonly<Partial<Record<ReturnType<typeof decisionLook>['paint'], string>>> = {
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
  mcp: 'text-server',
};

/** The sign of a decision outside of the timeline, with the shape and the colour of its mark. */
export function DecisionIcon(props: { readonly decision: WorkflowDecision; readonly className?: string }) {
  const { shape, paint } = decisionLook(props.decision);
  const Icon = icons[shape];
  const filled = shape === 'diamond' || shape === 'star' || shape === 'dot';
  return (
    <Icon
      aria-hidden
      className={classNames('shrink-0', inks[paint] ?? 'text-accent', filled && 'fill-current', props.className)}
    />
  );
}
