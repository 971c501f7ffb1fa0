'use client';

import { Download, EllipsisVertical, FilePlus2 } from 'lucide-react';
import { memo, useState } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { IconButton } from '@/components/ui/icon-button';
import { Menu, MenuItem } from '@/components/ui/menu';
import type { FileRole } from '@/lib/cards/parsed-folder';
import { ExportDialog } from './export-dialog';
import { FileNameDialog } from './file-name-dialog';

const roleWords: Record<FileRole, string> = {
  card: 'Agent card',
  skill: 'Skill',
  config: 'Configuration',
  secrets: 'Secrets',
  settings: 'Callboard settings',
  code: 'Code',
  document: 'Document',
  binary: 'Binary',
};

type Asking =
  | { readonly kind: 'new' }
  | { readonly kind: 'export' }
  | { readonly kind: 'rename'; readonly path: string }
  | { readonly kind: 'delete'; readonly path: string };

/** Lists every file of the project and its role. */
export function FilesTab() {
  const folder = useProject((state) => state.document.folder);
  const roles = useProject((state) => state.picture.parsed.roles);
  const openFile = useProject((state) => state.openFile);
  const saved = useProject((state) => state.saved.folder);
  const commands = useCommands();
  const [asking, setAsking] = useState<Asking>();
  const paths = [...folder.keys()].sort();

  return (
    <div>
      <FilesBar count={paths.length} onAsk={setAsking} />
      <ul aria-label="Files">
        {paths.map((path) => (
          <FileRow
            key={path}
            path={path}
            role={roles.get(path) ?? 'document'}
            isText={folder.get(path)?.kind === 'text'}
            changed={saved.get(path) !== folder.get(path)}
            open={path === openFile}
            onAsk={setAsking}
          />
        ))}
      </ul>
      {asking?.kind === 'new' || asking?.kind === 'rename' ? (
        <FileNameDialog
          title={asking.kind === 'new' ? 'New file' : 'Rename file'}
          verb={asking.kind === 'new' ? 'Create' : 'Rename'}
          initial={asking.kind === 'new' ? '' : asking.path}
          taken={paths}
          onClose={() => setAsking(undefined)}
          onName={(path) => {
            if (asking.kind === 'new') commands.newFile(path);
            else commands.renameFile(asking.path, path);
          }}
        />
      ) : null}
      {asking?.kind === 'export' ? <ExportDialog onClose={() => setAsking(undefined)} /> : null}
      <ConfirmDialog
        open={asking?.kind === 'delete'}
        onOpenChange={() => setAsking(undefined)}
        title={`Delete ${asking?.kind === 'delete' ? asking.path : ''}?`}
        confirm="Delete file"
        onConfirm={() => {
          if (asking?.kind === 'delete') commands.deleteFile(asking.path);
          setAsking(undefined);
        }}
      >
        Undo brings it back.
      </ConfirmDialog>
    </div>
  );
}

function FilesBar(props: { readonly count: number; readonly onAsk: (asking: Asking) => void }) {
  const { count } = props;
  return (
    <div className="sticky top-0 z-10 flex items-center gap-2 border-b bg-surface px-3 py-1.5">
      <Button
        size="sm"
        icon={<FilePlus2 aria-hidden className="size-3.5" />}
        onClick={() => props.onAsk({ kind: 'new' })}
      >
        New file
      </Button>
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

/** A row renders again only when its own file has changed, because there may be a thousand files. */
const FileRow = memo(function FileRow(props: {
  readonly path: string;
  readonly role: FileRole;
  readonly isText: boolean;
  readonly changed: boolean;
  readonly open: boolean;
  readonly onAsk: (asking: Asking) => void;
}) {
  const { path, isText } = props;
  const actions = useActions();
  return (
    <li
      className={`flex h-8 items-center gap-2 pr-1 pl-3 text-sm hover:bg-hover ${props.open ? 'bg-accent-soft' : ''}`}
    >
      <button
        type="button"
        className="min-w-0 flex-1 cursor-pointer truncate text-left font-mono text-ink text-xs hover:underline disabled:cursor-default disabled:no-underline"
        disabled={!isText}
        onClick={() => actions.openFile(path)}
      >
        {path}
      </button>
      {props.changed ? <span className="shrink-0 text-2xs text-accent">changed</span> : null}
      <span className="hidden w-32 shrink-0 truncate text-muted text-xs sm:inline">
        {roleWords[isText ? props.role : 'binary']}
      </span>
      <Menu
        align="end"
        trigger={<IconButton size="sm" label={`More for ${path}`} icon={<EllipsisVertical aria-hidden />} />}
      >
        <MenuItem disabled={!isText} onSelect={() => actions.openFile(path)}>
          Open
        </MenuItem>
        <MenuItem onSelect={() => props.onAsk({ kind: 'rename', path })}>Rename</MenuItem>
        <MenuItem danger onSelect={() => props.onAsk({ kind: 'delete', path })}>
          Delete
        </MenuItem>
      </Menu>
    </li>
  );
});
