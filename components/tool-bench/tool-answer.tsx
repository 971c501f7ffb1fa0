'use client';

import { CircleCheck, CircleX, Wrench } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useAccess } from '@/components/access/access-context';
import { useToolBench } from '@/components/editor-state/tool-bench-context';
import { Payload } from '@/components/run/payload';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { useMedia } from '@/components/ui/use-media';
import { isRecord, type Json } from '@/lib/base/json';
import type { ToolReport } from '@/lib/base/tool-report';
import { formatDuration } from '@/lib/trace/wording';
import { ContentBlock } from './content-block';

/** What the tool answered: its content, its structured content, how long it took, and what was printed. */
export function ToolAnswer({ onApprove }: { readonly onApprove: () => void }) {
  const report = useToolBench((state) => state.report);
  // The form shows what is wrong with arguments, at their fields.
  const error = useToolBench((state) => (state.error?.problems === undefined ? state.error : undefined));
  const running = useToolBench((state) => state.running);
  const place = useRef<HTMLElement>(null);
  const isBelowForm = useMedia('(max-width: 1023px)') === true;
  // What was asked for would otherwise appear outside of the visible part.
  useEffect(() => {
    if (isBelowForm && (report ?? error) !== undefined) place.current?.scrollIntoView({ block: 'start' });
  }, [isBelowForm, report, error]);
  const isCalling = running === 'call';
  return (
    <section
      ref={place}
      aria-label="What the tool answered"
      aria-live="polite"
      aria-busy={isCalling}
      className="flex flex-col gap-4"
    >
      {error === undefined ? null : <Refusal {...error} onApprove={onApprove} />}
      {report !== undefined ? (
        <Answer report={report} />
      ) : error === undefined ? (
        <EmptyState icon={<Wrench aria-hidden />} title={isCalling ? 'The tool runs' : 'Nothing called yet'}>
          {isCalling
            ? 'A worker calls it as a run does. A call takes a minute at most.'
            : 'Fill in the arguments or take a recorded call, then press Call tool.'}
        </EmptyState>
      ) : null}
    </section>
  );
}

function Refusal(props: {
  readonly message: string;
  readonly code: string | undefined;
  readonly onApprove: () => void;
}) {
  const mayAnswer = useAccess().rights.includes('answer');
  const needsApproval = props.code === 'approval_needed';
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded bg-bad-soft px-3 py-2 text-bad text-sm">
      <p className="whitespace-pre-wrap break-words">{props.message}</p>
      {!needsApproval ? null : mayAnswer ? (
        <Button size="sm" onClick={props.onApprove}>
          Approve and call
        </Button>
      ) : (
        <p>
          You may not approve calls of this project. Ask a person who may to call the tool, or run the agent: the
          question then goes to the inbox.
        </p>
      )}
    </div>
  );
}

function Answer({ report }: { readonly report: ToolReport }) {
  const { result, ms, readyMs, log, state } = report;
  const { content, isError, errorCode, structured } = partsOf(result);
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
        {isError ? (
          <Badge tone="bad" icon={<CircleX aria-hidden />}>
            The tool answered with an error
          </Badge>
        ) : (
          <Badge tone="ok" icon={<CircleCheck aria-hidden />}>
            Answered
          </Badge>
        )}
        {errorCode === undefined ? null : <code className="font-mono text-bad text-xs">{errorCode}</code>}
        <span className="tabular-nums">
          {formatDuration(ms * 1_000)}, ready after {formatDuration(readyMs * 1_000)}
        </span>
      </p>
      {content.length === 0 ? <p className="text-faint text-sm">The answer has no content.</p> : null}
      {content.map((block, index) => (
        <ContentBlock
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks of one answer, never reordered
          key={index}
          block={block}
          isError={isError}
        />
      ))}
      {structured === undefined ? null : <Payload title="Structured content" value={structured} />}
      {state === undefined ? null : <Payload title="State that it wrote, kept nowhere" value={state} />}
      {log.length === 0 ? null : (
        <Payload title="What was printed" value={log.map(({ message }) => message).join('\n')} />
      )}
    </>
  );
}

function partsOf(result: Json | undefined) {
  const given: Readonly<Record<string, unknown>> = isRecord(result) ? result : {};
  return {
    content: Array.isArray(given.content) ? given.content : [],
    isError: given.isError === true,
    errorCode: typeof given.errorCode === 'string' ? given.errorCode : undefined,
    structured: isRecord(result) ? structuredIn(result) : undefined,
  };
}

function structuredIn(result: { readonly [key: string]: Json }): Json | undefined {
  return Object.hasOwn(result, 'structuredContent') ? result.structuredContent : undefined;
}
