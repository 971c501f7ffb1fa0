import type { ReactNode } from 'react';

export interface PageProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with a title, actions and one column of content. */
export function Page({ title, description, actions, children }: PageProps) {
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-5 sm:px-8 sm:py-7">
      <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="font-semibold text-ink text-xl tracking-tight">{title}</h1>
          {description && <p className="mt-0.5 text-muted text-sm">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
