'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { RunContext } from '@/components/run-dock/run-context';
import { createRunSession } from '@/components/run-dock/run-session';
import { createCommands } from './commands';
import { findDraft, keepDraft } from './draft';
import { OverlayContext } from './overlay-context';
import { ProjectContext } from './project-context';
import type { ProjectEditorProps } from './project-editor';
import { createProjectStore, type ProjectStore } from './project-store';
import { createOverlayStore } from './run-overlay';
import { ServicesContext } from './services';
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
      },
      { save: props.services.save, now: () => performance.now(), nextFrame: onePerFrame() },
    );
    const overlay = createOverlayStore();
    const run = createRunSession(props.services, overlay, project.actions.save);
    return { project, overlay, run, commands: createCommands(project, run) };
  });
  useEffect(() => restoreAndKeepDraft(opened.project), [opened]);
  return (
    <ProjectContext value={opened.project}>
      <OverlayContext value={opened.overlay}>
        <RunContext value={opened.run}>
          <ServicesContext value={props.services}>
            <CommandsContext value={opened.commands}>{props.children}</CommandsContext>
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

const keepDelayMs = 250;

function restoreAndKeepDraft({ store, actions }: ProjectStore): () => void {
  const storage = window.localStorage;
  const { projectId, dirty } = store.getState();
  const draft = dirty ? undefined : findDraft(storage, projectId);
  if (draft !== undefined) actions.restoreDraft(draft);

  let timer: ReturnType<typeof setTimeout> | undefined;
  function keep() {
    timer = undefined;
    const state = store.getState();
    if (!keepDraft(storage, state.projectId, state.saved, state.document.folder)) {
      actions.notify({
        tone: 'bad',
        text: 'The browser has no room for a draft: a reload would lose what is not saved. Save now.',
      });
    }
  }
  const keepNow = () => {
    if (timer !== undefined) {
      clearTimeout(timer);
      keep();
    }
  };
  const unsubscribe = store.subscribe((state, before) => {
    if (state.document.folder === before.document.folder && state.saved === before.saved) return;
    timer ??= setTimeout(keep, keepDelayMs);
  });
  window.addEventListener('pagehide', keepNow);
  return () => {
    keepNow();
    unsubscribe();
    window.removeEventListener('pagehide', keepNow);
  };
}
