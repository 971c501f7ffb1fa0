/** Draws a board with staggered bars, which is the shape of a run. */
export function Logo({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g className="fill-accent-ink">
        <rect x="7" y="8" width="13" height="4" rx="2" />
        <rect x="11" y="14" width="14" height="4" rx="2" opacity="0.75" />
        <rect x="15" y="20" width="8" height="4" rx="2" opacity="0.55" />
      </g>
    </svg>
  );
}
