'use client';

import { PanelBottom, PanelLeft, PanelRight, Play, Plus, Redo2, Square, Undo2 } from 'lucide-react';
import { useAccess } from '@/components/access/access-context';
import { useOverlay } from '@/components/editor-state/overlay-context';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useRun, useRunActions } from '@/components/editor-state/run-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { usePanel } from '@/components/ui/splitter';
import { isActive } from '@/lib/trace/run-state';
import { DraftMenu } from './draft-menu';
import { usePanels } from './panels';
import { PeopleHere } from './people-here';
import { SaveButton, SaveState } from './save-state';

/** The tools of the editor, below the bar of the project: the draft and its save state, what changes the graph, panels, Run. */
export function TopBar() {
  const mayEdit = useProject((state) => state.mayEdit);
  return (
    <header className="flex h-10 shrink-0 items-center gap-1 border-b bg-surface px-2 sm:px-3">
      <DraftMenu />
      {mayEdit && <SaveState />}
      <PeopleHere className="flex px-1 max-sm:hidden" />
      <span className="flex-1" />
      {mayEdit && <EditButtons />}
      <PanelToggles />
      {mayEdit && <SaveButton />}
      <RunButton />
    </header>
  );
}

function EditButtons() {
  const canUndo = useProject((state) => state.document.past.length > 0);
  const canRedo = useProject((state) => state.document.future.length > 0);
  const actions = useActions();
  return (
    <>
      <IconButton
        label="Undo"
        keys="Mod+Z"
        icon={<Undo2 aria-hidden />}
        disabled={!canUndo}
        onClick={actions.undo}
        tooltipSide="bottom"
      />
      <IconButton
        label="Redo"
        keys="Mod+Shift+Z"
        icon={<Redo2 aria-hidden />}
        disabled={!canRedo}
        onClick={actions.redo}
        tooltipSide="bottom"
        className="max-sm:hidden"
      />
      <IconButton
        label="Add…"
        keys="N"
        icon={<Plus aria-hidden />}
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          actions.show({ picking: { what: 'all', list: { x: left, y: bottom } }, narrowPanel: 'canvas' });
        }}
        tooltipSide="bottom"
      />
    </>
  );
}

function PanelToggles() {
  const panels = usePanels();
  const left = usePanel(panels.left.key, panels.left.size, panels.left.open);
  const right = usePanel(panels.right.key, panels.right.size);
  const dock = usePanel(panels.dock.key, panels.dock.size);
  const isText = useProject((state) => state.textView === 'wide');
  const actions = useActions();
  return (
    <span className="mx-1 flex border-x px-1 max-md:hidden">
      <IconButton
        label="Outline"
        icon={<PanelLeft aria-hidden />}
        pressed={left.open}
        onClick={() => left.setOpen(!left.open)}
        tooltipSide="bottom"
      />
      <IconButton
        label="Dock"
        icon={<PanelBottom aria-hidden />}
        pressed={dock.open}
        onClick={() => dock.setOpen(!dock.open)}
        tooltipSide="bottom"
      />
      <IconButton
        label="Inspector"
        icon={<PanelRight aria-hidden />}
        pressed={right.open && !isText}
        onClick={() => {
          if (!isText) right.setOpen(!right.open);
          // The wide editor takes the place of the inspector.
          else actions.showText('side');
        }}
        tooltipSide="bottom"
      />
    </span>
  );
}

/** Does the same as the button in the dock and Mod+Enter. */
function RunButton() {
  const runId = useRun((state) => state.runId);
  const stopping = useRun((state) => state.phase === 'stopping');
  const running = useOverlay((overlay) => overlay.runId === runId && isActive(overlay.status));
  const starting = useRun((state) => state.phase === 'saving' || state.phase === 'starting');
  const commands = useCommands();
  const run = useRunActions();
  if (!useAccess().rights.includes('run')) return null;
  if (running) {
    return (
      <Button
        size="sm"
        icon={<Square aria-hidden className="size-3.5" />}
        title="Ctrl+."
        busy={stopping}
        onClick={() => void run.stop()}
      >
        <span className="max-sm:sr-only">{stopping ? 'Stopping…' : 'Stop'}</span>
      </Button>
    );
  }
  return (
    <Button
      size="sm"
      variant="primary"
      icon={<Play aria-hidden className="size-3.5" />}
      title="Ctrl+Enter"
      busy={starting}
      onClick={() => commands.run()}
    >
      <span className="max-sm:sr-only">Run</span>
    </Button>
  );
}
