import { type ReactNode, useId } from 'react';

/** A titled group of fields. */
export function Group(props: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3 border-b px-3 py-3 last:border-b-0">
      <h3 id={id} className="font-semibold text-faint text-xs">
        {props.title}
      </h3>
      {props.children}
    </section>
  );
}
