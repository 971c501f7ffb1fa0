'use client';

import { Play } from 'lucide-react';
import { useState } from 'react';
import { type StartFault, StartFaultText } from '@/components/commands/ask-approval';
import { ArgumentsForm } from '@/components/people/arguments-form';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import type { AgainFiles, ToolChoice } from '@/lib/base/again';
import { isRecord, type JsonObject, parseJson } from '@/lib/base/json';
import { type InstancePreview, readInstancePreview } from '@/lib/client/run-again';
import type { AgainServices } from './again-services';
import { FilesChoice } from './files-choice';
import { useLoaded } from './use-loaded';
import { Warning } from './warning';

export interface InstanceDialogProps {
  readonly runId: string;
  readonly path: string;
  readonly services: AgainServices;
  readonly onClose: () => void;
}

/** Starts a run of one recorded instance, with the recorded arguments or with others. */
export function InstanceDialog(props: InstanceDialogProps) {
  const { runId, path } = props;
  const loaded = useLoaded(`${runId} ${path}`, (signal) =>
    readInstancePreview(runId, { path, files: 'recorded' }, signal),
  );
  if (loaded !== undefined && 'value' in loaded) return <InstanceForm {...props} preview={loaded.value} />;
  return (
    <Dialog open onOpenChange={props.onClose} title="Run this instance again">
      <p role="status" className="text-muted text-sm">
        {loaded === undefined ? 'Reading the record' : loaded.error}
      </p>
    </Dialog>
  );
}

function InstanceForm(props: InstanceDialogProps & { readonly preview: InstancePreview }) {
  const { runId, path, preview, services, onClose } = props;
  const recorded = isObject(preview.arguments) ? preview.arguments : undefined;
  const original = JSON.stringify(recorded, null, 2);
  const [text, setText] = useState(original);
  const [files, setFiles] = useState<AgainFiles>('recorded');
  const [tools, setTools] = useState<Readonly<Record<string, ToolChoice>>>(() =>
    Object.fromEntries(preview.tools.map(({ name }) => [name, 'record' as const])),
  );
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<StartFault | undefined>(undefined);
  const start = async () => {
    const args = text === original ? undefined : parseJson(text);
    if (text !== original && !isObject(args)) {
      setFault({ message: 'The arguments are not a JSON object. Correct them.', isUnapproved: false });
      return;
    }
    setBusy(true);
    setFault(undefined);
    setFault(
      await services.start({ kind: 'instance', files, path, tools, ...(isObject(args) && { arguments: args }) }),
    );
    setBusy(false);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="md"
      title="Run this instance again"
      description={`Agent '${preview.agentName}' runs alone, as ${path.slice(path.lastIndexOf('/') + 1)} did. Its model is asked live.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} icon={<Play aria-hidden className="size-3.5" />} onClick={start}>
            {busy ? 'Starting' : 'Run'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {recorded === undefined ? (
          <p className="text-muted text-sm">It gets the recorded input.</p>
        ) : (
          <ArgumentsForm text={text} onText={setText} />
        )}
        <ToolChoices preview={preview} tools={tools} onTools={setTools} />
        <FilesChoice value={files} onChange={setFiles} />
        <Problem key={files} {...{ runId, path, files }} />
        <StartFaultText fault={fault} services={services.approval} onApproved={() => void start()} />
      </div>
    </Dialog>
  );
}

/** Says why the instance cannot run with the chosen files, if that is so. */
function Problem({ runId, path, files }: Pick<InstanceDialogProps, 'runId' | 'path'> & { readonly files: AgainFiles }) {
  const preview = useLoaded(`${runId} ${path}`, (signal) => readInstancePreview(runId, { path, files }, signal));
  const problem = preview !== undefined && 'value' in preview ? preview.value.problem : undefined;
  return <div role="status">{problem !== undefined && <Warning>{problem} The run would fail.</Warning>}</div>;
}

/** Chooses for each tool whether it is called. */
function ToolChoices(props: {
  readonly preview: InstancePreview;
  readonly tools: Readonly<Record<string, ToolChoice>>;
  readonly onTools: (tools: Readonly<Record<string, ToolChoice>>) => void;
}) {
  const { preview, tools, onTools } = props;
  if (preview.tools.length === 0) return <p className="text-muted text-sm">It called no tools.</p>;
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-ink text-sm">Tools that it called</legend>
      <ul className="flex flex-col gap-1">
        {preview.tools.map(({ name, calls }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            <span className="min-w-0 flex-1 truncate font-mono text-xs" title={name}>
              {name}
              <span className="font-sans text-muted"> × {calls}</span>
            </span>
            {(['record', 'live'] as const).map((choice) => (
              <label key={choice} className="flex cursor-pointer items-center gap-1.5 text-xs">
                <input
                  type="radio"
                  name={`tool ${name}`}
                  className="accent-(--color-accent)"
                  checked={tools[name] === choice}
                  onChange={() => onTools({ ...tools, [name]: choice })}
                />
                <span className="sr-only">{name}: </span>
                {choice === 'record' ? 'From the record' : 'Live'}
              </label>
            ))}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
