import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { Badge, KindIcon } from '@/components/ui/badge';
import { countOf } from '@/components/ui/count-of';
import type { Issue } from '@/lib/base/issue';
import { ImportReportView } from './import-report-view';
import type { Found } from './project-types';

const shownIssues = 6;

/** Shows the content of a folder in three lines and its first problems. */
export function FoundSummary({ found, leftOut }: { readonly found: Found; readonly leftOut: readonly string[] }) {
  const errors = found.issues.filter((issue) => issue.severity === 'error');
  const others = found.issues.length - errors.length;
  // The report tells these at each place.
  const isTold = ({ code }: Issue) =>
    found.report !== null && (code === 'dialect-kept' || code === 'dialect-cannot-run');
  const listed = [...errors, ...found.issues.filter((issue) => issue.severity !== 'error' && !isTold(issue))];
  const shown = listed.slice(0, shownIssues);
  return (
    <section aria-label="Found" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap gap-1.5">
        <Badge tone="agent" icon={<KindIcon kind="agent" />}>
          {countOf(found.cards.length, 'card')}
        </Badge>
        <Badge>{countOf(found.files, 'file')}</Badge>
        {errors.length > 0 && (
          <Badge tone="bad" icon={<TriangleAlert aria-hidden />}>
            {countOf(errors.length, 'problem')}
          </Badge>
        )}
        {others > 0 && (
          <Badge tone="warn" icon={<Info aria-hidden />}>
            {countOf(others, 'note')}
          </Badge>
        )}
        {found.issues.length === 0 && found.cards.length > 0 && (
          <Badge tone="ok" icon={<CircleCheck aria-hidden />}>
            No problems
          </Badge>
        )}
      </div>
      {found.cards.length === 0 && (
        <p className="text-muted text-sm">
          No agent card is among these files. A card is a Markdown or YAML file with front matter, usually in{' '}
          <code className="font-mono text-xs">agent-cards/</code>. You can import the files and add one.
        </p>
      )}
      {shown.length > 0 && (
        <ul className="flex min-w-0 flex-col divide-y rounded-lg border">
          {shown.map((issue) => (
            <li key={`${issue.file}:${issue.line}:${issue.column}:${issue.code}`} className="min-w-0 px-3 py-2">
              <p className="break-words text-ink text-sm">{issue.message}</p>
              <p className="mt-0.5 break-all font-mono text-faint text-xs">
                {issue.severity} · {issue.file}:{issue.line}
              </p>
            </li>
          ))}
        </ul>
      )}
      {listed.length > shown.length && (
        <p className="text-faint text-xs">
          {shown.length} of {listed.length} shown; the editor lists them all.
        </p>
      )}
      {found.report !== null && <ImportReportView report={found.report} />}
      {leftOut.length > 0 && (
        <p className="break-words text-faint text-xs">
          Left out: {leftOut.slice(0, 5).join(', ')}
          {leftOut.length > 5 && ` and ${leftOut.length - 5} more`}
        </p>
      )}
    </section>
  );
}
