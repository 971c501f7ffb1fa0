'use client';

import { Tabs as Primitive } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { classNames } from './class-names';

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** A count or a mark after the label. */
  readonly badge?: ReactNode;
  readonly content: ReactNode;
}

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value: string;
  readonly onValueChange: (id: string) => void;
  /** Shown at the right end of the tab row. */
  readonly actions?: ReactNode;
  /** Keeps hidden panels mounted, so that editors and scroll positions stay. */
  readonly keepMounted?: boolean;
  readonly className?: string;
}

/** A row of tabs over a panel that fills the rest. Arrows move between tabs. */
export function Tabs({ label, tabs, value, onValueChange, actions, keepMounted, className }: TabsProps) {
  // The outline of the focus is only for the keyboard. A clicked tab is focused by script, which browsers treat like
  // keyboard focus.
  const [pressed, setPressed] = useState(false);
  return (
    <Primitive.Root
      value={value}
      onValueChange={onValueChange}
      onPointerDownCapture={() => setPressed(true)}
      onKeyDownCapture={() => setPressed(false)}
      className={classNames('flex min-h-0 min-w-0 flex-1 flex-col', className)}
    >
      <div className="flex h-9 shrink-0 items-stretch justify-between gap-2 border-b px-2">
        <Primitive.List
          aria-label={label}
          className="flex min-w-0 items-stretch gap-1 overflow-x-auto overflow-y-hidden [scrollbar-width:none]"
        >
          {tabs.map((tab) => (
            <Primitive.Trigger
              key={tab.id}
              value={tab.id}
              className={classNames(
                'relative flex cursor-pointer items-center gap-1.5 whitespace-nowrap px-2 text-muted text-sm hover:text-ink focus-visible:-outline-offset-2 [&>svg]:size-3.5',
                pressed && '!outline-none',
                'data-[state=active]:font-medium data-[state=active]:text-ink data-[state=active]:after:absolute data-[state=active]:after:inset-x-1 data-[state=active]:after:bottom-0 data-[state=active]:after:h-0.5 data-[state=active]:after:rounded-full data-[state=active]:after:bg-accent',
              )}
            >
              {tab.icon}
              {tab.label}
              {tab.badge}
            </Primitive.Trigger>
          ))}
        </Primitive.List>
        {actions && <div className="flex shrink-0 items-center gap-1">{actions}</div>}
      </div>
      {tabs.map((tab) => (
        <Primitive.Content
          key={tab.id}
          value={tab.id}
          {...(keepMounted ? { forceMount: true as const } : {})}
          className="relative min-h-0 min-w-0 flex-1 overflow-auto focus-visible:-outline-offset-2 data-[state=inactive]:hidden"
        >
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
