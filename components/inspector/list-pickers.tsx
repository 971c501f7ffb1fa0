'use client';

import { File, Folder as FolderIcon } from 'lucide-react';
import { useMemo } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { PickMany } from '@/components/ui/picker';
import { Select } from '@/components/ui/select';
import { languageOf } from '@/lib/cards/code/code-scan';
import { skillDirectories } from '@/lib/cards/read/skills';
import { joinPath, relativePath } from '@/lib/cards/references';
import type { CardField } from './field-kinds';
import { FieldNote } from './field-note';
import { type FieldPlace, useField } from './field-place';
import { textsIn } from './field-values';
import { addEdit, removeEdit } from './list-edits';

type Of<K extends CardField['kind']> = { readonly place: FieldPlace; readonly field: CardField & { readonly kind: K } };

/** The entries of a list, and the edits that add and remove one. */
function useEntries({ place, field }: Of<CardField['kind']>, keepsEmpty = false) {
  const { path, value, edit, fault } = useField(place, field);
  const entries = textsIn(value);
  return {
    path,
    value,
    edit,
    fault,
    entries,
    add: (entry: string) => edit([addEdit(path, value, entry)]),
    remove: (entry: string) => edit([removeEdit(path, value, entries.indexOf(entry), keepsEmpty)]),
  };
}

export function WordsField({ place, field }: Of<'words'>) {
  const { entries, add, remove, fault } = useEntries({ place, field });
  const words = [...new Set([...field.known, ...entries])];
  return (
    <FieldNote label={field.label} hint={field.hint} fault={fault}>
      {(ids) => (
        <PickMany
          {...ids}
          label={field.label}
          values={entries}
          onAdd={add}
          onRemove={remove}
          options={words.map((word) => ({ value: word, label: word }))}
          placeholder={field.placeholder}
          freeText
        />
      )}
    </FieldNote>
  );
}

/** Chooses files of the project. They are written relative to the card. */
export function FilesField({ place, field }: Of<'files'>) {
  const { entries, add, remove, fault } = useEntries({ place, field });
  const folder = useProject((state) => state.document.folder);
  const roles = useProject((state) => state.picture.drawn.roles);
  const { file } = place;
  const files = useMemo(
    () =>
      [...folder.keys()].filter((path) => {
        const role = roles.get(path);
        return role !== 'card' && role !== 'config' && role !== 'settings' && languageOf(path) === undefined;
      }),
    [folder, roles],
  );
  const found = files.map((path) => ({ value: relativePath(file, path), label: path, icon: <File aria-hidden /> }));
  // An entry may be written in another way, such as ./history.md.
  const chosen = entries.map((entry) => {
    const path = joinPath(file, entry);
    return { written: entry, value: path !== undefined && folder.has(path) ? relativePath(file, path) : entry };
  });
  const missing = chosen.filter(({ value }) => !found.some((option) => option.value === value));
  return (
    <FieldNote label={field.label} hint={field.hint} fault={fault}>
      {(ids) => (
        <PickMany
          {...ids}
          label={field.label}
          values={chosen.map(({ value }) => value)}
          onAdd={add}
          onRemove={(value) => remove(chosen.find((one) => one.value === value)?.written ?? value)}
          options={[
            ...found,
            ...missing.map(({ value }) => ({ value, label: value, note: 'The project has no such file.' })),
          ]}
          placeholder="none"
          searchPlaceholder="Search files…"
        />
      )}
    </FieldNote>
  );
}

const skillChoices = [
  { value: 'default', label: 'Default directories' },
  { value: 'none', label: 'No skills' },
  { value: 'chosen', label: 'These directories' },
] as const;

/** Chooses the default directories of skills, none, or some of those that the project has. */
export function SkillsField({ place, field }: Of<'skills'>) {
  const { entries, value, path, edit, add, remove, fault } = useEntries({ place, field }, true);
  const folder = useProject((state) => state.document.folder);
  const directories = useMemo(() => skillDirectories(folder), [folder]);
  const choice = value === undefined ? 'default' : entries.length === 0 ? 'none' : 'chosen';
  const all = [...new Set([...directories, ...entries])];
  return (
    <FieldNote label={field.label} hint={field.hint} fault={fault}>
      {(ids) => (
        <div className="flex flex-col gap-1.5">
          <Select
            {...ids}
            value={choice}
            options={skillChoices.filter((one) => one.value !== 'chosen' || choice === 'chosen')}
            onValueChange={(next) => {
              if (next === 'default') edit([{ op: 'remove', path }]);
              if (next === 'none') edit([{ op: 'set', path, value: [] }]);
            }}
          />
          <PickMany
            label="Skill directories"
            size="sm"
            values={entries}
            onAdd={add}
            onRemove={remove}
            options={all.map((one) => ({
              value: one,
              label: one,
              icon: <FolderIcon aria-hidden />,
              ...(directories.includes(one) ? {} : { note: 'It holds no SKILL.md.' }),
            }))}
            placeholder={all.length === 0 ? 'The project has no SKILL.md' : 'Choose directories…'}
            disabled={all.length === 0}
          />
        </div>
      )}
    </FieldNote>
  );
}
