'use client';

import type { AgainFiles } from '@/lib/base/again';

const words: Readonly<Record<AgainFiles, readonly [string, string]>> = {
  recorded: ['As recorded', 'The files that this run had.'],
  draft: ['Current files', 'Where a recorded step does not match them any more, the run goes on live from there.'],
};

/** Chooses the files of a new run. */
export function FilesChoice(props: { readonly value: AgainFiles; readonly onChange: (value: AgainFiles) => void }) {
  return (
    <fieldset>
      <legend className="mb-1 font-medium text-ink text-sm">Files</legend>
      {(['recorded', 'draft'] as const).map((files) => (
        <label key={files} className="flex cursor-pointer items-start gap-2 py-1 text-sm">
          <input
            type="radio"
            name="again-files"
            className="mt-1 accent-(--color-accent)"
            checked={props.value === files}
            onChange={() => props.onChange(files)}
          />
          <span>
            <span className="text-ink">{words[files][0]}</span>
            <span className="block text-muted text-xs">{words[files][1]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
