'use client';

import { useMemo } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { Button, buttonClass } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { exportForFastAgent } from '@/lib/cards/export/export-for-fast-agent';
import type { ExportNote, ExportReport } from '@/lib/cards/export/export-report';
import type { Folder } from '@/lib/cards/folder';

const sections: readonly { readonly kind: ExportNote['kind']; readonly title: string }[] = [
  { kind: 'lost', title: 'Not in the export' },
  { kind: 'differs', title: 'Works differently' },
  { kind: 'moved', title: 'Written another way' },
];

/** Shows what the export of the saved project for fast-agent changes and leaves out, and offers its download. */
export function ExportDialog(props: {
  readonly folder: Folder;
  readonly projectId: string;
  readonly onClose: () => void;
}) {
  const { folder, projectId, onClose } = props;
  const report = useMemo(() => exportForFastAgent(folder).report, [folder]);
  const dirty = useProject((state) => state.dirty);
  const { openFile } = useActions();
  const goTo = ({ file, line }: Row) => {
    onClose();
    openFile(file, { line, column: 1 });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Export for fast-agent"
      description="A copy of the saved project that fast-agent loads. The project itself stays as it is."
      width="md"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <a
            className={buttonClass('primary')}
            href={`/api/v1/projects/${projectId}/files?format=zip&for=fast-agent`}
            download
            onClick={onClose}
          >
            Download zip
          </a>
        </>
      }
    >
      {dirty ? (
        <p className="mb-3 text-muted text-sm">Unsaved changes are not in the export. Save first to have them there.</p>
      ) : null}
      <ReportView report={report} onGoTo={goTo} />
    </Dialog>
  );
}

function ReportView(props: { readonly report: ExportReport; readonly onGoTo: (row: Row) => void }) {
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

type Row = Pick<ExportNote, 'file' | 'line' | 'message'>;

function Section(props: {
  readonly title: string;
  readonly isBad?: boolean;
  readonly rows: readonly Row[];
  readonly onGoTo: (row: Row) => void;
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
