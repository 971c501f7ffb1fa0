'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { VisibleText } from '@/components/ui/visible-text';
import type { RetentionRule } from './retention-types';

export interface RetentionFormProps {
  readonly title: string;
  readonly rule: RetentionRule;
  /** True for a rule that was added and not saved. */
  readonly isUnsaved?: boolean;
  readonly onSave: (rule: RetentionRule) => Promise<void>;
  /** Set for the rule of a project. */
  readonly onRemove?: () => void;
}

const megabyte = 1_000_000;

/** Edits a rule: a greatest age in days and a greatest size in MB. An empty field keeps everything. */
export function RetentionForm({ title, rule, isUnsaved = false, onSave, onRemove }: RetentionFormProps) {
  const [days, setDays] = useState(rule.maxAgeDays === null ? '' : String(rule.maxAgeDays));
  const [size, setSize] = useState(rule.maxBytes === null ? '' : String(rule.maxBytes / megabyte));
  const [busy, setBusy] = useState(false);
  const [age, most] = [readAmount(days, 36_500), readAmount(size, 1e9)];
  const maxBytes = most === null || most === undefined ? most : most * megabyte;
  const isSame = age === rule.maxAgeDays && maxBytes === rule.maxBytes;
  const save = async () => {
    if (age === undefined || maxBytes === undefined) return;
    setBusy(true);
    await onSave({ maxAgeDays: age, maxBytes });
    setBusy(false);
  };
  return (
    <form
      aria-label={`Retention: ${title}`}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      className="flex flex-wrap items-end gap-x-4 gap-y-2 px-4 py-3"
    >
      <h3 className="w-full min-w-0 truncate font-medium text-ink text-sm sm:mb-1.5 sm:w-40">
        <VisibleText text={title} />
      </h3>
      <div className="w-36">
        <Field label="Days to keep runs" error={age === undefined ? 'A number from 1' : undefined}>
          {(field) => (
            <Input
              {...field}
              inputMode="decimal"
              placeholder="forever"
              value={days}
              onChange={(event) => setDays(event.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <div className="w-36">
        <Field label="MB to keep at most" error={most === undefined ? 'A number from 1' : undefined}>
          {(field) => (
            <Input
              {...field}
              inputMode="decimal"
              placeholder="no limit"
              value={size}
              onChange={(event) => setSize(event.currentTarget.value)}
            />
          )}
        </Field>
      </div>
      <div className="flex gap-2">
        <Button type="submit" busy={busy} disabled={(isSame && !isUnsaved) || age === undefined || most === undefined}>
          Save
        </Button>
        {onRemove && (
          <Button variant="ghost" onClick={onRemove}>
            Remove rule
          </Button>
        )}
      </div>
    </form>
  );
}

/** Reads a number of at least 1. Returns `null` for an empty text, and `undefined` for one that is no such number. */
function readAmount(text: string, most: number): number | null | undefined {
  if (text.trim() === '') return null;
  const amount = /^\d{1,12}(\.\d{1,3})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  return amount >= 1 && amount <= most ? amount : undefined;
}
