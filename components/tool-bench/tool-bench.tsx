'use client';

import { useToolBench } from '@/components/editor-state/tool-bench-context';
import { later } from '@/components/ui/later';

/** The bench is loaded when it is opened, because most visits of a project do not need it. */
export const ToolDialog = later(async () => (await import('./tool-dialog')).ToolDialog, null);

/** Shows the tool bench while it is open. */
export function ToolBench() {
  const open = useToolBench((state) => state.open);
  return open ? <ToolDialog /> : null;
}
