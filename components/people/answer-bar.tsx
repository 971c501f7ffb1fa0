'use client';

import { Check, ExternalLink, Pencil, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { showToast } from '@/components/ui/toast';
import { isTyping } from '@/components/ui/typing';
import { useLatest } from '@/components/ui/use-latest';
import { VisibleText } from '@/components/ui/visible-text';
import type { AnswerInput, PendingDetail } from '@/lib/base/pending-info';
import { tellAnswered } from '@/lib/client/open-count';
import { AnswerForm } from './answer-form';
import { ArgumentsView } from './arguments-view';
import { DenyForm, EditForm, RememberForm } from './decision-forms';
import { usePeople } from './people-context';
import { guardMs, type QuestionAction, questionAction } from './question-keys';
import { aboutWords } from './question-words';
import { ServerWords } from './server-words';
import { stickyBar } from './sticky-actions';

export interface AnswerBarProps {
  readonly item: PendingDetail;
  readonly withKeys: boolean;
  /** How many calls of the tool people have approved in this run. */
  readonly approvedBefore: number;
  /** Called when an answer was sent, with the reason why it was not kept. */
  readonly onSent: (refusal: string | undefined) => void;
}

/** After so many equal approvals in a run a rule is offered. */
const offeredAfter = 3;

type Mode = 'look' | 'edit' | 'deny' | 'remember';

/** Takes the answer to an open question: by button, by key, or by one of the forms that open in place. */
export function AnswerBar({ item, withKeys, approvedBefore, onSent }: AnswerBarProps) {
  const { question, decisions } = item;
  const people = usePeople();
  const [mode, setMode] = useState<Mode>('look');
  const [busy, setBusy] = useState(false);
  const isReady = useReady(item.id);
  const send = async (input: AnswerInput) => {
    if (busy || people === undefined || !isReady) return;
    setBusy(true);
    const refusal = await people.answer(item.id, input);
    setBusy(false);
    tellAnswered();
    if (refusal === undefined) showToast({ tone: 'ok', text: said[input.decision] });
    onSent(refusal);
  };
  // What is remembered is a rule about calls. A file is asked for each time.
  const canRemember = question.what === 'approval' && question.tool !== undefined && decisions.includes('approve');
  const offersRule = canRemember && approvedBefore >= offeredAfter;
  const url = question.server?.url;
  const act = (action: QuestionAction | 'cancel' | undefined) => {
    if (!isReady || busy) return;
    if (action === 'approve' && decisions.includes('approve')) {
      // The page opens it for the person who has seen the address. The server is told that a person agreed.
      if (url !== undefined) window.open(url, '_blank', 'noopener,noreferrer');
      void send({ decision: 'approve' });
    } else if (action === 'cancel' && decisions.includes('cancel')) void send({ decision: 'cancel' });
    else if (action === 'remember' && canRemember) setMode('remember');
    else if (action === 'edit' && decisions.includes('edit')) setMode('edit');
    else if (action === 'deny' && decisions.includes('deny')) setMode('deny');
  };
  useKeys(withKeys && mode === 'look', act);
  if (people === undefined) return <ArgumentsView title={aboutWords(question)} value={question.arguments} />;
  const back = () => setMode('look');
  const forms = { item, busy, onSend: send, onCancel: back };
  return (
    // Without a box of its own, so that the card can keep the buttons in view below each of these parts.
    <div className="contents">
      {question.server !== undefined && <ServerWords question={question} />}
      {mode !== 'edit' && question.what !== 'input' && (
        <ArgumentsView title={aboutWords(question)} value={question.arguments} />
      )}
      {mode === 'edit' && <EditForm {...forms} />}
      {mode === 'deny' && <DenyForm {...forms} />}
      {mode === 'remember' && <RememberForm {...forms} like={offersRule} />}
      {mode === 'look' && decisions.includes('answer') && <AnswerForm {...forms} />}
      {mode === 'look' && offersRule && (
        <p className="flex flex-wrap items-center gap-2 rounded border bg-sunken px-3 py-2 text-ink text-sm">
          {approvedBefore} calls of '<VisibleText text={question.tool?.name ?? ''} />' were approved in this run.
          <Button size="sm" aria-disabled={!isReady || undefined} onClick={() => act('remember')}>
            Make a rule…
          </Button>
        </p>
      )}
      {item.refusal !== undefined && <p className="text-muted text-sm">{item.refusal}</p>}
      {mode === 'look' && <Buttons {...{ item, busy, withKeys, canRemember, act }} isReady={isReady && !busy} />}
    </div>
  );
}

interface ButtonsProps {
  readonly item: PendingDetail;
  readonly busy: boolean;
  readonly isReady: boolean;
  readonly withKeys: boolean;
  readonly canRemember: boolean;
  readonly act: (action: QuestionAction | 'cancel') => void;
}

function Buttons({ item: { question, decisions }, busy, isReady, withKeys, canRemember, act }: ButtonsProps) {
  const soon = { 'aria-disabled': !isReady || undefined };
  const isLink = question.server?.url !== undefined;
  const isRetry = question.server?.shows === 'retry';
  const Icon = isLink ? ExternalLink : Check;
  return (
    <div className={stickyBar}>
      {decisions.includes('approve') && (
        <Button
          {...soon}
          variant="primary"
          busy={busy}
          icon={<Icon aria-hidden className="size-4" />}
          onClick={() => act('approve')}
        >
          {isLink ? 'Open link' : isRetry ? 'Try again' : 'Approve'} {withKeys && <Kbd>A</Kbd>}
        </Button>
      )}
      {decisions.includes('deny') && (
        <Button {...soon} icon={<X aria-hidden className="size-4" />} onClick={() => act('deny')}>
          {isRetry ? 'Give up…' : 'Decline…'} {withKeys && <Kbd>D</Kbd>}
        </Button>
      )}
      {canRemember && (
        <Button {...soon} onClick={() => act('remember')}>
          Approve and remember…
        </Button>
      )}
      {decisions.includes('edit') && (
        <Button {...soon} icon={<Pencil aria-hidden className="size-3.5" />} onClick={() => act('edit')}>
          Edit and approve… {withKeys && <Kbd>E</Kbd>}
        </Button>
      )}
      {decisions.includes('cancel') && (
        <Button {...soon} title="The server is told that nobody decided." onClick={() => act('cancel')}>
          Dismiss
        </Button>
      )}
    </div>
  );
}

const said: Readonly<Record<AnswerInput['decision'], string>> = {
  approve: 'Approved. The run goes on.',
  edit: 'Approved with your changes. The run goes on.',
  deny: 'Declined.',
  answer: 'Answered. The run goes on.',
  cancel: 'Dismissed. The server is told that nobody decided.',
};

/** Returns false in the first moments of a question: a key or a click was meant for the one before. */
function useReady(id: string): boolean {
  const [ready, setReady] = useState<string | undefined>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => setReady(id), guardMs);
    return () => clearTimeout(timer);
  }, [id]);
  return ready === id;
}

function useKeys(isOn: boolean, act: (action: ReturnType<typeof questionAction>) => void): void {
  const onAction = useLatest(act);
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || usesLetters(event.target)) return;
      const action = questionAction(event);
      if (
        action === undefined ||
        action === 'next' ||
        action === 'previous' ||
        action === 'select' ||
        action === 'help'
      )
        return;
      event.preventDefault();
      onAction(action);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isOn, onAction]);
}

/** True for elements that use letters themselves. */
export function usesLetters(target: EventTarget | null): boolean {
  const isList = target instanceof Element && target.closest('[role=listbox], [role=menu], [role=dialog]') !== null;
  return isList || isTyping(target);
}
