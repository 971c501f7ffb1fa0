'use client';

import { Play, Square } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useBench, useBenchActions } from '@/components/editor-state/hook-bench-context';
import { RecordedCalls } from '@/components/run/recorded-calls';
import { QueryProvider } from '@/components/shell/query-provider';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { BenchForm } from './bench-form';
import { BenchReport } from './bench-report';
import { KeepCase } from './keep-case';
import { KeptCases } from './kept-cases';

/** The hook bench: a call on the left, and what each hook made of it on the right. */
export function BenchDialog() {
  const agent = useBench((state) => state.form.agent);
  const running = useBench((state) => state.running);
  const report = useBench((state) => state.report);
  const actions = useBenchActions();
  const [picking, setPicking] = useState(false);
  const runByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!running) void actions.run();
  };
  return (
    <Dialog
      open
      width="xl"
      onOpenChange={actions.close}
      title={`Try hooks of ${agent}`}
      description="The hooks run in a worker on one tool call. The tool does not run, and no model is asked."
      footer={
        <>
          {report === undefined ? null : <KeepCase key={report.triedAt} />}
          {running ? (
            <Button icon={<Square aria-hidden className="size-3.5" />} onClick={actions.stop}>
              Stop
            </Button>
          ) : null}
          <Button
            variant="primary"
            busy={running}
            icon={<Play aria-hidden className="size-3.5" />}
            title="Ctrl+Enter or ⌘+Enter"
            onClick={() => void actions.run()}
          >
            Run hooks
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key that the button "Run hooks" has too */}
      <div className="grid gap-x-6 gap-y-5 lg:grid-cols-[minmax(0,25rem)_minmax(0,1fr)]" onKeyDown={runByKey}>
        <div className="flex min-w-0 flex-col gap-4">
          {picking ? (
            <QueryProvider>
              <RecordedCalls agent={agent} onTake={actions.take} onDone={() => setPicking(false)} />
            </QueryProvider>
          ) : null}
          <BenchForm picking={picking} onPick={() => setPicking(true)} />
          <KeptCases />
        </div>
        <div className="min-w-0 lg:border-l lg:pl-6">
          <BenchReport />
        </div>
      </div>
    </Dialog>
  );
}
