'use client';

import { useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { callAction } from '@/app/call-action';
import { deleteConversation, sendMessage } from '@/app/conversation-actions';
import { stop } from '@/app/r/[run]/actions';
import { chatPlace } from '@/components/chat/chat-place';
import type { ChatServices } from '@/components/chat/chat-services';
import { ChatView, type ChatViewProps } from '@/components/chat/chat-view';
import { chatHref } from '@/lib/client/project-address';

export function ChatClient(props: Pick<ChatViewProps, 'project' | 'projectName' | 'choices' | 'problem'>) {
  const { project } = props;
  const params = useSearchParams();
  const services = useMemo(() => chatServices(project), [project]);
  return (
    <ChatView
      {...props}
      services={services}
      place={chatPlace(new URLSearchParams(params))}
      onPlace={({ conversation }) => window.history.replaceState(null, '', chatHref(project, conversation))}
    />
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
          notTrusted: sent.code === 'not_trusted' || sent.code === 'not_approved',
        };
      return { ok: true, runId: sent.value.runId, conversation: sent.value.conversationId ?? conversation ?? '' };
    },
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
