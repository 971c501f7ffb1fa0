'use client';

import { Download, FilePlus2, FolderPlus, Upload } from 'lucide-react';
import { type DragEvent, useCallback, useMemo, useRef, useState } from 'react';
import { useProject, useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import type { Folder, StoredFile } from '@/lib/cards/folder';
import { fileTree, folderMoves, pathIn } from '@/lib/editor/file-tree';
import { DeleteFilesDialog } from './delete-files-dialog';
import { ExportDialog } from './export-dialog';
import { FileNameDialog } from './file-name-dialog';
import { FileRow, FolderRow, fileDragType, type RowAct } from './file-row';

type Asking = RowAct | { readonly kind: 'new-folder' } | { readonly kind: 'export' };

/** Lists the files of the project in their folders. */
export function FilesTab() {
  const folder = useProject((state) => state.document.folder);
  const roles = useProject((state) => state.picture.parsed.roles);
  const openFile = useProject((state) => state.openFile);
  const saved = useProject((state) => state.saved.folder);
  const [asking, setAsking] = useState<Asking>();
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [empty, setEmpty] = useState<readonly string[]>([]);
  const { upload, dropIn } = useFileDrops();
  const rows = useMemo(() => fileTree(folder.keys(), empty, closed), [folder, empty, closed]);
  const toggle = useCallback((path: string) => {
    setClosed((before) =>
      before.has(path) ? new Set([...before].filter((one) => one !== path)) : new Set([...before, path]),
    );
  }, []);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop files on; the button Upload does the same
    <div className="min-h-full" onDragOver={(event) => event.preventDefault()} onDrop={(event) => dropIn('', event)}>
      <FilesBar count={folder.size} onAsk={setAsking} onUpload={(files) => upload('', files)} />
      <ul aria-label="Files">
        {rows.map((row) =>
          row.kind === 'folder' ? (
            <FolderRow
              key={`${row.path}/`}
              row={row}
              open={!closed.has(row.path)}
              onToggle={toggle}
              onAct={setAsking}
              onDropIn={dropIn}
            />
          ) : (
            <FileRow
              key={row.path}
              row={row}
              role={roles.get(row.path) ?? 'document'}
              stored={storedAt(folder, row.path)}
              changed={saved.get(row.path) !== folder.get(row.path)}
              open={row.path === openFile}
              onAct={setAsking}
              onDropIn={dropIn}
            />
          ),
        )}
      </ul>
      {asking === undefined ? null : (
        <Dialogs
          asking={asking}
          onClose={() => setAsking(undefined)}
          onEmpty={(gone, added) =>
            setEmpty((before) => [...before.filter((path) => path !== gone), ...(added === undefined ? [] : [added])])
          }
        />
      )}
    </div>
  );
}

function storedAt(folder: Folder, path: string): StoredFile | undefined {
  const file = folder.get(path);
  return file?.kind === 'stored' ? file : undefined;
}

/** Shows what a button or menu asks for: a name, a confirmation, the export. */
function Dialogs(props: {
  readonly asking: Asking;
  readonly onClose: () => void;
  /** Forgets a folder without files, and adds one. */
  readonly onEmpty: (gone: string | undefined, added: string | undefined) => void;
}) {
  const { asking, onClose } = props;
  const folder = useProject((state) => state.document.folder);
  const commands = useCommands();
  const taken = useMemo(() => [...folder.keys()], [folder]);
  const below = useMemo(() => {
    if (asking.kind !== 'delete') return [];
    return asking.isFolder ? taken.filter((path) => path.startsWith(`${asking.path}/`)) : [asking.path];
  }, [asking, taken]);
  switch (asking.kind) {
    case 'export':
      return <ExportDialog onClose={onClose} />;
    case 'new':
      return (
        <FileNameDialog
          title="New file"
          verb="Create"
          initial={asking.folder === '' ? '' : `${asking.folder}/`}
          taken={taken}
          onClose={onClose}
          onName={commands.newFile}
        />
      );
    case 'new-folder':
      return (
        <FileNameDialog
          title="New folder"
          verb="Create"
          initial=""
          taken={taken}
          hint="It is kept in the project when a file is in it."
          placeholder="tools"
          onClose={onClose}
          onName={(path) => props.onEmpty(undefined, path)}
        />
      );
    case 'rename':
      return (
        <FileNameDialog
          title={asking.isFolder ? 'Rename or move folder' : 'Rename or move file'}
          verb="Rename"
          initial={asking.path}
          taken={taken}
          hint="Another folder moves it: tools/clock.py. Cards and files that mention it are changed too."
          onClose={onClose}
          onName={(path) => {
            if (!asking.isFolder) commands.renameFile(asking.path, path);
            else {
              const moves = folderMoves(folder.keys(), asking.path, path);
              if (moves.size === 0) props.onEmpty(asking.path, path);
              else commands.moveFiles(moves, `Rename ${asking.path}/`);
            }
          }}
        />
      );
    case 'delete':
      return (
        <DeleteFilesDialog
          name={asking.isFolder ? `${asking.path}/` : asking.path}
          paths={below}
          onClose={onClose}
          onDelete={() => {
            props.onEmpty(asking.path, undefined);
            commands.deleteFiles(below, asking.path);
            onClose();
          }}
        />
      );
  }
}

/** Adds files of the computer, and moves files of the list that are dropped on a folder. */
function useFileDrops() {
  const commands = useCommands();
  const read = useReadProject();
  return useMemo(() => {
    function upload(folder: string, files: readonly File[]) {
      if (!read().mayEdit) return;
      void commands.upload(
        files.map((file) => ({
          path: pathIn(folder, file.name),
          size: file.size,
          read: async () => new Uint8Array(await file.arrayBuffer()),
        })),
      );
    }

    function dropIn(folder: string, event: DragEvent) {
      event.preventDefault();
      event.stopPropagation();
      const path = event.dataTransfer.getData(fileDragType);
      if (path === '') {
        upload(folder, [...event.dataTransfer.files]);
        return;
      }
      const to = pathIn(folder, path);
      if (!read().mayEdit) return;
      const paths = read().document.folder;
      if (to === path || folder === path || folder.startsWith(`${path}/`)) return;
      commands.moveFiles(paths.has(path) ? new Map([[path, to]]) : folderMoves(paths.keys(), path, to), `Move ${path}`);
    }

    return { upload, dropIn };
  }, [commands, read]);
}

function FilesBar(props: {
  readonly count: number;
  readonly onAsk: (asking: Asking) => void;
  readonly onUpload: (files: readonly File[]) => void;
}) {
  const { count } = props;
  const mayEdit = useProject((state) => state.mayEdit);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className="sticky top-0 z-10 flex flex-wrap items-center gap-2 border-b bg-surface px-3 py-1.5">
      {mayEdit && (
        <>
          <Button
            size="sm"
            icon={<FilePlus2 aria-hidden className="size-3.5" />}
            onClick={() => props.onAsk({ kind: 'new', folder: '' })}
          >
            New file
          </Button>
          <Button
            size="sm"
            icon={<FolderPlus aria-hidden className="size-3.5" />}
            onClick={() => props.onAsk({ kind: 'new-folder' })}
          >
            New folder
          </Button>
          <Button size="sm" icon={<Upload aria-hidden className="size-3.5" />} onClick={() => picker.current?.click()}>
            Upload
          </Button>
        </>
      )}
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={(event) => {
          props.onUpload([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      <Button
        size="sm"
        variant="ghost"
        icon={<Download aria-hidden className="size-3.5" />}
        onClick={() => props.onAsk({ kind: 'export' })}
      >
        Export…
      </Button>
      <span className="ml-auto text-xs text-muted tabular">
        {count} {count === 1 ? 'file' : 'files'}
      </span>
    </div>
  );
}
