'use client';

import { type ClipboardEvent, type ComponentProps, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { Input, Textarea } from '@/components/ui/input';
import { textAfterMerge } from '@/lib/editor/text-after-merge';

interface DraftProps {
  /** The value in the document. */
  readonly value: string;
  /**
   * Called on every keystroke. With `late` it is called only on Enter, when the field loses the focus, and by the keys that
   * save and run.
   */
  readonly onCommit: (value: string) => void;
  readonly late?: boolean;
  /** Returns a sentence for text that must not be committed. Such text stays in the field until it is corrected or undone. */
  readonly refuse?: (text: string) => string | undefined;
  /** Called on every keystroke with the result of `refuse`. */
  readonly onFault?: (fault: string | undefined) => void;
}

interface TakesPaste {
  /** Offers pasted text as a whole. If it returns true, the text is not typed, what was typed before is discarded, and the focus stays. */
  readonly onTakePaste?: (event: ClipboardEvent<HTMLInputElement>) => boolean;
}

/**
 * A field that shows the typed text while it has the focus, and otherwise the document's value. Escape discards the text.
 */
export function DraftInput({
  value,
  onCommit,
  late,
  refuse,
  onFault,
  onKeyDown,
  onTakePaste,
  ...rest
}: DraftProps & TakesPaste & Omit<ComponentProps<'input'>, 'value' | 'onPaste'>) {
  const draft = useDraft({ value, onCommit, late: late ?? false, refuse, onFault });
  const keyDown = (event: React.KeyboardEvent<HTMLInputElement>) => {
    draft.onKeyDown(event);
    onKeyDown?.(event);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    if (onTakePaste?.(event) !== true) return;
    event.preventDefault();
    draft.discard();
  };
  return <Input {...rest} {...draft.props} onKeyDown={keyDown} onPaste={paste} />;
}

export function DraftLines({
  value,
  onCommit,
  late,
  refuse,
  onFault,
  ...rest
}: DraftProps & Omit<ComponentProps<'textarea'>, 'value'>) {
  const draft = useDraft({ value, onCommit, late: late ?? false, refuse, onFault });
  return <Textarea {...rest} {...draft.props} onKeyDown={draft.onKeyDownInLines} />;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

function useDraft({ value, onCommit, late, refuse, onFault }: Omit<DraftProps, 'late'> & { readonly late: boolean }) {
  const adopted = useProject((state) => state.adopted);
  const [draft, setDraft] = useState<{ readonly text: string; readonly start: string }>();
  const [shown, setShown] = useState({ value, adopted });
  if (shown.value !== value || shown.adopted !== adopted) {
    setShown({ value, adopted });
    // What others saved is in the document now, together with what was typed. The next key must not write over it.
    if (draft !== undefined && !late && shown.adopted !== adopted) {
      const text = textAfterMerge(draft.text, { before: shown.value, after: value });
      setDraft(text === undefined ? undefined : { text, start: shown.value === value ? draft.start : value });
    }
  }
  const finish = () => {
    if (draft !== undefined && refuse?.(draft.text) !== undefined) return;
    if (late && draft !== undefined && draft.text !== value) onCommit(draft.text);
    setDraft(undefined);
  };
  const onEscape = (event: React.KeyboardEvent) => {
    if (event.key !== 'Escape' || draft === undefined) return;
    event.stopPropagation();
    if (!late && draft.start !== value) onCommit(draft.start);
    onFault?.(undefined);
    setDraft(undefined);
  };
  return {
    discard() {
      onFault?.(undefined);
      setDraft(undefined);
    },
    props: {
      value: draft?.text ?? value,
      onChange: (event: React.ChangeEvent<Field>) => {
        const text = event.currentTarget.value;
        setDraft({ text, start: draft?.start ?? value });
        const fault = refuse?.(text);
        onFault?.(fault);
        if (!late && fault === undefined) onCommit(text);
      },
      onBlur: finish,
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key === 'Enter' || (late && savesOrRuns(event))) finish();
      else onEscape(event);
    },
    onKeyDownInLines: (event: React.KeyboardEvent) => {
      if (late && savesOrRuns(event)) finish();
      else onEscape(event);
    },
  };
}

/** True for the keys that save or run the project. What is in the field belongs to it. */
function savesOrRuns(event: React.KeyboardEvent): boolean {
  return (event.metaKey || event.ctrlKey) && (event.key === 's' || event.key === 'Enter');
}
