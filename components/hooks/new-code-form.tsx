'use client';

import { ArrowLeft } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { Input } from '@/components/ui/input';
import { PickOne } from '@/components/ui/picker';
import { Select } from '@/components/ui/select';
import { type CodeKind, usualCodeFile } from '@/lib/editor/node-choices';

type Language = 'py' | 'ts';

/** Asks for the name, language and file of a new hook or function tool, whose skeleton is then written. */
export function NewCodeForm(props: {
  readonly kind: CodeKind;
  readonly name: string;
  readonly placeholder: string;
  readonly onBack: () => void;
  readonly onCreate: (file: string, name: string) => void;
}) {
  const { kind, onBack, onCreate } = props;
  const files = useProject((state) => state.document.folder);
  const pythonOff = useProject((state) => state.installation.pythonOff === true);
  const [name, setName] = useState(/^[A-Za-z_]\w*$/.test(props.name) ? props.name : '');
  const [language, setLanguage] = useState<Language>(() => firstLanguage([...files.keys()], pythonOff));
  const [chosen, setChosen] = useState<string>();
  const paths = [...files.keys()].filter((path) => path.endsWith(`.${language}`)).sort();
  const file = chosen ?? usualCodeFile(paths, kind, language, true);
  const word = kind === 'hook' ? 'hook' : 'function tool';
  const fault = name === '' || /^[A-Za-z_]\w*$/.test(name) ? undefined : 'Use letters, digits and _.';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name !== '' && fault === undefined) onCreate(file, name);
  };
  return (
    <form className="flex flex-col gap-3 p-3" onSubmit={submit}>
      <div className="flex items-center gap-1">
        <IconButton label="Back" size="sm" icon={<ArrowLeft aria-hidden />} onClick={onBack} />
        <p className="font-medium text-sm">New {word}</p>
      </div>
      <Field label="Name" error={fault}>
        {(ids) => (
          <Input
            {...ids}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            value={name}
            placeholder={props.placeholder}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-2">
        <LanguageField
          value={language}
          onChange={(value) => {
            setLanguage(value);
            setChosen(undefined);
          }}
        />
        <Field label="File">
          {(ids) => (
            <PickOne
              {...ids}
              label={`File of the new ${word}`}
              freeText
              value={file}
              options={paths.map((path) => ({ value: path, label: path }))}
              onChange={setChosen}
            />
          )}
        </Field>
      </div>
      {pythonOff && language === 'py' ? (
        <p className="text-warn text-xs">This installation runs no Python. Choose TypeScript to run the {word} here.</p>
      ) : null}
      <Button type="submit" variant="primary" disabled={name === '' || fault !== undefined}>
        Write and add
      </Button>
    </form>
  );
}

function LanguageField(props: { readonly value: Language; readonly onChange: (language: Language) => void }) {
  return (
    <Field label="Language">
      {(ids) => (
        <Select
          {...ids}
          value={props.value}
          options={[
            { value: 'py', label: 'Python' },
            { value: 'ts', label: 'TypeScript' },
          ]}
          onValueChange={(value) => props.onChange(value === 'ts' ? 'ts' : 'py')}
        />
      )}
    </Field>
  );
}

/** Returns the language that the project uses, otherwise one that runs here. */
function firstLanguage(paths: readonly string[], pythonOff: boolean): Language {
  if (pythonOff) return 'ts';
  return paths.some((path) => path.endsWith('.ts')) && !paths.some((path) => path.endsWith('.py')) ? 'ts' : 'py';
}
