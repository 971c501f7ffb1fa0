'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { Input } from '@/components/ui/input';

/** A text field with a button that adds what is typed. Text that `onAdd` refuses (false) stays in the field. */
export function TypedEntry(props: {
  readonly id: string;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: boolean | undefined;
  readonly noun: string;
  readonly placeholder: string;
  readonly onAdd: (text: string) => boolean;
}) {
  const { noun, placeholder, onAdd, ...ids } = props;
  const [text, setText] = useState('');
  const add = () => {
    if (text.trim() !== '' && onAdd(text.trim())) setText('');
  };
  return (
    <div className="flex gap-1">
      <Input
        {...ids}
        className="font-mono !h-7 !text-xs"
        value={text}
        placeholder={placeholder}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') add();
        }}
      />
      <IconButton size="md" className="!size-7" label={`Add ${noun}`} icon={<Plus aria-hidden />} onClick={add} />
    </div>
  );
}
