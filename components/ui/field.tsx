'use client';

import { type ReactNode, useId } from 'react';
import { HeldField } from './held-field';

export interface FieldProps {
  readonly label: string;
  /** One line under the control. */
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Gets the ids to put on the control. */
  readonly children: (ids: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean | undefined;
  }) => ReactNode;
}

/** Shows a control with its label above and a hint or error below, linked for assistive technology. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium text-muted text-xs">
        {label}
      </label>
      <HeldField label={label}>
        {children({
          id,
          'aria-describedby': note ? `${id}-note` : undefined,
          'aria-invalid': error ? true : undefined,
        })}
      </HeldField>
      {note && (
        <p id={`${id}-note`} className={error ? 'text-bad text-xs' : 'text-faint text-xs'}>
          {note}
        </p>
      )}
    </div>
  );
}
