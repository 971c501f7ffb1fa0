'use client';

import { FolderDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { Button, buttonClass } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Tabs } from '@/components/ui/tabs';
import { showToast } from '@/components/ui/toast';
import { VisibleText } from '@/components/ui/visible-text';
import { exportForFastAgent } from '@/lib/cards/export/export-for-fast-agent';
import { baseName } from '@/lib/cards/file-role';
import { isSecretFile, withoutSecretFiles } from '@/lib/cards/secret-files';
import { compiledJson } from '@/lib/editor/compiled';
import { changesBetween } from '@/lib/editor/document';
import { mermaidOf } from '@/lib/graph/mermaid';
import { type ReportRow, ReportView } from './export-report-view';
import { FolderPreview, TextPreview } from './file-preview';
import { folderChooser, writeZipToFolder } from './write-folder';

type Target = 'authored' | 'fast-agent' | 'compiled' | 'mermaid';

/** Says in words what each export is for. */
const hints: Record<Target, string> = {
  authored: 'The files as you wrote them. One of them can be copied or downloaded alone.',
  'fast-agent': 'A copy that fast-agent loads. The project itself stays as it is.',
  compiled: 'Every agent with its defaults, the servers, the settings and the graph, for other programs.',
  mermaid: 'A picture of the graph as text, for a page or a README that draws Mermaid.',
};

/** Offers the project in several forms. Each is shown before it is downloaded. */
export function ExportDialog(props: { readonly onClose: () => void }) {
  const { onClose } = props;
  const [target, setTarget] = useState<Target>('authored');
  const [hasSecrets, setHasSecrets] = useState(false);
  const { openFile } = useActions();
  const goTo = ({ file, line }: ReportRow) => {
    onClose();
    openFile(file, { line, column: 1 });
  };
  const isShown = (one: Target) => one === target;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Export"
      description={hints[target]}
      width="lg"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {target === 'authored' || target === 'fast-agent' ? (
            <FolderDownloads target={target} hasSecrets={hasSecrets} />
          ) : null}
        </>
      }
    >
      <Tabs
        label="Form of the export"
        value={target}
        onValueChange={(id) =>
          setTarget(id === 'fast-agent' || id === 'compiled' || id === 'mermaid' ? id : 'authored')
        }
        className="-mt-2 max-sm:[&_[role=tablist]]:gap-0 max-sm:[&_[role=tab]]:px-1.5 max-sm:[&_[role=tab]]:text-xs"
        tabs={[
          {
            id: 'authored',
            label: 'As authored',
            content: isShown('authored') ? <Authored {...{ hasSecrets }} /> : null,
          },
          {
            id: 'fast-agent',
            label: 'For fast-agent',
            content: isShown('fast-agent') ? <FastAgent onGoTo={goTo} hasSecrets={hasSecrets} /> : null,
          },
          { id: 'compiled', label: 'Compiled', content: isShown('compiled') ? <Compiled /> : null },
          { id: 'mermaid', label: 'Mermaid', content: isShown('mermaid') ? <Mermaid /> : null },
        ]}
      />
      {target === 'authored' || target === 'fast-agent' ? (
        <SecretFiles checked={hasSecrets} onToggle={setHasSecrets} />
      ) : null}
    </Dialog>
  );
}

/** Says which files hold secrets, and leaves them out unless a person wants them. */
function SecretFiles(props: { readonly checked: boolean; readonly onToggle: (checked: boolean) => void }) {
  const folder = useProject((state) => state.document.folder);
  const paths = [...folder.keys()].filter(isSecretFile).sort();
  if (paths.length === 0) return null;
  return (
    <section aria-label="Files with secrets" className="mt-3 flex flex-col gap-2 rounded border bg-ground p-3 text-sm">
      <p className="text-muted">
        By their names, these files hold keys and passwords. Whoever gets the download can use them.
        {paths.some((path) => baseName(path) === '.env') ? ' fast-agent reads variables from .env when it starts.' : ''}
        {paths.some((path) => /secrets\.ya?ml$/.test(path))
          ? ' A secrets file gives values to settings that the config leaves out.'
          : ''}
      </p>
      <ul className="max-h-24 overflow-auto font-mono text-ink text-xs">
        {paths.map((path) => (
          <li key={path} className="break-all">
            <VisibleText text={path} />
          </li>
        ))}
      </ul>
      <label className="flex w-fit cursor-pointer items-center gap-2 text-ink">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={props.checked}
          onChange={(event) => props.onToggle(event.currentTarget.checked)}
        />
        {paths.length === 1 ? 'Include this file' : `Include these ${paths.length} files`}
      </label>
    </section>
  );
}

interface WithSecrets {
  readonly hasSecrets: boolean;
}

function Authored({ hasSecrets }: WithSecrets) {
  const all = useProject((state) => state.document.folder);
  const folder = useMemo(() => (hasSecrets ? all : withoutSecretFiles(all)), [all, hasSecrets]);
  const openFile = useProject((state) => state.openFile);
  const [chosen, setChosen] = useState(openFile);
  return (
    <div className="pt-3">
      <FolderPreview folder={folder} chosen={chosen} onChoose={setChosen} />
    </div>
  );
}

function FastAgent(props: WithSecrets & { readonly onGoTo: (row: ReportRow) => void }) {
  const folder = useProject((state) => state.document.folder);
  const exported = useMemo(() => exportForFastAgent(folder), [folder]);
  const files = useMemo(
    () => (props.hasSecrets ? exported.folder : withoutSecretFiles(exported.folder)),
    [exported, props.hasSecrets],
  );
  const changed = useMemo(() => new Set(changesBetween(folder, exported.folder).keys()), [folder, exported]);
  const [chosen, setChosen] = useState([...changed].find((path) => exported.folder.has(path)));
  return (
    <div className="flex flex-col gap-3 pt-3">
      <ReportView report={exported.report} onGoTo={props.onGoTo} />
      <FolderPreview folder={files} chosen={chosen} onChoose={setChosen} changed={changed} />
    </div>
  );
}

function Compiled() {
  const picture = useProject((state) => state.picture);
  const name = useProject((state) => state.name);
  const text = useMemo(() => compiledJson(picture), [picture]);
  return (
    <div className="flex h-96 pt-3">
      <TextPreview name={`${name}.json`} text={text} />
    </div>
  );
}

function Mermaid() {
  const graph = useProject((state) => state.picture.graph);
  const name = useProject((state) => state.name);
  const text = useMemo(() => mermaidOf(graph), [graph]);
  return (
    <div className="flex h-96 pt-3">
      <TextPreview name={`${name}.mmd`} text={text} />
    </div>
  );
}

/** Downloads the zip, or writes its files into a folder. The server makes the zip of what is saved, so this saves first. */
function FolderDownloads({ target, hasSecrets }: WithSecrets & { readonly target: 'authored' | 'fast-agent' }) {
  const projectId = useProject((state) => state.projectId);
  const dirty = useProject((state) => state.dirty);
  const actions = useActions();
  const [choose] = useState(folderChooser);
  const [writing, setWriting] = useState(false);
  const parts = [
    'format=zip',
    ...(target === 'fast-agent' ? ['for=fast-agent'] : []),
    ...(hasSecrets ? [] : ['secrets=omit']),
  ];
  const address = `/api/v1/projects/${projectId}/files?${parts.join('&')}`;

  async function writeFolder() {
    if (choose === undefined) return;
    setWriting(true);
    try {
      const count = await writeZipToFolder(choose, address);
      if (count !== undefined) showToast({ text: `${count} files are in the folder.`, tone: 'ok' });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      showToast({ text: `The folder was not written: ${why}`, tone: 'bad' });
    } finally {
      setWriting(false);
    }
  }

  if (dirty) {
    return (
      <Button variant="primary" onClick={() => void actions.save()}>
        Save, then download
      </Button>
    );
  }
  return (
    <>
      {choose === undefined ? null : (
        <Button busy={writing} icon={<FolderDown aria-hidden className="size-4" />} onClick={() => void writeFolder()}>
          Write to a folder…
        </Button>
      )}
      <a className={buttonClass('primary')} href={address} download>
        Download zip
      </a>
    </>
  );
}
