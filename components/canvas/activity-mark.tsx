import { CircleCheck, CircleX, Hourglass, LoaderCircle } from 'lucide-react';
import { useOverlay } from '@/components/editor/overlay-context';

/** What the shown run is doing with this agent: working (with the number of live instances), queued, failed, done. */
export function ActivityMark(props: { readonly agent: string }) {
  const activity = useOverlay((overlay) => overlay.agents.get(props.agent));
  if (activity === undefined) return null;
  if (activity.live > 0) {
    return (
      <Mark tone="bg-busy-soft text-busy" label={`Working, ${activity.live} live`}>
        <LoaderCircle size={12} className="animate-spin" aria-hidden />×{activity.live}
      </Mark>
    );
  }
  if (activity.queued > 0) {
    return (
      <Mark tone="bg-queued-soft text-muted" label={`${activity.queued} queued`}>
        <Hourglass size={12} aria-hidden />
        {activity.queued}
      </Mark>
    );
  }
  if (activity.failed > 0) {
    return (
      <Mark tone="bg-bad-soft text-bad" label={`${activity.failed} failed, ${activity.done} done`}>
        <CircleX size={12} aria-hidden />
        {activity.failed}
      </Mark>
    );
  }
  return (
    <Mark tone="bg-ok-soft text-ok" label={`${activity.done} done`}>
      <CircleCheck size={12} aria-hidden />
      {activity.done}
    </Mark>
  );
}

function Mark(props: { readonly tone: string; readonly label: string; readonly children: React.ReactNode }) {
  return (
    <span
      role="img"
      aria-label={props.label}
      title={props.label}
      className={`inline-flex items-center gap-0.5 rounded-sm px-1 text-2xs font-medium tabular ${props.tone}`}
    >
      {props.children}
    </span>
  );
}
