/** The name of an instance, cut before its index: `NY-Proj…[2]` is told from `NY-Proj…[3]`. */
export function InstanceName({ name, strong }: { readonly name: string; readonly strong?: boolean }) {
  const at = name.lastIndexOf('[');
  const cut = at > 0 && name.endsWith(']') ? at : name.length;
  const weight = strong ? 'font-medium' : 'flex-1';
  if (cut === name.length) return <span className={`min-w-0 truncate text-ink ${weight}`}>{name}</span>;
  return (
    <span className={`flex min-w-0 text-ink ${weight}`}>
      {/* In one piece for those who hear it: two boxes would be read as two words. */}
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
