'use client';

import { Play, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { useToolBench, useToolBenchActions } from '@/components/editor-state/tool-bench-context';
import { RecordedCalls } from '@/components/run/recorded-calls';
import { QueryProvider } from '@/components/shell/query-provider';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { ToolAnswer } from './tool-answer';
import { ToolForm } from './tool-form';
import { useToolCall } from './use-tool-call';

/** The tool bench: a tool with its arguments on the left, and what it answered on the right. */
export function ToolDialog() {
  const choice = useToolBench((state) => state.choice);
  const running = useToolBench((state) => state.running);
  const actions = useToolBenchActions();
  const [picking, setPicking] = useState(false);
  const call = useToolCall();
  const { needsLookUp } = call;
  const key = JSON.stringify(choice);
  // Code says what its arguments are only when it is loaded. A server is started when somebody asks for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each choice
  useEffect(() => {
    if (needsLookUp && choice?.server === undefined) void actions.lookUp(false);
  }, [key]);
  const callByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    if (running === undefined) call.send();
  };
  const hasTool = choice !== undefined && choice.tool !== '';
  return (
    <Dialog
      open
      width="xl"
      onOpenChange={actions.close}
      title={hasTool ? `Try ${choice.tool}` : 'Try a tool'}
      description="The tool really runs, in a worker: what it changes stays changed. No model is asked and no hooks run. To try hooks, use Try hooks… in the form of the agent."
      footer={
        <>
          {running === undefined ? null : (
            <Button icon={<Square aria-hidden className="size-3.5" />} onClick={actions.stop}>
              Stop
            </Button>
          )}
          <Button
            variant="primary"
            busy={running === 'call'}
            disabled={!hasTool || running === 'look up'}
            icon={<Play aria-hidden className="size-3.5" />}
            title="Ctrl+Enter or ⌘+Enter"
            onClick={call.send}
          >
            Call tool
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key that the button "Call tool" has too */}
      <div className="grid gap-x-6 gap-y-5 lg:grid-cols-[minmax(0,25rem)_minmax(0,1fr)]" onKeyDown={callByKey}>
        <div className="flex min-w-0 flex-col gap-4">
          {picking && hasTool ? (
            <QueryProvider>
              <RecordedCalls
                agent={choice.agent}
                tool={choice.tool}
                onTake={actions.take}
                onDone={() => setPicking(false)}
              />
            </QueryProvider>
          ) : null}
          <ToolForm call={call} picking={picking} onPick={() => setPicking(true)} />
        </div>
        <div className="min-w-0 lg:border-l lg:pl-6">
          <ToolAnswer onApprove={call.approve} />
        </div>
      </div>
    </Dialog>
  );
}
