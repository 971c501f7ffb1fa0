'use client';

import { type ReactNode, useMemo, useState } from 'react';
import type { ModelChoice } from '@/lib/editor/model-choices';
import { useKeyPlaces } from './key-context';
import { KeyDialog } from './set-key';

interface KeyRows {
  readonly options: readonly ModelChoice[];
  readonly onChange: (model: string | undefined) => void;
  /** Belongs beside the picker. */
  readonly dialog: ReactNode;
}

/** Lets the rows of providers without a key in a picker of models set that key, for people who may. */
export function useKeyRows(choices: readonly ModelChoice[], onChange: (model: string | undefined) => void): KeyRows {
  const places = useKeyPlaces();
  const [asked, setAsked] = useState<string>();
  const may = places?.may === true;
  const options = useMemo(
    () =>
      may ? choices.map((one) => (one.key === undefined ? one : { ...one, disabled: false, isAside: true })) : choices,
    [choices, may],
  );
  return {
    options,
    onChange(value) {
      const key = may ? choices.find((one) => one.value === value)?.key : undefined;
      if (key === undefined) onChange(value);
      else setAsked(key);
    },
    dialog: asked !== undefined && <KeyDialog variable={asked} onClose={() => setAsked(undefined)} />,
  };
}
