'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { RunContext } from '@/components/run-dock/run-context';
import { createRunSession, runStart } from '@/components/run-dock/run-session';
import { TrustContext } from '@/components/trust/trust-context';
import { createTrustSession } from '@/components/trust/trust-session';
import { createCommands } from './commands';
import { keepUp } from './keep-up';
import { OverlayContext } from './overlay-context';
import { ProjectContext } from './project-context';
import type { ProjectEditorProps } from './project-editor-props';
import { createProjectStore } from './project-store';
import { createOverlayStore } from './run-overlay';
import { ServicesContext } from './services';
import { tryReading } from './try-reading';
import { CommandsContext } from './use-commands';

/** Opens a project: its stores, its commands, and the draft that a reload left behind. */
export function EditorProvider(props: ProjectEditorProps & { readonly children: ReactNode }) {
  const [opened] = useState(() => {
    const project = createProjectStore(
      {
        projectId: props.projectId,
        name: props.name,
        saved: { version: props.version, folder: props.folder },
        layoutPoints: props.layoutPoints,
        installation: props.installation,
        unreadable: props.unreadable,
      },
      { save: props.services.save, now: () => performance.now(), nextFrame: onePerFrame(), tryReading },
    );
    const overlay = createOverlayStore();
    const { entry, drawn } = project.store.getState().picture;
    const agents = drawn.cards.map((card) => card.name);
    const start = runStart({ entry, agents, example: drawn.settings.example_message }, props.again, props.lastRun);
    const trust = createTrustSession(props.services, props.trust ?? 'own');
    const run = createRunSession(props.services, overlay, project.actions.save, start, trust.actions.ask);
    return { project, overlay, run, trust, commands: createCommands(project, run) };
  });
  const { services } = props;
  useEffect(() => opened.project.actions.begin(), [opened]);
  useEffect(() => keepUp(opened.project, services), [opened, services]);
  useEffect(() => {
    return opened.project.store.subscribe((state, before) => {
      if (state.saved.version !== before.saved.version) void opened.trust.actions.refresh();
    });
  }, [opened]);
  return (
    <ProjectContext value={opened.project}>
      <OverlayContext value={opened.overlay}>
        <RunContext value={opened.run}>
          <ServicesContext value={props.services}>
            <TrustContext value={opened.trust}>
              <CommandsContext value={opened.commands}>{props.children}</CommandsContext>
            </TrustContext>
          </ServicesContext>
        </RunContext>
      </OverlayContext>
    </ProjectContext>
  );
}

/** A waiting request is replaced, not added to: one redraw a frame however fast the typing. */
function onePerFrame(): (work: () => void) => void {
  let waiting: (() => void) | undefined;
  return (work) => {
    const scheduled = waiting !== undefined;
    waiting = work;
    if (scheduled) return;
    requestAnimationFrame(() => {
      const due = waiting;
      waiting = undefined;
      due?.();
    });
  };
}
