'use client';

import { Check } from 'lucide-react';
import Link from 'next/link';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, type RefCallback, useContext, useRef } from 'react';
import { classNames } from './class-names';
import { Keys } from './kbd';
import { LaterPress } from './later-press';

export interface MenuProps {
  /** One button. It gets `aria-haspopup` and opens with click, Enter, Space and arrow down. */
  readonly trigger: ReactNode;
  readonly align?: 'start' | 'center' | 'end';
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  /** Opens the menu when it is mounted, for a menu whose code was loaded when its button was pressed. */
  readonly defaultOpen?: boolean;
  /** Called when the menu closes and gives the focus back to the trigger. `preventDefault` keeps the focus elsewhere. */
  readonly onCloseAutoFocus?: (event: Event) => void;
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

export function Menu({ trigger, align = 'start', side = 'bottom', children, ...rest }: MenuProps) {
  const { defaultOpen, onCloseAutoFocus, onClose } = rest;
  const firstAfterKey = useFirstAfterKey();
  return (
    <DropdownMenu.Root modal={false} defaultOpen={defaultOpen} onOpenChange={(open) => !open && onClose?.()}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          ref={firstAfterKey}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={onCloseAutoFocus}
          className="z-50 min-w-44 rounded-lg border bg-raised p-1 shadow-pop"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Returns a ref of a menu that a key opened before it was there to see the key: the first item gets the focus, as of any menu. */
function useFirstAfterKey(): RefCallback<HTMLElement> {
  const isDue = useRef(useContext(LaterPress).byKey);
  return (content) => {
    if (content === null || !isDue.current) return;
    isDue.current = false;
    content.querySelector<HTMLElement>('[role^=menuitem]:not([data-disabled])')?.focus({ preventScroll: true });
  };
}

const row =
  'flex w-full cursor-pointer select-none items-center gap-2 rounded px-2 py-1 text-sm outline-none data-[disabled]:cursor-not-allowed data-[highlighted]:bg-hover data-[disabled]:opacity-50 [&>svg]:size-4 [&>svg]:shrink-0';

export interface MenuItemProps {
  readonly icon?: ReactNode;
  readonly keys?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect?: () => void;
  /** Set for an item that is a link (a download, another page). */
  readonly href?: string;
  readonly download?: boolean;
  readonly children: ReactNode;
}

export function MenuItem({ icon, keys, danger, disabled, onSelect, href, download, children }: MenuItemProps) {
  const content = (
    <>
      {icon}
      <span className="min-w-0 flex-1 truncate text-left">{children}</span>
      {keys && <Keys keys={keys} />}
    </>
  );
  const look = classNames(row, danger ? 'text-bad' : 'text-ink [&>svg]:text-muted');
  return (
    <DropdownMenu.Item asChild={Boolean(href)} disabled={disabled} onSelect={onSelect} className={look}>
      {href ? (
        <a href={href} download={download}>
          {content}
        </a>
      ) : (
        content
      )}
    </DropdownMenu.Item>
  );
}

export interface MenuLinkProps {
  readonly icon?: ReactNode;
  /** A page of the app. It opens without loading the app again. */
  readonly href: string;
  /** True for the page that is shown. */
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

/** Leads to another page of the app. */
export function MenuLink({ icon, href, isCurrent = false, children }: MenuLinkProps) {
  return (
    <DropdownMenu.Item
      asChild
      className={classNames(
        row,
        'text-ink aria-[current=page]:text-accent [&>svg]:text-muted aria-[current=page]:[&>svg]:text-accent',
      )}
    >
      <Link href={href} aria-current={isCurrent ? 'page' : undefined}>
        {icon}
        <span className="min-w-0 flex-1 truncate text-left">{children}</span>
      </Link>
    </DropdownMenu.Item>
  );
}

export interface MenuChoicesProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly { readonly value: T; readonly label: string; readonly icon?: ReactNode }[];
  readonly onChange: (value: T) => void;
}

/** Shows one of several choices. The chosen one has a tick. */
export function MenuChoices<T extends string>({ label, value, choices, onChange }: MenuChoicesProps<T>) {
  return (
    <DropdownMenu.RadioGroup value={value}>
      <DropdownMenu.Label className="px-2 py-1 text-faint text-xs">{label}</DropdownMenu.Label>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem
          key={choice.value}
          value={choice.value}
          onSelect={() => onChange(choice.value)}
          className={classNames(row, 'text-ink [&>svg]:text-muted')}
        >
          {choice.icon}
          <span className="flex-1">{choice.label}</span>
          <DropdownMenu.ItemIndicator>
            <Check aria-hidden className="size-3.5 text-accent" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
