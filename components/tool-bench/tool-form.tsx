'use client';

import { History, ScanSearch } from 'lucide-react';
import { useProject } from '@/components/editor-state/project-context';
import { useToolBench, useToolBenchActions } from '@/components/editor-state/tool-bench-context';
import { argumentFields } from '@/components/people/argument-fields';
import { ArgumentsForm } from '@/components/people/arguments-form';
import { ServerTestPanel } from '@/components/servers/server-test';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { PickOne } from '@/components/ui/picker';
import type { JsonObject } from '@/lib/base/json';
import type { ArgumentProblem } from '@/lib/base/tool-report';
import { agentView } from '@/lib/cards/agent-view';
import type { ToolCallForm } from './use-tool-call';

export interface ToolFormProps {
  readonly call: ToolCallForm;
  readonly picking: boolean;
  readonly onPick: () => void;
}

/** The agent, its tool, and the arguments of the call. */
export function ToolForm({ call, picking, onPick }: ToolFormProps) {
  const choice = useToolBench((state) => state.choice);
  const filled = useToolBench((state) => state.filled);
  const actions = useToolBenchActions();
  const problems = useToolBench((state) => state.error?.problems) ?? [];
  const { text, schema, fault } = call;
  // The form is another one once the arguments are known.
  const isLookingUp = useToolBench((state) => state.running === 'look up') && call.needsLookUp;
  return (
    <section aria-label="Call" className="flex min-w-0 flex-col gap-3">
      <ToolPickers call={call} />
      {choice === undefined || choice.tool === '' ? null : (
        <>
          <LookUp call={call} />
          {isLookingUp ? null : (
            <ArgumentsForm
              key={`${filled} ${schema === undefined}`}
              text={text}
              onText={actions.type}
              form={schema}
              faults={Object.fromEntries(problems.map(({ field = '', message }) => [field, message]))}
            />
          )}
          {takesNothing(schema) && text === '{}' ? <p className="text-muted text-sm">It takes no arguments.</p> : null}
          {fault === undefined ? null : <p className="text-bad text-xs">{fault}</p>}
          <Misfit problems={problems} onSend={call.sendAnyway} />
          {picking ? null : (
            <Button
              size="sm"
              className="self-start"
              icon={<History aria-hidden className="size-3.5" />}
              onClick={onPick}
            >
              Take a recorded call…
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function ToolPickers({ call: { tools, untested, description } }: Pick<ToolFormProps, 'call'>) {
  const choice = useToolBench((state) => state.choice);
  const cards = useProject((state) => state.picture.drawn.cards);
  const actions = useToolBenchActions();
  const agents = cards.filter((card) => {
    const { functionTools, servers, mcpConnect } = agentView(card);
    return functionTools.length + servers.length + mcpConnect.length > 0;
  });
  const pick = (name: string | undefined) => {
    const found = tools.find(({ tool }) => tool === name);
    if (choice === undefined || found === undefined) return;
    actions.choose({ agent: choice.agent, tool: found.tool, server: found.server });
  };
  return (
    <>
      <Field label="Agent" hint="The tool filter of its card and the rules about its calls apply here too.">
        {(ids) => (
          <PickOne
            {...ids}
            label="Agent"
            value={choice?.agent}
            placeholder="Choose an agent"
            options={agents.map(({ name }) => ({ value: name, label: name }))}
            onChange={(agent) => agent !== undefined && actions.choose({ agent, tool: '', server: undefined })}
          />
        )}
      </Field>
      <Field label="Tool" hint={choice && toolHint(tools.length, untested.length, description)}>
        {(ids) => (
          <PickOne
            {...ids}
            label="Tool"
            value={choice === undefined || choice.tool === '' ? undefined : choice.tool}
            placeholder="Choose a tool"
            options={tools.map(({ tool, server }) => ({
              value: tool,
              label: tool,
              group: server === undefined ? 'Functions' : `Server ${server}`,
            }))}
            onChange={pick}
          />
        )}
      </Field>
      {untested.map((server) => (
        <ServerTestPanel key={server} server={server} compact named />
      ))}
    </>
  );
}

function toolHint(known: number, untested: number, description: string | undefined): string | undefined {
  if (known === 0 && untested > 0) return 'No tool is known yet. Test a server: what it lists can be tried.';
  if (known === 0) return 'The agent takes no tool of its servers and has no function.';
  return description === undefined || description === '' ? undefined : description;
}

function takesNothing(schema: JsonObject | undefined): boolean {
  return schema !== undefined && argumentFields(schema, {}).length === 0;
}

/** Says that the arguments are not known yet, and reads them. */
function LookUp({ call }: Pick<ToolFormProps, 'call'>) {
  const running = useToolBench((state) => state.running);
  const server = useToolBench((state) => state.choice?.server);
  const actions = useToolBenchActions();
  if (!call.needsLookUp) return null;
  if (running === 'look up') return <p className="text-muted text-sm">Reading what the arguments are…</p>;
  return (
    <div className="flex flex-col items-start gap-1.5 rounded border bg-surface px-3 py-2 text-muted text-sm">
      <p>
        What the arguments are is not known yet
        {server === undefined ? ': a worker has to load the code.' : `: server ${server} has to be started or asked.`}
      </p>
      <Button
        size="sm"
        icon={<ScanSearch aria-hidden className="size-3.5" />}
        onClick={() => void actions.lookUp(true)}
      >
        Read the arguments
      </Button>
    </div>
  );
}

/** Lets somebody send arguments that do not fit, because a tool must refuse them by itself. */
function Misfit({ problems, onSend }: { readonly problems: readonly ArgumentProblem[]; readonly onSend: () => void }) {
  if (problems.length === 0) return null;
  return (
    <div role="alert" className="flex flex-col items-start gap-1.5 rounded bg-warn-soft px-3 py-2 text-sm text-warn">
      <p>The arguments do not fit, so the tool was not called:</p>
      <ul className="list-disc pl-4 text-xs">
        {problems.slice(0, 8).map(({ field, message }) => (
          <li key={`${field} ${message}`} className="break-words">
            {field === undefined ? null : <code className="font-mono">{field} </code>}
            {message}
          </li>
        ))}
      </ul>
      <Button size="sm" onClick={onSend}>
        Send them anyway
      </Button>
    </div>
  );
}
