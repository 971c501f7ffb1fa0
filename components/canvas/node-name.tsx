'use client';

import { useEffect, useRef } from 'react';
import { useActions, useProject, useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { VisibleText } from '@/components/ui/visible-text';
import { normaliseName } from '@/lib/cards/agent-name';
import type { NodeId } from '@/lib/graph/graph';
import { focusWhenDrawn } from './focus-when-drawn';

/**
 * Shows the name. While it is being changed (F2), a field is in its place. Enter renames the agent or server everywhere,
 * and Escape keeps the old name.
 */
export function NodeName(props: { readonly id: NodeId; readonly name: string; readonly kind: 'agent' | 'server' }) {
  const renaming = useProject((state) => state.renaming === props.id);
  if (renaming) return <NameField {...props} />;
  return (
    <span className="cb-name block min-w-0 flex-1 truncate font-medium text-ink" title={props.name}>
      <VisibleText text={props.name} />
    </span>
  );
}

function NameField(props: { readonly id: NodeId; readonly name: string; readonly kind: 'agent' | 'server' }) {
  const actions = useActions();
  const readProject = useReadProject();
  const commands = useCommands();
  const field = useRef<HTMLInputElement>(null);
  const left = useRef(false);
  const opener = useRef<Element>(null);
  useEffect(() => {
    opener.current = document.activeElement;
    field.current?.focus();
    field.current?.select();
  }, []);
  function leave(name: string | undefined, renamed?: () => void) {
    if (left.current) return;
    left.current = true;
    actions.show({ renaming: undefined });
    if (name === undefined || name.trim() === '' || name === props.name) return;
    if (props.kind === 'agent') commands.rename(props.name, name.trim(), undefined, renamed);
    else commands.renameServer(props.name, name, renamed);
  }
  /** After Enter or Escape the focus goes back to where it was: the outline, otherwise the node. */
  function leaveByKey(name: string | undefined) {
    const tree = opener.current?.closest<HTMLElement>('[role="tree"]') ?? undefined;
    const from = [field.current, field.current?.closest('.react-flow__node')];
    const goBack = () => {
      // The question whether to rename what is used elsewhere may just be closing.
      const question = document.activeElement?.closest('[role="alertdialog"]') ? document.activeElement : undefined;
      const written = name ?? props.name;
      const renamed = `${props.kind}:${props.kind === 'agent' ? normaliseName(written) : written.trim()}`;
      returnFocus([...from, question], tree, () => (readProject().picture.nodes.has(renamed) ? renamed : props.id));
    };
    // The renamed node is another element, which is there later if it is first read where the name is used.
    leave(name, goBack);
    goBack();
  }
  return (
    <input
      ref={field}
      aria-label={`New name of ${props.name}`}
      defaultValue={props.name}
      className="nodrag nopan cb-name w-full min-w-0 flex-1 select-text rounded-sm border border-accent bg-surface px-1 font-medium text-ink outline-none"
      onBlur={(event) => leave(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') leaveByKey(event.currentTarget.value);
        if (event.key === 'Escape') leaveByKey(undefined);
      }}
    />
  );
}

/** Returns the focus from the field to the row of the outline or to the node, unless it has moved elsewhere meanwhile. */
function returnFocus(
  from: readonly (Element | null | undefined)[],
  tree: HTMLElement | undefined,
  idOfNode: () => NodeId,
) {
  focusWhenDrawn(() => {
    const row =
      tree?.isConnected && tree.offsetParent !== null ? tree.querySelector<HTMLElement>('[tabindex="0"]') : null;
    return row ?? document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(idOfNode())}"]`);
  }, from);
}
