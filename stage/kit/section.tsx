import type { ReactNode } from 'react';

/** Shows variants of one component beside each other, under its name. */
export function Row(props: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-1.5 md:grid-cols-[7rem_minmax(0,1fr)]">
      <h3 className="pt-1 text-faint text-xs">{props.name}</h3>
      <div className="flex min-w-0 flex-wrap items-center gap-2">{props.children}</div>
    </div>
  );
}
