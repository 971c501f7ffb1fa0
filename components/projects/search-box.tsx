'use client';

import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { Input } from '@/components/ui/input';

const typingMs = 250;

/** Searches the list. The list gets typed text when the typing pauses, and Escape clears it. */
export function SearchBox(props: {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}) {
  const { label, text, onText } = props;
  const [typed, setTyped] = useState(text);
  const [from, setFrom] = useState(text);
  const input = useRef<HTMLInputElement>(null);
  if (from !== text) {
    setFrom(text);
    setTyped(text);
  }
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => onText(typed), typingMs);
    return () => clearTimeout(timer);
  }, [typed, text, onText]);
  const clear = () => {
    setTyped('');
    onText('');
    input.current?.focus();
  };
  return (
    <search className="relative mb-4 block w-full max-w-sm">
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" />
      <Input
        ref={input}
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && typed !== '') clear();
        }}
        className="!pr-8 !pl-8"
      />
      {typed !== '' && (
        <span className="absolute top-0.5 right-0.5">
          <IconButton size="sm" label="Clear the search" icon={<X aria-hidden />} onClick={clear} />
        </span>
      )}
    </search>
  );
}
