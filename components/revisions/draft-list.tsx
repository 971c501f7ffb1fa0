'use client';

import { MoreHorizontal } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { Input } from '@/components/ui/input';
import { Menu, MenuItem } from '@/components/ui/menu';
import { TimeAgo } from '@/components/ui/time-ago';
import { draftNameFault, draftWords } from '@/lib/base/release-names';
import { editorHref } from '@/lib/client/project-address';
import type { PublishServices, ShownDraft } from './revision-types';
import { UpdateButton } from './update-button';

type Asked = { readonly from: string; readonly renames: boolean };

export interface DraftListProps {
  readonly project: string;
  readonly drafts: readonly ShownDraft[];
  /** Why the person may not change drafts. */
  readonly refusal: string | undefined;
  readonly services: Pick<PublishServices, 'project' | 'update'>;
  /** A draft was updated from live. `words` say what it got. */
  readonly onUpdated: (words: string) => void;
  readonly onSave: (draft: string) => void;
  readonly onMake: (name: string, from: string) => void;
  readonly onRename: (draft: string, name: string) => void;
  readonly onDelete: (draft: string) => void;
}

/** The drafts of a project. What a draft has is never lost: it is kept as a revision. */
export function DraftList(props: DraftListProps) {
  const { project, drafts, refusal, services, onUpdated, onSave, onMake, onRename, onDelete } = props;
  const [asked, setAsked] = useState<Asked>();
  const isFixed = refusal !== undefined;
  return (
    <section id="drafts" aria-label="Drafts">
      <h2 className="mb-2 font-medium text-ink text-sm">Drafts</h2>
      <ul aria-label="Drafts" className="divide-y rounded-lg border bg-surface shadow-card">
        {drafts.map(({ name, equals, behind, updatedAt }) => (
          <li
            key={name}
            aria-label={`Draft ${name}`}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2 text-sm"
          >
            <p className="min-w-0 flex-1 basis-48 text-ink">
              <Link href={editorHref(project, name)} className="break-words text-accent underline underline-offset-2">
                {name}
              </Link>
              <span className="block text-muted text-xs">
                {equals === undefined ? 'has changes that no revision has' : `same files as revision ${equals}`} ·{' '}
                {behind > 0 && `${behind} behind live · `}
                <TimeAgo at={updatedAt} />
              </span>
            </p>
            <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
              {behind > 0 && (
                <UpdateButton draft={name} services={services} onUpdated={(_updated, words) => onUpdated(words)} />
              )}
              <Button
                size="sm"
                aria-label={`Save as revision: ${draftWords(name)}`}
                title={refusal}
                disabled={isFixed || equals !== undefined}
                onClick={() => onSave(name)}
              >
                Save as revision
              </Button>
              <Menu
                align="end"
                trigger={<IconButton label={`More for ${draftWords(name)}`} icon={<MoreHorizontal aria-hidden />} />}
              >
                <MenuItem disabled={isFixed} onSelect={() => setAsked({ from: name, renames: false })}>
                  New draft from this one
                </MenuItem>
                <MenuItem
                  disabled={isFixed || name === 'main'}
                  onSelect={() => setAsked({ from: name, renames: true })}
                >
                  Rename
                </MenuItem>
                <MenuItem danger disabled={isFixed || name === 'main'} onSelect={() => onDelete(name)}>
                  Delete
                </MenuItem>
              </Menu>
            </span>
          </li>
        ))}
      </ul>
      {asked !== undefined && (
        <NameDialog
          {...asked}
          onClose={() => setAsked(undefined)}
          onName={(name) => {
            setAsked(undefined);
            if (asked.renames) onRename(asked.from, name);
            else onMake(name, asked.from);
          }}
        />
      )}
    </section>
  );
}

function NameDialog(props: Asked & { readonly onClose: () => void; readonly onName: (name: string) => void }) {
  const { from, renames, onClose, onName } = props;
  const [name, setName] = useState(renames ? from : '');
  const fault = draftNameFault(name.trim());
  const verb = renames ? 'Rename draft' : 'Make draft';
  const done = () => {
    if (fault === undefined) onName(name.trim());
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={renames ? `Rename draft ${from}` : `New draft from the ${draftWords(from)}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={fault !== undefined} onClick={done}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          done();
        }}
      >
        <Field label="Name" error={name === '' ? undefined : fault}>
          {(ids) => <Input {...ids} value={name} maxLength={60} onChange={(event) => setName(event.target.value)} />}
        </Field>
      </form>
    </Dialog>
  );
}
