'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { parseWithDigits } from '@/lib/base/exact-json';
import { isRecord } from '@/lib/base/json';
import { blankOf } from './argument-fields';
import { ArgumentsForm } from './arguments-form';
import { ArgumentsView } from './arguments-view';
import type { DecisionFormProps } from './decision-forms';
import { stickyActions } from './sticky-actions';

/**
 * Takes what was asked for: a form if the question has a schema, otherwise a text. What goes to a server is shown once more before it
 * is sent.
 */
export function AnswerForm({ item, busy, onSend }: DecisionFormProps) {
  const { form, server } = item.question;
  const hasFields = isRecord(form?.properties);
  const [text, setText] = useState(() => (hasFields ? JSON.stringify(blankOf(form), null, 2) : ''));
  const [isReview, setIsReview] = useState(false);
  const content = hasFields ? parseWithDigits(text) : text;
  const isEmpty = content === undefined || content === '';
  const next = () => {
    if (content === undefined || isEmpty) return;
    if (server !== undefined && !isReview) setIsReview(true);
    else void onSend({ decision: 'answer', content });
  };
  return (
    <form
      aria-label="Answer"
      className="flex flex-col gap-3"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isReview) {
          event.preventDefault();
          setIsReview(false);
        }
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        next();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        next();
      }}
    >
      {isReview ? (
        <ArgumentsView title={`Server '${server?.serverName}' gets this`} value={content} />
      ) : hasFields ? (
        <ArgumentsForm title="Your answer" text={text} onText={setText} form={form} />
      ) : (
        <Field label="Your answer">
          {(ids) => (
            <Textarea {...ids} rows={3} value={text} onChange={(event) => setText(event.currentTarget.value)} />
          )}
        </Field>
      )}
      <div className={classNames(stickyActions, 'bg-surface')}>
        <Button type="submit" variant="primary" busy={busy} disabled={isEmpty}>
          {server !== undefined && !isReview ? 'Review answer' : 'Send answer'}
        </Button>
        {isReview && <Button onClick={() => setIsReview(false)}>Change it</Button>}
      </div>
    </form>
  );
}
