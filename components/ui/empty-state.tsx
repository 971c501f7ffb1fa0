import type { ReactNode } from 'react';
import { VisibleText } from './visible-text';

export interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  /** Use `h1` if the page has no other content. */
  readonly heading?: 'h1' | 'h2' | 'p';
  /** Says what will appear here. */
  readonly children?: ReactNode;
  /** The one thing to do next. */
  readonly action?: ReactNode;
}

export function EmptyState({ icon, title, heading: Heading = 'p', children, action }: EmptyStateProps) {
  return (
    <div className="flex h-full min-h-40 flex-col items-center justify-center gap-1 px-6 py-8 text-center">
      {icon && <div className="mb-2 text-faint [&>svg]:size-6">{icon}</div>}
      <Heading className="font-medium text-ink text-sm">
        <VisibleText text={title} />
      </Heading>
      {children && <div className="max-w-md text-balance text-muted text-sm">{children}</div>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  );
}
