import { VisibleText } from '@/components/ui/visible-text';
import type { ChangeGroup, ChangeRow } from '@/lib/graph/review/change-rows';
import { ChangeBadge } from './change-look';
import { CommentedPart } from './commented-part';
import type { Commenting } from './review-types';

/** The parts of a project that change. Each part, and each field of an agent, takes comments. */
export function ChangeRows({ groups, ...rows }: Commenting & { readonly groups: readonly ChangeGroup[] }) {
  return groups.map(({ title, rows: parts }) => (
    <div key={title} className="flex flex-col gap-1">
      <h3 className="break-words font-medium text-muted text-xs">
        <VisibleText text={title} />
      </h3>
      <ul aria-label={title} className="divide-y rounded-lg border bg-surface shadow-card">
        {parts.map((row) => (
          <Row key={row.key} row={row} {...rows} />
        ))}
      </ul>
    </div>
  ));
}

function Row({ row, ...commenting }: Commenting & { readonly row: ChangeRow }) {
  const { change, words, details } = row;
  return (
    <li className="flex flex-col gap-1 px-3 py-1.5 text-sm">
      <CommentedPart about={row} {...commenting}>
        <div className="flex items-start gap-2">
          <ChangeBadge change={change} />
          <p className="min-w-0 break-words font-mono text-ink text-xs leading-5">
            <VisibleText text={words} />
          </p>
        </div>
      </CommentedPart>
      {details.length > 0 && (
        <ul aria-label={`Details of ${words}`} className="flex flex-col gap-0.5">
          {details.map((detail) => (
            <li key={detail.words}>
              <CommentedPart about={detail} small {...commenting}>
                <p className="break-words text-muted text-xs leading-6">
                  <VisibleText text={detail.words} />
                </p>
              </CommentedPart>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
