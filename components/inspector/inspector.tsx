'use client';

import { Maximize2 } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { FieldsOf } from '@/components/editor-state/presence-context';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { TypingFollower } from '@/components/editor-state/typing-follower';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { later, useLoadedWhenIdle } from '@/components/ui/later';
import { Skeleton } from '@/components/ui/progress';
import { Tabs } from '@/components/ui/tabs';
import type { InspectorTab } from '@/lib/editor/project-state';
import { isAnnotation } from '@/lib/graph/annotation-lists';
import { Group } from './group';
import { FileEditor } from './later-file-editor';
import { ProjectSummary } from './project-summary';
import { ReadOnly } from './read-only';

const waiting = <Skeleton className="m-3 h-40" />;
const SurfaceTab = later(async () => (await import('./surface-tab')).SurfaceTab, waiting);
const LastRunTab = later(async () => (await import('@/components/last-run/last-run-tab')).LastRunTab, waiting);

const AgentForm = later(async () => (await import('./agent-form')).AgentForm, waiting);
const AnnotationForm = later(async () => (await import('./annotation-form')).AnnotationForm, waiting);
const EdgeForm = later(async () => (await import('./edge-form')).EdgeForm, waiting);
const FunctionForm = later(async () => (await import('./function-form')).FunctionForm, waiting);
const ServerForm = later(async () => (await import('./server-form')).ServerForm, waiting);
const SeveralForm = later(async () => (await import('./several-form')).SeveralForm, waiting);
const forms = [AgentForm, EdgeForm, ServerForm, FunctionForm, SeveralForm, AnnotationForm];

const tabIds: readonly InspectorTab[] = ['properties', 'card', 'surface', 'run'];

/** Shows the selected thing: its properties as a form, the text they are part of, the tools its model is offered, and what it did in a run. */
export function Inspector() {
  const tab = useProject((state) => state.inspectorTab);
  const actions = useActions();
  useLoadedWhenIdle(forms);
  return (
    <Tabs
      label="Inspector"
      value={tab}
      onValueChange={(id) => actions.show({ inspectorTab: tabIds.find((one) => one === id) ?? 'properties' })}
      tabs={[
        {
          id: 'properties',
          label: 'Properties',
          content: (
            <FromTop>
              <TypingFollower>
                <Shared>
                  <Properties />
                </Shared>
              </TypingFollower>
            </FromTop>
          ),
        },
        {
          id: 'card',
          label: 'Card',
          content: (
            <FileEditor
              actions={
                <IconButton
                  size="sm"
                  label="Wide editor"
                  icon={<Maximize2 aria-hidden />}
                  onClick={() => actions.showText('wide')}
                  tooltipSide="bottom"
                />
              }
            />
          ),
        },
        {
          id: 'surface',
          label: 'What the model sees',
          content: (
            <FromTop>
              <SurfaceTab />
            </FromTop>
          ),
        },
        {
          id: 'run',
          label: 'Last run',
          content: (
            <FromTop>
              <LastRunTab />
            </FromTop>
          ),
        },
      ]}
    />
  );
}

/**
 * What is shown of another thing begins at its top. A button that shows another thing is gone afterwards, so the focus goes
 * to the new form, and Tab to its first control.
 */
function FromTop({ children }: { readonly children: ReactNode }) {
  const shown = useProject(({ selectedEdge, selection }) => selectedEdge ?? selection.join('\n'));
  const form = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each selection
  useEffect(() => {
    // In newer browsers `scrollTo` returns a promise, which must not become the effect's clean-up.
    void form.current?.closest('[role="tabpanel"]')?.scrollTo(0, 0);
  }, [shown]);
  const focused = useRef<HTMLElement>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each selection
  useLayoutEffect(() => {
    if (focused.current?.isConnected !== false) return;
    focused.current = undefined;
    if (document.activeElement === document.body) form.current?.focus({ preventScroll: true });
  }, [shown]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes which control has the focus
    <div
      ref={form}
      tabIndex={-1}
      className="outline-none"
      onFocus={(event) => {
        focused.current = event.target;
      }}
      // A control that is removed while it has the focus does not tell of it.
      onBlur={() => {
        focused.current = undefined;
      }}
    >
      {children}
    </div>
  );
}

/** Tells the fields who else edits them. */
function Shared({ children }: { readonly children: ReactNode }) {
  const of = useProject(({ selectedEdge, selection }) => selectedEdge ?? selection.join(' '));
  return <FieldsOf of={of === '' ? 'project' : of}>{children}</FieldsOf>;
}

function Properties() {
  const selection = useProject((state) => state.selection);
  const hasEdge = useProject((state) => state.picture.graph.edges.some((one) => one.id === state.selectedEdge));
  // What can be done with a selection is partly for people who may not edit.
  if (!hasEdge && selection.length > 1) return <SeveralForm key={selection.join('\n')} selection={selection} />;
  return (
    <ReadOnly>
      <PropertiesOfOne />
    </ReadOnly>
  );
}

function PropertiesOfOne() {
  const selection = useProject((state) => state.selection);
  const edge = useProject((state) => state.picture.graph.edges.find((one) => one.id === state.selectedEdge));
  const only = selection.length === 1 ? selection[0] : undefined;
  const node = useProject((state) => (only === undefined ? undefined : state.picture.nodes.get(only)));
  const card = useProject((state) =>
    node?.kind === 'agent' ? state.picture.drawn.cards.find((one) => one.file === node.file) : undefined,
  );
  // The position is part of the key, because a renamed server keeps its position and so its form keeps the focus.
  const serverAt = useProject((state) =>
    node?.kind === 'server' ? Object.keys(state.picture.drawn.config.servers).indexOf(node.name) : -1,
  );
  const commands = useCommands();

  if (edge !== undefined) return <EdgeForm key={edge.id} edge={edge} />;
  if (only !== undefined && isAnnotation(only)) return <AnnotationForm key={only} id={only} />;
  if (node === undefined) return <ProjectSummary />;
  switch (node.kind) {
    case 'agent':
      if (card === undefined || node.missing) {
        return (
          <div className="flex flex-col items-start gap-2 p-3 text-sm text-muted">
            <p>
              Cards refer to <span className="font-medium text-ink">{node.name}</span>, but no card defines it.
            </p>
            <Button size="sm" onClick={() => commands.createMissing(node.name)}>
              Create the card
            </Button>
          </div>
        );
      }
      return <AgentForm key={card.file} card={card} />;
    case 'server':
      return <ServerForm key={serverAt === -1 ? node.id : serverAt} node={node} />;
    case 'function':
      return <FunctionForm key={node.id} node={node} />;
    case 'builtin':
      return (
        <Group title="Built-in tool">
          <p className="text-sm font-medium">{node.name.replace('_', ' ')}</p>
          <p className="text-sm text-muted">Comes with the runtime; a card switches it on.</p>
        </Group>
      );
  }
}
