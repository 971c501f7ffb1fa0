'use client';

import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { useReturnFocus } from './return-focus';
import { VisibleText } from './visible-text';

export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** One sentence under the title. */
  readonly description?: ReactNode;
  /** Buttons, the main one last. */
  readonly footer?: ReactNode;
  /** `full` takes the whole window but for a margin, also in height. */
  readonly width?: 'sm' | 'md' | 'lg' | 'xl' | 'full';
  /** Returns true if Escape closes something inside, and not the dialog. */
  readonly keepsOnEscape?: () => boolean;
  readonly children?: ReactNode;
}

const widths = {
  sm: 'max-w-md',
  md: 'max-w-xl',
  lg: 'max-w-3xl',
  xl: 'max-w-6xl',
  full: 'h-full max-w-[calc(100vw-1.5rem)]',
};

/**
 * A modal dialog. The focus stays inside, Escape closes it, and the focus then returns to the element that opened it. Long
 * content scrolls between head and foot.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  footer,
  width = 'sm',
  keepsOnEscape,
  children,
}: DialogProps) {
  const focus = useReturnFocus();
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Primitive.Content
          {...focus}
          onEscapeKeyDown={(event) => {
            if (keepsOnEscape?.()) event.preventDefault();
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={classNames(
            'fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-1.5rem)] -translate-x-1/2 -translate-y-1/2 flex-col',
            'rounded-xl border bg-raised shadow-pop outline-none',
            widths[width],
          )}
        >
          <header className="pt-4 pr-13 pb-3 pl-5">
            <Primitive.Title className="font-semibold text-ink text-lg">
              <VisibleText text={title} />
            </Primitive.Title>
            {description && (
              <Primitive.Description className="mt-0.5 text-muted text-sm">{description}</Primitive.Description>
            )}
          </header>
          {children && <div className="relative min-h-0 flex-1 overflow-y-auto px-5 pt-1 pb-5">{children}</div>}
          {footer && <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{footer}</footer>}
          {/* The close button comes last, so that the first field gets the focus when the dialog opens. */}
          <Primitive.Close
            aria-label="Close"
            className="absolute top-3.5 right-3.5 inline-flex size-7 shrink-0 cursor-pointer items-center justify-center rounded text-muted hover:bg-hover hover:text-ink"
          >
            <X aria-hidden className="size-4" />
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
