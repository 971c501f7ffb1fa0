import type { ComponentProps } from 'react';
import { classNames } from './class-names';

const box = classNames(
  'w-full min-w-0 rounded border border-line-strong bg-surface px-2.5 text-ink text-sm placeholder:text-faint',
  'transition-colors duration-100 hover:border-faint focus-visible:border-accent focus-visible:outline-offset-0',
  'disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted aria-invalid:border-bad',
);

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={classNames(box, 'h-8', className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      className={classNames(
        box,
        'py-1.5',
        !className?.includes('resize-') && 'resize-y',
        !className?.includes('min-h-') && 'min-h-16',
        className,
      )}
      {...rest}
    />
  );
}
