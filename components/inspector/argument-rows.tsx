'use client';

import { Plus, X } from 'lucide-react';
import { type ClipboardEvent, useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { DraftInput } from './draft-input';

/** The arguments of a command, a row for each. Enter in a row goes to the next, and after the last it begins a new one. */
export function ArgumentRows(props: {
  readonly args: readonly string[];
  /** What the checker says of the arguments. */
  readonly fault: string | undefined;
  readonly onChange: (args: readonly string[]) => void;
  /** Called with a text that is pasted in place of a whole argument. Returns true if it was taken. */
  readonly onPasteText: (index: number, text: string) => boolean;
}) {
  const { args, fault, onChange, onPasteText } = props;
  const [adding, setAdding] = useState(false);
  const rows = useRef<HTMLFieldSetElement>(null);
  const id = useId();
  const focusRow = (index: number) => {
    requestAnimationFrame(() => rows.current?.querySelectorAll<HTMLInputElement>('input')[index]?.focus());
  };
  const next = (index: number) => {
    if (index + 1 >= args.length) setAdding(true);
    focusRow(index + 1);
  };
  return (
    <fieldset
      ref={rows}
      aria-describedby={fault === undefined ? undefined : `${id}-fault`}
      className="flex min-w-0 flex-col gap-1"
    >
      <legend className="mb-1 font-medium text-muted text-xs">Arguments</legend>
      {args.map((arg, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an argument may stand twice; its place is its identity
        <div key={index} className="flex items-center gap-1">
          <DraftInput
            aria-label={`Argument ${index + 1}`}
            late
            className="!h-7 font-mono !text-xs"
            value={arg}
            onCommit={(text) => onChange(args.map((one, at) => (at === index ? text : one)))}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
              // The new row has the focus at once, and must not get this key.
              event.preventDefault();
              next(index);
            }}
            onTakePaste={(event) => isTaken(event, (text) => onPasteText(index, text))}
          />
          <IconButton
            size="sm"
            label={`Remove argument ${index + 1}`}
            icon={<X aria-hidden />}
            onClick={() => onChange(args.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {adding ? (
        <NewArgument
          key={args.length}
          number={args.length + 1}
          onAdd={(text, more) => {
            onChange([...args, text]);
            setAdding(more);
            if (more) focusRow(args.length + 1);
          }}
          onLeave={() => setAdding(false)}
          onPasteText={(text) => onPasteText(args.length, text)}
        />
      ) : null}
      <span>
        <Button size="sm" icon={<Plus aria-hidden className="size-3.5" />} onClick={() => setAdding(true)}>
          Add argument
        </Button>
      </span>
      {fault === undefined ? null : (
        <p id={`${id}-fault`} className="text-warn text-xs">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

/** A row that is not in the file yet. Enter adds it and begins another; leaving it adds it, unless it is blank. */
function NewArgument(props: {
  readonly number: number;
  readonly onAdd: (text: string, more: boolean) => void;
  readonly onLeave: () => void;
  readonly onPasteText: (text: string) => boolean;
}) {
  const [text, setText] = useState('');
  const done = useRef(false);
  const end = (more: boolean) => {
    if (done.current) return;
    done.current = true;
    if (text.trim() === '') props.onLeave();
    else props.onAdd(text.trim(), more);
  };
  return (
    <input
      aria-label={`Argument ${props.number}`}
      // biome-ignore lint/a11y/noAutofocus: the row was asked for
      autoFocus
      value={text}
      placeholder="@modelcontextprotocol/server-everything"
      className="h-7 w-full min-w-0 rounded border border-line-strong bg-surface px-2.5 font-mono text-ink text-xs placeholder:text-faint focus-visible:border-accent focus-visible:outline-offset-0"
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => end(false)}
      onPaste={(event) => {
        if (!isTaken(event, props.onPasteText)) return;
        event.preventDefault();
        done.current = true;
        props.onLeave();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          end(true);
        }
        if (event.key === 'Escape') {
          event.stopPropagation();
          done.current = true;
          props.onLeave();
        }
      }}
    />
  );
}

/** Offers a paste that replaces all that is in a field. Returns true if it was taken. */
function isTaken(event: ClipboardEvent<HTMLInputElement>, take: (text: string) => boolean): boolean {
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  const isWhole = selectionStart === 0 && selectionEnd === value.length;
  return isWhole && take(event.clipboardData.getData('text/plain'));
}
