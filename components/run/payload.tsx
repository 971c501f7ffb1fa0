'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { CopyButton } from '@/components/ui/copy-button';
import { type Json, parseJson } from '@/lib/base/json';
import { cutText } from '@/lib/base/well-formed';

export interface PayloadProps {
  readonly title: string;
  /** Text is shown as JSON when it is some. */
  readonly value: Json;
  readonly tone?: 'bad';
  /** `prose` is for people: an answer, a message. */
  readonly look?: 'prose';
}

/** More than this is shown when asked for: a page must not choke on a 20 MB result. UTF-16 units. */
const shownAtFirst = 20_000;

/** An input or output, pretty, with its whole text to copy. */
export function Payload({ title, value, tone, look }: PayloadProps) {
  const [all, setAll] = useState(false);
  const text = payloadText(value);
  const shown = all ? text : cutText(text, shownAtFirst);
  return (
    <div className="min-w-0">
      <div className="flex h-7 items-center justify-between gap-2">
        <h3 className="font-medium text-2xs text-muted">{title}</h3>
        {text !== '' && <CopyButton text={text} label={`Copy ${title.toLowerCase()}`} />}
      </div>
      {text === '' ? (
        <p className="text-faint text-xs">Empty</p>
      ) : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
          tabIndex={0}
          className={classNames(
            'max-h-96 overflow-auto whitespace-pre-wrap break-words rounded border px-3 py-2',
            look === 'prose' ? 'bg-surface font-sans text-sm' : 'bg-sunken font-mono text-xs',
            tone === 'bad' ? 'border-bad text-bad' : 'text-ink',
          )}
        >
          {shown}
        </pre>
      )}
      {shown.length < text.length && (
        <div className="mt-1 flex items-center gap-2 text-muted text-xs">
          {shown.length.toLocaleString('en-US')} of {text.length.toLocaleString('en-US')} characters
          <Button size="sm" onClick={() => setAll(true)}>
            Show all
          </Button>
        </div>
      )}
    </div>
  );
}

export function payloadText(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  const looksLikeJson = /^\s*[[{]/.test(value);
  const parsed = looksLikeJson && value.length < 1_000_000 ? parseJson(value) : undefined;
  return parsed === undefined ? value : JSON.stringify(parsed, null, 2);
}
