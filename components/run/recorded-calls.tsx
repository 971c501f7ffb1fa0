'use client';

import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { Field } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { PickOne } from '@/components/ui/picker';
import { type ListedCall, listCalls, mostListedCalls, readCall } from '@/lib/client/recorded-calls';
import type { RecordedCall } from '@/lib/trace/recorded-call';
import { runOption, useRunsOf } from './use-runs-of';

export interface RecordedCallsProps {
  readonly agent: string;
  /** Lists only calls of this tool, by the name that the model sees. */
  readonly tool?: string | undefined;
  readonly onTake: (call: RecordedCall) => void;
  readonly onDone: () => void;
}

/** Chooses a run of the project, and then a call of the agent in it. */
export function RecordedCalls(props: RecordedCallsProps) {
  const projectId = useProject((state) => state.projectId);
  const [run, setRun] = useState<string>();
  const [error, setError] = useState<string>();
  const runs = useRunsOf(projectId);
  const shown = run ?? runs.data?.[0]?.id;
  const take = async (call: ListedCall) => {
    if (shown === undefined) return;
    try {
      props.onTake(await readCall(shown, call.seq));
      props.onDone();
    } catch (failure) {
      setError(sentenceOf(failure));
    }
  };
  return (
    <section aria-label="A call of a run" className="flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-3">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-semibold text-ink text-sm">Take a call of a run</h3>
        <IconButton size="sm" label="Close the calls" icon={<X aria-hidden />} onClick={props.onDone} />
      </div>
      {runs.isError ? <Trouble text={sentenceOf(runs.error)} /> : null}
      {runs.data?.length === 0 ? (
        <p className="text-muted text-sm">The project has not been run yet. Type a call instead.</p>
      ) : (
        <Field label="Run">
          {(ids) => (
            <PickOne
              {...ids}
              label="Run"
              value={shown}
              placeholder="Loading runs…"
              options={(runs.data ?? []).map(runOption)}
              onChange={setRun}
            />
          )}
        </Field>
      )}
      {error === undefined ? null : <Trouble text={error} />}
      {shown === undefined ? null : (
        <Calls key={shown} run={shown} agent={props.agent} tool={props.tool} onTake={take} />
      )}
    </section>
  );
}

function Calls(props: {
  readonly run: string;
  readonly agent: string;
  readonly tool: string | undefined;
  readonly onTake: (call: ListedCall) => Promise<void>;
}) {
  const { run, agent, tool } = props;
  const calls = useQuery({
    queryKey: ['calls of a run', run, agent, tool],
    queryFn: ({ signal }) => listCalls(run, { agent, tool }, signal),
    retry: false,
  });
  if (calls.isError) return <Trouble text={sentenceOf(calls.error)} />;
  if (calls.data === undefined) return <p className="text-muted text-sm">Loading calls…</p>;
  if (calls.data.length === 0)
    return <p className="text-muted text-sm">{`${agent} did not call ${tool ?? 'a tool'} in this run.`}</p>;
  return (
    <>
      <ul aria-label="Calls" className="flex max-h-64 flex-col divide-y overflow-y-auto rounded border">
        {calls.data.map((call) => (
          <li key={call.seq}>
            <button
              type="button"
              className="flex w-full min-w-0 cursor-pointer flex-col gap-0.5 px-2.5 py-1.5 text-left hover:bg-hover"
              onClick={() => void props.onTake(call)}
            >
              <span className="flex min-w-0 items-baseline justify-between gap-2">
                <span className="truncate font-medium font-mono text-ink text-xs">{call.tool}</span>
                <span className="shrink-0 text-faint text-xs">{call.instance}</span>
              </span>
              <span className="truncate font-mono text-muted text-xs">{call.preview}</span>
            </button>
          </li>
        ))}
      </ul>
      {calls.data.length < mostListedCalls ? null : (
        <p className="text-faint text-xs">The first {mostListedCalls} calls are listed.</p>
      )}
    </>
  );
}

function Trouble({ text }: { readonly text: string }) {
  return (
    <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad text-sm">
      {text}
    </p>
  );
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : 'It could not be loaded.';
}
