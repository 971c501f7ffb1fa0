import type { ReactNode } from 'react';

interface SettingsSectionProps {
  readonly title: string;
  /** True if the heading of the page says the same. The title is only for assistive technology then. */
  readonly isWholePage?: boolean;
  readonly note?: string;
  readonly children: ReactNode;
}

/** A box with a part of a page of Settings. */
export function SettingsSection({ title, isWholePage = false, note, children }: SettingsSectionProps) {
  return (
    <section aria-label={title}>
      {!isWholePage && (
        <h2 className="mb-2 flex flex-wrap items-baseline gap-x-2 font-medium text-ink text-sm">
          {title}
          {note && <span className="font-normal text-faint text-xs">{note}</span>}
        </h2>
      )}
      <div className="rounded-lg border bg-surface shadow-card">{children}</div>
    </section>
  );
}
