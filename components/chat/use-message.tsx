import Link from 'next/link';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { TurnInfo } from '@/lib/base/conversation';
import { type ChosenFile, fittingFiles, messageFile } from '@/lib/client/message-files';
import type { ChatServices } from './chat-services';
import { moveDraft, useDraft } from './draft';
import type { SendingMessage } from './thread';
import { useRefresh } from './use-conversations';

interface Choice {
  readonly agent: string | undefined;
  readonly model: string | undefined;
}

type Sending = SendingMessage & { readonly runId: string | undefined };

export type NextMessage = ReturnType<typeof useMessage>;

let lastKey = 0;

/** The next message of a conversation: its text and files, what it is sent with, and what became of it. */
export function useMessage(props: {
  readonly project: string;
  readonly services: ChatServices;
  readonly conversation: string | undefined;
  readonly onBegun: (conversation: string) => void;
}) {
  const { project, services, conversation, onBegun } = props;
  const draftKey = `${project}/${conversation ?? 'new'}`;
  const [draft, change] = useDraft(draftKey);
  const isShown = useShown();
  const [choice, setChoice] = useState<Choice>({ agent: undefined, model: undefined });
  const [faults, setFaults] = useState<readonly ReactNode[]>([]);
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const [busy, setBusy] = useState(false);
  const refresh = useRefresh(project, conversation);

  const addFiles = async (offered: readonly File[]) => {
    const { chosen, refusals } = await chooseFiles(draft.files, offered);
    setFaults(refusals);
    if (chosen.length > 0) change((now) => ({ files: [...now.files, ...chosen] }));
  };

  const send = async () => {
    if (busy) return;
    const { text, files } = draft;
    if (text.trim() === '') {
      setFaults(['Write a message first.']);
      return;
    }
    lastKey += 1;
    const key = lastKey;
    setFaults([]);
    setBusy(true);
    setSending((before) => [...before, { key, message: text, files: files.map(shownFile), runId: undefined }]);
    change(() => ({ text: '', files: [] }));
    const sent = await services.send({
      message: text,
      conversation,
      agent: conversation === undefined ? choice.agent : undefined,
      model: choice.model,
      attachments: files.map(({ file }) => file),
    });
    setBusy(false);
    if (!sent.ok) {
      setSending((before) => before.filter((one) => one.key !== key));
      // What was typed meanwhile comes after it.
      change((now) => ({ text: now.text === '' ? text : `${text}\n${now.text}`, files: [...files, ...now.files] }));
      setFaults([sent.notTrusted ? <NotTrusted key="trust" project={project} message={sent.message} /> : sent.message]);
      return;
    }
    setSending((before) => before.map((one) => (one.key === key ? { ...one, runId: sent.runId } : one)));
    if (conversation === undefined) {
      moveDraft(draftKey, `${project}/${sent.conversation}`);
      if (isShown.current) onBegun(sent.conversation);
    }
    await refresh();
  };

  return {
    draft,
    choice,
    faults,
    sending,
    busy,
    send,
    addFiles: (files: readonly File[]) => void addFiles(files),
    setText: (text: string) => {
      if (faults.length > 0) setFaults([]);
      change(() => ({ text }));
    },
    removeFile: (name: string) => change((now) => ({ files: now.files.filter((file) => file.name !== name) })),
    choose: (part: Partial<Choice>) => setChoice({ ...choice, ...part }),
    setFault: (fault: string | undefined) => setFaults(fault === undefined ? [] : [fault]),
    /** Puts a former message into the field. */
    again: ({ message, attachments: [first] }: TurnInfo) => {
      change(() => ({ text: message }));
      setFaults(first === undefined ? [] : [`Attach the files of the message again, such as '${first.name}'.`]);
    },
  };
}

/** False once the person has gone to another conversation. */
function useShown(): RefObject<boolean> {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

function shownFile({ name, bytes, file }: ChosenFile): SendingMessage['files'][number] {
  return { name, mediaType: file.mediaType, bytes };
}

/** Reads the offered files that fit beside the others. */
async function chooseFiles(before: readonly ChosenFile[], offered: readonly File[]) {
  const { fitting, refusals } = fittingFiles(before, offered);
  const read = await Promise.all(fitting.map(readFile));
  return {
    chosen: read.flatMap((one) => ('file' in one ? [one] : [])),
    refusals: [...refusals, ...read.flatMap((one) => ('fault' in one ? [one.fault] : []))],
  };
}

async function readFile(file: File): Promise<ChosenFile | { readonly fault: string }> {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { name: file.name, bytes: bytes.length, file: messageFile(file.name, file.type, bytes) };
  } catch {
    return { fault: `'${file.name}' cannot be read. It may be a folder, or it was moved.` };
  }
}

function NotTrusted({ project, message }: { readonly project: string; readonly message: string }) {
  return (
    <>
      {message}{' '}
      <Link href={`/p/${project}`} className="underline underline-offset-2">
        Open the editor
      </Link>
    </>
  );
}
