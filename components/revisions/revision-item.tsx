'use client';

import { MoreHorizontal } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { Menu, MenuItem, MenuLink } from '@/components/ui/menu';
import { TimeAgo } from '@/components/ui/time-ago';
import { draftWords } from '@/lib/base/release-names';
import { runsOfProjectHref } from '@/lib/client/project-address';
import type { ShownRevision } from './revision-types';

export interface RevisionItemProps {
  readonly project: string;
  readonly revision: ShownRevision;
  /** Why the person may not publish, and not change drafts. */
  readonly refusals: { readonly publish: string | undefined; readonly edit: string | undefined };
  readonly isCompared: boolean;
  /** Without a label the person is asked for one. */
  readonly onPublish: (label: string | undefined) => void;
  readonly onRestore: () => void;
  readonly onCompare: (pair: readonly [number, number] | undefined) => void;
}

export function RevisionItem(props: RevisionItemProps) {
  const { project, revision, refusals, isCompared, onPublish, onRestore, onCompare } = props;
  const { number, author, message, draft, createdAt, labels } = revision;
  const isLive = labels.includes('live');
  return (
    <li aria-label={`Revision ${number}`} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 text-ink">
          <span className="font-medium tabular-nums">{number}</span>
          {labels.map((label) => (
            <Badge key={label} tone={label === 'live' ? 'ok' : 'accent'}>
              {label}
            </Badge>
          ))}
          <span className="min-w-0 break-words">{message === '' ? 'No note' : message}</span>
        </p>
        <p className="text-muted text-xs">
          {author} · <TimeAgo at={createdAt} /> · from the {draftWords(draft)}
        </p>
      </div>
      {!isLive && (
        <Button
          size="sm"
          aria-label={`Publish revision ${number}`}
          title={refusals.publish}
          aria-disabled={refusals.publish !== undefined}
          onClick={() => refusals.publish === undefined && onPublish('live')}
        >
          Publish
        </Button>
      )}
      <Button
        size="sm"
        aria-label={`Compare revision ${number}`}
        aria-pressed={isCompared}
        disabled={number === 1}
        onClick={() => onCompare(isCompared ? undefined : [number - 1, number])}
      >
        Compare
      </Button>
      <Menu
        align="end"
        trigger={<IconButton label={`More for revision ${number}`} icon={<MoreHorizontal aria-hidden />} />}
      >
        <MenuItem disabled={refusals.edit !== undefined} onSelect={onRestore}>
          Restore into the main draft
        </MenuItem>
        <MenuItem disabled={refusals.publish !== undefined} onSelect={() => onPublish(undefined)}>
          Promote to a label
        </MenuItem>
        <MenuLink href={runsOfProjectHref(project, { revision: `${number}` })}>Its runs</MenuLink>
      </Menu>
    </li>
  );
}
