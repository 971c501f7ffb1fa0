'use client';

import { Spline, StickyNote, Webhook } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useMemo, useRef, useState } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { kindLook } from '@/components/marks/kind-icon';
import { PickerList } from '@/components/ui/picker-list';
import type { PickerContent, PickerRow } from '@/components/ui/picker-rows';
import { type NodeChoice, newFunctionOf, nodeChoices } from '@/lib/editor/node-choices';
import type { ProjectState } from '@/lib/editor/project-state';
import type { NodeId, Point } from '@/lib/graph/graph';

/** Where the picker opens, and what is done with the choice. */
export interface PickerRequest {
  /** The place of the list on the screen. */
  readonly screen: Point;
  /** The place of the new node on the canvas. Without it, a free place is taken. */
  readonly at: Point | undefined;
  /** The node where a wire to the chosen one begins. */
  readonly source: NodeId | undefined;
  readonly what: 'all' | 'function' | 'hook' | 'worker';
}

/** Lists what can be added to the canvas or connected to a node, and does it. */
export function NodePicker(props: { readonly request: PickerRequest; readonly onClose: () => void }) {
  const { request, onClose } = props;
  const { source, at, what } = request;
  const readProject = useReadProject();
  const commands = useCommands();
  const chosen = useRef(false);
  const [opener] = useState(() => (document.activeElement instanceof HTMLElement ? document.activeElement : null));
  const anchor = useRef({ getBoundingClientRect: () => new DOMRect(request.screen.x, request.screen.y, 0, 0) });
  const { choices, content, user } = useMemo(() => contentOf(readProject(), source, what), [readProject, source, what]);
  const place = { at, source, user };

  function select(row: PickerRow, typed: string) {
    if (row.kind !== 'option' && row.kind !== 'action') return;
    chosen.current = true;
    onClose();
    if (row.kind === 'option') {
      const choice = choices.find(({ value }) => value === row.option.value);
      if (choice !== undefined) commands.pick(choice.picked, place);
      return;
    }
    const kind = row.label.startsWith('New hook') ? 'hook' : 'function';
    const code = newCode(readProject(), typed, kind);
    if (code !== undefined) commands.pickNew(kind, code, user);
  }

  return (
    <Popover.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          align="start"
          side="right"
          sideOffset={4}
          collisionPadding={8}
          aria-label={content.label}
          className="z-50 w-72 max-w-[calc(100vw-1rem)] overflow-hidden rounded-lg border bg-raised shadow-pop outline-none"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // After a choice, the field of the new node's name has the focus by now.
            if (!chosen.current || document.activeElement === document.body) opener?.focus({ preventScroll: true });
          }}
        >
          <PickerList
            label={content.label}
            content={content}
            chosen={new Set()}
            many={false}
            typed=""
            searchPlaceholder={what === 'worker' ? 'Agent…' : source === undefined ? 'Add…' : 'Add or connect…'}
            onSelect={select}
            onLeave={onClose}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function contentOf(
  { picture, document, selection, installation }: ProjectState,
  source: NodeId | undefined,
  what: PickerRequest['what'],
): {
  readonly choices: readonly NodeChoice[];
  readonly content: PickerContent & { readonly label: string };
  readonly user: NodeId | undefined;
} {
  const wanted = [source, selection.at(-1), `agent:${picture.entry}`];
  const user = wanted.find((id) => picture.nodes.get(id ?? '')?.kind === 'agent');
  const name = picture.nodes.get(user ?? '')?.name;
  const all = nodeChoices(picture, document.folder, { source, user });
  const choices = what === 'all' ? all : all.filter(({ kind }) => kind === what);
  const pythonOff = installation.pythonOff === true;
  const actionOf = (kind: 'function' | 'hook') => ({
    label: (typed: string) => {
      const code = name === undefined ? undefined : newFunctionOf(document.folder, typed, kind, pythonOff);
      if (code === undefined) return undefined;
      return `New ${kind === 'hook' ? 'hook' : 'function tool'} ${code.file}:${code.name} for ${name}`;
    },
    onSelect: () => {},
  });
  return {
    choices,
    user,
    content: {
      label: labelOf(what, source === undefined ? undefined : picture.nodes.get(source)?.name),
      options: choices.map((choice) => ({
        value: choice.value,
        label: choice.label,
        note: choice.note,
        group: groupWords(choice, name),
        icon: <ChoiceIcon choice={choice} />,
      })),
      actions: (['function', 'hook'] as const).filter((kind) => what === 'all' || what === kind).map(actionOf),
    },
  };
}

function labelOf(what: PickerRequest['what'], source: string | undefined): string {
  if (what === 'worker') return `Connect ${source ?? ''} by name to`;
  return source === undefined ? pickerLabels[what] : `Connect ${source} to`;
}

const pickerLabels = { all: 'Add to the canvas', function: 'Add a function tool', hook: 'Add a hook' } as const;

function groupWords({ group }: NodeChoice, user: string | undefined): string {
  return group === 'Function tools' || group === 'Hooks' ? `${group} for ${user}` : group;
}

function newCode({ document, installation }: ProjectState, typed: string, kind: 'function' | 'hook') {
  return newFunctionOf(document.folder, typed, kind, installation.pythonOff === true);
}

function ChoiceIcon({ choice }: { readonly choice: NodeChoice }) {
  if (choice.kind === 'note') return <StickyNote aria-hidden />;
  if (choice.kind === 'worker') return <Spline aria-hidden />;
  if (choice.kind === 'hook') return <Webhook aria-hidden />;
  const { Icon } = kindLook({ kind: choice.kind, ...(choice.type === undefined ? {} : { type: choice.type }) });
  return <Icon aria-hidden />;
}
