'use client';

import { Wrench } from 'lucide-react';
import { useMemo } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { Badge, KindBadge } from '@/components/ui/badge';
import { EmptyState } from '@/components/ui/empty-state';
import type { CardType } from '@/lib/cards/card';
import { type PreviewServer, type PreviewTool, previewSurface } from '@/lib/runtime/surface/surface-preview';

/**
 * Lists the tools that the model of the selected agent will be offered, in their order. The list follows the card as it is
 * edited.
 */
export function SurfaceTab() {
  const only = useProject((state) => (state.selection.length === 1 ? state.selection[0] : undefined));
  const parsed = useProject((state) => state.picture.drawn);
  const folder = useProject((state) => state.document.folder);
  const node = useProject((state) => (only === undefined ? undefined : state.picture.nodes.get(only)));
  const card = node?.kind === 'agent' ? parsed.cards.find((one) => one.file === node.file) : undefined;
  const preview = useMemo(
    () => (card?.type === 'agent' ? previewSurface(parsed, folder, card) : undefined),
    [parsed, folder, card],
  );
  if (card === undefined || preview === undefined) {
    return (
      <EmptyState icon={<Wrench aria-hidden />} title={card === undefined ? 'No agent selected' : 'No tools'}>
        {card === undefined ? 'Select an agent to see the tools that its model is offered.' : noTools(card.type)}
      </EmptyState>
    );
  }
  const { servers, tools, notes } = preview;
  const hidden = tools.filter((tool) => tool.hiddenIn.length > 0).length;
  return (
    <section aria-label={`Tools of ${card.name}`} className="flex flex-col gap-3 p-3 text-sm">
      <p className="text-muted text-xs">
        {servers.length + tools.length === 0
          ? `The model of ${card.name} is offered no tools.`
          : `What the model of ${card.name} is offered, in this order${hidden === 0 ? '' : `; ${hidden} of ${tools.length} not at first`}.`}
      </p>
      {notes.map((note) => (
        <p key={note} className="rounded border border-warn bg-warn-soft px-2.5 py-1.5 text-warn text-xs">
          {note}
        </p>
      ))}
      <ol aria-label="Tools, in order" className="flex flex-col divide-y rounded border bg-surface">
        {servers.map((server) => (
          <ServerRow key={server.name} server={server} />
        ))}
        {tools.map((tool) => (
          <ToolRow key={tool.name} tool={tool} />
        ))}
      </ol>
    </section>
  );
}

/** Says why an agent of this type has no tools here. */
function noTools(type: CardType): string {
  switch (type) {
    case 'a2a':
      return 'A remote agent has its tools where it runs.';
    case 'router':
    case 'orchestrator':
    case 'iterative_planner':
      return 'It asks its model for a choice or a plan, and calls its members itself. Its model is offered no tools.';
    default:
      return 'It calls its members itself. They have tools of their own.';
  }
}

function ServerRow({ server }: { readonly server: PreviewServer }) {
  const { name, tools } = server;
  return (
    <li className="flex flex-col gap-1 px-2.5 py-2">
      <span className="flex min-w-0 items-center gap-2">
        <KindBadge kind="server">MCP</KindBadge>
        <span className="min-w-0 truncate font-medium" title={name}>
          {name}
        </span>
      </span>
      {tools?.length === 0 ? (
        <span className="text-muted text-xs">Hidden: the card takes none of its tools.</span>
      ) : (
        <span className="text-muted text-xs">
          {tools === undefined ? 'All its tools, as ' : 'The tools that match '}
          {(tools ?? ['*']).map((glob, index) => (
            <span key={glob}>
              {index > 0 ? ', ' : ''}
              <code className="break-all font-mono text-ink">{tools === undefined ? `${name}__${glob}` : glob}</code>
            </span>
          ))}
          . Their names come from the server when a run starts.
        </span>
      )}
    </li>
  );
}

const kinds = { function: 'function', runtime: 'builtin', agent: 'agent' } as const;

function ToolRow({ tool }: { readonly tool: PreviewTool }) {
  const { name, source, from, description, inputSchema, hiddenIn } = tool;
  return (
    <li className="flex flex-col gap-1 px-2.5 py-2">
      <span className="flex min-w-0 items-center gap-2">
        <KindBadge kind={kinds[source]} />
        <span
          className={`min-w-0 truncate font-medium font-mono text-xs ${hiddenIn.length > 0 ? 'text-muted' : ''}`}
          title={name}
        >
          {name}
        </span>
        {hiddenIn.length > 0 ? <Badge className="ml-auto">not at first</Badge> : null}
      </span>
      {from !== undefined && from !== name ? <span className="break-all text-muted text-xs">{from}</span> : null}
      <span className="line-clamp-4 text-muted text-xs" title={description}>
        {description ?? 'Its description and parameters are read from the code when a run starts.'}
      </span>
      {name === 'execute' && source === 'runtime' ? (
        <span className="text-muted text-xs">Only where an administrator allows a shell.</span>
      ) : null}
      {hiddenIn.length > 0 ? (
        <span className="text-xs">
          Hidden until {hiddenIn.length === 1 ? 'the tool group' : 'one of the tool groups'} {hiddenIn.join(', ')} is
          active.
        </span>
      ) : null}
      {inputSchema === undefined ? null : (
        <details className="text-xs">
          <summary className="w-fit cursor-pointer text-muted hover:text-ink">Parameters</summary>
          <pre className="mt-1 max-h-72 overflow-auto rounded border bg-sunken p-2 font-mono text-2xs leading-4">
            {JSON.stringify(inputSchema, undefined, 2)}
          </pre>
        </details>
      )}
    </li>
  );
}
