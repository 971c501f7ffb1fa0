import { Ban, CircleCheck, CircleX, Hand, Hourglass, LoaderCircle } from 'lucide-react';
import { useOverlay } from '@/components/editor-state/overlay-context';

/**
 * Shows the state of an agent in the shown run. It is working (with the number of live instances), waiting for people, or queued. Otherwise the
 * mark shows how its instances ended: failed, stopped and done, each with its number.
 */
export function ActivityMark(props: { readonly agent: string }) {
  const activity = useOverlay((overlay) => overlay.agents.get(props.agent));
  if (activity === undefined) return null;
  const { live, queued, waiting, done, stopped, failed } = activity;
  if (live > 0 || waiting > 0) {
    return (
      <>
        {waiting > 0 ? (
          <Mark tone="bg-warn-soft text-warn" label={`${waiting} waiting for people`}>
            <Hand size={12} aria-hidden />×{waiting}
          </Mark>
        ) : null}
        {live > 0 ? (
          <Mark tone="bg-busy-soft text-busy" label={`Working, ${live} live`}>
            <LoaderCircle size={12} className="animate-spin" aria-hidden />×{live}
          </Mark>
        ) : null}
      </>
    );
  }
  if (queued > 0) {
    return (
      <Mark tone="bg-queued-soft text-muted" label={`${queued} queued`}>
        <Hourglass size={12} aria-hidden />
        {queued}
      </Mark>
    );
  }
  return (
    <>
      {failed > 0 ? (
        <Mark tone="bg-bad-soft text-bad" label={`${failed} failed`}>
          <CircleX size={12} aria-hidden />
          {failed}
        </Mark>
      ) : null}
      {stopped > 0 ? (
        <Mark tone="bg-sunken text-muted" label={`${stopped} stopped`}>
          <Ban size={12} aria-hidden />
          {stopped}
        </Mark>
      ) : null}
      {done > 0 ? (
        <Mark tone="bg-ok-soft text-ok" label={`${done} done`}>
          <CircleCheck size={12} aria-hidden />
          {done}
        </Mark>
      ) : null}
    </>
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
