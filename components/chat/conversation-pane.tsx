import { MessageSquare, Upload } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useWhyNot } from '@/components/access/access-context';
import { AskApproval } from '@/components/commands/ask-approval';
import { classNames } from '@/components/ui/class-names';
import { EmptyState } from '@/components/ui/empty-state';
import { later } from '@/components/ui/later';
import { useLatest } from '@/components/ui/use-latest';
import { isActive } from '@/lib/trace/run-state';
import { AgentChoice } from './agent-choice';
import type { ChatChoices, ChatServices } from './chat-services';
import { Composer } from './composer';
import { Thread } from './thread';
import { useRefresh, useThread } from './use-conversations';
import { useFileDrop } from './use-file-drop';
import { type NextMessage, useMessage } from './use-message';

const ModelChoice = later(
  async () => (await import('./model-choice')).ModelChoice,
  () => <span className="h-7" />,
);

export interface ConversationPaneProps {
  readonly project: string;
  readonly choices: ChatChoices;
  readonly services: ChatServices;
  /** `undefined` until the first message was sent. */
  readonly conversation: string | undefined;
  readonly isHidden: boolean;
  readonly onBegun: (conversation: string) => void;
}

/** One conversation: its turns, and the field for the next message. */
export function ConversationPane(props: ConversationPaneProps) {
  const { project, choices, services, conversation, isHidden, onBegun } = props;
  const thread = useThread(project, conversation);
  const refresh = useRefresh(project, conversation);
  const field = useRef<HTMLTextAreaElement>(null);
  const { send, unapproved, whyNot } = useSending(services);
  const message = useMessage({ project, services: send, conversation, onBegun });
  const { draft, choice } = message;
  const drop = useFileDrop(whyNot === undefined ? message.addFiles : ignore);
  const turns = thread.data?.turns ?? [];
  const running = turns.find(({ status, isInLine }) => isActive(status) && isInLine !== true);
  const agent = thread.data?.info.agent;
  const stop = async (run: string) => {
    message.setFault(await services.stop(run));
    await refresh();
  };
  useStopKey(running === undefined || whyNot !== undefined ? undefined : () => void stop(running.runId));
  useFieldFocus(field, conversation, isHidden);
  const shown = choice.agent ?? choices.entry ?? 'The entry agent';
  return (
    <section
      aria-label="Conversation"
      hidden={isHidden}
      {...drop.handlers}
      className={classNames('relative min-h-0 min-w-0 flex-1 flex-col', isHidden ? 'hidden' : 'flex')}
    >
      {thread.error !== null && conversation !== undefined && (
        <p role="alert" className="border-b bg-warn-soft px-4 py-2 text-sm text-warn">
          {thread.error.message}
        </p>
      )}
      <Thread
        name={`${conversation ?? 'new'} ${message.sending.length}`}
        agent={agent ?? shown}
        turns={turns}
        sending={message.sending.filter((one) => !turns.some(({ runId }) => runId === one.runId))}
        onEarlier={thread.hasNextPage ? () => thread.fetchNextPage() : undefined}
        isReading={thread.isFetchingNextPage}
        onChanged={() => void refresh()}
        onStop={(run) => void stop(run)}
        onAgain={(turn) => {
          message.again(turn);
          field.current?.focus();
        }}
        empty={conversation === undefined ? <Beginning agent={shown} /> : thread.isPending && <Loading />}
      />
      <Below {...{ whyNot, unapproved }} approval={services.approval} onApproved={() => void message.send()}>
        <Composer
          field={field}
          text={draft.text}
          onText={message.setText}
          files={draft.files}
          onFiles={message.addFiles}
          onRemove={message.removeFile}
          faults={message.faults}
          busy={message.busy}
          onSend={() => void message.send()}
          onStop={running && (() => void stop(running.runId))}
          hint={
            running === undefined
              ? 'Enter sends · Shift+Enter begins a line'
              : 'A new message waits until this answer ends'
          }
          choices={
            <MessageChoices
              {...{ choices, message }}
              fixed={conversation === undefined ? undefined : (agent ?? shown)}
            />
          }
        />
      </Below>
      {drop.over && (
        <div className="pointer-events-none absolute inset-2 flex items-center justify-center gap-2 rounded-lg border-2 border-accent border-dashed bg-accent-soft/90 text-accent text-sm">
          <Upload aria-hidden className="size-4" />
          Drop files to attach them
        </div>
      )}
    </section>
  );
}

function ignore(): void {}

/** Whether the person may send messages, and the files whose commands an administrator has to approve before the last one can be sent. */
function useSending(services: ChatServices) {
  const [unapproved, setUnapproved] = useState<{ readonly files: string | undefined }>();
  const send: ChatServices = {
    ...services,
    async send(message) {
      setUnapproved(undefined);
      const sent = await services.send(message);
      setUnapproved(!sent.ok && sent.isUnapproved ? { files: sent.files } : undefined);
      return sent;
    },
  };
  return { send, unapproved, whyNot: useWhyNot('run.start') };
}

/** The field for the next message, or why the person may not send one. What waits for an administrator is above the field. */
function Below(props: {
  readonly whyNot: string | undefined;
  readonly unapproved: { readonly files: string | undefined } | undefined;
  readonly approval: ChatServices['approval'];
  /** Sends the message again. */
  readonly onApproved: () => void;
  readonly children: ReactNode;
}) {
  if (props.whyNot !== undefined) {
    return <p className="shrink-0 border-t bg-surface px-4 py-3 text-center text-muted text-sm">{props.whyNot}</p>;
  }
  return (
    <>
      {props.unapproved !== undefined && (
        <div className="max-h-72 shrink-0 overflow-auto border-t bg-surface px-4 py-3">
          <div className="mx-auto max-w-3xl">
            <AskApproval
              services={props.approval}
              files={props.unapproved.files}
              then="run"
              onApproved={props.onApproved}
            />
          </div>
        </div>
      )}
      {props.children}
    </>
  );
}

/** Agent and model of the next message. */
function MessageChoices(props: {
  readonly choices: ChatChoices;
  readonly message: NextMessage;
  /** The agent of the conversation, if it has begun. */
  readonly fixed: string | undefined;
}) {
  const { choices, message, fixed } = props;
  const { choice, choose } = message;
  return (
    <>
      <AgentChoice {...{ choices, fixed }} value={choice.agent} onChange={(agent) => choose({ agent })} />
      <ModelChoice choices={choices} value={choice.model} onChange={(model) => choose({ model })} />
    </>
  );
}

function Beginning({ agent }: { readonly agent: string }) {
  return (
    <div className="m-auto">
      <EmptyState icon={<MessageSquare aria-hidden />} title={`Talk with ${agent}`}>
        Write a message below. Its answer appears here while it is written, with the agents that work on it and their
        questions. The next message continues where the answer ended.
      </EmptyState>
    </div>
  );
}

function Loading() {
  return (
    <p role="status" className="m-auto text-muted text-sm">
      Loading the conversation
    </p>
  );
}

/** Stops with the key that stops a run everywhere. */
function useStopKey(stop: (() => void) | undefined): void {
  const onStop = useLatest(() => stop?.());
  const isOn = stop !== undefined;
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '.' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      onStop();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isOn, onStop]);
}

/** Begins in the field, but not on a phone, where that would open its keyboard. */
function useFieldFocus(
  field: RefObject<HTMLTextAreaElement | null>,
  conversation: string | undefined,
  isHidden: boolean,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation begins in the field
  useEffect(() => {
    if (!isHidden && window.matchMedia('(min-width: 48rem)').matches) field.current?.focus();
  }, [field, conversation, isHidden]);
}
