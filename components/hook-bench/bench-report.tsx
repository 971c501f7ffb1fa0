'use client';

import { CircleCheck, CircleDashed, CircleX, FlaskConical, type LucideIcon, SkipForward } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useBench } from '@/components/editor-state/hook-bench-context';
import { Badge, type Tone } from '@/components/ui/badge';
import { EmptyState } from '@/components/ui/empty-state';
import { useMedia } from '@/components/ui/use-media';
import type { HookReport, HookStep } from '@/lib/base/hook-report';
import type { Json } from '@/lib/base/json';
import { linesOf } from '@/lib/editor/hook-report-text';
import { formatDuration } from '@/lib/trace/wording';
import { PlainText, TextDiff } from './text-diff';

/** What each hook got and gave, and what the model would read in the end. */
export function BenchReport() {
  const report = useBench((state) => state.report);
  const error = useBench((state) => state.error);
  const running = useBench((state) => state.running);
  const place = useRef<HTMLElement>(null);
  const isBelowForm = useMedia('(max-width: 1023px)') === true;
  // What was asked for would otherwise appear outside of the visible part.
  useEffect(() => {
    if (isBelowForm && (report ?? error) !== undefined) place.current?.scrollIntoView({ block: 'start' });
  }, [isBelowForm, report, error]);
  return (
    <section
      ref={place}
      aria-label="What the hooks did"
      aria-live="polite"
      aria-busy={running}
      className="flex flex-col gap-4"
    >
      {error === undefined ? null : (
        <p role="alert" className="rounded bg-bad-soft px-3 py-2 text-bad text-sm">
          {error}
        </p>
      )}
      {report !== undefined ? (
        <Report report={report} />
      ) : error === undefined ? (
        <EmptyState icon={<FlaskConical aria-hidden />} title={running ? 'The hooks run' : 'Nothing tried yet'}>
          {running
            ? 'A worker runs them in the sandbox of a run.'
            : 'Type a call or take one of a run, then press Run hooks. Each hook shows what it changed.'}
        </EmptyState>
      ) : null}
    </section>
  );
}

function Report({ report }: { readonly report: HookReport }) {
  const { steps, toolCalls, ms } = report;
  const called =
    toolCalls === 0
      ? 'the tool was not called'
      : toolCalls === 1
        ? 'the tool was called once'
        : `the tool was called ${toolCalls} times`;
  return (
    <>
      <p className="text-muted text-sm">
        {steps.length === 0 ? 'No hooks' : steps.length === 1 ? '1 hook' : `${steps.length} hooks`} ·{' '}
        {formatDuration(ms * 1_000)} · {called}
      </p>
      <ol aria-label="Hooks in the order in which they began" className="flex flex-col gap-2">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps of one report, never reordered
          <Step key={index} step={step} />
        ))}
      </ol>
      {report.arguments === undefined ? null : (
        <PlainText label="Arguments that the tool gets" text={linesOf(report.arguments)} />
      )}
      <PlainText
        label="Result that the model reads"
        text={linesOf(report.result)}
        tone={isError(report.result) ? 'bad' : undefined}
      />
    </>
  );
}

const looks: Record<HookStep['state'], { readonly word: string; readonly Icon: LucideIcon; readonly tone: Tone }> = {
  done: { word: 'Done', Icon: CircleCheck, tone: 'ok' },
  failed: { word: 'Failed', Icon: CircleX, tone: 'bad' },
  'passed by': { word: 'Other calls only', Icon: SkipForward, tone: 'neutral' },
  'not reached': { word: 'Not reached', Icon: CircleDashed, tone: 'queued' },
};

function Step({ step }: { readonly step: HookStep }) {
  const { word, Icon, tone } = looks[step.state];
  const ran = step.state === 'done' || step.state === 'failed';
  return (
    <li className="flex min-w-0 flex-col gap-2 rounded-lg border bg-surface px-3 py-2">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        {step.place === undefined ? null : (
          <span className="text-faint text-xs tabular-nums" title="Place in the chain">
            {step.place}
          </span>
        )}
        <span className="min-w-0 break-all font-medium font-mono text-ink text-xs">{step.hook}</span>
        {step.phase === 'around' ? null : <Badge tone="hook">{step.phase}</Badge>}
        <span className="ml-auto flex items-center gap-2">
          {ran && step.phase === 'around' && !step.calledNext ? (
            <Badge tone="warn" title="The hooks inside it and the tool did not run">
              Did not call next
            </Badge>
          ) : null}
          <Badge tone={tone} icon={<Icon aria-hidden />}>
            {word}
          </Badge>
          {ran ? <span className="text-faint text-xs tabular-nums">{formatDuration(step.ms * 1_000)}</span> : null}
        </span>
      </div>
      {step.error === undefined ? null : (
        <p className="whitespace-pre-wrap break-words text-bad text-xs">{step.error}</p>
      )}
      {ran ? <Changes step={step} /> : null}
      {step.log.length === 0 ? null : (
        <PlainText label="Log" text={step.log.map(({ message }) => message).join('\n')} />
      )}
    </li>
  );
}

function Changes({ step }: { readonly step: HookStep }) {
  const { arguments: args, result, changes = [] } = step;
  return (
    <>
      {args?.after === undefined ? null : <Change what="Arguments" before={args.before} after={args.after} />}
      {result === undefined ? null : result.before === undefined ? (
        <PlainText
          label="Result that it gave"
          text={linesOf(result.after)}
          tone={isError(result.after) ? 'bad' : undefined}
        />
      ) : (
        <Change what="Result" before={result.before} after={result.after} />
      )}
      {changes.map(({ what, before, after }) => (
        <Change key={what} what={what[0]?.toUpperCase() + what.slice(1)} before={before} after={after} />
      ))}
    </>
  );
}

function Change(props: { readonly what: string; readonly before: Json; readonly after: Json }) {
  const [before, after] = [linesOf(props.before), linesOf(props.after)];
  if (before === after) return <p className="text-faint text-xs">{props.what} unchanged</p>;
  return <TextDiff label={`${props.what}: − before, + after`} before={before} after={after} />;
}

function isError(result: Json): boolean {
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
}
