'use client';

import { Pin, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { IconButton } from '@/components/ui/icon-button';
import { type PinInfo, readPins } from '@/lib/client/run-again';
import type { AgainServices } from './again-services';
import { useLoaded } from './use-loaded';

export interface PinDialogProps {
  readonly projectId: string;
  /** The number of the event that starts the selected call. */
  readonly seq: number;
  readonly services: AgainServices;
  readonly onClose: () => void;
}

/** Pins the result of a call for the next runs, and lists what is pinned in the project. */
export function PinDialog({ projectId, seq, services, onClose }: PinDialogProps) {
  const [changes, setChanges] = useState(0);
  const [match, setMatch] = useState<'equal' | 'all'>('equal');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const pins = useLoaded(`${projectId} ${changes}`, (signal) => readPins(projectId, signal));
  const change = async (work: Promise<string | undefined>) => {
    setFault(await work);
    setChanges((count) => count + 1);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="md"
      title="Pin result"
      description="Later runs of this project get the result in place of the call. The tool is not called, and the run marks the answer."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            variant="primary"
            icon={<Pin aria-hidden className="size-3.5" />}
            onClick={() => change(services.pin(seq, match))}
          >
            Pin
          </Button>
        </>
      }
    >
      <fieldset className="mb-4">
        <legend className="mb-1 font-medium text-ink text-sm">Answers</legend>
        {(['equal', 'all'] as const).map((one) => (
          <label key={one} className="flex cursor-pointer items-center gap-2 py-1 text-ink text-sm">
            <input
              type="radio"
              name="pin-match"
              className="accent-(--color-accent)"
              checked={match === one}
              onChange={() => setMatch(one)}
            />
            {one === 'equal' ? 'Calls of this agent with the same arguments' : 'Every call of this tool by this agent'}
          </label>
        ))}
      </fieldset>
      <h3 className="mb-1 font-medium text-ink text-sm">Pinned in this project</h3>
      {pins === undefined || 'error' in pins ? (
        <p role="status" className="text-muted text-sm">
          {pins === undefined ? 'Loading' : pins.error}
        </p>
      ) : (
        <PinList pins={pins.value} onRemove={(id) => change(services.unpin(id))} />
      )}
      <p aria-live="polite" className="mt-2 text-bad text-sm empty:hidden">
        {fault}
      </p>
    </Dialog>
  );
}

function PinList(props: { readonly pins: readonly PinInfo[]; readonly onRemove: (id: string) => void }) {
  if (props.pins.length === 0) return <p className="text-muted text-sm">Nothing is pinned.</p>;
  return (
    <ul aria-label="Pinned results" className="flex flex-col divide-y rounded border">
      {props.pins.map((pin) => (
        <li key={pin.id} className="flex items-center gap-2 px-2 py-1 text-sm">
          <span className="min-w-0 flex-1">
            <span className="block truncate text-ink">
              {pin.agentName} · <span className="font-mono text-xs">{pin.tool}</span>
            </span>
            <span className="block truncate text-muted text-xs">
              {pin.arguments === undefined ? 'every call' : JSON.stringify(pin.arguments)}
            </span>
          </span>
          <a
            href={`/r/${pin.runId}?span=${pin.seq}`}
            className="shrink-0 text-accent text-xs underline-offset-2 hover:underline"
          >
            Recorded call
          </a>
          <IconButton
            size="sm"
            label={`Remove the pinned result of ${pin.tool}`}
            icon={<X aria-hidden />}
            onClick={() => props.onRemove(pin.id)}
          />
        </li>
      ))}
    </ul>
  );
}
