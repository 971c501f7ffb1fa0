'use client';

import {
  AlarmClock,
  Command as CommandIcon,
  FlaskConical,
  History,
  Keyboard,
  MessageSquare,
  MoreHorizontal,
  PanelBottom,
  PanelLeft,
  PanelRight,
  Play,
  Plus,
  Redo2,
  Scale,
  Square,
  Undo2,
  Users,
} from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useAccess } from '@/components/access/access-context';
import { useOverlay } from '@/components/editor-state/overlay-context';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useRun, useRunActions } from '@/components/editor-state/run-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { Button } from '@/components/ui/button';
import { IconButton } from '@/components/ui/icon-button';
import { Menu, MenuItem } from '@/components/ui/menu';
import { usePanel } from '@/components/ui/splitter';
import { Tooltip } from '@/components/ui/tooltip';
import { VisibleText } from '@/components/ui/visible-text';
import {
  chatHref,
  membersHref,
  reviewsHref,
  revisionsHref,
  testsHref,
  triggersHref,
} from '@/lib/client/project-address';
import { isActive } from '@/lib/trace/run-state';
import { DraftMenu } from './draft-menu';
import { usePanels } from './panels';
import { PeopleHere } from './people-here';
import { PublishButton } from './publish-button';
import { SaveButton, SaveState } from './save-state';

/** Shows the name of the project, its save state, and the actions that are always available. */
export function TopBar(props: { readonly onPalette: () => void; readonly onKeys: () => void }) {
  const name = useProject((state) => state.name);
  const mayEdit = useProject((state) => state.mayEdit);
  return (
    <header className="flex h-11 shrink-0 items-center gap-1 border-b bg-surface px-2 sm:px-3">
      <h1 className="min-w-0 truncate text-sm font-semibold text-ink" title={name}>
        <VisibleText text={name} />
      </h1>
      <DraftMenu />
      {mayEdit && <SaveState />}
      <PeopleHere className="flex px-1 max-sm:hidden" />
      <span className="flex-1" />
      {mayEdit && <EditButtons />}
      <IconButton
        label="Commands"
        keys="Mod+K"
        icon={<CommandIcon aria-hidden />}
        onClick={props.onPalette}
        tooltipSide="bottom"
      />
      <IconButton
        label="All keys"
        keys="?"
        icon={<Keyboard aria-hidden />}
        onClick={props.onKeys}
        tooltipSide="bottom"
        className="max-md:hidden"
      />
      <PageLinks />
      <PanelToggles />
      {mayEdit && <SaveButton />}
      {mayEdit && <PublishButton />}
      <RunButton />
    </header>
  );
}

function EditButtons() {
  const canUndo = useProject((state) => state.document.past.length > 0);
  const canRedo = useProject((state) => state.document.future.length > 0);
  const actions = useActions();
  const commands = useCommands();
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
        label="Add agent"
        keys="N"
        icon={<Plus aria-hidden />}
        onClick={() => commands.addAgent(undefined)}
        tooltipSide="bottom"
      />
    </>
  );
}

/** Leave for other pages of the project: talk with it, see who works on it. A narrow bar has most of them in a menu. */
function PageLinks() {
  const project = useProject((state) => state.projectId);
  const { accounts } = useAccess();
  const pages = [
    { label: 'Revisions', href: revisionsHref(project), icon: <History aria-hidden className="size-4" /> },
    { label: 'Tests', href: testsHref(project), icon: <FlaskConical aria-hidden className="size-4" /> },
    ...(accounts
      ? [{ label: 'Members', href: membersHref(project), icon: <Users aria-hidden className="size-4" /> }]
      : []),
  ];
  return (
    <>
      <PageLink label="Chat" href={chatHref(project)} icon={<MessageSquare aria-hidden className="size-4" />} />
      <span className="contents max-md:hidden">
        {pages.map((page) => (
          <PageLink key={page.label} {...page} />
        ))}
      </span>
      <span className="contents max-lg:hidden">
        <PageLink label="Reviews" href={reviewsHref(project)} icon={<Scale aria-hidden className="size-4" />} />
        <PageLink label="Triggers" href={triggersHref(project)} icon={<AlarmClock aria-hidden className="size-4" />} />
      </span>
      <span className="contents md:hidden">
        <Menu align="end" trigger={<IconButton label="More pages" icon={<MoreHorizontal aria-hidden />} />}>
          {pages.map(({ label, href, icon }) => (
            <MenuItem key={label} icon={icon} href={href}>
              {label}
            </MenuItem>
          ))}
          <MenuItem icon={<Scale aria-hidden className="size-4" />} href={reviewsHref(project)}>
            Reviews
          </MenuItem>
          <MenuItem icon={<AlarmClock aria-hidden className="size-4" />} href={triggersHref(project)}>
            Triggers
          </MenuItem>
        </Menu>
      </span>
    </>
  );
}

function PageLink(props: { readonly label: string; readonly href: string; readonly icon: ReactNode }) {
  return (
    <Tooltip text={props.label} side="bottom">
      <Link
        href={props.href}
        aria-label={props.label}
        className="inline-flex size-8 shrink-0 items-center justify-center rounded text-muted transition-colors duration-100 hover:bg-hover hover:text-ink"
      >
        {props.icon}
      </Link>
    </Tooltip>
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
