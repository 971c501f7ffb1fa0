'use client';

import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { classNames } from './class-names';
import { tabAfterKey } from './tab-keys';

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

/**
 * A row of tabs over a panel that fills the rest. Arrows, Home and End move between tabs and open them, as the tabs pattern of the
 * ARIA Authoring Practices describes. It is our own, because every run page loads it.
 */
export function Tabs({ label, tabs, value, onValueChange, actions, keepMounted, className }: TabsProps) {
  // The outline of the focus is only for the keyboard. A clicked tab is focused by script, which browsers treat like
  // keyboard focus.
  const [pressed, setPressed] = useState(false);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const open = tabs.findIndex((tab) => tab.id === value);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = tabAfterKey(event.key, Math.max(open, 0), tabs.length);
    const next = to === undefined ? undefined : tabs[to];
    if (to === undefined || next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onValueChange(next.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus();
  };
  return (
    <div
      onPointerDownCapture={() => setPressed(true)}
      onKeyDownCapture={() => setPressed(false)}
      className={classNames('flex min-h-0 min-w-0 flex-1 flex-col', className)}
    >
      <div className="flex h-9 shrink-0 items-stretch justify-between gap-2 border-b px-2">
        <div
          ref={list}
          role="tablist"
          aria-label={label}
          onKeyDown={onKeyDown}
          className="flex min-w-0 items-stretch gap-0.5 overflow-x-auto overflow-y-hidden [scrollbar-width:none]"
        >
          {tabs.map((tab, place) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-tab-${tab.id}`}
              aria-selected={place === open}
              aria-controls={place === open || keepMounted ? `${id}-panel-${tab.id}` : undefined}
              data-state={place === open ? 'active' : 'inactive'}
              tabIndex={place === Math.max(open, 0) ? 0 : -1}
              onClick={() => onValueChange(tab.id)}
              className={classNames(
                'relative flex cursor-pointer items-center gap-1.5 whitespace-nowrap px-1.5 text-muted text-sm hover:text-ink focus-visible:-outline-offset-2 [&>svg]:size-3.5',
                pressed && '!outline-none',
                'data-[state=active]:font-medium data-[state=active]:text-ink data-[state=active]:after:absolute data-[state=active]:after:inset-x-1 data-[state=active]:after:bottom-0 data-[state=active]:after:h-0.5 data-[state=active]:after:rounded-full data-[state=active]:after:bg-accent',
              )}
            >
              {tab.icon}
              {tab.label}
              {tab.badge}
            </button>
          ))}
        </div>
        {actions && <div className="flex shrink-0 items-center gap-1">{actions}</div>}
      </div>
      {tabs.map(
        (tab, place) =>
          (place === open || keepMounted) && (
            <div
              key={tab.id}
              role="tabpanel"
              id={`${id}-panel-${tab.id}`}
              aria-labelledby={`${id}-tab-${tab.id}`}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel that scrolls must be reachable by keys
              tabIndex={0}
              hidden={place !== open}
              className="relative min-h-0 min-w-0 flex-1 overflow-auto focus-visible:-outline-offset-2"
            >
              {tab.content}
            </div>
          ),
      )}
    </div>
  );
}
