/** A number at the corner of an icon. Nothing for zero. Say the number in words beside it. */
export function CountBadge({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span
      aria-hidden
      className="absolute -top-1.5 -right-1.5 sm:-right-2.5 min-w-4 rounded-full bg-warn px-1 text-center font-medium text-2xs text-accent-ink leading-4 tabular-nums"
    >
      {count > 99 ? '99+' : count}
    </span>
  );
}
