'use client';

import { MessagesSquare } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { ProjectBar } from '@/components/project-bar/project-bar';
import { Announcer } from '@/components/ui/announcer';
import { Button, buttonClass } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { useMedia } from '@/components/ui/use-media';
import type { ConversationInfo } from '@/lib/base/conversation';
import type { ChatPlace } from './chat-place';
import type { ChatChoices, ChatServices } from './chat-services';
import { ConversationList, titleOf } from './conversation-list';
import { ConversationPane } from './conversation-pane';
import { useConversations, useRefresh } from './use-conversations';

export interface ChatViewProps {
  readonly project: string;
  readonly projectName: string;
  /** `undefined` if the files of the project cannot be read. */
  readonly choices: ChatChoices | undefined;
  /** Why the files cannot be read. */
  readonly problem: string | undefined;
  readonly services: ChatServices;
  readonly place: ChatPlace;
  readonly onPlace: (place: ChatPlace) => void;
}

/** Conversations with a project: a list on the left, one of them on the right. On a phone the list takes the place of the other. */
export function ChatView(props: ChatViewProps) {
  const { project, projectName, choices, problem, services, place, onPlace } = props;
  const { conversation } = place;
  const wide = useMedia('(min-width: 48rem)');
  const access = useAccess();
  const [isListed, setIsListed] = useState(false);
  const [deleted, setDeleted] = useState<ConversationInfo>();
  /** Another one for each conversation that was chosen. One that gets its id with the first message stays the same. */
  const [pane, setPane] = useState(0);
  const list = useConversations(project);
  const show = (id: string | undefined) => {
    setIsListed(false);
    setPane(pane + 1);
    onPlace({ conversation: id });
  };
  const nav = (
    <nav
      aria-label="Conversations of the project"
      className={classNames('min-h-0 w-full shrink-0 md:w-72 md:border-r', wide === undefined && 'max-md:hidden')}
    >
      <ConversationList
        conversations={list.data}
        error={list.error?.message}
        chosen={conversation}
        onChoose={show}
        onNew={() => show(undefined)}
        onDelete={setDeleted}
        onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      />
    </nav>
  );
  return (
    <div className="flex h-full min-h-0 flex-col">
      <ProjectBar project={{ id: project, name: projectName }} access={access} current="chat" />
      <h1 className="sr-only">Chat with {projectName}</h1>
      {wide === false && <ListToggle isListed={isListed} onList={() => setIsListed(!isListed)} />}
      <Announcer />
      <div className="flex min-h-0 flex-1">
        {wide !== false && nav}
        {wide === false && isListed && nav}
        {choices === undefined ? (
          <Unreadable project={project} problem={problem} />
        ) : (
          <ConversationPane
            key={pane}
            {...{ project, choices, services, conversation }}
            isHidden={wide === false && isListed}
            onBegun={(id) => onPlace({ conversation: id })}
          />
        )}
      </div>
      {deleted !== undefined && (
        <DeleteDialog
          conversation={deleted}
          {...{ project, services }}
          onClose={() => setDeleted(undefined)}
          onDeleted={() => {
            if (deleted.id === conversation) show(undefined);
          }}
        />
      )}
    </div>
  );
}

/** On a phone the list of conversations takes the place of the conversation. */
function ListToggle({ isListed, onList }: { readonly isListed: boolean; readonly onList: () => void }) {
  return (
    <div className="flex shrink-0 justify-end border-b bg-surface px-2 py-1">
      <Button
        size="sm"
        icon={<MessagesSquare aria-hidden className="size-3.5" />}
        aria-expanded={isListed}
        onClick={onList}
      >
        {isListed ? 'Back' : 'Conversations'}
      </Button>
    </div>
  );
}

function Unreadable({ project, problem }: { readonly project: string; readonly problem: string | undefined }) {
  return (
    <div className="min-w-0 flex-1">
      <EmptyState
        title="The files of the project cannot be read"
        action={
          <Link href={`/p/${project}`} className={buttonClass('primary')}>
            Open the editor
          </Link>
        }
      >
        {problem}
      </EmptyState>
    </div>
  );
}

function DeleteDialog(props: {
  readonly project: string;
  readonly services: ChatServices;
  readonly conversation: ConversationInfo;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}) {
  const { project, services, conversation, onClose, onDeleted } = props;
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const refresh = useRefresh(project, undefined);
  const remove = async () => {
    setBusy(true);
    const refusal = await services.remove(conversation.id);
    setBusy(false);
    setFault(refusal);
    if (refusal !== undefined) return;
    onClose();
    onDeleted();
    await refresh();
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Delete conversation"
      confirm="Delete conversation"
      busy={busy}
      onConfirm={() => void remove()}
    >
      <p className="break-words">
        “{titleOf(conversation)}” is deleted and cannot be continued. Its runs stay in the list of runs.
      </p>
      {fault !== undefined && (
        <p role="alert" className="mt-2 text-bad">
          {fault}
        </p>
      )}
    </ConfirmDialog>
  );
}
