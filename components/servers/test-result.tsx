'use client';

import { CircleCheck, CircleDashed, CircleX, PlugZap, Square } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { TimeAgo } from '@/components/ui/time-ago';
import type { ProbeReport, ProbeStep } from '@/lib/base/probe-report';
import { type ServerTest, worked } from '@/lib/editor/server-tests';

export interface TestResultProps {
  readonly server: string;
  readonly test: ServerTest | undefined;
  readonly onTest: () => void;
  readonly onStop: () => void;
  /** True to fold the steps of a test that worked. */
  readonly compact?: boolean;
  /** True to show the name of the server in the button, where nothing beside it does. */
  readonly named?: boolean;
}

/** The button that tests a server, and what the last test found: its steps, why one failed, and the log. */
export function TestResult({ server, test, onTest, onStop, compact = false, named = false }: TestResultProps) {
  const running = test?.phase === 'running';
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button size="sm" icon={<PlugZap aria-hidden className="size-3.5" />} busy={running} onClick={onTest}>
          {named ? `Test ${server}${test === undefined || running ? '' : ' again'}` : null}
          {named ? null : running ? 'Testing…' : test === undefined ? 'Test' : 'Test again'}
          {named ? null : <span className="sr-only"> {server}</span>}
        </Button>
        {running ? (
          <Button size="sm" variant="ghost" icon={<Square aria-hidden className="size-3.5" />} onClick={onStop}>
            Stop
          </Button>
        ) : null}
        <Outcome test={test} />
      </div>
      {test?.phase === 'failed' ? <p className="break-words text-bad text-xs">{test.message}</p> : null}
      {test?.phase === 'done' ? <Report report={test.report} compact={compact} /> : null}
    </div>
  );
}

/** Says in a few words how the last test ended. Screen readers are told when it changes. */
function Outcome({ test }: { readonly test: ServerTest | undefined }) {
  return (
    <span role="status" className="inline-flex items-center gap-2 text-xs">
      {test?.phase === 'running' ? <span className="sr-only">Testing</span> : null}
      {test?.phase === 'failed' ? <Badge tone="bad">not tested</Badge> : null}
      {test?.phase === 'done' ? (
        <>
          <Badge tone={worked(test.report) ? 'ok' : 'bad'}>{worked(test.report) ? 'works' : 'does not work'}</Badge>
          <span className="text-faint">
            <TimeAgo at={new Date(test.report.probedAt)} />
          </span>
        </>
      ) : null}
    </span>
  );
}

function Report({ report, compact }: { readonly report: ProbeReport; readonly compact: boolean }) {
  const { steps, why, log, faults = [], leftOut, serverInfo } = report;
  const ok = worked(report);
  return (
    <>
      {why === undefined ? null : (
        <p className="break-words rounded border border-bad bg-bad-soft px-2 py-1.5 font-mono text-bad text-xs">
          {why}
        </p>
      )}
      {ok && compact ? (
        <details className="text-xs">
          <summary className="w-fit cursor-pointer text-muted hover:text-ink">Steps</summary>
          <Steps steps={steps} />
        </details>
      ) : (
        <Steps steps={steps} />
      )}
      {ok ? (
        <p className="text-muted text-xs">
          {serverInfo === undefined ? '' : `${serverInfo.name} ${serverInfo.version}: `}
          {counted(report)}
          {leftOut === undefined ? '' : `. ${leftOut}`}
        </p>
      ) : null}
      {faults.length === 0 ? null : (
        <ul aria-label="Faults in what it lists" className="flex flex-col gap-0.5 text-warn text-xs">
          {faults.map((fault) => (
            <li key={fault} className="break-words">
              {fault}
            </li>
          ))}
        </ul>
      )}
      {log.length === 0 ? null : <Log lines={log} open={!ok && why === undefined} />}
    </>
  );
}

function Steps({ steps }: Pick<ProbeReport, 'steps'>) {
  return (
    <ol aria-label="Steps of the test" className="flex flex-col gap-0.5">
      {steps.map((step) => (
        <Step key={step.name} step={step} />
      ))}
    </ol>
  );
}

const stepWords: Readonly<Record<ProbeStep['name'], string>> = {
  resolve: 'Resolve settings',
  start: 'Start the command',
  connect: 'Connect to the address',
  initialize: 'Initialize',
  list: 'List what it offers',
};

const stepLooks = {
  done: { Icon: CircleCheck, ink: 'text-ok' },
  failed: { Icon: CircleX, ink: 'text-bad' },
  skipped: { Icon: CircleDashed, ink: 'text-faint' },
} as const;

function Step({ step }: { readonly step: ProbeStep }) {
  const { Icon, ink } = stepLooks[step.state];
  const skipped = step.state === 'skipped';
  // The output has a place of its own below the steps.
  const message = step.message?.split(' Last output:')[0];
  return (
    <li className="flex min-w-0 items-start gap-1.5 text-xs">
      <Icon aria-hidden className={`mt-px size-3.5 shrink-0 ${ink}`} />
      <span className="min-w-0 flex-1">
        <span className={skipped ? 'text-faint' : step.state === 'failed' ? 'font-medium text-bad' : 'text-ink'}>
          {stepWords[step.name]}
        </span>
        <span className="sr-only">: {step.state}</span>
        {message === undefined ? null : <span className="block break-words text-muted">{message}</span>}
      </span>
      {skipped ? null : <span className="shrink-0 text-faint tabular">{duration(step.ms)}</span>}
    </li>
  );
}

function Log({ lines, open }: { readonly lines: readonly string[]; readonly open: boolean }) {
  return (
    <details className="text-xs" open={open}>
      <summary className="w-fit cursor-pointer text-muted hover:text-ink">
        Log, {lines.length} {lines.length === 1 ? 'line' : 'lines'}
      </summary>
      <div className="relative mt-1">
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long log is scrolled by keyboard
          tabIndex={0}
          className="max-h-60 overflow-auto whitespace-pre-wrap break-words rounded border bg-sunken p-2 pr-8 font-mono text-2xs text-ink leading-4"
        >
          {lines.join('\n')}
        </pre>
        <span className="absolute top-1 right-1">
          <CopyButton text={lines.join('\n')} label="Copy the log" />
        </span>
      </div>
    </details>
  );
}

function counted({ tools, resources, prompts }: ProbeReport): string {
  return [words(tools.length, 'tool'), words(resources.length, 'resource'), words(prompts.length, 'prompt')].join(', ');
}

function words(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}
