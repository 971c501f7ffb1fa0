'use client';

import { Save } from 'lucide-react';
import { useId, useState } from 'react';
import { useBench, useBenchActions } from '@/components/editor-state/hook-bench-context';
import { useProject } from '@/components/editor-state/project-context';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { hookCaseNameFault, hookCasePath } from '@/lib/cards/hook-cases';

/** Keeps the call and what the hooks made of it as a case, under a name. */
export function KeepCase() {
  const caseName = useBench((state) => state.caseName);
  const actions = useBenchActions();
  const folder = useProject((state) => state.document.folder);
  const [name, setName] = useState<string>();
  const note = useId();
  const keep = () => {
    if (name === undefined || hookCaseNameFault(name) !== undefined) return;
    actions.keep(name.trim());
    setName(undefined);
  };
  if (name === undefined) {
    return (
      <Button icon={<Save aria-hidden className="size-3.5" />} onClick={() => setName(caseName ?? '')}>
        Keep as case…
      </Button>
    );
  }
  const fault = name === '' ? undefined : hookCaseNameFault(name);
  const replaces = folder.has(hookCasePath(name.trim()));
  return (
    <form
      className="flex min-w-0 flex-1 flex-wrap items-center justify-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <span id={note} className={fault === undefined ? 'text-faint text-xs' : 'text-bad text-xs'}>
        {fault ?? (replaces ? 'Replaces the case of this name.' : 'A file in hook-cases/ of the project.')}
      </span>
      <Input
        autoFocus
        aria-label="Name of the case"
        aria-describedby={note}
        aria-invalid={fault !== undefined}
        className="w-44"
        placeholder="Name of the case"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" disabled={hookCaseNameFault(name) !== undefined}>
        {replaces ? 'Replace' : 'Keep'}
      </Button>
    </form>
  );
}
