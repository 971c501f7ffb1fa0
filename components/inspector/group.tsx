'use client';

import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { VisibleText } from '@/components/ui/visible-text';

/** A titled group of fields. */
export function Group(props: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3 border-b px-3 py-3 last:border-b-0">
      <h3 id={id} className="font-semibold text-faint text-xs">
        <VisibleText text={props.title} />
      </h3>
      {props.children}
    </section>
  );
}

/** A group that can be closed. It is open at first if some of its fields are set, and its title says how many. */
export function FoldedGroup(props: {
  readonly title: string;
  /** How many fields have a value. */
  readonly set: number;
  readonly hint?: string | undefined;
  readonly children: ReactNode;
}) {
  const { title, set, hint, children } = props;
  const id = useId();
  const [open, setOpen] = useState(set > 0);
  const mayEdit = useProject((state) => state.mayEdit);
  // Nobody can open it there, because the controls are disabled.
  if (!mayEdit && set === 0) return null;
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col border-b last:border-b-0">
      <h3 className="flex">
        <button
          type="button"
          aria-expanded={open}
          className="flex w-full cursor-pointer items-center gap-1 px-3 py-2.5 text-left font-semibold text-faint text-xs hover:text-ink"
          onClick={() => setOpen(!open)}
        >
          <Icon aria-hidden className="size-3.5 shrink-0" />
          <span id={id}>{title}</span>
          {set > 0 && <span className="ml-auto font-normal tabular">{set} set</span>}
        </button>
      </h3>
      {open && (
        <div className="flex min-w-0 flex-col gap-3 px-3 pb-3">
          {hint !== undefined && <p className="text-faint text-xs">{hint}</p>}
          {children}
        </div>
      )}
    </section>
  );
}
