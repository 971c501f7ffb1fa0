import { Download, ScrollText } from 'lucide-react';
import Link from 'next/link';
import { Page } from '@/components/shell/page';
import { classNames } from '@/components/ui/class-names';
import { EmptyState } from '@/components/ui/empty-state';
import { TimeAgo } from '@/components/ui/time-ago';
import { auditGroups, auditSentence } from './audit-words';

export interface AuditViewProps {
  readonly entries: readonly ShownEntry[];
  /** The `before` of the next page; null on the last page. */
  readonly next: number | null;
  /** The query of the page. */
  readonly query: Readonly<Record<string, string>>;
}

interface ShownEntry {
  readonly seq: number;
  readonly at: number;
  readonly actor: string;
  readonly via: string;
  readonly action: string;
  readonly object: string;
  readonly body: string;
  readonly project: string | null;
  readonly projectName: string | null;
}

/** The audit log, newest first. Its filters are links, so that each view has an address. */
export function AuditView({ entries, next, query }: AuditViewProps) {
  const { before: _before, ...filter } = query;
  return (
    <Page
      title="Audit log"
      description="Who did what. Entries are only added, and each has the hash of the one before it."
      actions={
        <a
          href="/api/v1/audit/export"
          download
          className="inline-flex h-8 items-center gap-1.5 rounded border border-line-strong bg-surface px-3 font-medium text-ink text-sm hover:border-faint"
        >
          <Download aria-hidden className="size-4 text-muted" />
          Export
        </a>
      }
    >
      <nav aria-label="Filter" className="mb-3 flex flex-wrap gap-1.5">
        <FilterLink name="All" filter={without(filter, 'action')} isOn={filter.action === undefined} />
        {auditGroups.map(({ name, actions }) => (
          <FilterLink
            key={name}
            name={name}
            filter={{ ...filter, action: actions.join(',') }}
            isOn={filter.action === actions.join(',')}
          />
        ))}
        {filter.project !== undefined && (
          <FilterLink name="This project only" filter={without(filter, 'project')} isOn />
        )}
      </nav>
      {entries.length === 0 ? (
        <EmptyState icon={<ScrollText aria-hidden />} title="No entries">
          Answers to runs, confirmations, exports, deletions and changes of rules appear here.
        </EmptyState>
      ) : (
        <ol className="divide-y rounded-lg border bg-surface shadow-card">
          {entries.map((entry) => (
            <Entry key={entry.seq} entry={entry} filter={filter} />
          ))}
        </ol>
      )}
      {next !== null && (
        <Link
          href={addressOf({ ...filter, before: `${next}` })}
          className="mt-3 inline-block rounded px-1 text-accent text-sm underline-offset-2 hover:underline"
        >
          Older entries
        </Link>
      )}
    </Page>
  );
}

/** How it was done, in words. Any other way is an abbreviation, such as `api`. */
const ways: Readonly<Record<string, string | undefined>> = {
  web: 'in the app',
  worker: 'by a worker',
  link: 'by a link',
};

function Entry({ entry, filter }: { readonly entry: ShownEntry; readonly filter: Readonly<Record<string, string>> }) {
  const { seq, at, actor, via, object, project, projectName } = entry;
  return (
    <li className="grid gap-x-4 gap-y-0.5 px-4 py-2.5 text-sm sm:grid-cols-[7rem_1fr_auto]">
      <TimeAgo at={at} className="text-muted text-xs sm:pt-0.5" />
      <div className="min-w-0">
        <p className="break-words text-ink">
          <span className="font-medium">{actor}</span> {auditSentence(entry)}
        </p>
        <p className="flex min-w-0 flex-wrap gap-x-2 text-muted text-xs">
          {project !== null && (
            <Link
              href={addressOf({ ...filter, project })}
              title="Only this project"
              className="max-w-full truncate underline-offset-2 hover:underline"
            >
              {projectName ?? 'a deleted project'}
            </Link>
          )}
          {object !== project && <code className="min-w-0 break-all font-mono text-2xs text-faint">{object}</code>}
        </p>
      </div>
      <p className="text-faint text-xs sm:pt-0.5 sm:text-right">
        {ways[via] ?? via.toUpperCase()} · <span title="Number of the entry">#{seq}</span>
      </p>
    </li>
  );
}

interface FilterLinkProps {
  readonly name: string;
  readonly filter: Readonly<Record<string, string>>;
  readonly isOn: boolean;
}

function FilterLink({ name, filter, isOn }: FilterLinkProps) {
  return (
    <Link
      href={addressOf(filter)}
      aria-current={isOn ? 'true' : undefined}
      className={classNames(
        'inline-flex h-7 items-center rounded-full border px-3 text-xs transition-colors',
        isOn ? 'border-accent bg-accent-soft font-medium text-ink' : 'bg-surface text-muted hover:text-ink',
      )}
    >
      {name}
    </Link>
  );
}

function addressOf(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '/settings/audit' : `/settings/audit?${text}`;
}

function without(query: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(query).filter(([key]) => key !== name));
}
