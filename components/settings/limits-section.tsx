'use client';

import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { VisibleText } from '@/components/ui/visible-text';
import { type Budget, noBudget, type RunLimits, warnedFrom } from '@/lib/base/limits';
import { formatBytes } from '@/lib/trace/wording';
import { AmountFields, readAmount, textOfAmount } from './amount-fields';
import type { DiskState, LimitServices, LimitsState } from './limit-types';
import { RetentionProject } from './retention-project';

export interface LimitsSectionProps {
  /** `undefined` if the database could not be read. */
  readonly first: LimitsState | undefined;
  readonly services: LimitServices;
}

/** Limits on starting runs, the budget of every project, and budgets of single projects. */
export function LimitsSection({ first, services }: LimitsSectionProps) {
  if (first === undefined)
    return <p className="px-4 py-3 text-muted text-sm">The limits cannot be read now. Load the page again.</p>;
  return <Limits first={first} services={services} />;
}

function Limits({ first, services }: LimitsSectionProps & { readonly first: LimitsState }) {
  const [state, setState] = useState(first);
  const [added, setAdded] = useState<{ readonly id: string; readonly name: string }>();
  const [fault, setFault] = useState<string>();
  const store = async (work: () => Promise<LimitsState>) => {
    setFault(undefined);
    try {
      setState(await work());
      setAdded(undefined);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  const { administers, runs, budget } = state;
  const common = { runs, budget, disk: { bytesPerProject: state.disk.bytesPerProject } };
  const isNew = added !== undefined && state.projects.every(({ id }) => id !== added.id);
  const listed = isNew ? [...state.projects, { ...added, own: undefined, used: '', warnings: [] }] : state.projects;
  return (
    <div className="divide-y">
      <RunLimitForm
        key={JSON.stringify(state.runs)}
        runs={state.runs}
        disabled={!administers}
        onSave={(runs) => store(() => services.saveLimits({ ...common, runs }))}
      />
      <DiskForm
        key={`disk ${state.disk.bytesPerProject}`}
        disk={state.disk}
        disabled={!administers}
        onSave={(disk) => store(() => services.saveLimits({ ...common, disk }))}
      />
      <BudgetForm
        key={JSON.stringify(state.budget)}
        title="Every project"
        note="What the runs of a project may use in a calendar month (UTC)."
        budget={state.budget}
        disabled={!administers}
        onSave={(budget) => store(() => services.saveLimits({ ...common, budget }))}
      />
      {listed.map(({ id, name, own, used, warnings }) => (
        <BudgetForm
          key={`${id} ${JSON.stringify(own)}`}
          title={name}
          note={own?.byAdministrator === true && !administers ? `${used} An administrator has set its budget.` : used}
          warnings={warnings}
          budget={own ?? noBudget}
          disabled={own?.byAdministrator === true && !administers}
          onSave={(budget) => store(() => services.saveBudget(id, budget))}
          onRemove={own === undefined ? undefined : () => store(() => services.saveBudget(id, null))}
        />
      ))}
      <RetentionProject label="Budget of a project…" find={services.findProjects} onChoose={setAdded} />
      {fault !== undefined && (
        <p role="alert" className="px-4 py-2 text-bad text-sm">
          {fault}
        </p>
      )}
    </div>
  );
}

const runLabels = {
  startsPerMinute: 'Starts per minute',
  activePerPerson: 'Active runs per person',
  activePerProject: 'Active runs per project',
  hours: 'Hours of a run',
} as const;
const runFractions = ['hours'] as const;
const hourMs = 60 * 60_000;

interface RunLimitFormProps {
  readonly runs: RunLimits;
  readonly disabled: boolean;
  readonly onSave: (runs: RunLimits) => Promise<void>;
}

function RunLimitForm({ runs, disabled, onSave }: RunLimitFormProps) {
  const first = {
    startsPerMinute: textOfAmount(runs.startsPerMinute),
    activePerPerson: textOfAmount(runs.activePerPerson),
    activePerProject: textOfAmount(runs.activePerProject),
    hours: textOfAmount(runs.longestMs, hourMs),
  };
  const [texts, setTexts] = useState(first);
  const [startsPerMinute, activePerPerson, activePerProject, hours] = [
    readAmount(texts.startsPerMinute, false),
    readAmount(texts.activePerPerson, false),
    readAmount(texts.activePerProject, false),
    readAmount(texts.hours, true),
  ];
  const isRead =
    startsPerMinute !== undefined &&
    activePerPerson !== undefined &&
    activePerProject !== undefined &&
    hours !== undefined;
  return (
    <AmountForm
      title="Runs"
      note="Starts of a person, and runs that wait or are executed. Runs that wait for people are not active."
      disabled={disabled}
      isChanged={isRead && JSON.stringify(texts) !== JSON.stringify(first)}
      onSave={async () => {
        if (!isRead) return;
        // A text that nobody has changed keeps its value, which it may show rounded.
        const longestMs = texts.hours === first.hours ? runs.longestMs : hours && Math.ceil(hours * hourMs);
        await onSave({ startsPerMinute, activePerPerson, activePerProject, longestMs });
      }}
    >
      <AmountFields labels={runLabels} texts={texts} fractions={runFractions} disabled={disabled} onChange={setTexts} />
    </AmountForm>
  );
}

const diskLabels = { gigabytes: 'GB per project' } as const;
const diskFractions = ['gigabytes'] as const;
const gigabyte = 1_000_000_000;

interface DiskFormProps {
  readonly disk: DiskState;
  readonly disabled: boolean;
  readonly onSave: (disk: Pick<DiskState, 'bytesPerProject'>) => Promise<void>;
}

function DiskForm({ disk, disabled, onSave }: DiskFormProps) {
  const first = { gigabytes: textOfAmount(disk.bytesPerProject, gigabyte) };
  const [texts, setTexts] = useState(first);
  const gigabytes = readAmount(texts.gigabytes, true);
  const most = disk.bytesPerProject;
  const full = most === null ? [] : disk.largest.filter(({ bytes }) => bytes >= most * warnedFrom);
  return (
    <AmountForm
      title="Disk"
      note="What a project may hold: its files, and the events of its runs. Counted each minute."
      warnings={full.map(({ name, bytes }) => `${name} holds ${formatBytes(bytes)} of ${formatBytes(most ?? 0)}.`)}
      disabled={disabled}
      isChanged={gigabytes !== undefined && texts.gigabytes !== first.gigabytes}
      onSave={async () => {
        if (gigabytes === undefined) return;
        await onSave({ bytesPerProject: gigabytes && Math.ceil(gigabytes * gigabyte) });
      }}
    >
      <AmountFields
        labels={diskLabels}
        texts={texts}
        fractions={diskFractions}
        disabled={disabled}
        onChange={setTexts}
      />
      {disk.largest.length > 0 && (
        <ul aria-label="Largest projects" className="w-full text-muted text-xs">
          {disk.largest.map(({ id, name, bytes }) => (
            <li key={id} className="flex max-w-md justify-between gap-4">
              <span className="min-w-0 truncate">{name}</span>
              <span className="shrink-0 tabular-nums">{formatBytes(bytes)}</span>
            </li>
          ))}
        </ul>
      )}
    </AmountForm>
  );
}

const budgetLabels = {
  maxUsd: 'US dollars per month',
  maxTokens: 'Tokens per month',
  maxRuns: 'Runs per month',
} as const;

interface BudgetFormProps {
  readonly title: string;
  readonly note: string;
  readonly warnings?: readonly string[];
  readonly budget: Budget;
  readonly disabled: boolean;
  readonly onSave: (budget: Budget) => Promise<void>;
  readonly onRemove?: (() => Promise<void>) | undefined;
}

function BudgetForm({ title, note, warnings = [], budget, disabled, onSave, onRemove }: BudgetFormProps) {
  const first = {
    maxUsd: textOfAmount(budget.maxUsd),
    maxTokens: textOfAmount(budget.maxTokens),
    maxRuns: textOfAmount(budget.maxRuns),
  };
  const [texts, setTexts] = useState(first);
  const [maxUsd, maxTokens, maxRuns] = [
    readAmount(texts.maxUsd, true),
    readAmount(texts.maxTokens, false),
    readAmount(texts.maxRuns, false),
  ];
  const isRead = maxUsd !== undefined && maxTokens !== undefined && maxRuns !== undefined;
  return (
    <AmountForm
      title={title}
      note={note}
      warnings={warnings}
      disabled={disabled}
      isChanged={isRead && JSON.stringify(texts) !== JSON.stringify(first)}
      onSave={async () => {
        if (isRead) await onSave({ maxUsd, maxTokens, maxRuns });
      }}
      onRemove={onRemove}
    >
      <AmountFields labels={budgetLabels} texts={texts} fractions={fractions} disabled={disabled} onChange={setTexts} />
    </AmountForm>
  );
}

const fractions = ['maxUsd'] as const;

interface AmountFormProps {
  readonly title: string;
  readonly note: string;
  readonly warnings?: readonly string[];
  readonly disabled: boolean;
  /** True if there is something to save that can be read. */
  readonly isChanged: boolean;
  readonly onSave: () => Promise<void>;
  readonly onRemove?: (() => Promise<void>) | undefined;
  readonly children: React.ReactNode;
}

function AmountForm({ title, note, warnings = [], disabled, isChanged, onSave, onRemove, children }: AmountFormProps) {
  const [busy, setBusy] = useState(false);
  return (
    <form
      aria-label={`Limits: ${title}`}
      className="flex flex-col gap-2 px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        setBusy(true);
        void onSave().finally(() => setBusy(false));
      }}
    >
      <h3 className="min-w-0 break-words font-medium text-ink text-sm">
        <VisibleText text={title} />
      </h3>
      {note !== '' && <p className="text-muted text-xs">{note}</p>}
      {warnings.map((warning) => (
        <p key={warning} className="flex items-start gap-1.5 text-warn text-xs">
          <TriangleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          {warning}
        </p>
      ))}
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        {children}
        {!disabled && (
          <div className="flex gap-2">
            <Button type="submit" busy={busy} disabled={!isChanged}>
              Save
            </Button>
            {onRemove && (
              <Button variant="ghost" onClick={() => void onRemove()}>
                Remove budget
              </Button>
            )}
          </div>
        )}
      </div>
    </form>
  );
}
