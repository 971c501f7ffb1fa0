'use client';

import { Clock, Webhook } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { useWhyNot } from '@/components/access/access-context';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { EmptyState } from '@/components/ui/empty-state';
import { useOrigin } from '@/components/ui/use-origin';
import type { TriggerKind, TriggerSettings } from '@/lib/base/triggers';
import { TriggerItem } from './trigger-item';
import type { ShownTrigger, Told, TriggerServices } from './trigger-types';

const TriggerForm = dynamic(async () => (await import('./trigger-form')).TriggerForm, { ssr: false });

export interface TriggersViewProps {
  readonly project: string;
  readonly triggers: readonly ShownTrigger[];
  readonly labels: readonly string[];
  /** The numbers of the newest revisions. */
  readonly revisions: readonly number[];
  /** Where senders reach this installation. `undefined`: the address of this page. */
  readonly publicUrl: string | undefined;
  readonly services: TriggerServices;
}

/** A secret that cannot be shown again. */
interface Shown {
  readonly name: string;
  readonly secret: string;
}

interface Opened {
  readonly kind: TriggerKind;
  readonly known?: ShownTrigger;
}

const pollMs = 3_000;

/** The triggers of a project: what they run, when they are due, and what they started. */
export function TriggersView(props: TriggersViewProps) {
  const { project, triggers, labels, revisions, publicUrl, services } = props;
  const { opened, setOpened, shown, fault, tell, save, renew } = useTriggerWork(services);
  const refusal = useWhyNot('trigger.set');
  const mayRun = useWhyNot('run.start') === undefined;
  const origin = useOrigin(publicUrl);
  usePolling(triggers, services.refresh);
  const add = refusal === undefined && <AddButtons onAdd={(kind) => setOpened({ kind })} />;
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      {refusal !== undefined && <p className="text-muted text-sm">{refusal}</p>}
      {triggers.length > 0 && add}
      <p role="alert" className="text-bad text-sm empty:hidden">
        {fault}
      </p>
      {shown !== undefined && <Secret {...shown} />}
      {triggers.length === 0 ? (
        <EmptyState icon={<Clock aria-hidden />} title="No triggers yet" heading="h2" action={add}>
          A schedule starts what is live at its times. A webhook starts it when another program sends a signed message.
        </EmptyState>
      ) : (
        <ul aria-label="Triggers" className="divide-y rounded-lg border bg-surface shadow-card">
          {triggers.map((trigger) => (
            <TriggerItem
              key={trigger.id}
              project={project}
              trigger={trigger}
              origin={origin}
              mayChange={refusal === undefined}
              mayRun={mayRun}
              onRun={() => tell(services.runNow(trigger.id))}
              onSwitch={(enabled) => tell(services.change(trigger.id, { enabled }))}
              onEdit={() => setOpened({ kind: trigger.kind, known: trigger })}
              onRenew={() => void renew(trigger)}
              onRemove={() => void tell(services.remove(trigger.id))}
            />
          ))}
        </ul>
      )}
      {opened !== undefined && (
        <TriggerForm
          {...{ kind: opened.kind, known: opened.known, labels, revisions, dueTimes: services.dueTimes }}
          onSave={(settings) => save(opened, settings)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  );
}

/** What is open, what failed, and a secret that is shown once. */
function useTriggerWork(services: TriggerServices) {
  const [opened, setOpened] = useState<Opened>();
  const [shown, setShown] = useState<Shown>();
  const [fault, setFault] = useState<string>();
  const tell = async (work: Promise<Told<unknown>>) => {
    setShown(undefined);
    const answer = await work;
    setFault(answer.ok ? undefined : answer.message);
  };
  const add = async (kind: TriggerKind, settings: TriggerSettings) => {
    const added = await services.add({ kind, ...settings });
    const secret = added.ok ? added.value.secret : undefined;
    setShown(secret === undefined ? undefined : { name: settings.name, secret });
    return added;
  };
  /** Resolves to a sentence if it failed. */
  const save = async ({ kind, known }: Opened, settings: TriggerSettings) => {
    const answer = known === undefined ? await add(kind, settings) : await services.change(known.id, settings);
    if (!answer.ok) return answer.message;
    setFault(undefined);
    setOpened(undefined);
    return undefined;
  };
  const renew = async ({ id, name }: ShownTrigger) => {
    const answer = await services.renew(id);
    setFault(answer.ok ? undefined : answer.message);
    setShown(answer.ok ? { name, secret: answer.value.secret } : undefined);
  };
  return { opened, setOpened, shown, fault, tell, save, renew };
}

/** Reads the page again while a run is under way, and when a due time has passed. */
function usePolling(triggers: readonly ShownTrigger[], refresh: () => void): void {
  const isActive = triggers.some(({ firings }) =>
    firings.some(({ run }) => run !== undefined && ['queued', 'running'].includes(run.status)),
  );
  const due = Math.min(...triggers.flatMap(({ next, now }) => next.map((at) => at - now)));
  const waitMs = isActive ? pollMs : Number.isFinite(due) ? Math.min(due + pollMs, 60_000) : undefined;
  useEffect(() => {
    if (waitMs === undefined) return undefined;
    const timer = setInterval(refresh, waitMs);
    return () => clearInterval(timer);
  }, [waitMs, refresh]);
}

function AddButtons({ onAdd }: { readonly onAdd: (kind: TriggerKind) => void }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon={<Clock aria-hidden className="size-3.5" />} onClick={() => onAdd('schedule')}>
        Add schedule
      </Button>
      <Button icon={<Webhook aria-hidden className="size-3.5" />} onClick={() => onAdd('webhook')}>
        Add webhook
      </Button>
    </div>
  );
}

function Secret({ name, secret }: Shown) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-lg border bg-surface px-4 py-3 text-sm shadow-card"
    >
      <span className="text-muted">The secret that signs messages for {name}. It is not shown again.</span>
      <code className="min-w-0 break-all font-mono text-ink text-xs">{secret}</code>
      <CopyButton text={secret} label="Copy secret" />
    </div>
  );
}
