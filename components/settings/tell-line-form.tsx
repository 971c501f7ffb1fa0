import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import type { NotificationServices } from './notification-types';

export interface TellLineFormProps {
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly services: Pick<NotificationServices, 'readLine' | 'setLine'>;
}

interface Typed {
  readonly usd: string;
  readonly seconds: string;
}

/** Sets, project by project, the cost and the time of a run above which people are told. */
export function TellLineForm({ projects, services }: TellLineFormProps) {
  const [project, setProject] = useState(projects[0]?.id ?? '');
  const [typed, setTyped] = useState<Typed>();
  const [said, setSaid] = useState<string>();
  const { readLine } = services;
  useEffect(() => {
    let isGone = false;
    setTyped(undefined);
    readLine(project).then(
      ({ usd, seconds }) => {
        if (!isGone) setTyped({ usd: textOf(usd), seconds: textOf(seconds) });
      },
      (error: unknown) => {
        if (!isGone) setSaid(error instanceof Error ? error.message : String(error));
      },
    );
    return () => {
      isGone = true;
    };
  }, [project, readLine]);
  const save = async () => {
    if (typed === undefined) return;
    const line = { usd: numberOf(typed.usd), seconds: numberOf(typed.seconds) };
    setSaid(
      await services.setLine(project, line).then(
        () => 'Saved.',
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      ),
    );
  };
  return (
    <form
      aria-label="Notify about expensive or slow runs"
      className="flex flex-wrap items-end gap-3 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <p className="basis-full text-muted text-xs">
        The person who started a run and the admins of its project are notified if it cost or took more than this.
        Empty: no limit.
      </p>
      <Select
        aria-label="Project of the limit"
        value={project}
        onValueChange={(next) => {
          setSaid(undefined);
          setProject(next);
        }}
        options={projects.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <LineField
        label="US dollars"
        step="any"
        value={typed?.usd}
        onType={(usd) => setTyped((before) => before && { ...before, usd })}
      />
      <LineField
        label="Seconds"
        step="1"
        value={typed?.seconds}
        onType={(seconds) => setTyped((before) => before && { ...before, seconds })}
      />
      <Button type="submit" size="sm" disabled={typed === undefined}>
        Save limit
      </Button>
      <p role="status" className="text-muted text-xs">
        {said}
      </p>
    </form>
  );
}

function LineField(props: {
  readonly label: string;
  readonly step: string;
  /** `undefined` while it is read. */
  readonly value: string | undefined;
  readonly onType: (text: string) => void;
}) {
  return (
    <Field label={props.label}>
      {(ids) => (
        <Input
          {...ids}
          type="number"
          min="0"
          step={props.step}
          className="w-28"
          disabled={props.value === undefined}
          value={props.value ?? ''}
          onChange={(event) => props.onType(event.target.value)}
        />
      )}
    </Field>
  );
}

function textOf(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

function numberOf(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text);
}
