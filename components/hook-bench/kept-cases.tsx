'use client';

import { CircleCheck, CircleDashed, CircleX, ListChecks, LoaderCircle, Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import { useBench, useBenchActions } from '@/components/editor-state/hook-bench-context';
import { useProject } from '@/components/editor-state/project-context';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { IconButton } from '@/components/ui/icon-button';
import { type HookCaseFile, hookCasesIn } from '@/lib/cards/hook-cases';
import type { Verdict } from '@/lib/editor/hook-bench';
import { linesOf } from '@/lib/editor/hook-report-text';
import { TextDiff } from './text-diff';

/** The cases that the project keeps, with the last verdict on each. */
export function KeptCases() {
  const folder = useProject((state) => state.document.folder);
  const verdicts = useBench((state) => state.verdicts);
  const running = useBench((state) => state.running);
  const actions = useBenchActions();
  const cases = useMemo(() => hookCasesIn(folder), [folder]);
  if (cases.length === 0) return null;
  const done = [...verdicts.values()].filter(({ kind }) => kind !== 'running');
  const passed = done.filter(({ kind }) => kind === 'passed').length;
  return (
    <section aria-label="Kept cases" className="flex min-w-0 flex-col gap-2 border-t pt-4">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-semibold text-ink text-sm">
          Kept cases{' '}
          <span role="status" className="font-normal text-muted text-xs">
            {done.length === 0 ? cases.length : `${passed} of ${done.length} passed`}
          </span>
        </h3>
        <Button
          size="sm"
          disabled={running}
          icon={<ListChecks aria-hidden className="size-3.5" />}
          onClick={() => void actions.runAll()}
        >
          Run all
        </Button>
      </div>
      <ul className="flex flex-col divide-y rounded border bg-surface">
        {cases.map((one) => (
          <CaseRow key={one.path} file={one} verdict={verdicts.get(one.name)} />
        ))}
      </ul>
    </section>
  );
}

const looks = {
  none: { word: 'Not run', Icon: CircleDashed, tone: 'text-faint' },
  running: { word: 'Running', Icon: LoaderCircle, tone: 'text-busy animate-spin' },
  passed: { word: 'Passed', Icon: CircleCheck, tone: 'text-ok' },
  failed: { word: 'Failed', Icon: CircleX, tone: 'text-bad' },
  error: { word: 'Could not run', Icon: CircleX, tone: 'text-bad' },
} as const;

function CaseRow({ file, verdict }: { readonly file: HookCaseFile; readonly verdict: Verdict | undefined }) {
  const caseName = useBench((state) => state.caseName);
  const actions = useBenchActions();
  const { word, Icon, tone } = looks[verdict?.kind ?? 'none'];
  return (
    <li className="flex min-w-0 flex-col">
      <div
        className={classNames(
          'flex min-w-0 items-center gap-2 px-2.5 py-1',
          caseName === file.name && 'bg-accent-soft',
        )}
      >
        <Icon aria-hidden className={classNames('size-3.5 shrink-0', tone)} />
        <button
          type="button"
          disabled={file.kept === undefined}
          title={file.path}
          className="min-w-0 flex-1 cursor-pointer truncate rounded-sm py-0.5 text-left text-ink text-sm hover:underline disabled:cursor-default disabled:no-underline"
          onClick={() => actions.openCase(file.name)}
        >
          {file.name}
        </button>
        <span className="shrink-0 text-muted text-xs">{file.kept === undefined ? 'Cannot be read' : word}</span>
        <IconButton
          size="sm"
          label={`Delete case ${file.name}`}
          icon={<Trash2 aria-hidden />}
          onClick={() => actions.remove(file.name)}
        />
      </div>
      {verdict?.kind === 'error' ? <p className="px-2.5 pb-2 text-bad text-xs">{verdict.message}</p> : null}
      {verdict?.kind === 'failed' ? (
        <div className="flex flex-col gap-2 px-2.5 pb-2">
          {verdict.differences.map(({ what, expected, actual }) => (
            <TextDiff
              key={what}
              label={`${what === 'result' ? 'Result' : 'Arguments'}: − expected, + now`}
              before={linesOf(expected)}
              after={linesOf(actual)}
            />
          ))}
        </div>
      ) : null}
    </li>
  );
}
