import { CopyButton } from '@/components/ui/copy-button';

/** Shows a link that cannot be shown again. */
export function OnceLink({ link }: { readonly link: string }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 rounded-lg border bg-surface px-4 py-3 text-sm shadow-card"
    >
      <span className="text-muted">Give this link to the person. It is shown once and works once.</span>
      <code className="min-w-0 break-all font-mono text-ink text-xs">{link}</code>
      <CopyButton text={link} label="Copy link" />
    </div>
  );
}
