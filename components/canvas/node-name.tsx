'use client';

import { useEffect, useRef } from 'react';
import { useActions, useProject } from '@/components/editor/project-context';
import { useCommands } from '@/components/editor/use-commands';
import type { NodeId } from '@/lib/graph/graph';

/** The name; while it is being changed (F2), a field in its place. Enter renames everywhere, Escape leaves it. */
export function NodeName(props: { readonly id: NodeId; readonly name: string }) {
  const renaming = useProject((state) => state.renaming === props.id);
  if (renaming) return <NameField name={props.name} />;
  return (
    <span className="min-w-0 flex-1 truncate text-sm font-medium text-ink" title={props.name}>
      {props.name}
    </span>
  );
}

function NameField(props: { readonly name: string }) {
  const actions = useActions();
  const commands = useCommands();
  const field = useRef<HTMLInputElement>(null);
  const left = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  function leave(name: string | undefined) {
    if (left.current) return;
    left.current = true;
    actions.show({ renaming: undefined });
    if (name !== undefined && name.trim() !== '' && name !== props.name) commands.rename(props.name, name.trim());
  }
  return (
    <input
      ref={field}
      aria-label={`New name of ${props.name}`}
      defaultValue={props.name}
      className="nodrag nopan min-w-0 flex-1 rounded-sm border border-accent bg-surface px-1 text-sm font-medium text-ink outline-none"
      onBlur={(event) => leave(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') leave(event.currentTarget.value);
        if (event.key === 'Escape') leave(undefined);
      }}
    />
  );
}
