import { CircleAlert, CircleCheck, CircleMinus } from 'lucide-react';
import type { ReactNode } from 'react';
import { countOf } from '@/components/ui/count-of';
import {
  becomesWords,
  type FieldUse,
  type ImportReport,
  losesSomething,
  type ReportedFile,
  type ReportedNote,
  useWords,
} from '@/lib/cards/import-report';

/**
 * Every file of a folder with what becomes of it: first the files that lose something, which are open, then the others. Sizes to the
 * narrowest dialog.
 */
export function ImportReportView({ report }: { readonly report: ImportReport }) {
  const lossy = report.files.filter(losesSomething);
  const others = report.files.filter((file) => !losesSomething(file));
  const made = report.withoutFile.length === 0 ? '' : ` ${report.withoutFile.join(', ')} is there without a file.`;
  return (
    <section aria-label="Import report" className="flex min-w-0 flex-col gap-3">
      <p className="text-muted text-sm">
        {report.format}: {countOf(report.files.length, 'file')}. Each comes along as it is.{made}
      </p>
      {lossy.length > 0 && <Files title={`${countOf(lossy.length, 'file')} with a loss`} files={lossy} open />}
      {others.length > 0 && <Files title={`${countOf(others.length, 'file')} without a loss`} files={others} />}
    </section>
  );
}

function Files(props: { readonly title: string; readonly files: readonly ReportedFile[]; readonly open?: boolean }) {
  const { title, files, open = false } = props;
  return (
    <details open={open} className="min-w-0 rounded-lg border bg-surface">
      <summary className="cursor-pointer px-3 py-2 font-medium text-ink text-sm">{title}</summary>
      <ul className="flex min-w-0 flex-col divide-y border-t">
        {files.map((file) => (
          <FileRow key={file.file} file={file} />
        ))}
      </ul>
    </details>
  );
}

function FileRow({ file: { file, becomes, names, notes, fields } }: { readonly file: ReportedFile }) {
  const fine = fields.filter((field) => field.notes.length === 0).map(({ field }) => field);
  return (
    <li className="flex min-w-0 flex-col gap-1 px-3 py-2">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="break-all font-mono text-ink text-xs">{file}</span>
        <span className="text-muted text-xs">{[becomesWords[becomes], ...names].join(' ')}</span>
      </p>
      {notes.map((note) => (
        <Note key={`${note.line}:${note.message}`} note={note} />
      ))}
      {fields.flatMap(({ field, notes: said }) =>
        said.map((note) => <Note key={`${field}:${note.line}:${note.message}`} note={note} field={field} />),
      )}
      {fine.length > 0 && (
        <Line use="works">
          <span className="break-words">{fine.join(', ')}</span>
        </Line>
      )}
    </li>
  );
}

function Note({ note, field }: { readonly note: ReportedNote; readonly field?: string }) {
  return (
    <Line use={note.use}>
      {field !== undefined && <code className="mr-1 font-mono text-ink">{field}</code>}
      <span className="break-words">{note.message}</span>
    </Line>
  );
}

const icons: Readonly<Record<FieldUse, ReactNode>> = {
  works: <CircleCheck aria-hidden className="mt-0.5 size-3 shrink-0 text-ok" />,
  kept: <CircleMinus aria-hidden className="mt-0.5 size-3 shrink-0 text-muted" />,
  'cannot-run': <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0 text-warn" />,
};

/** The icon repeats a word that a screen reader says. */
function Line({ use, children }: { readonly use: FieldUse; readonly children: ReactNode }) {
  return (
    <p className="flex min-w-0 gap-1.5 text-muted text-xs leading-4">
      {icons[use]}
      <span className="sr-only">{useWords[use]}: </span>
      <span className="min-w-0">{children}</span>
    </p>
  );
}
