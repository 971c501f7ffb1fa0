'use client';

import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import type { RetentionServices } from './retention-types';

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface RetentionProjectProps {
  /** The words of the button. */
  readonly label?: string;
  readonly find: RetentionServices['findProjects'];
  readonly onChoose: (project: Named) => void;
}

const mostShown = 8;

/** Chooses a project for a rule of its own, found by a part of its name. */
export function RetentionProject({ label = 'Rule for a project…', find, onChoose }: RetentionProjectProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Named[]>([]);
  const [fault, setFault] = useState<string>();
  const asked = useRef('');
  const search = (typed: string) => {
    setText(typed);
    asked.current = typed;
    find(typed).then(
      ({ projects }) => {
        // An older answer must not replace a newer one.
        if (asked.current === typed) setFound(projects.slice(0, mostShown));
      },
      (error: unknown) => setFault(error instanceof Error ? error.message : 'The projects could not be read.'),
    );
  };
  if (!isOpen) {
    return (
      <div className="px-4 py-3">
        <Button
          size="sm"
          icon={<Plus aria-hidden className="size-3.5" />}
          onClick={() => {
            setOpen(true);
            search('');
          }}
        >
          {label}
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2 px-4 py-3">
      <Input
        autoFocus
        aria-label="Project by name"
        placeholder="Search projects"
        className="max-w-sm"
        value={text}
        maxLength={200}
        onChange={(event) => search(event.currentTarget.value)}
      />
      {fault !== undefined && <p className="text-bad text-sm">{fault}</p>}
      <ul className="flex flex-wrap gap-1.5">
        {found.map((project) => (
          <li key={project.id} className="max-w-full">
            <Button
              size="sm"
              className="max-w-full"
              onClick={() => {
                setOpen(false);
                onChoose(project);
              }}
            >
              <span className="truncate">{project.name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
