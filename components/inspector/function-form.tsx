'use client';

import { FileText, FlaskConical, Plus, Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { VisibleText } from '@/components/ui/visible-text';
import { languageOf, scanCode } from '@/lib/cards/code/code-scan';
import { type ListedParameter, listFunctions } from '@/lib/cards/code/list-functions';
import { textAt } from '@/lib/editor/document';
import type { GraphNode } from '@/lib/graph/graph';
import { Group } from './group';
import { UsedBy } from './used-by';

/** Shows a function tool: what its code says of it, and which agents have it. */
export function FunctionForm({ node }: { readonly node: Extract<GraphNode, { kind: 'function' }> }) {
  const { file, name } = node;
  const commands = useCommands();
  const folder = useProject((state) => state.document.folder);
  const mayEdit = useProject((state) => state.mayEdit);
  const found = useMemo(
    () => listFunctions(folder).find((one) => one.file === file && one.name === name),
    [folder, file, name],
  );
  const isGone = found === undefined && !mayDefine(file, textAt(folder, file), name);
  return (
    <div>
      <Group title="Function tool">
        <p className="break-words font-medium font-mono text-sm">
          <VisibleText text={name} />
        </p>
        {found?.description === undefined ? null : <p className="text-muted text-sm">{found.description}</p>}
        {isGone ? (
          <>
            <p className="text-bad text-sm">
              {node.missing ? `The project has no file ${file}.` : `${file} defines no function '${name}'.`} Cards name
              it as a tool.
            </p>
            <span>
              <Button
                size="sm"
                icon={<Plus aria-hidden className="size-3.5" />}
                onClick={() => commands.createFunction(file, name)}
              >
                {node.missing ? `Create ${file} with ${name}` : `Write ${name}`}
              </Button>
            </span>
          </>
        ) : (
          <span className="flex flex-wrap gap-2">
            <Button
              size="sm"
              icon={<FileText aria-hidden className="size-3.5" />}
              onClick={() => commands.openFunction(file, name)}
            >
              Open {file}
              {found === undefined ? '' : `:${found.line}`}
            </Button>
            {mayEdit ? (
              <Button
                size="sm"
                icon={<FlaskConical aria-hidden className="size-3.5" />}
                onClick={() => commands.openToolBench({ kind: 'function', file, name })}
              >
                Try…
              </Button>
            ) : null}
          </span>
        )}
      </Group>
      {found?.parameters === undefined ? null : <Parameters parameters={found.parameters} />}
      <Users id={node.id} />
      <UsedBy kind="tool" name={`${file}:${name}`} />
      <Group title="Remove">
        <span>
          <Button
            size="sm"
            icon={<Trash2 aria-hidden className="size-3.5" />}
            onClick={() => commands.remove([node.id])}
          >
            Take it from all agents
          </Button>
        </span>
        <p className="text-faint text-xs">The code stays in {file}.</p>
      </Group>
    </div>
  );
}

/** The parameters as the code writes them. The schema that a model gets is made from them when a run starts. */
function Parameters({ parameters }: { readonly parameters: readonly ListedParameter[] }) {
  return (
    <Group title="Parameters">
      {parameters.length === 0 ? (
        <p className="text-muted text-sm">None.</p>
      ) : (
        <dl className="flex flex-col divide-y rounded border bg-surface">
          {parameters.map(({ name, type, isOptional }) => (
            <div key={name} className="flex min-w-0 items-baseline gap-2 px-2 py-1 text-xs">
              <dt className="shrink-0 font-mono text-ink">{name}</dt>
              <dd className="min-w-0 flex-1 break-words font-mono text-muted">{type ?? ''}</dd>
              <dd className="shrink-0 text-faint">{isOptional ? 'optional' : 'required'}</dd>
            </div>
          ))}
        </dl>
      )}
    </Group>
  );
}

function Users({ id }: { readonly id: string }) {
  const actions = useActions();
  const edges = useProject((state) => state.picture.graph.edges);
  const nodes = useProject((state) => state.picture.nodes);
  const users = [...new Set(edges.filter(({ target }) => target === id).map(({ source }) => source))];
  return (
    <Group title="Used by">
      <ul className="flex flex-wrap gap-1.5">
        {users.map((user) => (
          <li key={user} className="max-w-full">
            <button
              type="button"
              className="max-w-full cursor-pointer truncate rounded-sm bg-sunken px-1.5 py-0.5 font-medium text-ink text-sm hover:bg-hover"
              onClick={() => actions.select([user])}
            >
              {nodes.get(user)?.name ?? user}
            </button>
          </li>
        ))}
      </ul>
    </Group>
  );
}

function mayDefine(file: string, text: string | undefined, name: string): boolean {
  const language = languageOf(file);
  return language !== undefined && text !== undefined && scanCode(language, text).mayDefine(name);
}
