'use client';

import type { ReactNode } from 'react';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { SetKey } from '@/components/keys/set-key';
import { ModelPicker } from '@/components/marks/model-picker';
import { Field } from '@/components/ui/field';
import { later } from '@/components/ui/later';
import { VisibleText } from '@/components/ui/visible-text';
import { generalFile } from '@/lib/cards/config-files';
import { firstModel } from '@/lib/cards/models/first-model';
import { describeModel } from '@/lib/editor/model-choices';
import { problemWords } from '@/lib/editor/problem-groups';
import { Group } from './group';

/** It is folded at first. */
const ApprovalsForm = later(
  async () => (await import('./approvals-form')).ApprovalsForm,
  () => <div className="h-[38px] border-b" />,
);

/** Shows how a run of the project starts. It is visible while nothing is selected. */
export function ProjectSummary() {
  const name = useProject((state) => state.name);
  const picture = useProject((state) => state.picture);
  const actions = useActions();
  const { entry, drawn, parsed, graph } = picture;
  const { settings } = drawn;
  const scripted = Object.keys(settings.scripts).length > 0;
  const agents = graph.nodes.filter((node) => node.kind === 'agent').length;
  const servers = graph.nodes.filter((node) => node.kind === 'server').length;
  const problems = problemWords(parsed.issues);
  return (
    <div>
      <Group title="Project">
        <p className="break-words font-medium text-sm">
          <VisibleText text={name} />
        </p>
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-2 text-sm">
          <Row term="Entry">
            {entry === undefined ? (
              <span className="text-warn">
                {agents === 0 ? 'None. Add an agent.' : 'None. Give one card the line default: true.'}
              </span>
            ) : (
              <LinkButton onClick={() => actions.select([`agent:${entry}`])}>{entry}</LinkButton>
            )}
          </Row>
          <Row term="Made of">
            {count(agents, 'agent')}, {count(servers, 'MCP server')}
          </Row>
          <Row term="Problems">
            {problems === '' ? (
              'none'
            ) : (
              <LinkButton onClick={() => actions.show({ dockTab: 'problems', narrowPanel: 'dock' })}>
                {problems}
              </LinkButton>
            )}
          </Row>
        </dl>
        <DefaultModel scripted={scripted} />
      </Group>
      <ApprovalsForm />
      <p className="p-3 text-muted text-sm">Select an agent, a server or an edge to see and change it.</p>
    </div>
  );
}

/** The model of every card that names none. */
function DefaultModel({ scripted }: { readonly scripted: boolean }) {
  const config = useProject((state) => state.picture.drawn.config);
  const file = generalFile(config);
  const commands = useCommands();
  const actions = useActions();
  return (
    <div className="mt-3">
      <Field
        label="Default model"
        hint={
          scripted ? (
            'The script of the project answers instead of a model. Choose a model in the run dock to use one.'
          ) : (
            <DefaultModelNote model={config.defaultModel} />
          )
        }
      >
        {(ids) => (
          <ModelPicker
            {...ids}
            label="Default model"
            value={config.defaultModel}
            none="No default model"
            onChange={commands.setDefaultModel}
          />
        )}
      </Field>
      {file === undefined ? null : (
        <p className="mt-1 text-xs">
          <LinkButton onClick={() => actions.openFile(file)}>{file}</LinkButton>
        </p>
      )}
    </div>
  );
}

function DefaultModelNote({ model }: { readonly model: string | undefined }) {
  const models = useProject((state) => state.installation.models);
  if (model === undefined) return 'For every card without a model of its own.';
  if (model !== 'passthrough') return <ModelNote model={model} />;
  if (models !== undefined && firstModel(models) !== undefined) return 'A test model: it repeats each message.';
  return (
    <>
      A test model: it repeats each message, because no key of a provider is set. <SetKey variable={undefined} />
    </>
  );
}

function ModelNote({ model }: { readonly model: string }) {
  const { price, context, abilities } = describeModel(model);
  const known = [price, context, abilities.join(', ')].filter(Boolean).join(' · ');
  return known === '' ? 'For every card without a model of its own.' : known;
}

function Row(props: { readonly term: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{props.term}</dt>
      <dd className="flex min-w-0 flex-wrap gap-x-2 break-words">{props.children}</dd>
    </>
  );
}

function LinkButton(props: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button
      type="button"
      className="max-w-full cursor-pointer truncate text-accent underline-offset-2 hover:underline"
      onClick={props.onClick}
    >
      {props.children}
    </button>
  );
}

function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}
