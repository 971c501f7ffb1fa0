import type { ComponentProps } from 'react';
import { Field } from '@/components/ui/field';
import type { FieldFault } from './field-faults';

/** A field with what the checker says of its value: of typed text first, then of the card, and otherwise the hint. */
export function FieldNote(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault: FieldFault | undefined;
  /** What is wrong with text that is not written. */
  readonly typing?: string | undefined;
  readonly children: ComponentProps<typeof Field>['children'];
}) {
  const { label, hint, fault, typing, children } = props;
  const error = typing ?? (fault?.severity === 'error' ? fault.message : undefined);
  const warning = fault?.severity === 'warning' ? <span className="text-warn">{fault.message}</span> : undefined;
  const lack = fault?.severity === 'hint' ? fault.message : undefined;
  return (
    <Field label={label} hint={warning ?? lack ?? hint} error={error}>
      {children}
    </Field>
  );
}
