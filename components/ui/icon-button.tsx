import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names';
import { Tooltip } from './tooltip';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  /** The accessible name, which is also the tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
  /** Keys that do the same. The tooltip shows them. */
  readonly keys?: string;
  readonly size?: 'sm' | 'md';
  /** Marks a toggle that is on. */
  readonly pressed?: boolean;
  readonly tooltipSide?: 'top' | 'right' | 'bottom' | 'left';
}

/** A square button that shows only an icon. Its name appears on hover and focus. */
export function IconButton({
  label,
  icon,
  keys,
  size = 'md',
  pressed,
  tooltipSide,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} keys={keys} side={tooltipSide}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={pressed}
        className={classNames(
          'inline-flex shrink-0 cursor-pointer items-center justify-center rounded text-muted transition-colors duration-100',
          'hover:bg-hover hover:text-ink disabled:cursor-not-allowed disabled:opacity-40',
          'aria-pressed:bg-accent-soft aria-pressed:text-accent data-[state=open]:bg-hover data-[state=open]:text-ink',
          size === 'sm' ? 'size-6 [&_svg]:size-3.5' : 'size-8 [&_svg]:size-4',
          className,
        )}
        {...rest}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
