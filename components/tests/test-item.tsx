import { Play } from 'lucide-react';
import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { TimeAgo } from '@/components/ui/time-ago';
import type { FixtureFinding, StoredFixtureResult } from '@/lib/base/fixture-result';
import { TestStatus } from './test-status';
import type { ShownTest } from './test-types';

export interface TestItemProps {
  readonly test: ShownTest;
  /** Its newest result on the files of the draft. */
  readonly result: StoredFixtureResult | undefined;
  /** Unset for people who may not start runs. */
  readonly onRun: (() => void) | undefined;
}

/** A test with its newest result, and what was not as expected. */
export function TestItem({ test: { name, description, message, fault }, result, onRun }: TestItemProps) {
  const told = result?.findings.filter(({ outcome }) => outcome !== 'passed') ?? [];
  const problem = result?.problem ?? fault;
  const passed = (result?.findings.length ?? 0) - told.length;
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h3 className="min-w-0 break-words font-medium text-ink text-sm">{name}</h3>
        <TestStatus status={result?.status ?? 'none'} />
        {result !== undefined && (
          <span className="flex flex-wrap items-center gap-x-2 text-muted text-xs tabular-nums">
            <TimeAgo at={result.at} />
            <span>{result.mode}</span>
            {passed > 0 && <span>{passed} as expected</span>}
            {result.costUsd !== undefined && <span>{Number(result.costUsd.toPrecision(3))} USD</span>}
            <Link href={`/r/${result.runId}`} className="text-accent underline underline-offset-2">
              Run<span className="sr-only"> of {name}</span>
            </Link>
          </span>
        )}
        <span className="flex-1" />
        {onRun !== undefined && (
          <Button
            size="sm"
            icon={<Play aria-hidden className="size-3.5" />}
            aria-label={`Run test ${name}`}
            disabled={result?.status === 'running'}
            onClick={onRun}
          >
            Run
          </Button>
        )}
      </div>
      <p className="line-clamp-2 break-words text-muted text-xs">{description ?? message}</p>
      {problem !== undefined && <p className="break-words text-sm text-warn">{problem}</p>}
      {told.length > 0 && (
        <ul aria-label={`What test ${name} found`} className="flex flex-col gap-2">
          {told.map((one) => (
            <Finding key={`${one.what} ${one.expected}`} finding={one} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Finding({ finding: { what, outcome, expected, got } }: { readonly finding: FixtureFinding }) {
  const isSkipped = outcome === 'skipped';
  return (
    <li className="min-w-0 rounded border bg-sunken px-3 py-2 text-sm">
      <p className={isSkipped ? 'text-muted text-xs' : 'font-medium text-bad text-xs'}>
        {what}, {isSkipped ? 'skipped' : 'not as expected'}
      </p>
      <dl className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-xs">
        <dt className="text-muted">Expected</dt>
        <dd className="whitespace-pre-wrap break-words text-ink">{expected}</dd>
        <dt className="text-muted">Got</dt>
        <dd className="whitespace-pre-wrap break-words text-ink">{got}</dd>
      </dl>
    </li>
  );
}
