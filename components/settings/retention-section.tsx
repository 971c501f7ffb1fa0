'use client';

import { useState } from 'react';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TimeAgo } from '@/components/ui/time-ago';
import { formatBytes } from '@/lib/trace/wording';
import { RetentionForm } from './retention-form';
import { RetentionProject } from './retention-project';
import type { RetentionRule, RetentionServices, RetentionState } from './retention-types';

export interface RetentionSectionProps {
  /** `undefined` if the database could not be read. */
  readonly first: RetentionState | undefined;
  readonly services: RetentionServices;
}

interface Asked {
  readonly rule: RetentionRule | null;
  readonly project: string | undefined;
  readonly runs: number;
  readonly bytes: number;
}

/** Says how much is kept, and sets for how long, with rules of single projects. A rule that deletes runs now asks first. */
export function RetentionSection({ first, services }: RetentionSectionProps) {
  if (first === undefined)
    return <p className="px-4 py-3 text-muted text-sm">The runs cannot be read now. Load the page again.</p>;
  return <Rules first={first} services={services} />;
}

function Rules({ first, services }: RetentionSectionProps & { readonly first: RetentionState }) {
  const [state, setState] = useState(first);
  const [asked, setAsked] = useState<Asked>();
  const [fault, setFault] = useState<string>();
  const [added, setAdded] = useState<{ readonly id: string; readonly name: string }>();
  const attempt = async (work: () => Promise<void>) => {
    setFault(undefined);
    await work().catch((error: unknown) => setFault(error instanceof Error ? error.message : String(error)));
  };
  const store = async (rule: RetentionRule | null, project: string | undefined) => {
    setState(await services.save(rule, project));
    setAsked(undefined);
    if (project === added?.id) setAdded(undefined);
  };
  const save = (rule: RetentionRule | null, project?: string) =>
    attempt(async () => {
      const { runs, bytes } = await services.preview(rule ?? state.rule, project);
      if (runs === 0) await store(rule, project);
      else setAsked({ rule, project, runs, bytes });
    });
  const isNew = added !== undefined && state.projects.every(({ id }) => id !== added.id);
  const listed = isNew ? [...state.projects, { ...added, rule: state.rule }] : state.projects;
  return (
    <div className="divide-y">
      <Kept state={state} />
      <RetentionForm
        key={`${state.rule.maxAgeDays} ${state.rule.maxBytes}`}
        title="Every project"
        rule={state.rule}
        onSave={(rule) => save(rule)}
      />
      {listed.map(({ id, name, rule }) => (
        <RetentionForm
          key={`${id} ${rule.maxAgeDays} ${rule.maxBytes}`}
          title={name}
          rule={rule}
          isUnsaved={isNew && id === added.id}
          onSave={(next) => save(next, id)}
          onRemove={() => (isNew && id === added.id ? setAdded(undefined) : void save(null, id))}
        />
      ))}
      <RetentionProject find={services.findProjects} onChoose={setAdded} />
      {fault !== undefined && (
        <p role="status" className="px-4 py-2 text-bad text-sm">
          {fault}
        </p>
      )}
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title="Delete old runs?"
        confirm="Save and delete"
        onConfirm={() => asked !== undefined && void attempt(() => store(asked.rule, asked.project))}
      >
        {asked !== undefined && (
          <p>
            Now {countWord(asked.runs)} ({formatBytes(asked.bytes)}) {asked.runs === 1 ? 'is' : 'are'} beyond this rule.
            They are deleted for good within ten minutes, and later ones as they come to it. Active runs stay.
          </p>
        )}
      </ConfirmDialog>
    </div>
  );
}

function Kept({ state: { kept, report } }: { readonly state: RetentionState }) {
  return (
    <p className="px-4 py-3 text-muted text-sm">
      <span className="font-medium text-ink">{countWord(kept.runs)}</span> with {formatBytes(kept.bytes)} of events.
      {report !== undefined && (
        <>
          {' '}
          Last deleted: {countWord(report.runs)}, {formatBytes(report.bytes)}, <TimeAgo at={report.at} />.
        </>
      )}
    </p>
  );
}

function countWord(runs: number): string {
  return `${runs.toLocaleString('en-US')} ${runs === 1 ? 'run' : 'runs'}`;
}
