'use client';

import { FlaskConical, Play, Zap } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import type { StoredFixtureResult } from '@/lib/base/fixture-result';
import { runsOfProjectHref } from '@/lib/client/project-address';
import { TestItem } from './test-item';
import { TestStatus } from './test-status';
import { resultColumns, type ShownTest, type TestServices } from './test-types';

export interface TestsViewProps {
  readonly project: string;
  /** The files of the draft. */
  readonly treeHash: string;
  readonly tests: readonly ShownTest[];
  readonly results: readonly StoredFixtureResult[];
  /** Numbers of revisions, by the hash of their files. */
  readonly revisions: Readonly<Record<string, number>>;
  /** What is in the way of these files being published, as far as tests tell. */
  readonly reasons: readonly string[];
  /** Says why no test can be started here. */
  readonly whyNot: string | undefined;
  readonly services: TestServices;
}

const pollMs = 1_500;

/** The tests of a project: what they found on the draft, and on earlier files beside it. */
export function TestsView({ project, treeHash, tests, results, revisions, reasons, whyNot, services }: TestsViewProps) {
  const [fault, setFault] = useState<string>();
  const [isStarting, setStarting] = useState(false);
  const columns = resultColumns(treeHash, results);
  const [own] = columns;
  const isRunning = results.some(({ status }) => status === 'running');
  const { refresh } = services;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(refresh, pollMs);
    return () => clearInterval(timer);
  }, [isRunning, refresh]);
  const start = async (mode: 'replay' | 'live', names?: readonly string[]) => {
    setStarting(true);
    setFault(await services.start(mode, names));
    setStarting(false);
  };
  if (tests.length === 0) {
    return (
      <EmptyState icon={<FlaskConical aria-hidden />} title="No tests yet" heading="h2">
        Open a run that went well and choose <em>Save as test</em>. Its answers are recorded, so the test needs no key.
      </EmptyState>
    );
  }
  const mayRun = whyNot === undefined;
  return (
    <div className="flex flex-col gap-6">
      {mayRun ? (
        <div className="flex flex-wrap items-center gap-2">
          <Button
            variant="primary"
            busy={isStarting}
            icon={<Play aria-hidden className="size-3.5" />}
            onClick={() => start('replay')}
          >
            Run all
          </Button>
          <Button busy={isStarting} icon={<Zap aria-hidden className="size-3.5" />} onClick={() => start('live')}>
            Run all live
          </Button>
          <span className="text-muted text-xs">Live runs ask models and tools, and cost what runs cost.</span>
        </div>
      ) : (
        <p className="text-muted text-sm">{whyNot}</p>
      )}
      <p role="alert" className="text-bad text-sm empty:hidden">
        {fault}
      </p>
      <p aria-live="polite" className="text-muted text-sm">
        {reasons.length === 0
          ? 'All tests pass on the files of the draft.'
          : `${reasons.length} of ${tests.length} tests have not passed on the files of the draft.`}
      </p>
      <ul aria-label="Tests" className="divide-y rounded-lg border bg-surface shadow-card">
        {tests.map((test) => (
          <TestItem
            key={test.name}
            test={test}
            result={own?.byName.get(test.name)}
            onRun={mayRun ? () => void start('replay', [test.name]) : undefined}
          />
        ))}
      </ul>
      {columns.length > 1 && <Results project={project} draft={treeHash} {...{ tests, revisions, columns }} />}
    </div>
  );
}

interface ResultsProps {
  readonly project: string;
  readonly draft: string;
  readonly tests: readonly ShownTest[];
  readonly revisions: TestsViewProps['revisions'];
  readonly columns: ReturnType<typeof resultColumns>;
}

/** Tests by files, so that it is seen with which change one began to fail. */
function Results({ project, draft, tests, revisions, columns }: ResultsProps) {
  return (
    <section aria-label="Results on earlier files">
      <h2 className="mb-2 font-medium text-ink text-sm">On earlier files</h2>
      <div className="overflow-x-auto rounded-lg border bg-surface">
        <table className="w-full text-left text-sm">
          <thead>
            <tr className="border-b text-muted text-xs">
              <th scope="col" className="px-4 py-2 font-medium">
                Test
              </th>
              {columns.map(({ treeHash }) => (
                <th key={treeHash} scope="col" className="whitespace-nowrap px-3 py-2 font-medium">
                  <FilesName {...{ project, treeHash }} isDraft={treeHash === draft} revision={revisions[treeHash]} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tests.map(({ name }) => (
              <tr key={name} className="border-b last:border-b-0">
                <th scope="row" className="max-w-60 truncate px-4 py-2 font-normal text-ink">
                  {name}
                </th>
                {columns.map(({ treeHash, byName }) => {
                  const result = byName.get(name);
                  return (
                    <td key={treeHash} className="whitespace-nowrap px-3 py-2">
                      {result === undefined ? (
                        <TestStatus status="none" />
                      ) : (
                        <Link href={`/r/${result.runId}`}>
                          <TestStatus status={result.status} />
                        </Link>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface FilesNameProps {
  readonly project: string;
  readonly treeHash: string;
  readonly isDraft: boolean;
  readonly revision: number | undefined;
}

/** Names the files of a column: the draft, a revision, or the beginning of their hash. */
function FilesName({ project, treeHash, isDraft, revision }: FilesNameProps) {
  if (isDraft) return revision === undefined ? 'Draft' : `Draft · Revision ${revision}`;
  return (
    <Link
      href={runsOfProjectHref(project, { files: treeHash.slice(0, 12) })}
      title={`Runs of the files ${treeHash.slice(0, 12)}`}
      className={`text-accent underline-offset-2 hover:underline ${revision === undefined ? 'font-mono' : ''}`}
    >
      {revision === undefined ? treeHash.slice(0, 8) : `Revision ${revision}`}
    </Link>
  );
}
