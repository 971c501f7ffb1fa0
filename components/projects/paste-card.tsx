'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Textarea } from '@/components/ui/input';
import { pastedCardPath } from '@/lib/cards/pasted-card';
import type { Upload } from './project-types';

const example = '---\nname: writer\nmodel: gpt-5-mini\n---\nYou write short answers.';

/** Makes a project from the text of one card. */
export function PasteCard({ onPasted }: { readonly onPasted: (upload: Upload) => void }) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const path = pastedCardPath(text);
    onPasted({ kind: 'files', source: { name: undefined, files: [{ path, file: new Blob([text]) }], leftOut: [] } });
  };
  return (
    <form onSubmit={submit} className="flex h-full flex-col gap-3 p-3">
      <Textarea
        aria-label="Text of the card"
        value={text}
        spellCheck={false}
        placeholder={example}
        onChange={(event) => setText(event.target.value)}
        className="min-h-0 flex-1 resize-none font-mono text-xs"
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-0 break-all font-mono text-faint text-xs">{text.trim() && pastedCardPath(text)}</p>
        <Button type="submit" variant="primary" disabled={text.trim() === ''}>
          Continue
        </Button>
      </div>
    </form>
  );
}
