import { nameParts } from './name-parts';

/** Shows the name of an instance. A long name is cut before its end, so that `NY-Proj…[2]` and `NY-Proj…[3]` differ. */
export function InstanceName({ name, strong }: { readonly name: string; readonly strong?: boolean }) {
  const { head, tail } = nameParts(name);
  const weight = strong ? 'font-medium' : 'flex-1';
  if (tail === '') return <span className={`min-w-0 truncate text-ink ${weight}`}>{name}</span>;
  return (
    <span className={`flex min-w-0 text-ink ${weight}`}>
      {/* Screen readers get the name in one piece, because they would read two boxes as two words. */}
      <span className="sr-only">{name}</span>
      <span aria-hidden className="truncate">
        {head}
      </span>
      <span aria-hidden className="shrink-0">
        {tail}
      </span>
    </span>
  );
}
