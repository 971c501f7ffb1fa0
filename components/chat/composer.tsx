import { ArrowUp, Paperclip, Square, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import type { ChosenFile } from '@/lib/client/message-files';
import { formatBytes } from '@/lib/trace/wording';

export interface ComposerProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly files: readonly ChosenFile[];
  readonly onFiles: (files: readonly File[]) => void;
  readonly onRemove: (name: string) => void;
  /** Sentences that say what was not sent or not attached, and why. */
  readonly faults: readonly ReactNode[];
  readonly busy: boolean;
  readonly onSend: () => void;
  /** Stops the turn that goes on; `undefined` if none does. */
  readonly onStop: (() => void) | undefined;
  /** Says what happens to a message that is sent now. */
  readonly hint: string;
  /** Agent and model. */
  readonly choices: ReactNode;
}

/** Writes a message: Enter sends it, Shift+Enter begins a line. Files come by button, by drop and by paste. */
export function Composer(props: ComposerProps) {
  const { field, text, onText, files, onFiles, onRemove, faults, busy, onSend, onStop, hint, choices } = props;
  const picker = useRef<HTMLInputElement>(null);
  useGrowth(field, text);
  return (
    <form
      aria-label="Write a message"
      className="shrink-0 border-t bg-surface pt-2.5 pb-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-2 px-3 sm:px-6">
        <div role="alert" className="flex flex-col gap-1 empty:hidden">
          {faults.map((fault, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the sentences have no other name
            <p key={at} className="break-words text-bad text-xs">
              {fault}
            </p>
          ))}
        </div>
        {files.length > 0 && <Files files={files} onRemove={onRemove} />}
        <div className="flex items-end gap-1 rounded-lg border border-line-strong bg-surface p-1 transition-colors duration-100 focus-within:border-accent hover:border-faint focus-within:hover:border-accent">
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            aria-hidden
            tabIndex={-1}
            onChange={({ currentTarget }) => {
              onFiles([...(currentTarget.files ?? [])]);
              currentTarget.value = '';
            }}
          />
          <IconButton label="Attach files" icon={<Paperclip aria-hidden />} onClick={() => picker.current?.click()} />
          <textarea
            ref={field}
            aria-label="Message"
            rows={1}
            value={text}
            placeholder="Write a message"
            enterKeyHint="send"
            className="max-h-60 min-h-8 min-w-0 flex-1 resize-none bg-transparent px-1 py-1.5 text-ink text-sm outline-none placeholder:text-faint"
            onChange={({ currentTarget }) => onText(currentTarget.value)}
            onKeyDown={(event) => {
              if (!sends(event)) return;
              event.preventDefault();
              onSend();
            }}
            onPaste={(event) => {
              const pasted = [...event.clipboardData.files];
              if (pasted.length === 0) return;
              event.preventDefault();
              onFiles(pasted);
            }}
          />
          {onStop !== undefined && (
            <IconButton label="Stop" keys="Mod+." icon={<Square aria-hidden />} onClick={onStop} />
          )}
          <Button
            type="submit"
            variant="primary"
            busy={busy}
            aria-label="Send"
            title="Enter"
            className="w-8 px-0!"
            icon={<ArrowUp aria-hidden className="size-4" />}
          />
        </div>
        <div className="flex items-center gap-2">
          {choices}
          <p className="min-w-0 flex-1 text-right text-2xs text-muted max-sm:hidden">{hint}</p>
        </div>
      </div>
    </form>
  );
}

function sends({ key, shiftKey, altKey }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !altKey;
}

/** Makes the field as high as its text. */
function useGrowth(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text decides the height
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [field, text]);
}

function Files({ files, onRemove }: Pick<ComposerProps, 'files' | 'onRemove'>) {
  return (
    <ul aria-label="Files of the message" className="flex flex-wrap gap-1.5">
      {files.map(({ name, bytes }) => (
        <li
          key={name}
          className="inline-flex max-w-full items-center gap-1.5 rounded border bg-ground pl-2 text-ink text-xs"
        >
          <Paperclip aria-hidden className="size-3 shrink-0 text-muted" />
          <span className="min-w-0 truncate">{name}</span>
          <span className="shrink-0 text-muted tabular-nums">{formatBytes(bytes)}</span>
          <IconButton size="sm" label={`Remove ${name}`} icon={<X aria-hidden />} onClick={() => onRemove(name)} />
        </li>
      ))}
    </ul>
  );
}
