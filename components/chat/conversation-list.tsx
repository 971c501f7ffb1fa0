import { MessageSquare, Plus, Trash2 } from 'lucide-react';
import { useAccess } from '@/components/access/access-context';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { IconButton } from '@/components/ui/icon-button';
import { StatusLabel } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { VisibleText } from '@/components/ui/visible-text';
import type { ConversationInfo } from '@/lib/base/conversation';

export interface ConversationListProps {
  /** `undefined` until they are loaded. */
  readonly conversations: readonly ConversationInfo[] | undefined;
  readonly error: string | undefined;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string) => void;
  readonly onNew: () => void;
  readonly onDelete: (conversation: ConversationInfo) => void;
  /** Reads more; `undefined` if all are listed. */
  readonly onMore: (() => void) | undefined;
}

/** Lists the conversations of a project, the one with the newest message first. */
export function ConversationList(props: ConversationListProps) {
  const { conversations, error, chosen, onChoose, onNew, onDelete, onMore } = props;
  const mayRun = useAccess().rights.includes('run');
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      {mayRun && (
        <div className="shrink-0 border-b p-2">
          <Button
            className="w-full"
            icon={<Plus aria-hidden className="size-4" />}
            aria-current={chosen === undefined ? 'true' : undefined}
            onClick={onNew}
          >
            New conversation
          </Button>
        </div>
      )}
      {error !== undefined && (
        <p role="alert" className="border-b bg-warn-soft px-3 py-2 text-warn text-xs">
          {error}
        </p>
      )}
      <ul aria-label="Conversations" className="min-h-0 flex-1 overflow-y-auto">
        {conversations?.map((one) => (
          <Row key={one.id} {...{ one, onChoose, onDelete }} isChosen={one.id === chosen} />
        ))}
        {conversations?.length === 0 && (
          <li className="flex flex-col items-center gap-2 px-4 py-8 text-center text-muted text-xs">
            <MessageSquare aria-hidden className="size-5 text-faint" />
            Conversations are listed here.
          </li>
        )}
        {onMore !== undefined && (
          <li className="p-3">
            <Button size="sm" onClick={onMore}>
              Show more
            </Button>
          </li>
        )}
      </ul>
    </div>
  );
}

function Row(props: {
  readonly one: ConversationInfo;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
  readonly onDelete: (conversation: ConversationInfo) => void;
}) {
  const { one, isChosen, onChoose, onDelete } = props;
  const mayRun = useAccess().rights.includes('run');
  const title = titleOf(one);
  return (
    <li className={classNames('group relative flex items-center border-b', isChosen && 'bg-accent-soft')}>
      <button
        type="button"
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => onChoose(one.id)}
        className="flex min-w-0 flex-1 cursor-pointer flex-col gap-0.5 py-2 pr-9 pl-3 text-left hover:bg-hover focus-visible:-outline-offset-2 aria-[current=true]:hover:bg-accent-soft"
      >
        <span className="line-clamp-2 break-words text-ink text-sm">
          <VisibleText text={title} use="prose" />
        </span>
        <span className="flex min-w-0 items-center gap-2 text-2xs text-muted">
          {one.status !== null && one.status !== 'completed' && <StatusLabel status={one.status} look="icon" />}
          <span className="min-w-0 truncate">
            <VisibleText text={one.agent} />
          </span>
          <span className="shrink-0 tabular-nums">
            {one.runCount} {one.runCount === 1 ? 'turn' : 'turns'}
          </span>
          <TimeAgo at={one.updatedAt} className="ml-auto shrink-0" />
        </span>
      </button>
      <span className="absolute top-1.5 right-1.5 transition-opacity duration-100 focus-within:opacity-100 group-hover:opacity-100 sm:opacity-0">
        {mayRun && (
          <IconButton size="sm" label={`Delete ${title}`} icon={<Trash2 aria-hidden />} onClick={() => onDelete(one)} />
        )}
      </span>
    </li>
  );
}

export function titleOf({ title }: Pick<ConversationInfo, 'title'>): string {
  return title.trim() === '' ? 'No text' : title;
}
