'use client';

import { Plus } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import type { PickerAction, PickerOption } from '@/components/ui/picker-rows';
import { languageOf } from '@/lib/cards/code/code-scan';
import { listFunctions, signatureOf } from '@/lib/cards/code/list-functions';
import { joinPath, relativePath, splitCodeSpec } from '@/lib/cards/references';

/** The functions of the project that a card can have as tools, as it would name them, and those that it names already. */
export function useFunctionOptions(card: string, named: readonly string[]): readonly PickerOption[] {
  const folder = useDeferredValue(useProject((state) => state.document.folder));
  return useMemo(() => {
    const found = listFunctions(folder)
      .filter(({ name, isExported }) => isExported && !name.startsWith('_'))
      .map((one) => ({
        value: `${relativePath(card, one.file)}:${one.name}`,
        label: signatureOf(one),
        note: one.description,
        group: one.file,
      }));
    const values = new Set(found.map(({ value }) => value));
    // A function that is written in another way, or that the text does not show for certain.
    const others = named.filter((spec) => !values.has(spec) && folder.has(fileOf(card, spec) ?? ''));
    return [...found, ...others.map((spec) => ({ value: spec, label: spec }))];
  }, [folder, card, named]);
}

/** The file of `../tools.py:add_one` as the project names it. */
function fileOf(card: string, spec: string): string | undefined {
  const split = splitCodeSpec(spec);
  return split && joinPath(card, split.file);
}

const mostFiles = 4;

/**
 * Rows that write a new function: into each code file, into a new file, or where the typed text says (`tools.py:add_one`).
 * Where Python is off, the new file is TypeScript.
 */
export function useNewFunction(card: { readonly file: string; readonly name: string }): readonly PickerAction[] {
  const folder = useProject((state) => state.document.folder);
  const pythonOff = useProject((state) => state.installation.pythonOff === true);
  const commands = useCommands();
  const files = [...folder.keys()].filter(
    (path) => languageOf(path) !== undefined && !/\.test\.|(?:^|\/)servers?\//.test(path),
  );
  const fresh = pythonOff ? 'tools.ts' : 'tools.py';
  const places = [...files.sort().slice(0, mostFiles), ...(files.includes(fresh) ? [] : [fresh])];
  const row = (place: string): PickerAction => {
    const target = (typed: string) => targetOf(card.file, place, typed);
    return {
      icon: <Plus aria-hidden />,
      movesFocus: true,
      label: (typed) => {
        const found = target(typed);
        if (found === undefined) return undefined;
        return `New function '${found.name}' in ${found.file}`;
      },
      note: (typed) => {
        const found = target(typed);
        return found === undefined || folder.has(found.file) ? undefined : 'A new file.';
      },
      onSelect: (typed) => {
        const found = target(typed);
        if (found !== undefined) commands.newFunctionTool(card, found.file, found.name);
      },
    };
  };
  const [first = row(fresh), ...others] = places.map(row);
  // Text that names its file has one row.
  return [
    first,
    ...others.map((one) => ({
      ...one,
      label: (typed: string) => (typed.includes(':') ? undefined : one.label(typed)),
    })),
  ];
}

function targetOf(card: string, place: string, typed: string) {
  if (typed === '') return { file: place, name: 'new_tool' };
  const split = splitCodeSpec(typed);
  if (split !== undefined) {
    const file = joinPath(card, split.file);
    return file === undefined || languageOf(file) === undefined ? undefined : { file, name: split.functionName };
  }
  return /^[A-Za-z_]\w*$/.test(typed) ? { file: place, name: typed } : undefined;
}
