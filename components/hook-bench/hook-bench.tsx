'use client';

import { useBench } from '@/components/editor-state/hook-bench-context';
import { later } from '@/components/ui/later';

/** The bench is loaded when it is opened, because most visits of a project do not need it. */
const BenchDialog = later(async () => (await import('./bench-dialog')).BenchDialog, null);

/** Shows the hook bench while it is open. */
export function HookBench() {
  const open = useBench((state) => state.open);
  return open ? <BenchDialog /> : null;
}
