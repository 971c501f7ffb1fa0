'use client';

import { useState } from 'react';
import { Field } from '@/components/ui/field';
import { DraftLines } from './draft-input';
import { type PairSeparator, pairFault, parsePairs, printPairs } from './pair-lines';

type Pairs = Readonly<Record<string, string>>;

/** Edits names with values, one per line. Text with a faulty line is not written; the error says what is wrong. */
export function PairsField(props: {
  readonly label: string;
  readonly hint: string;
  /** What the checker says of the value. */
  readonly error?: string | undefined;
  readonly separator: PairSeparator;
  readonly value: Pairs;
  readonly onCommit: (pairs: Pairs | undefined) => void;
}) {
  const { label, hint, separator, value, onCommit } = props;
  const [fault, setFault] = useState<string>();
  return (
    <Field label={label} hint={hint} error={fault ?? props.error}>
      {(ids) => (
        <DraftLines
          {...ids}
          rows={2}
          late
          className="font-mono text-xs"
          value={printPairs(value, separator)}
          refuse={(text) => pairFault(text, separator)}
          onFault={setFault}
          onCommit={(text) => onCommit(parsePairs(text, separator))}
        />
      )}
    </Field>
  );
}
