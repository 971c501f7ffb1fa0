import type { ReactNode } from 'react';
import type { Region } from '@/lib/editor/regions';

/** A part of the editor that F6 goes to. */
export function RegionFrame({ region, children }: { readonly region: Region; readonly children: ReactNode }) {
  return (
    <div data-region={region} tabIndex={-1} className="flex min-h-0 min-w-0 flex-1 flex-col outline-none">
      {children}
    </div>
  );
}
