'use client';

import type { ReactNode } from 'react';
import { Badge, KindBadge } from '@/components/ui/badge';
import { CopyButton } from '@/components/ui/copy-button';
import { VisibleText } from '@/components/ui/visible-text';
import { estimateTokens } from '@/lib/base/estimate-tokens';
import type { InstructionPreview } from '@/lib/runtime/instruction/instruction-preview';
import type { PreviewServer, PreviewTool, SurfacePreview } from '@/lib/runtime/surface/surface-preview';

const number = new Intl.NumberFormat('en-US');

/** Shows what a model is offered: tools in their order, what is left out and why, and the final instruction. */
export function SurfaceView(props: {
  readonly name: string;
  readonly surface: SurfacePreview;
  readonly instruction: InstructionPreview;
  /** What can be done about a server that was not tested. */
  readonly testServer?: (server: string) => ReactNode;
}) {
  const { name, surface, instruction, testServer } = props;
  const { servers, tools, notes } = surface;
  const untested = servers.filter(({ listed, tools: filter }) => listed === undefined && filter?.length !== 0);
  return (
    <>
      <Totals {...{ name, surface, instruction }} />
      {notes.map((note) => (
        <Note key={note}>{note}</Note>
      ))}
      {tools.length === 0 && untested.length === 0 ? null : (
        <Section title="Tools, in order">
          <ol aria-label="Tools, in order" className="flex flex-col divide-y rounded border bg-surface">
            {untested.map((server) => (
              <UntestedServer key={server.name} server={server} action={testServer?.(server.name)} />
            ))}
            {tools.map((tool) => (
              <ToolRow key={tool.name} tool={tool} />
            ))}
          </ol>
        </Section>
      )}
      <LeftOut servers={servers} />
      <Instruction instruction={instruction} />
    </>
  );
}

/** The estimated tokens of all that is known, in one line. */
function Totals(props: {
  readonly name: string;
  readonly surface: SurfacePreview;
  readonly instruction: InstructionPreview;
}) {
  const { name, surface, instruction } = props;
  const { tools, servers } = surface;
  const hidden = tools.filter(isHidden).length;
  const ofTools = tools.reduce((sum, tool) => sum + (isHidden(tool) ? 0 : (tool.tokens ?? 0)), 0);
  const ofInstruction = estimateTokens(instruction.text);
  const isPart = tools.some(({ tokens }) => tokens === undefined) || servers.some(({ listed }) => listed === undefined);
  const count =
    tools.length + servers.length === 0
      ? `The model of ${name} is offered no tools.`
      : `What the model of ${name} is offered, in this order${hidden === 0 ? '' : `; ${hidden} of ${tools.length} not at first`}.`;
  return (
    <div className="flex flex-col gap-1 text-muted text-xs">
      <p>{count}</p>
      <p>
        <span className="font-medium text-ink tabular-nums">
          {isPart ? 'At least ' : ''}~{number.format(ofTools + ofInstruction)} tokens
        </span>{' '}
        in each request, by estimate: ~{number.format(ofInstruction)} of the instruction, ~{number.format(ofTools)} of
        tools. Messages come on top.
      </p>
    </div>
  );
}

export function Section(props: { readonly title: string; readonly aside?: ReactNode; readonly children: ReactNode }) {
  return (
    <section aria-label={props.title} className="flex flex-col gap-1.5">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-medium text-muted text-xs">{props.title}</h3>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}

export function Note({ children }: { readonly children: ReactNode }) {
  return (
    <p className="break-words rounded border border-warn bg-warn-soft px-2.5 py-1.5 text-warn text-xs">{children}</p>
  );
}

function UntestedServer(props: { readonly server: PreviewServer; readonly action: ReactNode }) {
  const { name, tools } = props.server;
  return (
    <li className="flex flex-col gap-1 px-2.5 py-2">
      <span className="flex min-w-0 items-center gap-2">
        <KindBadge kind="server">MCP</KindBadge>
        <span className="min-w-0 truncate font-medium" title={name}>
          <VisibleText text={name} />
        </span>
      </span>
      <span className="text-muted text-xs">
        {tools === undefined ? 'All its tools, as ' : 'The tools that match '}
        {(tools ?? ['*']).map((glob, index) => (
          <span key={glob}>
            {index > 0 ? ', ' : ''}
            <code className="break-all font-mono text-ink">{tools === undefined ? `${name}__${glob}` : glob}</code>
          </span>
        ))}
        . They are listed here once the server was tested.
      </span>
      {props.action}
    </li>
  );
}

/** True if the tool is not in the first request of a run. */
function isHidden({ hiddenIn, isToBeFound }: PreviewTool): boolean {
  return hiddenIn.length > 0 || isToBeFound;
}

const kinds = { mcp: 'server', function: 'function', runtime: 'builtin', agent: 'agent' } as const;

export function ToolRow({ tool }: { readonly tool: PreviewTool }) {
  const { name, source, from, description, inputSchema, hiddenIn, isToBeFound, tokens } = tool;
  return (
    <li className="flex flex-col gap-1 px-2.5 py-2">
      <span className="flex min-w-0 items-center gap-2">
        <KindBadge kind={kinds[source]}>{source === 'mcp' ? 'MCP' : undefined}</KindBadge>
        <span
          className={`min-w-0 truncate font-medium font-mono text-xs ${isHidden(tool) ? 'text-muted' : ''}`}
          title={name}
        >
          <VisibleText text={name} />
        </span>
        <span className="ml-auto flex shrink-0 items-center gap-2">
          {isHidden(tool) ? <Badge>not at first</Badge> : null}
          {tokens === undefined ? null : (
            <span
              className="text-faint text-xs tabular-nums"
              title="Estimated tokens of name, description and parameters"
            >
              ~{number.format(tokens)}
            </span>
          )}
        </span>
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
      {isToBeFound ? <span className="text-xs">Offered once find_tools found it.</span> : null}
      {inputSchema === undefined ? null : (
        <details className="text-xs">
          <summary className="w-fit cursor-pointer text-muted hover:text-ink">Parameters</summary>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
            tabIndex={0}
            className="mt-1 max-h-72 overflow-auto rounded border bg-sunken p-2 font-mono text-2xs leading-4"
          >
            {JSON.stringify(inputSchema, undefined, 2)}
          </pre>
        </details>
      )}
    </li>
  );
}

/** Says which tools of servers the card leaves out. */
function LeftOut({ servers }: { readonly servers: readonly PreviewServer[] }) {
  const rows = servers.flatMap(({ name, tools, filteredOut }) => {
    if (tools?.length === 0) return [{ name, what: 'All its tools', why: 'the card takes none of them' }];
    if (filteredOut.length === 0) return [];
    return [{ name, what: filteredOut.join(', '), why: `no pattern fits (${(tools ?? []).join(', ')})` }];
  });
  if (rows.length === 0) return null;
  return (
    <Section title="Left out">
      <ul className="flex flex-col divide-y rounded border bg-surface">
        {rows.map(({ name, what, why }) => (
          <li key={name} className="flex flex-col gap-0.5 px-2.5 py-2 text-xs">
            <span className="font-medium">
              <VisibleText text={name} />
            </span>
            <span className="break-words font-mono text-2xs text-muted">{what}</span>
            <span className="text-muted">{why}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function Instruction({ instruction }: { readonly instruction: InstructionPreview }) {
  const { text, isDefault, notes } = instruction;
  return (
    <Section
      title="Final instruction"
      aside={
        <span className="flex items-center gap-1.5 text-faint text-xs tabular-nums">
          ~{number.format(estimateTokens(text))} tokens
          <CopyButton text={text} label="Copy the instruction" />
        </span>
      }
    >
      {isDefault ? (
        <p className="text-muted text-xs">The card has no instruction, so the model gets the default one.</p>
      ) : null}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        className="max-h-96 overflow-auto whitespace-pre-wrap break-words rounded border bg-sunken p-2.5 font-mono text-ink text-xs leading-5"
      >
        {text === '' ? '(empty)' : text}
      </pre>
      {notes.map((note) => (
        <p key={note} className="break-words text-muted text-xs">
          {note}
        </p>
      ))}
    </Section>
  );
}
