'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { useAccess } from '@/components/access/access-context';
import { HookBenchContext } from '@/components/editor-state/hook-bench-context';
import { OverlayContext } from '@/components/editor-state/overlay-context';
import { PartUsesContext } from '@/components/editor-state/part-uses-context';
import { PresenceContext } from '@/components/editor-state/presence-context';
import { ProjectContext } from '@/components/editor-state/project-context';
import { RunContext } from '@/components/editor-state/run-context';
import { ServersContext } from '@/components/editor-state/servers-context';
import { ToolBenchContext } from '@/components/editor-state/tool-bench-context';
import { TrustContext } from '@/components/editor-state/trust-context';
import { CommandsContext } from '@/components/editor-state/use-commands';
import { type FileLinks, FileLinksContext } from '@/components/run/file-links';
import { createShownRun, ShownRunContext } from '@/components/run/shown-run';
import { announce } from '@/components/ui/announcer';
import { awaitsFirstMessage } from '@/lib/client/first-message';
import { autosave } from '@/lib/editor/autosave';
import { createCommands } from '@/lib/editor/commands';
import { keepDock, readDock } from '@/lib/editor/dock-memory';
import { fileMentions } from '@/lib/editor/file-mentions';
import { openPresence, showPresence } from '@/lib/editor/follow-others';
import { followRenames } from '@/lib/editor/follow-renames';
import { guardedCommands } from '@/lib/editor/guarded-commands';
import { createHookBench } from '@/lib/editor/hook-bench';
import { keepUp } from '@/lib/editor/keep-up';
import { codeParser } from '@/lib/editor/parse-code';
import { createPartUses } from '@/lib/editor/part-uses';
import { createProjectStore, type ProjectStore } from '@/lib/editor/project-store';
import { createOverlayStore } from '@/lib/editor/run-overlay';
import { createRunSession, runStart } from '@/lib/editor/run-session';
import { createServerTests } from '@/lib/editor/server-tests';
import { linkedAgent } from '@/lib/editor/surface-link';
import { createToolBench } from '@/lib/editor/tool-bench';
import { createTrustSession } from '@/lib/editor/trust-session';
import { tryReading } from '@/lib/editor/try-reading';
import { browserPage } from './browser-page';
import type { ProjectEditorProps } from './project-editor-props';

/** The pause after the last save until the trust of the project is read again. */
const trustPauseMs = 2_000;

/** Opens a project: its stores, its commands, and the draft that a reload left behind. */
export function EditorProvider(props: ProjectEditorProps & { readonly children: ReactNode }) {
  const mayEdit = useAccess().rights.includes('edit');
  const [opened] = useState(() => openSessions(props, mayEdit));
  const { services, installation } = props;
  useEffect(() => opened.project.actions.begin(), [opened]);
  useEffect(() => {
    const { store, actions } = opened.project;
    const isNew = JSON.stringify(installation) !== JSON.stringify(store.getState().installation);
    if (installation !== undefined && isNew) actions.setInstallation(installation);
  }, [opened, installation]);
  useEffect(() => keepUp(opened.project, services, browserPage), [opened, services]);
  useEffect(() => showPresence(opened.project, opened.presence, browserPage), [opened]);
  useEffect(() => {
    void opened.servers.actions.load();
    return browserPage.onReturn(() => void opened.servers.actions.load());
  }, [opened]);
  useEffect(
    () => keepDock(browserPage.session, opened.project, opened.run, props.again?.id),
    [opened, props.again?.id],
  );
  useEffect(() => followRenames(opened.project, opened.run), [opened]);
  useEffect(() => autosave(opened.project, browserPage, () => performance.now()), [opened]);
  useEffect(() => {
    // Edits are saved each second while somebody types. The server reads the whole folder for this, so it is asked when they
    // pause. A run asks by itself.
    let timer: ReturnType<typeof setTimeout> | undefined;
    let brought = false;
    const refresh = () => {
      void opened.trust.actions.refresh(brought);
      brought = false;
    };
    const unsubscribe = opened.project.store.subscribe((state, before) => {
      if (state.saved.version === before.saved.version) return;
      clearTimeout(timer);
      brought ||= state.brought < before.brought;
      timer = setTimeout(refresh, trustPauseMs);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [opened]);
  return (
    <ProjectContext value={opened.project}>
      <OverlayContext value={opened.overlay}>
        <RunContext value={opened.run}>
          <TrustContext value={opened.trust}>
            <ServersContext value={opened.servers}>
              <HookBenchContext value={opened.bench}>
                <ToolBenchContext value={opened.tools}>
                  <PresenceContext value={opened.presence}>
                    <PartUsesContext value={opened.uses}>
                      <CommandsContext value={opened.commands}>
                        <ShownRunContext value={opened.shownRun}>
                          <FileLinksContext value={opened.links}>{props.children}</FileLinksContext>
                        </ShownRunContext>
                      </CommandsContext>
                    </PartUsesContext>
                  </PresenceContext>
                </ToolBenchContext>
              </HookBenchContext>
            </ServersContext>
          </TrustContext>
        </RunContext>
      </OverlayContext>
    </ProjectContext>
  );
}

/** Makes the stores of a project that is opened, and its commands. */
function openSessions(props: ProjectEditorProps, mayEdit: boolean) {
  const kept = readDock(browserPage.session, props.projectId, props.draft ?? 'main');
  const project = createProjectStore(
    {
      projectId: props.projectId,
      draft: props.draft,
      name: props.name,
      saved: { version: props.version, folder: props.folder },
      layoutPoints: props.layoutPoints,
      installation: props.installation,
      unreadable: props.unreadable,
      mayEdit,
      dock: kept,
    },
    {
      save: props.services.save,
      now: () => performance.now(),
      nextFrame: onePerFrame(),
      afterPause: whenPaused(),
      tryReading,
      parseCode: codeParser(),
      announce,
    },
  );
  const overlay = createOverlayStore();
  const { entry, drawn } = project.store.getState().picture;
  const agents = drawn.cards.map((card) => card.name);
  const example = drawn.settings.example_message;
  const start = runStart({ entry, agents, example }, props.again, props.lastRun, kept);
  const trust = createTrustSession(props.services, props.trust ?? 'own');
  const saveForRun = () => {
    // Whoever asks for a run wants to know what is missing.
    project.actions.growAll();
    return project.actions.save();
  };
  const run = createRunSession(
    props.services,
    overlay,
    saveForRun,
    start,
    trust.actions.ask,
    () => project.store.getState().picture.drawn,
  );
  const servers = createServerTests(props.services, project, trust.actions.ask);
  const bench = createHookBench(props.services, project, trust.actions.ask);
  const tools = createToolBench(props.services, project, trust.actions.ask);
  const benches = { hooks: bench.actions, tools: tools.actions, known: () => servers.store.getState().known };
  const commands = createCommands(project, run, showRunMessage, servers.actions, benches, props.services);
  showLinkedAgent(project);
  if (awaitsFirstMessage(props.projectId)) project.actions.show({ dockTab: 'run', narrowPanel: 'dock' });
  const uses = createPartUses(props.services.readUses, {
    name: props.draft ?? 'main',
    version: () => project.store.getState().saved.version,
  });
  const presence = openPresence(project, props.services);
  return {
    project,
    overlay,
    run,
    trust,
    servers,
    bench,
    tools,
    presence,
    uses,
    shownRun: createShownRun(),
    links: linksTo(project),
    commands: guardedCommands(commands, project, uses),
  };
}

/** Opens the files that texts of runs name. */
function linksTo({ store, actions }: ProjectStore): FileLinks {
  return {
    piecesOf: (text) => fileMentions(text, store.getState().document.folder.keys()),
    open: ({ file, line, column }) => actions.openFile(file, { line, column }),
  };
}

/** Shows what the model of an agent saw, if the address asks for it. */
function showLinkedAgent({ actions }: ProjectStore): void {
  const agent = linkedAgent(window.location.search);
  if (agent === undefined) return;
  actions.select([`agent:${agent}`]);
  actions.show({ inspectorTab: 'surface', narrowPanel: 'inspector' });
}

/** Puts the cursor into the message of the run dock, once the dock is on screen. */
function showRunMessage(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-run-message]')?.focus());
}

/** A pause between keys that is longer than this ends the typing of a word. */
const pauseMs = 300;

/** Keeps one request, which waits until there has been no newer one for a moment. */
function whenPaused(): (work: () => void) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (work) => {
    clearTimeout(timer);
    timer = setTimeout(work, pauseMs);
  };
}

/** Keeps one request for each frame: a newer one replaces it, so that fast typing redraws once a frame. */
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
