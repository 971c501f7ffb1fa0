import type { ReactNode } from 'react';

export interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  /** What will appear here. */
  readonly children?: ReactNode;
  /** The one thing to do next. */
  readonly action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex h-full min-h-40 flex-col items-center justify-center gap-1 px-6 py-8 text-center">
      {icon && <div className="mb-2 text-faint [&>svg]:size-6">{icon}</div>}
      <p className="font-medium text-ink text-sm">{title}</p>
      {children && <div className="max-w-md text-balance text-muted text-sm">{children}</div>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}
