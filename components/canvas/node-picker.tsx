'use client';

import { Bot, Plus, Spline, StickyNote, Webhook } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useMemo, useRef, useState } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { kindLook } from '@/components/marks/kind-icon';
import { later } from '@/components/ui/later';
import { PickerList } from '@/components/ui/picker-list';
import type { PickerAction, PickerContent, PickerOption, PickerRow } from '@/components/ui/picker-rows';
import { canHave } from '@/lib/editor/add-rows';
import {
  askedKind,
  type CodeKind,
  type NodeChoice,
  newAgentOf,
  newFunctionOf,
  nodeChoices,
  type PickedNode,
} from '@/lib/editor/node-choices';
import type { Picking, ProjectState } from '@/lib/editor/project-state';
import type { NodeId, Point } from '@/lib/graph/graph';

const NewCodeForm = later(async () => (await import('@/components/hooks/new-code-form')).NewCodeForm);

/** Where the picker opens, and what is done with the choice. */
export interface PickerRequest {
  /** The place of the list on the screen. */
  readonly screen: Point;
  /** The place of the new node on the canvas. Without it, a free place is taken. */
  readonly at: Point | undefined;
  /** The node where a wire to the chosen one begins. */
  readonly source: NodeId | undefined;
  readonly what: Picking['what'];
}

/** Lists what can be added to the canvas or connected to a node, and does it. */
export function NodePicker(props: {
  readonly request: PickerRequest;
  readonly onClose: () => void;
  readonly focusNode: (id: NodeId) => void;
}) {
  const { request, onClose } = props;
  const readProject = useReadProject();
  const source = readProject().picture.nodes.get(request.source ?? '')?.name;
  /** The node that gets the focus after a choice. */
  const wanted = useRef<NodeId>(undefined);
  const [opener] = useState(() => (document.activeElement instanceof HTMLElement ? document.activeElement : null));
  const anchor = useRef({ getBoundingClientRect: () => new DOMRect(request.screen.x, request.screen.y, 0, 0) });
  return (
    <Popover.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          align="start"
          // On a phone there is room beside no node.
          side={window.innerWidth < 640 ? 'bottom' : 'right'}
          sideOffset={4}
          collisionPadding={8}
          aria-label={labelOf(request.what, source)}
          className="z-50 w-80 max-w-[calc(100vw-1rem)] overflow-hidden rounded-lg border bg-raised shadow-pop outline-none"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const { activeElement } = document;
            // After most choices, the field of the new node's name has the focus by now.
            if (activeElement !== document.body && activeElement?.contains(opener) === false) return;
            if (wanted.current !== undefined) props.focusNode(wanted.current);
            else opener?.focus({ preventScroll: true });
          }}
        >
          <Body
            request={request}
            onClose={onClose}
            onDone={(next) => {
              wanted.current = next;
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The list, or the form that asks for the name of new code. */
function Body(props: {
  readonly request: PickerRequest;
  readonly onClose: () => void;
  /** Gets the node that a choice is about. */
  readonly onDone: (next: NodeId | undefined) => void;
}) {
  const { request, onClose, onDone } = props;
  const { source, at, what } = request;
  const readProject = useReadProject();
  const commands = useCommands();
  const [asked, setAsked] = useState<CodeKind>();
  const found = useMemo(() => contentOf(readProject(), source, what), [readProject, source, what]);
  const { choices, content, user } = found;
  const place = { at, source, user };

  /** Closes the list and does what was chosen. */
  function finish(act: () => void, next?: NodeId) {
    onClose();
    act();
    const { selection, selectedEdge } = readProject();
    // A wire that was selected stays selected, so no node takes the focus.
    onDone(selectedEdge === undefined ? (next ?? selection.at(-1) ?? source) : undefined);
  }

  function select(row: PickerRow, typed: string) {
    if (row.kind === 'option') {
      const choice = choices.find(({ value }) => value === row.option.value);
      if (choice === undefined) return;
      const { picked } = choice;
      if (picked.pick === 'code') setAsked(picked.what);
      else finish(() => commands.pick(picked, place), focusAfter(picked.pick));
      return;
    }
    const made = row.kind === 'action' ? found.makes.get(row.action) : undefined;
    if (made === undefined) return;
    if (made === 'agent') {
      const name = newAgentOf(readProject().picture, typed);
      if (name !== undefined) finish(() => commands.add('agent', place, name));
      return;
    }
    const code = askedKind(typed) === undefined ? newCode(readProject(), typed, made) : undefined;
    if (code === undefined) setAsked(made);
    else create(made, code.file, code.name);
  }

  /** Returns the node that stays in the middle of what happens. Otherwise the new one gets the focus. */
  function focusAfter(pick: PickedNode['pick']): NodeId | undefined {
    if (pick === 'node' || pick === 'user') return source;
    return pick === 'hook' ? user : undefined;
  }

  function create(kind: CodeKind, file: string, name: string) {
    finish(() => commands.pickNew(kind, { file, name }, place), kind === 'hook' ? user : undefined);
  }

  return asked === undefined ? (
    <PickerList
      label={content.label}
      content={content}
      chosen={nothing}
      many={false}
      typed=""
      searchPlaceholder={source === undefined ? 'Add…' : 'Add or connect…'}
      onSelect={select}
      onLeave={onClose}
    />
  ) : (
    <NewCodeForm
      kind={asked}
      name=""
      placeholder={asked === 'hook' ? 'audit_hook' : 'add_one'}
      onBack={() => setAsked(undefined)}
      onCreate={(file, name) => create(asked, file, name)}
    />
  );
}

const nothing: ReadonlySet<string> = new Set();

function contentOf(
  { picture, document, selection, installation }: ProjectState,
  source: NodeId | undefined,
  what: PickerRequest['what'],
) {
  // At the end of a wire, code goes to the agent where the wire begins and to no other.
  const wanted = source === undefined ? [selection.at(-1), `agent:${picture.entry}`] : [source];
  const user = wanted.find((id) => picture.nodes.get(id ?? '')?.kind === 'agent');
  const name = picture.nodes.get(user ?? '')?.name;
  const all = nodeChoices(picture, document.folder, { source, user });
  const choices = what === 'all' ? all : all.filter(({ kind, picked }) => kind === what && picked.pick !== 'code');
  const pythonOff = installation.pythonOff === true;
  const mayAdd = (kind: CodeKind) => user !== undefined && canHave(picture, user, kind).ok;
  const kinds = (['function', 'hook'] as const).filter((kind) => (what === 'all' || what === kind) && mayAdd(kind));
  const mayAddAgent = what === 'all' && (source === undefined || canHave(picture, source, 'agent').ok);
  const codeOf = (kind: CodeKind, typed: string) => newFunctionOf(document.folder, typed, kind, pythonOff);
  const newAgent: PickerAction = {
    icon: <Bot aria-hidden />,
    label: (typed) => {
      const made = newAgentOf(picture, typed);
      return made === undefined ? undefined : `New agent '${made}'`;
    },
    onSelect: () => {},
  };
  const actionOf = (kind: CodeKind): PickerAction => ({
    icon: <Plus aria-hidden />,
    label: (typed) => {
      const word = kind === 'hook' ? 'hook' : 'function tool';
      const asked = askedKind(typed);
      // The list of everything has a row for new code already.
      if (typed === '' || asked === kind) return what === 'all' ? undefined : `New ${word}…`;
      const code = asked === undefined ? codeOf(kind, typed) : undefined;
      return code && `New ${word} '${code.name}'`;
    },
    note: (typed) => `${askedKind(typed) === undefined ? `${codeOf(kind, typed)?.file ?? 'code'} · ` : ''}for ${name}`,
    onSelect: () => {},
  });
  const code = kinds.map((kind) => [actionOf(kind), kind] as const);
  const content: PickerContent & { readonly label: string } = {
    label: labelOf(what, source === undefined ? undefined : picture.nodes.get(source)?.name),
    options: choices.map((choice) => optionOf(choice, name)),
    first: mayAddAgent ? [newAgent] : [],
    actions: code.map(([action]) => action),
  };
  return { choices, user, content, makes: new Map<PickerAction, 'agent' | CodeKind>([[newAgent, 'agent'], ...code]) };
}

function optionOf(choice: NodeChoice, user: string | undefined): PickerOption {
  const { value, label, note, disabled } = choice;
  return { value, label, note, disabled, group: groupWords(choice, user), icon: <ChoiceIcon choice={choice} /> };
}

function labelOf(what: PickerRequest['what'], source: string | undefined): string {
  return source === undefined ? pickerLabels[what] : `Connect ${source} to`;
}

const pickerLabels = { all: 'Add to the canvas', function: 'Add a function tool', hook: 'Add a hook' } as const;

function groupWords({ group }: NodeChoice, user: string | undefined): string {
  return group === 'Function tools' || group === 'Hooks' ? `${group} for ${user}` : group;
}

function newCode({ document, installation }: ProjectState, typed: string, kind: CodeKind) {
  return newFunctionOf(document.folder, typed, kind, installation.pythonOff === true);
}

function ChoiceIcon({ choice }: { readonly choice: NodeChoice }) {
  if (choice.kind === 'note') return <StickyNote aria-hidden />;
  if (choice.kind === 'worker') return <Spline aria-hidden />;
  if (choice.kind === 'hook') return <Webhook aria-hidden />;
  const { Icon } = kindLook({ kind: choice.kind, ...(choice.type === undefined ? {} : { type: choice.type }) });
  return <Icon aria-hidden />;
}
