'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import type { Done } from './review-types';

export interface CommentBoxProps {
  readonly label: string;
  /** The present text of lines that the comment may replace. */
  readonly lines?: string | undefined;
  /** What stands in the box at first. */
  readonly text?: string;
  /** The word on the button that sends; `Comment` by default. */
  readonly send?: string;
  readonly onSend: (body: string, suggestion: string | undefined) => Done;
  readonly onCancel?: () => void;
}

/** Takes a comment, and for lines a suggestion. What was written stays until it is sent. */
export function CommentBox({ label, lines, text = '', send = 'Comment', onSend, onCancel }: CommentBoxProps) {
  const [body, setBody] = useState(text);
  const [suggestion, setSuggestion] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const isEmpty = body.trim() === '' && suggestion === undefined;
  return (
    <form
      className="flex max-w-2xl flex-col gap-2"
      onSubmit={async (event) => {
        event.preventDefault();
        if (isEmpty || busy) return;
        setBusy(true);
        const refused = await onSend(body, suggestion);
        setBusy(false);
        setFault(refused);
        if (refused !== undefined) return;
        setBody('');
        setSuggestion(undefined);
        onCancel?.();
      }}
    >
      <Field label={label} error={fault}>
        {(ids) => <Textarea {...ids} rows={2} value={body} onChange={(event) => setBody(event.target.value)} />}
      </Field>
      {suggestion !== undefined && (
        <Field label="New text of these lines" hint="Leave it empty to remove them.">
          {(ids) => (
            <Textarea
              {...ids}
              rows={3}
              className="font-mono"
              value={suggestion}
              onChange={(event) => setSuggestion(event.target.value)}
            />
          )}
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="primary" disabled={isEmpty} busy={busy}>
          {send}
        </Button>
        {lines !== undefined && suggestion === undefined && (
          <Button size="sm" onClick={() => setSuggestion(lines)}>
            Suggest a text
          </Button>
        )}
        {onCancel !== undefined && (
          <Button size="sm" variant="ghost" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
