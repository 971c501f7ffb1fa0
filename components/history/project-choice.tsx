'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { Check, ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { classNames } from '@/components/ui/class-names';

export interface ProjectName {
  readonly id: string;
  readonly name: string;
}

/** Finds names of projects. Each function rejects with an Error whose message users may see. */
export interface ProjectNames {
  /** Returns some of the projects with this text in their names, and how many there are in all. */
  readonly find: (text: string) => Promise<{ readonly projects: readonly ProjectName[]; readonly total: number }>;
  /** Returns the name of a project, or `undefined` if there is no such project. */
  readonly nameOf: (id: string) => Promise<string | undefined>;
}

export interface ProjectChoiceProps {
  /** Empty if none is chosen. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly names: ProjectNames;
}

/** Chooses one project. A few are listed, and typing finds the others. */
export function ProjectChoice({ value, onChange, names }: ProjectChoiceProps) {
  const [open, setOpen] = useState(false);
  const { data: chosen } = useQuery({
    queryKey: ['project-name', value],
    queryFn: async () => (await names.nameOf(value)) ?? 'a deleted project',
    enabled: value !== '',
    staleTime: 60_000,
  });
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        role="combobox"
        aria-label="Project"
        aria-expanded={open}
        className="mr-1 ml-1 inline-flex h-7 min-w-0 max-w-52 cursor-pointer items-center gap-2 rounded px-1.5 text-ink text-sm hover:bg-hover"
      >
        <span className={classNames('truncate', value === '' && 'text-faint')}>
          {value === '' ? 'choose' : (chosen ?? '…')}
        </span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0 text-faint" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label="Choose a project"
          className="z-50 w-72 max-w-[calc(100vw-1rem)] overflow-hidden rounded-lg border bg-raised shadow-pop"
        >
          <Choices
            {...{ value, names }}
            onChoose={(id) => {
              setOpen(false);
              onChange(id);
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Choices(props: {
  readonly value: string;
  readonly names: ProjectNames;
  readonly onChoose: (id: string) => void;
}) {
  const [text, setText] = useState('');
  const { data, error } = useQuery({
    queryKey: ['project-names', text],
    queryFn: () => props.names.find(text),
    placeholderData: keepPreviousData,
  });
  // The list arrives after the text was typed, so the marked project may no longer be in it.
  const [marked, setMarked] = useState('');
  const found = data?.projects ?? [];
  const active = found.some(({ id }) => id === marked) ? marked : (found[0]?.id ?? '');
  const more = data === undefined ? 0 : data.total - data.projects.length;
  return (
    <Command label="Projects" shouldFilter={false} loop value={active} onValueChange={setMarked}>
      <Command.Input
        autoFocus
        value={text}
        onValueChange={setText}
        maxLength={200}
        placeholder="Search by name"
        className="w-full border-b bg-transparent px-3 py-2 text-ink text-sm outline-none placeholder:text-faint"
      />
      <Command.List className="max-h-72 overflow-y-auto p-1">
        {error !== null && <p className="px-2 py-3 text-bad text-sm">{error.message}</p>}
        {data !== undefined && (
          <Command.Empty className="px-2 py-3 text-muted text-sm">No project matches.</Command.Empty>
        )}
        {found.map(({ id, name }) => (
          <Command.Item
            key={id}
            value={id}
            onSelect={() => props.onChoose(id)}
            className="flex cursor-pointer select-none items-center gap-2 rounded py-1 pr-2 pl-1.5 text-ink text-sm data-[selected=true]:bg-hover"
          >
            <span className="flex size-4 shrink-0 items-center justify-center">
              {id === props.value && <Check aria-hidden className="size-3.5 text-accent" />}
            </span>
            <span className="min-w-0 truncate">{name}</span>
          </Command.Item>
        ))}
      </Command.List>
      {more > 0 && (
        <p className="border-t px-3 py-1.5 text-muted text-xs">
          {more.toLocaleString('en')} more; type a part of the name.
        </p>
      )}
    </Command>
  );
}
