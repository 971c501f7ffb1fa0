import { classNames } from './class-names';

/** A grey shape where something is loading. Its size must be set by a class. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden className={classNames('animate-pulse rounded bg-hover', className)} />;
}

export interface ProgressProps {
  readonly label: string;
  /** 0 to 1, or `undefined` while the length is not known. */
  readonly value: number | undefined;
}

export function Progress({ label, value }: ProgressProps) {
  const percent = value === undefined ? undefined : Math.round(value * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1 w-full overflow-hidden rounded-full bg-hover"
    >
      <div
        className={classNames(
          'h-full rounded-full bg-accent transition-[width] duration-150',
          percent === undefined && 'w-1/3 animate-pulse',
        )}
        style={percent === undefined ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}
