/** Shows the name of an instance. A long name is cut before its index, so that `NY-Proj…[2]` and `NY-Proj…[3]` differ. */
export function InstanceName({ name, strong }: { readonly name: string; readonly strong?: boolean }) {
  const at = name.lastIndexOf('[');
  const cut = at > 0 && name.endsWith(']') ? at : name.length;
  const weight = strong ? 'font-medium' : 'flex-1';
  if (cut === name.length) return <span className={`min-w-0 truncate text-ink ${weight}`}>{name}</span>;
  return (
    <span className={`flex min-w-0 text-ink ${weight}`}>
      {/* Screen readers get the name in one piece, because they would read two boxes as two words. */}
      <span className="sr-only">{name}</span>
      <span aria-hidden className="truncate">
        {name.slice(0, cut)}
      </span>
      <span aria-hidden className="shrink-0">
        {name.slice(cut)}
      </span>
    </span>
  );
}
