'use client';

import { Copy, Download, PencilLine, Trash2, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu';
import { membersHref } from '@/lib/client/project-address';
import type { ProjectCardData } from '@/lib/client/project-page';

export interface ProjectCardProps {
  readonly project: ProjectCardData;
  readonly exportHref: string;
  /** True where people have accounts. */
  readonly accounts: boolean;
  readonly onRename: () => void;
  readonly onDuplicate: () => void;
  readonly onDelete: () => void;
}

/** What the person may do with a project, as a menu. It is loaded for its button, so it is open when mounted. */
export function CardItems(props: ProjectCardProps & { readonly trigger: ReactNode }) {
  const { project, exportHref, accounts, trigger, onRename, onDuplicate, onDelete } = props;
  const { id, rights } = project;
  return (
    <Menu defaultOpen align="end" trigger={trigger}>
      {rights.includes('edit') && (
        <MenuItem icon={<PencilLine aria-hidden />} onSelect={onRename}>
          Rename
        </MenuItem>
      )}
      <MenuItem icon={<Copy aria-hidden />} onSelect={onDuplicate}>
        Duplicate
      </MenuItem>
      <MenuItem icon={<Download aria-hidden />} href={exportHref} download>
        Export zip
      </MenuItem>
      {accounts && (
        <MenuItem icon={<Users aria-hidden />} href={membersHref(id)}>
          Members
        </MenuItem>
      )}
      {rights.includes('manage') && (
        <>
          <MenuSeparator />
          <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={onDelete}>
            Delete
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
