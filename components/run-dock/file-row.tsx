'use client';

import { ChevronRight, EllipsisVertical, File, FileText, Folder, FolderOpen, Image } from 'lucide-react';
import { type DragEvent, memo } from 'react';
import { useActions, useProject, useReadProject } from '@/components/editor-state/project-context';
import { IconButton } from '@/components/ui/icon-button';
import { Menu, MenuItem } from '@/components/ui/menu';
import { saveBlob } from '@/components/ui/save-blob';
import type { StoredFile } from '@/lib/cards/folder';
import type { FileRole } from '@/lib/cards/parsed-folder';
import { bytesHref } from '@/lib/client/project-address';
import type { FileTreeRow } from '@/lib/editor/file-tree';
import { fileWord, isPicture } from '@/lib/editor/file-words';
import { formatBytes } from '@/lib/trace/wording';

const roleWords: Record<FileRole, string> = {
  card: 'Agent card',
  skill: 'Skill',
  config: 'Configuration',
  secrets: 'Secrets',
  settings: 'Callboard settings',
  fixture: 'Test',
  code: 'Code',
  document: 'Document',
  binary: 'Binary',
};

/** The type under which a row of the list is dragged. */
export const fileDragType = 'application/x-callboard-file';

/** What a row asks for. */
export type RowAct =
  | { readonly kind: 'new'; readonly folder: string }
  | { readonly kind: 'rename' | 'delete'; readonly path: string; readonly isFolder: boolean };

interface RowProps {
  readonly row: FileTreeRow;
  readonly onAct: (act: RowAct) => void;
  /** Called when a file or a folder of the list, or files of the computer, are dropped on a folder. */
  readonly onDropIn: (folder: string, event: DragEvent) => void;
}

function indent(depth: number) {
  return { paddingLeft: `${0.75 + depth}rem` };
}

export const FolderRow = memo(function FolderRow(
  props: RowProps & { readonly open: boolean; readonly onToggle: (path: string) => void },
) {
  const { row, open } = props;
  const mayEdit = useProject((state) => state.mayEdit);
  const Icon = open ? FolderOpen : Folder;
  return (
    <li
      className="flex h-8 items-center gap-2 pr-1 text-sm hover:bg-hover"
      style={indent(row.depth)}
      draggable={mayEdit}
      onDragStart={(event) => event.dataTransfer.setData(fileDragType, row.path)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => props.onDropIn(row.path, event)}
    >
      <button
        type="button"
        aria-expanded={open}
        className="flex min-w-0 flex-1 cursor-pointer items-center gap-1.5 text-left text-ink text-xs"
        onClick={() => props.onToggle(row.path)}
      >
        <ChevronRight size={12} aria-hidden className={`shrink-0 text-faint ${open ? 'rotate-90' : ''}`} />
        <Icon size={14} aria-hidden className="shrink-0 text-muted" />
        <span className="truncate font-mono">{row.name}/</span>
        <span className="shrink-0 text-2xs text-muted tabular">
          {row.count === 0 ? 'empty' : row.count}
          <span className="sr-only"> files</span>
        </span>
      </button>
      {mayEdit && (
        <Menu
          align="end"
          trigger={<IconButton size="sm" label={`More for ${row.path}/`} icon={<EllipsisVertical aria-hidden />} />}
        >
          <MenuItem onSelect={() => props.onAct({ kind: 'new', folder: row.path })}>New file here</MenuItem>
          <MenuItem onSelect={() => props.onAct({ kind: 'rename', path: row.path, isFolder: true })}>
            Rename or move
          </MenuItem>
          <MenuItem danger onSelect={() => props.onAct({ kind: 'delete', path: row.path, isFolder: true })}>
            Delete
          </MenuItem>
        </Menu>
      )}
    </li>
  );
});

/** A row renders again only when its own file has changed, because there may be a thousand files. */
export const FileRow = memo(function FileRow(
  props: RowProps & {
    readonly role: FileRole;
    /** Set for a file that is not text. */
    readonly stored: StoredFile | undefined;
    readonly changed: boolean;
    readonly open: boolean;
  },
) {
  const { row, stored } = props;
  const { path, name } = row;
  const actions = useActions();
  const read = useReadProject();
  const mayEdit = useProject((state) => state.mayEdit);
  const Icon = stored === undefined ? FileText : isPicture(path) ? Image : File;
  return (
    <li
      className={`flex h-8 items-center gap-2 pr-1 text-sm hover:bg-hover ${props.open ? 'bg-accent-soft' : ''}`}
      style={indent(row.depth)}
      draggable={mayEdit}
      onDragStart={(event) => event.dataTransfer.setData(fileDragType, path)}
    >
      <button
        type="button"
        aria-label={path}
        title={path}
        className="flex min-w-0 flex-1 cursor-pointer items-center gap-1.5 truncate text-left font-mono text-ink text-xs hover:underline"
        onClick={() => actions.openFile(path)}
      >
        <Icon size={14} aria-hidden className="shrink-0 text-muted" />
        <span className="truncate">{name}</span>
      </button>
      {props.changed ? <span className="shrink-0 text-2xs text-accent">changed</span> : null}
      {stored === undefined ? null : (
        <span className="shrink-0 text-muted text-xs tabular">{formatBytes(stored.size)}</span>
      )}
      <span className="hidden w-32 shrink-0 truncate text-muted text-xs sm:inline">
        {stored === undefined ? roleWords[props.role] : fileWord(path)}
      </span>
      <Menu
        align="end"
        trigger={<IconButton size="sm" label={`More for ${path}`} icon={<EllipsisVertical aria-hidden />} />}
      >
        <MenuItem onSelect={() => actions.openFile(path)}>Open</MenuItem>
        <MenuItem
          onSelect={() => {
            const { document, projectId } = read();
            const file = document.folder.get(path);
            if (file?.kind === 'text') saveBlob(new Blob([file.text], { type: 'text/plain;charset=utf-8' }), name);
            if (file?.kind === 'stored') download(name, bytesHref(projectId, file.hash));
          }}
        >
          Download
        </MenuItem>
        {mayEdit && (
          <>
            <MenuItem onSelect={() => props.onAct({ kind: 'rename', path, isFolder: false })}>Rename or move</MenuItem>
            <MenuItem danger onSelect={() => props.onAct({ kind: 'delete', path, isFolder: false })}>
              Delete
            </MenuItem>
          </>
        )}
      </Menu>
    </li>
  );
});

function download(name: string, address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
