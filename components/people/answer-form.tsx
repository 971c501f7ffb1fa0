'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { isRecord, type Json, parseJson } from '@/lib/base/json';
import { blankOf } from './argument-fields';
import { ArgumentsForm } from './arguments-form';
import type { DecisionFormProps } from './decision-forms';

/** Takes what was asked for: a form if the question has a schema, otherwise a text. */
export function AnswerForm({ item, busy, onSend }: DecisionFormProps) {
  const { form } = item.question;
  const hasFields = isRecord(form?.properties);
  const [text, setText] = useState(() => (hasFields ? JSON.stringify(blankOf(form), null, 2) : ''));
  const content = hasFields ? (parseJson(text) as Json | undefined) : text;
  const isEmpty = content === undefined || content === '';
  const send = () => {
    if (content !== undefined && !isEmpty) void onSend({ decision: 'answer', content });
  };
  return (
    <form
      aria-label="Answer"
      className="flex flex-col gap-3"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        send();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {hasFields ? (
        <ArgumentsForm title="Your answer" text={text} onText={setText} form={form} />
      ) : (
        <Field label="Your answer">
          {(ids) => (
            <Textarea {...ids} rows={3} value={text} onChange={(event) => setText(event.currentTarget.value)} />
          )}
        </Field>
      )}
      <div>
        <Button type="submit" variant="primary" busy={busy} disabled={isEmpty}>
          Send answer
        </Button>
      </div>
    </form>
  );
}
