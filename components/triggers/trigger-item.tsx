import { CircleX, Clock, Play, Webhook } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { CopyButton } from '@/components/ui/copy-button';
import { type Status, StatusLabel } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { clockWords, untilWords } from '@/lib/base/due-words';
import type { FiringInfo } from '@/lib/base/triggers';
import { runsOfProjectHref } from '@/lib/client/project-address';
import { type ShownTrigger, targetWords } from './trigger-types';

export interface TriggerItemProps {
  readonly project: string;
  readonly trigger: ShownTrigger;
  /** The origin of its webhook. */
  readonly origin: string;
  readonly mayChange: boolean;
  readonly mayRun: boolean;
  readonly onRun: () => Promise<void>;
  readonly onSwitch: (enabled: boolean) => Promise<void>;
  readonly onEdit: () => void;
  readonly onRenew: () => void;
  readonly onRemove: () => void;
}

const shownFirings = 4;

/** A trigger: what it runs, when it is due next, and what it started. */
export function TriggerItem(props: TriggerItemProps) {
  const { project, trigger, origin, onEdit } = props;
  const { kind, name, schedule, target, hook, failures, enabled, stoppedBecause, firings, by } = trigger;
  const Icon = kind === 'schedule' ? Clock : Webhook;
  return (
    <li aria-label={name} className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <Icon aria-hidden className="size-4 shrink-0 text-muted" />
        <h2 className="min-w-0 break-words font-medium text-ink text-sm">{name}</h2>
        <State trigger={trigger} />
        <span className="flex-1" />
        <Actions {...props} onEdit={onEdit} />
      </div>
      <p className="break-words text-muted text-xs">
        {targetWords(target)} · by {by}
        {schedule !== undefined && (
          <>
            {' · '}
            <code className="font-mono text-ink">{schedule.cron}</code> in {schedule.zone}
          </>
        )}
        {failures > 0 && enabled && ` · ${failures} of ${trigger.stopAfter} failures in a row`}
      </p>
      {stoppedBecause !== undefined && (
        <p className="break-words text-sm text-warn">
          Callboard switched it off after {failures === 1 ? 'a failure' : `${failures} failures in a row`}. The last
          one: {stoppedBecause}
        </p>
      )}
      <Due trigger={trigger} />
      {hook !== undefined && (
        <p className="flex min-w-0 items-center gap-1 text-xs">
          <code className="min-w-0 break-all font-mono text-ink">{`POST ${origin}${hook}`}</code>
          <CopyButton text={`${origin}${hook}`} label={`Copy the address of ${name}`} />
        </p>
      )}
      {firings.length > 0 && (
        <ul aria-label={`What ${name} started`} className="flex flex-col gap-1">
          {firings.slice(0, shownFirings).map((firing) => (
            <FiringLine key={`${firing.at} ${firing.run?.id}`} firing={firing} />
          ))}
        </ul>
      )}
      <p className="text-xs">
        <Link href={runsOfProjectHref(project, { trigger: name })} className="text-accent underline underline-offset-2">
          All runs<span className="sr-only"> of {name}</span>
        </Link>
      </p>
    </li>
  );
}

function State({ trigger: { enabled, stoppedBecause } }: Pick<TriggerItemProps, 'trigger'>) {
  if (enabled) return <Badge tone="ok">On</Badge>;
  return stoppedBecause === undefined ? <Badge>Off</Badge> : <Badge tone="warn">Switched off</Badge>;
}

function Actions(props: TriggerItemProps) {
  const { trigger, mayRun, mayChange, onRun, onSwitch, onEdit, onRenew, onRemove } = props;
  const { name, kind, enabled } = trigger;
  const [asked, setAsked] = useState<'remove' | 'renew'>();
  const [busy, setBusy] = useState<'run' | 'switch'>();
  const during = async (what: 'run' | 'switch', work: () => Promise<void>) => {
    setBusy(what);
    await work();
    setBusy(undefined);
  };
  return (
    <span className="flex flex-wrap gap-1.5">
      {mayRun && (
        <Button
          size="sm"
          busy={busy === 'run'}
          icon={<Play aria-hidden className="size-3.5" />}
          aria-label={`Run now: ${name}`}
          onClick={() => void during('run', onRun)}
        >
          Run now
        </Button>
      )}
      {mayChange && (
        <>
          <Button
            size="sm"
            busy={busy === 'switch'}
            aria-label={`${enabled ? 'Pause' : 'Switch on'} ${name}`}
            onClick={() => void during('switch', () => onSwitch(!enabled))}
          >
            {enabled ? 'Pause' : 'Switch on'}
          </Button>
          <Button size="sm" aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </Button>
          {kind === 'webhook' && (
            <Button size="sm" variant="ghost" aria-label={`New secret of ${name}`} onClick={() => setAsked('renew')}>
              New secret
            </Button>
          )}
          <Button size="sm" variant="ghost" aria-label={`Delete ${name}`} onClick={() => setAsked('remove')}>
            Delete
          </Button>
        </>
      )}
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={asked === 'renew' ? 'Make a new secret?' : `Delete ${name}?`}
        confirm={asked === 'renew' ? 'Make a new secret' : 'Delete trigger'}
        onConfirm={() => {
          setAsked(undefined);
          if (asked === 'renew') onRenew();
          else onRemove();
        }}
      >
        <p>
          {asked === 'renew'
            ? 'Messages that are signed with the old one are refused at once.'
            : 'It starts nothing further. Its runs stay.'}
        </p>
      </ConfirmDialog>
    </span>
  );
}

function Due({ trigger: { next, schedule, now } }: Pick<TriggerItemProps, 'trigger'>) {
  const [first, ...later] = next;
  if (first === undefined || schedule === undefined) return null;
  return (
    <p className="text-ink text-sm tabular-nums">
      Next {clockWords(first, schedule.zone)}, {untilWords(first, now)}
      {later.length > 0 && (
        <span className="text-muted text-xs">
          {' '}
          · then {later.map((at) => clockWords(at, schedule.zone)).join(' · ')}
        </span>
      )}
    </p>
  );
}

const causes = { due: 'due', message: 'message', person: 'by a person' } as const;

function FiringLine({ firing: { cause, at, run, error, missed } }: { readonly firing: FiringInfo }) {
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 text-muted text-xs">
      {run !== undefined ? (
        <Link href={`/r/${run.id}`} className="inline-flex items-center gap-1 underline-offset-2 hover:underline">
          <StatusLabel status={run.status as Status} look="plain" />
          <span className="sr-only">run</span>
        </Link>
      ) : (
        <span className={`inline-flex items-center gap-1 ${error === undefined ? '' : 'text-bad'}`}>
          <CircleX aria-hidden className="size-3.5 shrink-0" />
          {error === undefined ? 'Run deleted' : 'Not started'}
        </span>
      )}
      <TimeAgo at={at} />
      <span>{causes[cause]}</span>
      {missed > 0 && (
        <span>
          {missed === 1_000 ? 'a thousand or more due times' : missed === 1 ? 'one due time' : `${missed} due times`}{' '}
          before it passed without a worker
        </span>
      )}
      {error !== undefined && <span className="min-w-0 basis-full break-words text-bad">{error.message}</span>}
    </li>
  );
}
