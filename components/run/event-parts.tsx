'use client';

import { LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { Fetched } from '@/lib/client/event-cache';
import { partPages } from '@/lib/client/run-source';
import { type Payload as Part, payloadsOf } from '@/lib/trace/payloads';
import type { ShortEvent } from '@/lib/trace/short-event';
import { formatCount } from '@/lib/trace/wording';
import { Payload, type PayloadProps } from './payload';

export interface EventPartsProps {
  readonly runId: string;
  readonly event: Fetched<ShortEvent> | undefined;
  readonly look?: PayloadProps['look'];
  /** Leaves out parts that are shown elsewhere. */
  readonly isShown?: (part: Part) => boolean;
}

/** Shows the texts of an event, or that they are being loaded. */
export function EventParts(props: EventPartsProps) {
  const { event } = props;
  if (event === undefined) return null;
  if (event === 'loading') {
    return (
      <p className="flex items-center gap-2 text-muted text-xs">
        <LoaderCircle aria-hidden className="size-3.5 animate-spin" />
        Loading
      </p>
    );
  }
  if (!('value' in event)) return <p className="text-bad text-xs">{event.error}</p>;
  return <PartList key={event.value.seq} {...props} event={event.value} />;
}

/** This many parts are shown at first and added by each click. An answer may ask for thousands of calls. */
const partsAtOnce = 50;

function PartList({ runId, event, look, isShown }: Omit<EventPartsProps, 'event'> & { readonly event: ShortEvent }) {
  const [shown, setShown] = useState(partsAtOnce);
  const parts = payloadsOf(event).flatMap((part, place) => (isShown?.(part) === false ? [] : [{ part, place }]));
  return (
    <>
      {parts.slice(0, shown).map(({ part, place }) => (
        <Payload
          key={place}
          title={part.title}
          value={part.value}
          tone={part.tone}
          look={look ?? (isProse(event, part) ? 'prose' : undefined)}
          pages={partPages(runId, event, place)}
        />
      ))}
      {shown < parts.length && (
        <div className="flex items-center gap-2 text-muted text-xs tabular-nums">
          {shown} of {formatCount(parts.length)} parts
          <Button size="sm" onClick={() => setShown(shown + partsAtOnce)}>
            Show {Math.min(partsAtOnce, parts.length - shown)} more
          </Button>
        </div>
      )}
    </>
  );
}

/** True for what people and models write to each other. Errors, arguments and results of tools are shown as they are. */
function isProse({ kind }: ShortEvent, { title, tone }: Part): boolean {
  if (tone !== undefined) return false;
  switch (kind) {
    case 'instance.started':
      return title === 'Input';
    case 'model.ended':
      return title === 'Message' || title === 'Reasoning';
    default:
      return title === 'Answer';
  }
}
