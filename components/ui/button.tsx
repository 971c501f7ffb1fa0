import { LoaderCircle } from 'lucide-react';
import { Slot } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md';

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-accent-ink shadow-card enabled:hover:brightness-110',
  secondary: 'border-line-strong bg-surface text-ink shadow-card enabled:hover:bg-hover',
  ghost: 'border-transparent bg-transparent text-muted enabled:hover:bg-hover enabled:hover:text-ink',
  danger: 'border-transparent bg-bad text-accent-ink shadow-card enabled:hover:brightness-110',
};

const sizes: Record<ButtonSize, string> = {
  sm: 'h-7 gap-1.5 px-2.5 text-xs',
  md: 'h-8 gap-2 px-3 text-sm',
};

/** Returns the class names of a button, for links and triggers that should look like one. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'md'): string {
  return classNames(
    'inline-flex shrink-0 cursor-pointer select-none items-center justify-center whitespace-nowrap rounded border font-medium',
    'transition-[background-color,color,filter] duration-100 disabled:cursor-not-allowed disabled:opacity-50',
    'aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
    'aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent',
    variants[variant],
    sizes[size],
  );
}

export interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  readonly icon?: ReactNode;
  /** Shows a spinner in the icon's place and refuses clicks. The button keeps the focus, which a disabled one loses. */
  readonly busy?: boolean;
  /** Styles the only child (a link) as the button; the child has the icon and the text. */
  readonly asChild?: boolean;
}

/** Toasts cover no main button. */
const isMain = (variant: ButtonVariant | undefined) => variant === 'primary' || variant === 'danger' || undefined;

export function Button({ variant, size, icon, busy, asChild, className, children, onClick, ...rest }: ButtonProps) {
  const look = classNames(buttonClass(variant, size), className);
  if (asChild) {
    return (
      <Slot.Root
        data-uncovered={isMain(variant)}
        className={classNames(look, 'hover:brightness-105')}
        onClick={onClick}
        {...rest}
      >
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      data-uncovered={isMain(variant)}
      className={look}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : icon}
      {children}
    </button>
  );
}
