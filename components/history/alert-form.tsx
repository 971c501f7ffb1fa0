import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import type { AlertInfo } from '@/lib/trace/alert-info';
import { alertFigureNames, callsWord, hoursWords } from '@/lib/trace/alert-words';
import {
  type AlertFigure,
  type AlertKind,
  type AlertRule,
  alertFigures,
  alertHours,
  alertKinds,
  looksBack,
} from '@/lib/trace/alerts';
import type { ProjectName } from './project-names';

export interface AlertFormProps {
  /** `undefined` for a new one. */
  readonly alert: AlertInfo | undefined;
  readonly projects: readonly ProjectName[];
  readonly mayAll: boolean;
  /** The project of the dashboard. */
  readonly project: string | undefined;
  readonly onSave: (project: string | undefined, rule: AlertRule) => Promise<void>;
  readonly onCancel: () => void;
}

const everyProject = '*';

/** The line in the unit that a person types: per cent, seconds, US dollars. */
const units: Readonly<Record<AlertFigure, { readonly words: string; readonly factor: number }>> = {
  errorRate: { words: 'per cent', factor: 0.01 },
  p50: { words: 'seconds', factor: 1_000 },
  p95: { words: 'seconds', factor: 1_000 },
  costDay: { words: 'US dollars', factor: 1 },
  costMonth: { words: 'US dollars', factor: 1 },
};

const kindWords: Readonly<Record<AlertKind, string>> = { run: 'Runs', agent: 'An agent', model: 'A model' };

interface Typed extends Pick<AlertRule, 'figure' | 'kind' | 'name' | 'hours'> {
  readonly line: string;
  readonly least: string;
}

const usualLeast = 10;

function typedOf(alert: AlertInfo | undefined): Typed {
  if (alert === undefined) {
    return { figure: 'errorRate', kind: 'run', name: '', hours: 24, line: '', least: String(usualLeast) };
  }
  const { figure, kind, name, hours, threshold, least } = alert;
  return { figure, kind, name, hours, line: String(rounded(threshold / units[figure].factor)), least: String(least) };
}

/** Rounds, because 0.07 / 0.01 gives 7.000000000000001. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}

/** A cost has no least number of runs, so the stored one is kept, and what was typed for another figure is ignored. */
function ruleOf({ figure, kind, name, hours, line, least }: Typed, before: AlertInfo | undefined): AlertRule {
  const threshold = rounded(Number(line) * units[figure].factor);
  const atLeast = looksBack(figure) ? Number(least) : (before?.least ?? usualLeast);
  return { figure, kind, name: kind === 'run' ? '' : name.trim(), hours, threshold, least: atLeast };
}

/** Makes or changes an alert. */
export function AlertForm({ alert, projects, mayAll, project, onSave, onCancel }: AlertFormProps) {
  const [typed, setTyped] = useState(() => typedOf(alert));
  const [of, setOf] = useState(() => firstPlace(projects, mayAll, project));
  const [busy, setBusy] = useState(false);
  const type = (part: Partial<Typed>) => setTyped((before) => ({ ...before, ...part }));
  const { figure, kind, name, line } = typed;
  const save = async () => {
    setBusy(true);
    await onSave(of === everyProject ? undefined : of, ruleOf(typed, alert));
    setBusy(false);
  };
  return (
    <form
      aria-label={alert === undefined ? 'Add an alert' : 'Change the alert'}
      className="flex flex-col gap-3 bg-sunken px-3 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Choice
          label="Figure"
          value={figure}
          options={alertFigures.map((each) => [each, alertFigureNames[each]])}
          onChoose={(each) => type({ figure: each })}
        />
        <Choice
          label="Of"
          value={kind}
          options={alertKinds.map((each) => [each, kindWords[each]])}
          onChoose={(each) => type({ kind: each })}
        />
        {kind !== 'run' && (
          <Field label={kind === 'agent' ? 'Name of the agent' : 'Name of the model'}>
            {(ids) => (
              <Input
                {...ids}
                required
                maxLength={200}
                value={name}
                onChange={(event) => type({ name: event.target.value })}
              />
            )}
          </Field>
        )}
        {alert === undefined && (
          <Choice
            label="Project"
            value={of}
            options={[
              ...(mayAll ? [[everyProject, 'All projects'] as const] : []),
              ...projects.map(({ id, name: called }) => [id, called] as const),
            ]}
            onChoose={setOf}
          />
        )}
        <NumberField
          label={`Line in ${units[figure].words}`}
          value={line}
          step="any"
          onType={(text) => type({ line: text })}
        />
        {looksBack(figure) && <Window typed={typed} onType={type} />}
      </div>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" size="sm" busy={busy} disabled={line.trim() === ''}>
          {alert === undefined ? 'Add' : 'Save'}
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function firstPlace(projects: readonly ProjectName[], mayAll: boolean, project: string | undefined): string {
  if (project !== undefined && projects.some(({ id }) => id === project)) return project;
  return mayAll ? everyProject : (projects[0]?.id ?? everyProject);
}

/** How far an error rate or a percentile looks back, and how much has to be there. */
function Window({ typed, onType }: { readonly typed: Typed; readonly onType: (part: Partial<Typed>) => void }) {
  return (
    <>
      <Choice
        label="In the last"
        value={String(typed.hours)}
        options={alertHours.map((each) => [String(each), hoursWords(each)])}
        onChoose={(text) => onType({ hours: alertHours.find((each) => String(each) === text) ?? typed.hours })}
      />
      <NumberField
        label={`Least number of ${callsWord(typed, 0)}`}
        value={typed.least}
        step="1"
        onType={(text) => onType({ least: text })}
      />
    </>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly onChoose: (value: Value) => void;
}

function Choice<Value extends string>({ label, value, options, onChoose }: ChoiceProps<Value>) {
  return (
    <Field label={label}>
      {({ id }) => (
        <Select
          id={id}
          value={value}
          onValueChange={(chosen) => {
            const found = options.find(([each]) => each === chosen);
            if (found !== undefined) onChoose(found[0]);
          }}
          options={options.map(([each, words]) => ({ value: each, label: words }))}
        />
      )}
    </Field>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: string;
  readonly step: string;
  readonly onType: (text: string) => void;
}

function NumberField({ label, value, step, onType }: NumberFieldProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <Input
          {...ids}
          type="number"
          min="0"
          step={step}
          required
          value={value}
          onChange={(event) => onType(event.target.value)}
        />
      )}
    </Field>
  );
}
