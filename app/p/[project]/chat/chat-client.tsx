'use client';

import { useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { approvalServices } from '@/app/approval-services';
import { callAction } from '@/app/call-action';
import { deleteConversation, sendMessage } from '@/app/conversation-actions';
import { stop } from '@/app/r/[run]/actions';
import { AccessContext } from '@/components/access/access-context';
import { chatPlace } from '@/components/chat/chat-place';
import type { ChatServices } from '@/components/chat/chat-services';
import { ChatView, type ChatViewProps } from '@/components/chat/chat-view';
import { KeyProjectContext } from '@/components/keys/key-context';
import type { ProjectAccess } from '@/lib/base/project-access';
import { chatHref } from '@/lib/client/project-address';

type ChatClientProps = Pick<ChatViewProps, 'project' | 'projectName' | 'choices' | 'problem'> & {
  /** What the person may do in the project. */
  readonly access: ProjectAccess;
};

export function ChatClient({ access, ...props }: ChatClientProps) {
  const { project, projectName } = props;
  const keyProject = useMemo(() => ({ id: project, name: projectName }), [project, projectName]);
  const params = useSearchParams();
  const services = useMemo(() => chatServices(project), [project]);
  return (
    <AccessContext value={access}>
      <KeyProjectContext value={keyProject}>
        <ChatView
          {...props}
          services={services}
          place={chatPlace(new URLSearchParams(params))}
          onPlace={({ conversation }) => window.history.replaceState(null, '', chatHref(project, conversation))}
        />
      </KeyProjectContext>
    </AccessContext>
  );
}

function chatServices(project: string): ChatServices {
  return {
    async send({ message, conversation, agent, model, attachments }) {
      const sent = await callAction(() =>
        sendMessage({
          project,
          message,
          conversationId: conversation ?? 'new',
          ...(agent !== undefined && { agent }),
          ...(model !== undefined && { model }),
          ...(attachments.length > 0 && { attachments: [...attachments] }),
        }),
      );
      if (!sent.ok)
        return {
          ok: false,
          message: sent.message,
          notTrusted: sent.code === 'not_trusted',
          isUnapproved: sent.code === 'not_approved',
          files: sent.details?.files,
        };
      return { ok: true, runId: sent.value.runId, conversation: sent.value.conversationId ?? conversation ?? '' };
    },
    approval: approvalServices(project),
    async stop(run) {
      const stopped = await callAction(() => stop({ run }));
      return stopped.ok ? undefined : stopped.message;
    },
    async remove(conversation) {
      const removed = await callAction(() => deleteConversation({ project, conversation }));
      return removed.ok ? undefined : removed.message;
    },
  };
}
