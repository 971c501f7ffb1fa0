import { memo } from 'react';
import { legendKinds } from './legend-kinds';
import { paintTokens } from './palette';

const heights = { bar: 'h-2.5', line: 'h-[3px]', dashes: 'h-px', box: 'h-2.5 border border-warn' } as const;

/** Says what the colours mean. It never changes. */
export const Legend = memo(function Legend() {
  return (
    <ul className="hidden items-center gap-3 text-2xs text-muted @3xl:flex">
      {legendKinds.map(({ name, paint, look }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span
            aria-hidden
            className={`block w-3.5 rounded-[1px] ${heights[look]}`}
            style={{ background: backgroundOf(paintTokens[paint], look) }}
          />
          {name}
        </li>
      ))}
      <li className="flex items-center gap-1.5 @max-4xl:hidden">
        <span aria-hidden className="flex size-3 items-center justify-center border border-accent">
          <span className="size-1.5 rotate-45 bg-accent" />
        </span>
        Decision
      </li>
    </ul>
  );
});

function backgroundOf(token: string, look: (typeof legendKinds)[number]['look']): string {
  if (look === 'box') return 'var(--warn-soft)';
  if (look !== 'dashes') return `var(${token})`;
  return `repeating-linear-gradient(90deg, var(${token}) 0 3px, transparent 3px 5px)`;
}
