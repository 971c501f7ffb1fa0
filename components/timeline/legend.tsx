const kinds = [
  { name: 'Model', className: 'bg-model' },
  { name: 'MCP', className: 'bg-server' },
  { name: 'Function', className: 'bg-function' },
  { name: 'Built-in', className: 'bg-builtin' },
  { name: 'Starting', className: 'bg-setup' },
  { name: 'Delegation', className: 'h-[3px] bg-agent' },
  { name: 'Hook', className: 'h-[3px] bg-hook' },
  {
    name: 'Queued',
    className: 'h-px bg-[repeating-linear-gradient(90deg,var(--queued)_0_3px,transparent_3px_5px)]',
  },
] as const;

export function Legend() {
  return (
    <ul className="hidden items-center gap-3 text-2xs text-muted @3xl:flex">
      {kinds.map(({ name, className }) => (
        <li key={name} className="flex items-center gap-1.5">
          <span
            aria-hidden
            className={`block w-3.5 rounded-[1px] ${/h-(\[|px)/.test(className) ? '' : 'h-2.5'} ${className}`}
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
}
