'use client';

import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { type Budget, noBudget, type RunLimits } from '@/lib/base/limits';
import { AmountFields, readAmount, textOfAmount } from './amount-fields';
import type { LimitServices, LimitsState } from './limit-types';
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
  const { administers } = state;
  const isNew = added !== undefined && state.projects.every(({ id }) => id !== added.id);
  const listed = isNew ? [...state.projects, { ...added, own: undefined, used: '', warnings: [] }] : state.projects;
  return (
    <div className="divide-y">
      <RunLimitForm
        key={JSON.stringify(state.runs)}
        runs={state.runs}
        disabled={!administers}
        onSave={(runs) => store(() => services.saveLimits(runs, state.budget))}
      />
      <BudgetForm
        key={JSON.stringify(state.budget)}
        title="Every project"
        note="What the runs of a project may use in a calendar month (UTC)."
        budget={state.budget}
        disabled={!administers}
        onSave={(budget) => store(() => services.saveLimits(state.runs, budget))}
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
  startsPerMinute: 'Starts a minute',
  activePerPerson: 'Active of a person',
  activePerProject: 'Active of a project',
} as const;

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
  };
  const [texts, setTexts] = useState(first);
  const [startsPerMinute, activePerPerson, activePerProject] = [
    readAmount(texts.startsPerMinute, false),
    readAmount(texts.activePerPerson, false),
    readAmount(texts.activePerProject, false),
  ];
  const isRead = startsPerMinute !== undefined && activePerPerson !== undefined && activePerProject !== undefined;
  return (
    <AmountForm
      title="Runs"
      note="Starts of a person, and runs that wait or are executed. Runs that wait for people are not active."
      disabled={disabled}
      isChanged={isRead && JSON.stringify(texts) !== JSON.stringify(first)}
      onSave={async () => {
        if (isRead) await onSave({ startsPerMinute, activePerPerson, activePerProject });
      }}
    >
      <AmountFields labels={runLabels} texts={texts} disabled={disabled} onChange={setTexts} />
    </AmountForm>
  );
}

const budgetLabels = { maxUsd: 'US dollars a month', maxTokens: 'Tokens a month', maxRuns: 'Runs a month' } as const;

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
      <h3 className="min-w-0 break-words font-medium text-ink text-sm">{title}</h3>
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
