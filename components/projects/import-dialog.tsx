'use client';

import { ClipboardPaste, FolderUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Progress } from '@/components/ui/progress';
import { Tabs } from '@/components/ui/tabs';
import { FoundSummary } from './found-summary';
import { messageOf } from './message-of';
import { PasteCard } from './paste-card';
import { PickFiles } from './pick-files';
import type { Found, ProjectActions, Upload } from './project-types';

export interface ImportDialogProps {
  /** What was dropped on the page, if the dialog opens for that. */
  readonly initial: Upload | undefined;
  readonly check: ProjectActions['check'];
  readonly create: ProjectActions['create'];
  readonly onClose: () => void;
  readonly onImported: (id: string) => void;
}

type Step =
  | { readonly at: 'choose'; readonly error?: string }
  | { readonly at: 'checking'; readonly upload: Upload; readonly part: number }
  | { readonly at: 'found'; readonly upload: Upload; readonly found: Found; readonly error?: string }
  | { readonly at: 'importing'; readonly upload: Upload; readonly found: Found; readonly part: number };

/** Imports a project in three steps: choose, see what was found, import. Nothing is stored before the last step. */
export function ImportDialog(props: ImportDialogProps) {
  const { onClose } = props;
  const { step, setStep, name, setName, inspect, importIt } = useImport(props);
  const showsFound = step.at === 'found' || step.at === 'importing';
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Import a project"
      description="A folder of AgentCards, or of agents of Claude Code or VS Code, as it is on disk. Every byte is kept. Nothing in it runs before you have seen what it would start."
      width="md"
      footer={
        showsFound && (
          <>
            <Button onClick={() => setStep({ at: 'choose' })}>Choose another</Button>
            <Button variant="primary" busy={step.at === 'importing'} onClick={importIt}>
              Import
            </Button>
          </>
        )
      }
    >
      {step.at === 'choose' && (
        <Choose
          error={step.error}
          onChosen={inspect}
          onError={(message) => setStep({ at: 'choose', error: message })}
        />
      )}
      {step.at === 'checking' && (
        <div className="flex flex-col gap-3 py-6" role="status">
          <p className="text-muted text-sm">{step.part < 1 ? 'Sending the files…' : 'Reading the cards…'}</p>
          <Progress label="Import" value={step.part < 1 ? step.part : undefined} />
        </div>
      )}
      {showsFound && (
        <div className="flex flex-col gap-4">
          {step.at === 'found' && step.error && <Refusal message={step.error} />}
          <Field label="Project name">
            {(ids) => <Input {...ids} value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />}
          </Field>
          <FoundSummary found={step.found} leftOut={step.upload.kind === 'files' ? step.upload.source.leftOut : []} />
          {step.at === 'importing' && <Progress label="Importing" value={step.part < 1 ? step.part : undefined} />}
        </div>
      )}
    </Dialog>
  );
}

/** Inspects the chosen files, then imports them. */
function useImport({ initial, check, create, onImported }: ImportDialogProps) {
  const [step, setStep] = useState<Step>({ at: 'choose' });
  const [name, setName] = useState('');
  const opened = useRef<Upload>(undefined);

  const inspect = async (upload: Upload) => {
    setStep({ at: 'checking', upload, part: 0 });
    try {
      const found = await check(upload, (part) => setStep({ at: 'checking', upload, part }));
      setName(found.name ?? nameOf(upload));
      setStep({ at: 'found', upload, found });
    } catch (error) {
      const which = upload.kind === 'zip' ? `${upload.name}: ` : '';
      setStep({ at: 'choose', error: `${which}${messageOf(error)}` });
    }
  };

  // A drop on the page opens the dialog with the dropped files, which are inspected once.
  useEffect(() => {
    if (!initial || opened.current === initial) return;
    opened.current = initial;
    void inspect(initial);
  });

  const importIt = async () => {
    if (step.at !== 'found') return;
    const { upload, found } = step;
    setStep({ at: 'importing', upload, found, part: 0 });
    try {
      const id = await create(name.trim() || 'Untitled', upload, (part) =>
        setStep({ at: 'importing', upload, found, part }),
      );
      onImported(id);
    } catch (error) {
      setStep({ at: 'found', upload, found, error: messageOf(error) });
    }
  };

  return { step, setStep, name, setName, inspect, importIt };
}

function Choose(props: {
  readonly error: string | undefined;
  readonly onChosen: (upload: Upload) => void;
  readonly onError: (message: string) => void;
}) {
  const { error, onChosen, onError } = props;
  const [tab, setTab] = useState('files');
  return (
    <div className="flex flex-col gap-3">
      {error && <Refusal message={error} />}
      <div className="flex h-72 flex-col rounded-lg border">
        <Tabs
          label="Where from"
          value={tab}
          onValueChange={setTab}
          tabs={[
            {
              id: 'files',
              label: 'Folder or zip',
              icon: <FolderUp aria-hidden />,
              content: <PickFiles onPicked={onChosen} onError={onError} />,
            },
            {
              id: 'paste',
              label: 'Paste a card',
              icon: <ClipboardPaste aria-hidden />,
              content: <PasteCard onPasted={onChosen} />,
            },
          ]}
        />
      </div>
    </div>
  );
}

function Refusal({ message }: { readonly message: string }) {
  return (
    <p role="alert" className="rounded border border-bad bg-bad-soft px-3 py-2 text-bad text-sm">
      {message}
    </p>
  );
}

function nameOf(upload: Upload): string {
  if (upload.kind === 'zip') return upload.name.replace(/\.zip$/i, '');
  const [only, ...more] = upload.source.files;
  const stem =
    only && more.length === 0
      ? only.path
          .split('/')
          .at(-1)
          ?.replace(/\.[^.]+$/, '')
      : undefined;
  return upload.source.name ?? stem ?? 'Untitled';
}
