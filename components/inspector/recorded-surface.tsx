'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { countOf } from '@/components/ui/count-of';
import { Field } from '@/components/ui/field';
import { PickOne } from '@/components/ui/picker';
import { Skeleton } from '@/components/ui/progress';
import {
  instancesOf,
  type ListedRun,
  type RecordedRequest,
  readRecordedSurface,
  recentRuns,
} from '@/lib/editor/recorded-surface';
import type { LinkedInstance } from '@/lib/editor/surface-link';
import type { PreviewTool } from '@/lib/runtime/surface/surface-preview';
import { Instruction, Note, Section, ToolRow } from './surface-view';

/** Shows what the model of an instance of this agent saw in a recorded run. */
export function RecordedSurface(props: { readonly agent: string; readonly opened: LinkedInstance | undefined }) {
  const { agent, opened } = props;
  const projectId = useProject((state) => state.projectId);
  const [run, setRun] = useState(opened?.run);
  const [path, setPath] = useState(opened?.instance);
  const runs = useQuery({ queryKey: ['runs of', projectId], queryFn: () => recentRuns(projectId), staleTime: 5_000 });
  const shownRun = run ?? runs.data?.[0]?.id;
  const instances = useQuery({
    queryKey: ['instances', shownRun, agent],
    queryFn: ({ signal }) => instancesOf(shownRun ?? '', agent, signal),
    enabled: shownRun !== undefined,
  });
  const shownPath = path ?? instances.data?.[0];
  const problem = runs.error ?? instances.error;
  if (problem !== null) return <Note>{problem.message}</Note>;
  if (runs.data?.length === 0 && run === undefined) {
    return <p className="text-muted text-xs">This project has not run yet. Run it to see what its models are sent.</p>;
  }
  return (
    <>
      <Field label="Run">
        {(ids) => (
          <PickOne
            {...ids}
            label="Run"
            size="sm"
            value={shownRun}
            placeholder="Loading…"
            options={runOptions(runs.data ?? [], shownRun)}
            onChange={(id) => {
              setRun(id);
              setPath(undefined);
            }}
          />
        )}
      </Field>
      <Field label="Instance">
        {(ids) => (
          <PickOne
            {...ids}
            label="Instance"
            size="sm"
            value={shownPath}
            placeholder={instances.data?.length === 0 ? `No instance of ${agent}` : 'Loading…'}
            options={instanceOptions(instances.data ?? [], shownPath)}
            onChange={setPath}
          />
        )}
      </Field>
      {shownRun === undefined || shownPath === undefined ? null : (
        <Seen key={`${shownRun} ${shownPath}`} run={shownRun} path={shownPath} />
      )}
    </>
  );
}

/** A run that a link names may be older than the list. */
function runOptions(runs: readonly ListedRun[], shown: string | undefined) {
  const options = runs.map(({ id, message, createdAt }) => ({
    value: id,
    label: message.trim() === '' ? '(no message)' : message.slice(0, 120),
    note: new Date(createdAt).toLocaleString(),
  }));
  const isListed = shown === undefined || runs.some(({ id }) => id === shown);
  return isListed ? options : [{ value: shown, label: 'The linked run', note: shown }, ...options];
}

/** A chosen instance is an option also before the others are loaded. */
function instanceOptions(paths: readonly string[], shown: string | undefined) {
  const all = shown === undefined || paths.includes(shown) ? paths : [shown, ...paths];
  return all.map((path) => ({ value: path, label: path }));
}

function Seen({ run, path }: { readonly run: string; readonly path: string }) {
  const seen = useQuery({ queryKey: ['surface', run, path], queryFn: () => readRecordedSurface(run, path) });
  const [step, setStep] = useState<string>();
  if (seen.error !== null) return <Note>{seen.error.message}</Note>;
  if (seen.data === undefined) return <Skeleton className="h-40" />;
  const { requests, again } = seen.data;
  const shown = requests.find((one) => one.step === step) ?? requests[0];
  if (shown === undefined) return <p className="text-muted text-xs">This instance asked no model.</p>;
  const known = new Map(again?.surface.tools.map((tool) => [tool.name, tool]));
  return (
    <>
      {requests.length === 1 ? null : (
        <Field label="Request">
          {(ids) => (
            <PickOne
              {...ids}
              label="Request"
              size="sm"
              value={shown.step}
              options={requests.map((one, index) => ({ value: one.step, label: requestWords(one, index) }))}
              onChange={setStep}
            />
          )}
        </Field>
      )}
      <p className="text-muted text-xs">
        Recorded: {shown.model} was sent {countOf(shown.messageCount, 'message')} and{' '}
        {countOf(shown.tools.length, 'tool')}, in this order. Schemas and the instruction are not recorded: they are
        made again from the files of the run, as a run makes them.
      </p>
      {shown.tools.length === 0 ? null : (
        <Section title="Tools, in order">
          <ol aria-label="Tools, in order" className="flex flex-col divide-y rounded border bg-surface">
            {shown.tools.map((name) => (
              <ToolRow key={name} tool={known.get(name) ?? unknownTool(name)} />
            ))}
          </ol>
        </Section>
      )}
      {again === undefined ? (
        <Note>This agent was created in the run, so its instruction is not in the files.</Note>
      ) : (
        <Instruction instruction={again.instruction} />
      )}
    </>
  );
}

function requestWords({ messageCount, tools }: RecordedRequest, index: number): string {
  return `${index + 1}: ${countOf(messageCount, 'message')}, ${countOf(tools.length, 'tool')}`;
}

/** A tool of which only the name is recorded. */
function unknownTool(name: string): PreviewTool {
  return {
    name,
    source: name.includes('__') && !name.startsWith('__') ? 'mcp' : 'runtime',
    from: undefined,
    description: 'Only its name is recorded: a server listed it, or an agent was created in the run.',
    inputSchema: undefined,
    tokens: undefined,
    hiddenIn: [],
    isToBeFound: false,
  };
}
