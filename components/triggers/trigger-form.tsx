import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { clockWords } from '@/lib/base/due-words';
import {
  longestTriggerMessage,
  mostStopAfter,
  type Schedule,
  type TriggerKind,
  type TriggerSettings,
  type TriggerTarget,
  usualStopAfter,
} from '@/lib/base/triggers';
import { type ShownTrigger, type TriggerServices, targetWords } from './trigger-types';

export interface TriggerFormProps {
  readonly kind: TriggerKind;
  /** The trigger that is changed; `undefined` for a new one. */
  readonly known: ShownTrigger | undefined;
  readonly labels: readonly string[];
  readonly revisions: readonly number[];
  readonly dueTimes: TriggerServices['dueTimes'];
  /** Resolves to a sentence if it failed. */
  readonly onSave: (settings: TriggerSettings) => Promise<string | undefined>;
  readonly onClose: () => void;
}

const messages: Readonly<Record<TriggerKind, string>> = { schedule: 'Go.', webhook: '{{body}}' };

/** What is written in the form. */
interface Written {
  readonly name: string;
  readonly target: TriggerTarget;
  readonly message: string;
  readonly schedule: Schedule;
  readonly stopAfter: string;
}

function writtenOf(kind: TriggerKind, known: ShownTrigger | undefined): Written {
  return {
    name: known?.name ?? '',
    target: known?.target ?? { label: 'live' },
    message: known?.message ?? messages[kind],
    schedule: known?.schedule ?? { cron: '0 7 * * *', zone: ownZone() },
    stopAfter: `${known?.stopAfter ?? usualStopAfter}`,
  };
}

/** Makes or changes a trigger. */
export function TriggerForm(props: TriggerFormProps) {
  const { kind, known, onSave, onClose } = props;
  const [written, setWritten] = useState(() => writtenOf(kind, known));
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    const { schedule, name, stopAfter, ...rest } = written;
    const settings = { ...rest, name: name.trim(), stopAfter: Number(stopAfter) };
    setFault(await onSave(kind === 'schedule' ? { ...settings, schedule } : settings));
    setBusy(false);
  };
  const title = known === undefined ? `New ${kind}` : `Edit ${known.name}`;
  return (
    <Dialog
      open
      width="md"
      onOpenChange={(open) => !open && onClose()}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button form="trigger-form" type="submit" variant="primary" busy={busy} disabled={written.name.trim() === ''}>
            {known === undefined ? `Add ${kind}` : 'Save'}
          </Button>
        </>
      }
    >
      <form
        id="trigger-form"
        aria-label={title}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void save();
        }}
      >
        <Fields {...props} written={written} onWrite={(change) => setWritten((now) => ({ ...now, ...change }))} />
        <p role="alert" className="text-bad text-sm empty:hidden">
          {fault}
        </p>
      </form>
    </Dialog>
  );
}

interface FieldsProps extends Pick<TriggerFormProps, 'kind' | 'labels' | 'revisions' | 'dueTimes'> {
  readonly written: Written;
  readonly onWrite: (change: Partial<Written>) => void;
}

const hints: Readonly<Record<TriggerKind, string>> = {
  schedule: '{{due}} is the due time in UTC, {{trigger}} the name.',
  webhook: '{{body}} is the whole body, {{body.issue.title}} a member of it, {{trigger}} the name.',
};

function Fields({ kind, labels, revisions, dueTimes, written, onWrite }: FieldsProps) {
  const { name, target, message, schedule, stopAfter } = written;
  return (
    <>
      <Field label="Name">
        {(field) => (
          <Input
            {...field}
            autoFocus
            required
            maxLength={60}
            value={name}
            onChange={(event) => onWrite({ name: event.target.value })}
          />
        )}
      </Field>
      {kind === 'schedule' && (
        <ScheduleFields schedule={schedule} onSchedule={(next) => onWrite({ schedule: next })} dueTimes={dueTimes} />
      )}
      <Field label="Runs" hint="A label is looked up when a run starts.">
        {({ id, ...field }) => (
          <Select
            id={id}
            aria-describedby={field['aria-describedby']}
            value={valueOfTarget(target)}
            onValueChange={(value) => onWrite({ target: targetOf(value) })}
            options={optionsOf(target, labels, revisions)}
          />
        )}
      </Field>
      <Field label="Message" hint={hints[kind]}>
        {(field) => (
          <Textarea
            {...field}
            required
            maxLength={longestTriggerMessage}
            value={message}
            onChange={(event) => onWrite({ message: event.target.value })}
          />
        )}
      </Field>
      <Field label="Switch off after so many failures in a row">
        {(field) => (
          <Input
            {...field}
            required
            type="number"
            min={1}
            max={mostStopAfter}
            className="max-w-24"
            value={stopAfter}
            onChange={(event) => onWrite({ stopAfter: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

const examples: readonly (readonly [cron: string, words: string])[] = [
  ['0 * * * *', 'Every hour'],
  ['0 7 * * *', 'Every day at 7:00'],
  ['0 7 * * 1-5', 'Working days at 7:00'],
  ['0 7 * * 1', 'Mondays at 7:00'],
  ['0 7 1 * *', 'The first of each month at 7:00'],
];
const custom = 'custom';
const askAfterMs = 400;

interface ScheduleFieldsProps {
  readonly schedule: Schedule;
  readonly onSchedule: (schedule: Schedule) => void;
  readonly dueTimes: TriggerServices['dueTimes'];
}

function ScheduleFields({ schedule, onSchedule, dueTimes }: ScheduleFieldsProps) {
  const { cron, zone } = schedule;
  const known = examples.find(([each]) => each === cron.trim());
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Repeats">
          {({ id }) => (
            <Select
              id={id}
              value={known?.[0] ?? custom}
              onValueChange={(value) => value !== custom && onSchedule({ cron: value, zone })}
              options={[
                ...examples.map(([value, label]) => ({ value, label })),
                { value: custom, label: 'Custom', disabled: known !== undefined },
              ]}
            />
          )}
        </Field>
        <Field label="Time zone">
          {(field) => (
            <>
              <Input
                {...field}
                required
                list="trigger-zones"
                maxLength={60}
                value={zone}
                onChange={(event) => onSchedule({ cron, zone: event.target.value })}
              />
              <datalist id="trigger-zones">
                {Intl.supportedValuesOf('timeZone').map((each) => (
                  <option key={each} value={each} />
                ))}
              </datalist>
            </>
          )}
        </Field>
      </div>
      <Field label="Fields" hint="Minute, hour, day of the month, month, day of the week">
        {(field) => (
          <Input
            {...field}
            required
            className="font-mono"
            maxLength={200}
            spellCheck={false}
            value={cron}
            onChange={(event) => onSchedule({ cron: event.target.value, zone })}
          />
        )}
      </Field>
      <Preview schedule={schedule} dueTimes={dueTimes} />
    </>
  );
}

/** Says when a schedule would be due, or what is wrong with it. */
function Preview({ schedule: { cron, zone }, dueTimes }: Pick<ScheduleFieldsProps, 'schedule' | 'dueTimes'>) {
  const [said, setSaid] = useState<{ readonly words: string; readonly isFault: boolean }>();
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const answer = await dueTimes({ cron, zone });
      if (!isCurrent) return;
      setSaid(
        answer.ok
          ? { words: `Next ${answer.value.map((at) => clockWords(at, zone)).join(' · ')}`, isFault: false }
          : { words: answer.message, isFault: true },
      );
    }, askAfterMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [cron, zone, dueTimes]);
  return (
    <p aria-live="polite" className={`min-h-4 text-xs tabular-nums ${said?.isFault ? 'text-bad' : 'text-muted'}`}>
      {said?.words}
    </p>
  );
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

function valueOfTarget({ label, revision }: TriggerTarget): string {
  return revision === undefined ? `label:${label}` : `revision:${revision}`;
}

function targetOf(value: string): TriggerTarget {
  const [kind = '', ...rest] = value.split(':');
  return kind === 'revision' ? { revision: Number(rest[0]) } : { label: rest.join(':') };
}

/** A label that is gone, or a revision that is not among the newest, stays in the list while it is chosen. */
function optionsOf(target: TriggerTarget, labels: readonly string[], revisions: readonly number[]) {
  const targets: readonly TriggerTarget[] = [
    { label: 'live' },
    ...labels.filter((label) => label !== 'live').map((label) => ({ label })),
    ...revisions.map((revision) => ({ revision })),
    target,
  ];
  const byValue = new Map(targets.map((each) => [valueOfTarget(each), targetWords(each)]));
  return [...byValue].map(([value, label]) => ({ value, label }));
}
