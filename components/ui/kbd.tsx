/** Shows one key. */
export function Kbd({ children }: { readonly children: string }) {
  return (
    <kbd className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-sm border bg-sunken px-1 font-sans text-2xs text-muted">
      {children}
    </kbd>
  );
}

/** Shows a combination as written in the docs, such as `Mod+Shift+Z`. `Mod` is shown as Ctrl; Macs accept ⌘ too. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {keys.split('+').map((key) => (
        <Kbd key={key}>{key === 'Mod' ? 'Ctrl' : key}</Kbd>
      ))}
    </span>
  );
}
