'use client';

import type { ExportNote, ExportReport } from '@/lib/cards/export/export-report';

const sections: readonly { readonly kind: ExportNote['kind']; readonly title: string }[] = [
  { kind: 'lost', title: 'Not in the export' },
  { kind: 'differs', title: 'Works differently' },
  { kind: 'moved', title: 'Written another way' },
];

/** Says what the export for fast-agent changes and leaves out. A place opens in the editor. */
export function ReportView(props: { readonly report: ExportReport; readonly onGoTo: (row: ReportRow) => void }) {
  const { report, onGoTo } = props;
  const { notes, problems } = report;
  if (notes.length === 0 && problems.length === 0) {
    return <p className="text-ink text-sm">Nothing has to change: the files are exported as they are.</p>;
  }
  return (
    <div className="flex flex-col gap-4">
      {problems.length > 0 ? (
        <Section
          title="Errors that fast-agent will find"
          isBad
          onGoTo={onGoTo}
          rows={problems.map(({ file, line, message }) => ({ file, line, message }))}
        />
      ) : null}
      {sections.map(({ kind, title }) => {
        const rows = notes.filter((note) => note.kind === kind);
        return rows.length > 0 ? <Section key={kind} title={title} rows={rows} onGoTo={onGoTo} /> : null;
      })}
    </div>
  );
}

export type ReportRow = Pick<ExportNote, 'file' | 'line' | 'message'>;

function Section(props: {
  readonly title: string;
  readonly isBad?: boolean;
  readonly rows: readonly ReportRow[];
  readonly onGoTo: (row: ReportRow) => void;
}) {
  return (
    <section>
      <h3 className={`font-medium text-sm ${props.isBad ? 'text-bad' : 'text-ink'}`}>
        {props.title} <span className="text-muted tabular">({props.rows.length})</span>
      </h3>
      <ul className="mt-1 flex flex-col gap-1.5">
        {props.rows.map((row) => (
          <li key={`${row.file}:${row.line}:${row.message}`} className="text-sm">
            <span className="block break-words text-ink">{row.message}</span>
            <button
              type="button"
              aria-label={`Open ${row.file}:${row.line}`}
              className="max-w-full cursor-pointer break-all text-left font-mono text-accent text-xs underline-offset-2 hover:underline"
              onClick={() => props.onGoTo(row)}
            >
              {row.file}:{row.line}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
