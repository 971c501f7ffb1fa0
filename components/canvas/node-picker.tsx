'use client';

import { Plus, Spline, StickyNote, Webhook } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useMemo, useRef, useState } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { NewCodeForm } from '@/components/hooks/new-code-form';
import { kindLook } from '@/components/marks/kind-icon';
import { PickerList } from '@/components/ui/picker-list';
import type { PickerAction, PickerContent, PickerRow } from '@/components/ui/picker-rows';
import { askedKind, type CodeKind, type NodeChoice, newFunctionOf, nodeChoices } from '@/lib/editor/node-choices';
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
  readonly what: 'all' | 'function' | 'hook';
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
  const { choices, kinds, content, user } = found;
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
      const { pick } = choice.picked;
      finish(() => commands.pick(choice.picked, place), pick === 'node' ? source : pick === 'hook' ? user : undefined);
      return;
    }
    const kind = row.kind === 'action' ? kinds[content.actions?.indexOf(row.action) ?? -1] : undefined;
    if (kind === undefined) return;
    const code = askedKind(typed) === undefined ? newCode(readProject(), typed, kind) : undefined;
    if (code === undefined) setAsked(kind);
    else create(kind, code.file, code.name);
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
): {
  readonly choices: readonly NodeChoice[];
  readonly content: PickerContent & { readonly label: string };
  readonly user: NodeId | undefined;
  /** What the actions of the content create. */
  readonly kinds: readonly CodeKind[];
} {
  const wanted = [source, selection.at(-1), `agent:${picture.entry}`];
  const user = wanted.find((id) => picture.nodes.get(id ?? '')?.kind === 'agent');
  const name = picture.nodes.get(user ?? '')?.name;
  const all = nodeChoices(picture, document.folder, { source, user });
  const choices = what === 'all' ? all : all.filter(({ kind }) => kind === what);
  const pythonOff = installation.pythonOff === true;
  const kinds = (['function', 'hook'] as const).filter((kind) => what === 'all' || what === kind);
  const codeOf = (kind: CodeKind, typed: string) => newFunctionOf(document.folder, typed, kind, pythonOff);
  const actionOf = (kind: CodeKind): PickerAction => ({
    icon: <Plus aria-hidden />,
    label: (typed) => {
      const word = kind === 'hook' ? 'hook' : 'function tool';
      const asked = askedKind(typed);
      if (name === undefined || (asked !== undefined && asked !== kind)) return undefined;
      if (typed === '' || asked === kind) return `New ${word}…`;
      const code = codeOf(kind, typed);
      return code && `New ${word} '${code.name}'`;
    },
    note: (typed) => `${askedKind(typed) === undefined ? `${codeOf(kind, typed)?.file ?? 'code'} · ` : ''}for ${name}`,
    onSelect: () => {},
  });
  return {
    choices,
    user,
    kinds,
    content: {
      label: labelOf(what, source === undefined ? undefined : picture.nodes.get(source)?.name),
      options: choices.map((choice) => ({
        value: choice.value,
        label: choice.label,
        note: choice.note,
        group: groupWords(choice, name),
        icon: <ChoiceIcon choice={choice} />,
      })),
      actions: kinds.map(actionOf),
    },
  };
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
