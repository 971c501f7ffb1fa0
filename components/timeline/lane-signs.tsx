import { EyeOff, Layers2, MessagesSquare, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Lane } from '@/lib/trace/trace';

/**
 * Shows signs of an instance: a retry, an answer from the cache, a session, output that is not streamed. They are visible
 * where there is room; screen readers always get them.
 */
export function LaneSigns({ lane }: { readonly lane: Lane }) {
  return (
    <>
      {lane.attempt > 1 && (
        <Sign text={`attempt ${lane.attempt}`} icon={<RotateCw aria-hidden className="size-3" />}>
          attempt {lane.attempt}
        </Sign>
      )}
      {lane.cached && <Sign text="cached" icon={<Layers2 aria-hidden className="size-3" />} />}
      {lane.session !== undefined && (
        <Sign text={`session ${lane.session.id}`} icon={<MessagesSquare aria-hidden className="size-3" />} />
      )}
      {lane.forwarded !== undefined && (
        <Sign text={forwardedWords(lane.forwarded)} icon={<EyeOff aria-hidden className="size-3" />} />
      )}
    </>
  );
}

export function forwardedWords(forwarded: false | readonly string[]): string {
  if (forwarded === false) return 'not in the live stream of its parent';
  return `only ${forwarded.join(', ')} events in the live stream of its parent`;
}

function Sign(props: { readonly text: string; readonly icon: ReactNode; readonly children?: ReactNode }) {
  return (
    <span title={props.text} className="flex shrink-0 items-center gap-0.5 text-2xs text-faint @max-2xl:sr-only">
      {props.icon}
      {props.children ?? <span className="sr-only">{props.text}</span>}
    </span>
  );
}
