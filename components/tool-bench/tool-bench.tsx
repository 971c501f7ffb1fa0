'use client';

import { lazy, Suspense } from 'react';
import { useToolBench } from '@/components/editor-state/tool-bench-context';

/** The bench is loaded when it is opened, because most visits of a project do not need it. */
const ToolDialog = lazy(async () => ({ default: (await import('./tool-dialog')).ToolDialog }));

/** Shows the tool bench while it is open. */
export function ToolBench() {
  const open = useToolBench((state) => state.open);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <ToolDialog />
    </Suspense>
  );
}
