'use client';

import { FileUp } from 'lucide-react';
import Link from 'next/link';
import { useRef, useState } from 'react';
import { Button, buttonClass } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Dialog } from '@/components/ui/dialog';
import { Progress } from '@/components/ui/progress';
import { RequestError } from '@/lib/client/ask';
import { type ImportedRuns, importRunFiles } from '@/lib/client/upload';

export interface ImportRunsDialogProps {
  readonly onClose: () => void;
  readonly onImported: (runs: readonly string[]) => void;
}

type Step =
  | { readonly at: 'choose'; readonly error?: string }
  | { readonly at: 'sending'; readonly part: number }
  | { readonly at: 'done'; readonly found: ImportedRuns };

/** Imports runs from files. What a file holds is found by its content, and nothing is executed. */
export function ImportRunsDialog({ onClose, onImported }: ImportRunsDialogProps) {
  const [step, setStep] = useState<Step>({ at: 'choose' });
  const send = async (files: readonly File[]) => {
    if (files.length === 0) return;
    setStep({ at: 'sending', part: 0 });
    try {
      const found = await importRunFiles(uploadOf(files), (part) => setStep({ at: 'sending', part }));
      setStep({ at: 'done', found });
      onImported(found.runs);
    } catch (error) {
      const message = error instanceof RequestError ? error.message : 'The files could not be read. Choose them again.';
      setStep({ at: 'choose', error: message });
    }
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Import runs"
      description="Runs that another tool recorded. Nothing is executed."
      width="md"
      footer={step.at === 'done' && <Button onClick={onClose}>Close</Button>}
    >
      {step.at === 'choose' && <Choose error={step.error} onChosen={send} />}
      {step.at === 'sending' && (
        <div className="flex flex-col gap-3 py-6" role="status">
          <p className="text-muted text-sm">{step.part < 1 ? 'Sending the files…' : 'Reading the runs…'}</p>
          <Progress label="Import" value={step.part < 1 ? step.part : undefined} />
        </div>
      )}
      {step.at === 'done' && <Done found={step.found} />}
    </Dialog>
  );
}

function Choose(props: { readonly error: string | undefined; readonly onChosen: (files: readonly File[]) => void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      {props.error !== undefined && (
        <p role="alert" className="rounded border border-bad bg-bad-soft px-3 py-2 text-bad text-sm">
          {props.error}
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside do the same for keys */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          props.onChosen([...event.dataTransfer.files]);
        }}
        className={classNames(
          'flex flex-col items-center gap-3 rounded-lg border border-dashed px-4 py-8 text-center transition-colors duration-100',
          over ? 'border-accent bg-accent-soft' : 'border-line-strong',
        )}
      >
        <FileUp aria-hidden className="size-6 text-faint" />
        <p className="text-muted text-sm">{over ? 'Drop them here' : 'Drop files or a zip here'}</p>
        <div className="flex flex-wrap justify-center gap-2">
          <Button onClick={() => files.current?.click()}>Choose files or a zip</Button>
          <Button onClick={() => folder.current?.click()}>Choose a folder</Button>
        </div>
      </div>
      <ul className="list-disc pl-5 text-muted text-sm">
        <li>a session folder of fast-agent: session.json, histories and trajectories</li>
        <li>a trajectory in ATIF</li>
        <li>OpenTelemetry traces as OTLP in JSON, also from the Collector or Tempo</li>
        <li>a trace of Jaeger or Zipkin</li>
        <li>an event log that Callboard exported</li>
      </ul>
      <p className="text-muted text-xs">
        Programs send OpenTelemetry traces to <code>/v1/traces</code> of this app, as they happen.
      </p>
      {[files, folder].map((input) => (
        <input
          key={input === folder ? 'folder' : 'files'}
          ref={input}
          type="file"
          hidden
          multiple
          aria-label={input === folder ? 'Folder of runs' : 'Files of runs'}
          onChange={(event) => props.onChosen([...(event.target.files ?? [])])}
          {...(input === folder && { webkitdirectory: '' })}
        />
      ))}
    </div>
  );
}

function Done({ found }: { readonly found: ImportedRuns }) {
  const { runs, ignored, notes } = found;
  return (
    <div className="flex flex-col gap-3 py-2" role="status">
      <p className="text-ink text-sm">
        {runs.length === 1 ? '1 run was imported.' : `${runs.length} runs were imported.`}
      </p>
      <ul className="flex flex-wrap gap-2">
        {runs.slice(0, 20).map((run, index) => (
          <li key={run}>
            <Link href={`/r/${run}`} className={buttonClass(runs.length === 1 ? 'primary' : 'secondary', 'sm')}>
              {runs.length === 1 ? 'Open the run' : `Open run ${index + 1}`}
            </Link>
          </li>
        ))}
      </ul>
      {runs.length > 20 && <p className="text-muted text-sm">The list has all {runs.length}.</p>}
      {notes.slice(0, 10).map((note) => (
        <p key={note} className="break-words text-muted text-sm">
          {note}
        </p>
      ))}
      {ignored.length > 0 && (
        <p className="break-words text-muted text-sm">
          {ignored.length === 1 ? 'This file holds no run: ' : `These ${ignored.length} files hold no run: `}
          {ignored.slice(0, 10).join(', ')}
          {ignored.length > 10 && ` and ${ignored.length - 10} more`}
        </p>
      )}
    </div>
  );
}

function uploadOf(files: readonly File[]): Parameters<typeof importRunFiles>[0] {
  const [only] = files;
  if (files.length === 1 && only?.name.toLowerCase().endsWith('.zip')) return { kind: 'zip', file: only };
  return { kind: 'files', files: files.map((file) => ({ path: file.webkitRelativePath || file.name, file })) };
}
