'use client';

import { lazy, Suspense } from 'react';
import { useBench } from '@/components/editor-state/hook-bench-context';

/** The bench is loaded when it is opened, because most visits of a project do not need it. */
const BenchDialog = lazy(async () => ({ default: (await import('./bench-dialog')).BenchDialog }));

/** Shows the hook bench while it is open. */
export function HookBench() {
  const open = useBench((state) => state.open);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <BenchDialog />
    </Suspense>
  );
}
