'use client';

import { later } from '@/components/ui/later';
import { Skeleton } from '@/components/ui/progress';

/** The editor of the open file, loaded when its text is first shown. */
export const FileEditor = later(
  async () => (await import('./file-editor')).FileEditor,
  <Skeleton className="m-3 h-40" />,
);
