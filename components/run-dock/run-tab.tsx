'use client';

import { MessageSquare, Play, Plus, Square } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { useWhyNot } from '@/components/access/access-context';
import { useOverlay } from '@/components/editor-state/overlay-context';
import { useProject, useProjectAs } from '@/components/editor-state/project-context';
import { useRun, useRunActions } from '@/components/editor-state/run-context';
import { useChosenAgent, useLeavesOut } from '@/components/editor-state/use-next-run';
import { ModelPicker } from '@/components/marks/model-picker';
import { useShownRunStore } from '@/components/run/shown-run';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { EmptyState } from '@/components/ui/empty-state';
import { Field } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { Textarea } from '@/components/ui/input';
import { later } from '@/components/ui/later';
import { useRemembered } from '@/components/ui/remembered';
import { Tooltip } from '@/components/ui/tooltip';
import { useLatest } from '@/components/ui/use-latest';
import type { Card } from '@/lib/cards/card';
import { awaitsFirstMessage, beginFirstMessage } from '@/lib/client/first-message';
import { chatHref } from '@/lib/client/project-address';
import { isActive } from '@/lib/trace/run-state';
import { LeaveOut, LeftOutLine } from './leave-out';

const entry = 'entry of the project';

const NameSelect = later(
  async () => (await import('@/components/ui/name-select')).NameSelect,
  ({ value, options }) => (
    <div className="flex h-7 w-full items-center rounded border border-line-strong bg-surface px-2.5 text-ink text-xs">
      <span className="truncate">{options.find((option) => option.value === value)?.label}</span>
    </div>
  ),
);

/** The bars of the shown run. */
export const LiveRun = later(async () => (await import('@/components/run/live-run')).LiveRun);

/** Runs the project and shows the run while it goes on. */
export function RunTab() {
  const runId = useRun((state) => state.runId);
  const isGone = useRun((state) => state.isGone);
  const actions = useRunActions();
  const shown = useShownRunStore();
  const whyNotRun = useWhyNot('run.start');
  return (
    <div className="flex h-full min-h-0 flex-col md:flex-row">
      {whyNotRun === undefined ? (
        <RunForm />
      ) : (
        <p className="shrink-0 border-b p-3 text-muted text-sm md:w-80 md:border-r md:border-b-0">{whyNotRun}</p>
      )}
      <div className="relative min-h-0 min-w-0 flex-1 overflow-auto">
        {runId === undefined ? (
          <EmptyState icon={<Play aria-hidden />} title={isGone ? 'The run was deleted' : 'No run yet'}>
            {whyNotRun === undefined
              ? 'Run the project: bars of every agent instance appear here while it works.'
              : 'Bars of every agent instance appear here.'}
          </EmptyState>
        ) : (
          <LiveRun
            key={runId}
            runId={runId}
            onChange={(run, status) => {
              actions.watch(runId, run.trace, status);
              shown.setState({ runId, run });
            }}
            onGone={() => actions.forget(runId)}
          />
        )}
      </div>
    </div>
  );
}

function RunForm() {
  const message = useRun((state) => state.message);
  const error = useRun((state) => state.error);
  const isFollowUp = useRun((state) => state.conversation !== undefined);
  const hasLine = useLeavesOut();
  const actions = useRunActions();
  const field = useRef<HTMLTextAreaElement>(null);
  const project = useProject((state) => state.projectId);
  useEffect(() => {
    if (!awaitsFirstMessage(project)) return;
    beginFirstMessage();
    field.current?.focus();
  }, [project]);
  return (
    <form
      className="relative flex w-full shrink-0 flex-col gap-2.5 overflow-auto border-b p-3 md:w-80 md:border-r md:border-b-0"
      onSubmit={(event) => {
        event.preventDefault();
        void actions.start();
      }}
    >
      <Field label={isFollowUp ? 'Follow-up' : 'Message'} error={error}>
        {(ids) => (
          <Textarea
            {...ids}
            ref={field}
            data-run-message
            // The line below the button has its room.
            rows={hasLine ? 2 : 3}
            className={hasLine ? 'min-h-13' : undefined}
            value={message}
            placeholder={isFollowUp ? 'What comes next?' : 'What should the agent do?'}
            onChange={(event) => actions.set({ message: event.currentTarget.value })}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-2">
        <AgentField />
        <ModelField />
      </div>
      <RunButtons />
      <LeftOutLine />
    </form>
  );
}

/** Lets the next message continue where the answer of this one ended. A trial that is repeated needs no conversation. */
function KeepTalking() {
  const [remembered, remember] = useRemembered('dock.keep-talking', '');
  const conversation = useRun((state) => state.conversation);
  const project = useProject((state) => state.projectId);
  const actions = useRunActions();
  const isOn = remembered === 'on';
  useEffect(() => actions.keepTalking(isOn), [actions, isOn]);
  return (
    <div className="flex items-center gap-1 text-xs">
      <span className="-my-1.5 flex items-center pr-1" title="The next message continues where the answer ended">
        <Checkbox label="Keep talking" checked={isOn} onToggle={() => remember(isOn ? '' : 'on')} />
        <span aria-hidden>Keep talking</span>
      </span>
      {conversation !== undefined && (
        <>
          <Tooltip text="Open in Chat">
            <Link
              href={chatHref(project, conversation)}
              aria-label="Open in Chat"
              className="inline-flex size-6 items-center justify-center rounded text-muted hover:bg-hover hover:text-ink"
            >
              <MessageSquare aria-hidden className="size-3.5" />
            </Link>
          </Tooltip>
          <IconButton size="sm" label="New conversation" icon={<Plus aria-hidden />} onClick={actions.beginAnew} />
        </>
      )}
    </div>
  );
}

function AgentField() {
  const isFixed = useRun((state) => state.conversation !== undefined);
  const agent = useChosenAgent();
  const cards = useProjectAs((state) => state.picture.drawn.cards, sameChoices);
  const entryAgent = useProject((state) => state.picture.entry);
  const actions = useRunActions();
  const pickAgent = useLatest((value: string) => actions.set({ agent: value === entry ? undefined : value }));
  const names = cards.filter((card) => !card.toolOnly).map((card) => card.name);
  return (
    <Field label="Agent">
      {(ids) => (
        <NameSelect
          {...ids}
          size="sm"
          disabled={isFixed}
          value={agent ?? entry}
          options={[
            { value: entry, label: entryAgent === undefined ? 'Entry (none)' : `Entry: ${entryAgent}` },
            ...names.map((name) => ({ value: name, label: name })),
          ]}
          onValueChange={pickAgent}
        />
      )}
    </Field>
  );
}

/** True if both lists offer the same agents, whatever else their cards say. */
function sameChoices(a: readonly Card[], b: readonly Card[]): boolean {
  return (
    a.length === b.length &&
    a.every((card, at) => card === b[at] || (card.name === b[at]?.name && card.toolOnly === b[at].toolOnly))
  );
}

function ModelField() {
  const model = useRun((state) => state.model);
  const scripted = useProject((state) => Object.keys(state.picture.drawn.settings.scripts).length > 0);
  const defaultModel = useProject((state) => state.picture.drawn.config.defaultModel);
  const actions = useRunActions();
  return (
    <Field label="Model">
      {(ids) => (
        <ModelPicker
          {...ids}
          label="Model"
          size="sm"
          value={model === '' ? undefined : model}
          none={scripted ? 'project script' : (defaultModel ?? 'from the cards')}
          onChange={(value) => actions.set({ model: value ?? '' })}
        />
      )}
    </Field>
  );
}

function RunButtons() {
  const phase = useRun((state) => state.phase);
  const runId = useRun((state) => state.runId);
  const running = useOverlay((overlay) => overlay.runId === runId && isActive(overlay.status));
  const isFollowUp = useRun((state) => state.conversation !== undefined);
  const actions = useRunActions();
  const busy = phase === 'saving' || phase === 'starting';
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        type="submit"
        variant="primary"
        size="sm"
        busy={busy}
        icon={<Play aria-hidden className="size-3.5" />}
        title="Ctrl+Enter"
      >
        {phase === 'saving' ? 'Saving' : phase === 'starting' ? 'Starting' : isFollowUp ? 'Send' : 'Run'}
      </Button>
      {running ? (
        <Button
          size="sm"
          busy={phase === 'stopping'}
          icon={<Square aria-hidden className="size-3.5" />}
          title="Ctrl+."
          onClick={() => void actions.stop()}
        >
          {phase === 'stopping' ? 'Stopping…' : 'Stop'}
        </Button>
      ) : null}
      <KeepTalking />
      <LeaveOut />
    </div>
  );
}
